"""Exercises: a position, the value of every legal move, and where the position comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Final

from reversi._core import Move, Position, as_move
from reversi.analysis.exercises.ratings import chance_of, class_of, class_text
from reversi.analysis.exercises.themes import ExerciseTheme, is_only_move
from reversi.analysis.judgement import loss_text, noise
from reversi.engine.explaining import Feature, explain
from reversi.score import Kind, Score, best_of, score_text, short_score
from reversi.solver.solution import MoveScore
from reversi.text.boards import format_board
from reversi.text.counting import counted

REMARKS: Final = 4
_CANDIDATES: Final = 3
SPEAKS: Final = {
    Feature.CORNER: "it takes a corner",
    Feature.X_SQUARE: "it is an X-square",
    Feature.C_SQUARE: "it is a C-square",
    Feature.GIVES_CORNER: "it gives a corner away",
    Feature.DENIES_CORNER: "it keeps the opponent out of a corner",
    Feature.EDGE: "look at the edge",
    Feature.OWN_MOBILITY: "look at the moves that it keeps for later",
    Feature.MOBILITY: "look at the moves that it leaves the opponent",
    Feature.FRONTIER: "look at the discs beside empty squares",
    Feature.STABLE: "it makes discs stable",
    Feature.PARITY: "look at the size of the region that it plays into",
    Feature.PASS: "it is a pass",
    Feature.END: "it ends the game",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a position comes from; everything unknown is empty or 0.

    Attributes:
        file: the file.
        game: the number of the game in it, from 1.
        ply: the turn that is to be found, from 1.
        black: Black's name.
        white: White's name.
        date: the date of the game, as its record has it.
    """

    file: str = ""
    game: int = 0
    ply: int = 0
    black: str = ""
    white: str = ""
    date: str = ""

    def __str__(self) -> str:
        players = f"{self.black or '?'} – {self.white or '?'}" if self.black or self.white else ""
        place = f"{self.file}{f'#{self.game}' if self.game else ''}"
        parts = (players, self.date, place, f"ply {self.ply}" if self.ply else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position with one task: find the best move.

    Attributes:
        position: the position; it has at least two legal moves.
        moves: every legal move with its score and line, best first, scores of one kind.
        theme: what it is about.
        difficulty: how hard it is for people, on the scale of ratings; ``None`` where their games do not tell.
        played: the move that lost, for a mistake.
        origin: where it comes from.
        id: the same for a position and its symmetric twins.
    """

    position: Position
    moves: tuple[MoveScore, ...] = field(repr=False)
    theme: ExerciseTheme
    difficulty: int | None
    played: Move | None = None
    origin: Origin = field(default_factory=Origin)
    id: str = field(init=False, compare=False)
    last: ClassVar[Move | None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", card_id(self.position))

    @property
    def difficulty_class(self) -> int | None:
        """The class of its difficulty: 1 to 5, 0 for trivial, 6 for hopeless; ``None`` where it has none."""
        return None if self.difficulty is None else class_of(self.difficulty)

    @property
    def score(self) -> Score:
        """The score of the position."""
        return best_of([scored.score for scored in self.moves])

    @property
    def answers(self) -> tuple[Move, ...]:
        """The moves that count as right, best first."""
        return best_moves(self.moves)

    def scored(self, move: Move | str) -> MoveScore:
        """Return a legal move with its score.

        Raises:
            InvalidMoveError: the text is not a move.
            KeyError: the move is not legal.
        """
        move = as_move(move)
        for scored in self.moves:
            if scored.move == move:
                return scored
        raise KeyError(move)

    def loss(self, move: Move | str) -> int:
        """Return how many discs a legal move loses against the best one."""
        return self.score.value - self.scored(move).score.value

    # --- as a card of a drill

    @property
    def about(self) -> str:
        """The class of the difficulty, in words."""
        return "" if self.difficulty is None else class_text(class_of(self.difficulty))

    @property
    def place(self) -> str:
        """Where the position comes from, in words."""
        return str(self.origin)

    @property
    def task(self) -> str:
        """What is to be found."""
        if self.played is not None:
            return f"{self.played} was played; find a better move."
        score = self.score
        if score.kind is not Kind.EXACT or not is_only_move(self.position, self.moves):
            return "find the best move."
        if score.value == self.position.rules.board.cells:
            return f"find the only move that leaves {self.position.to_move.opponent} without a disc."
        return f"find the only move that {'wins' if score.value else 'draws'}."

    def hints(self, wrong: Collection[Move] = ()) -> list[str]:
        """Return the hints: the score, then what stands out, then candidates, none of them known to be wrong."""
        best = self.moves[0]
        hints = [f"The best move is worth {score_text(best.score)}."]
        if remarks := explain(self.position, best.move, 1):
            hints.append(f"The best move: {SPEAKS[remarks[0].feature]}.")
        ruled_out = {*wrong, self.played} - set(self.answers)
        left = [scored.move for scored in self.moves if scored.move not in ruled_out]
        few = left[: min(_CANDIDATES, max(2, len(self.moves) - 1))]
        hints.append(f"It is {few[0]}." if len(few) == 1 else f"It is one of: {listed(sorted(few))}.")
        return hints

    def labels(self, answered: Move) -> list[tuple[Move, str]]:
        """Return the scores of the other moves."""
        answered = as_move(answered)
        return [(each.move, short_score(each.score)) for each in self.moves if each.move != answered]

    def explanation(self, move: Move | None) -> list[str]:
        """Return lines that say why an answer is right or wrong; ``None`` is a player who wants the solution."""
        lines = []
        if move in self.answers:
            assert move is not None
            best, error = self.moves[0].move, self.loss(move)
            lines.append(
                f"Right. The search prefers {best} by {counted(error, 'disc')}, within its error."
                if error
                else "Right."
            )
            lines += self._move_lines(move)
            others = [scored for scored in self.moves if scored.move not in self.answers]
            if others:
                lines.append(f"The next best move, {others[0].move}, loses {self._lost(others[0].move)}.")
        else:
            if move is not None:
                lines.append(f"Wrong: {move} loses {self._lost(move)}.")
                lines += self._move_lines(move)
            lines.append("Solution:")
            lines += self._move_lines(self.answers[0])
        played = self.played
        if played is not None and played != move:
            lines.append(f"{played} was played and loses {self._lost(played)}.")
        if self.difficulty is not None:
            share = f"{chance_of(self.difficulty):.0%}".replace("%", " %")
            theme = "" if self.theme is ExerciseTheme.OTHER else f"Theme: {self.theme}. "
            lines.append(f"{theme}{share} of people find it.")
        return lines

    def _move_lines(self, move: Move) -> list[str]:
        scored = self.scored(move)
        best = self.scored(self.answers[0])
        better = None if move in self.answers else best.move
        remarks = explain(self.position, move, REMARKS, better=better, line=scored.pv[1:], better_line=best.pv[1:])
        return [
            f"{move!s:3} {score_text(scored.score)}  {listed(scored.pv)}",
            *(f"    {remark}" for remark in remarks),
        ]

    def _lost(self, move: Move) -> str:
        """Return what a move loses, in words."""
        return loss_text(self.scored(move).score, self.score)


def best_moves(moves: tuple[MoveScore, ...]) -> tuple[Move, ...]:
    """Return the best of scored moves: the first, and those that lose no more than the error of the search.

    Exact scores have no error.
    """
    best = moves[0].score
    return tuple(scored.move for scored in moves if best.value - scored.score.value <= noise(scored.score, best))


def listed(moves: Iterable[Move]) -> str:
    return " ".join(map(str, moves))


def card_id(position: Position, kind: str = "") -> str:
    """Return the name of a position on cards of a kind: 16 hexadecimal digits, equal for symmetric positions."""
    text = f"{kind}{position.rules} {format_board(position.canonical())}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]
