"""Exercises: a position, the value of every legal move, and where the position comes from."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field

from reversi._core import Move, Position, as_move
from reversi.analysis.judgement import noise
from reversi.score import Score, best_of
from reversi.solver.solution import MoveScore
from reversi.text.boards import format_board


class ExerciseTheme(enum.Enum):
    """Why a position is an exercise.

    Attributes:
        MISTAKE: a player lost discs or the outcome here.
        BEST_MOVE: one move is better than every other.
    """

    MISTAKE = "mistake"
    BEST_MOVE = "best-move"

    def __str__(self) -> str:
        return self.value


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
        theme: why it is an exercise.
        grade: how deep a search must look: the smallest depth in plies from which on its first move is a best one.
        played: the move that lost, for a mistake.
        origin: where it comes from.
        id: the same for a position and its symmetric twins.
    """

    position: Position
    moves: tuple[MoveScore, ...] = field(repr=False)
    theme: ExerciseTheme
    grade: int
    played: Move | None = None
    origin: Origin = field(default_factory=Origin)
    id: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", exercise_id(self.position))

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


def best_moves(moves: tuple[MoveScore, ...]) -> tuple[Move, ...]:
    """Return the best of scored moves: the first, and those that lose no more than the error of the search.

    Exact scores have no error.
    """
    best = moves[0].score
    return tuple(scored.move for scored in moves if best.value - scored.score.value <= noise(scored.score, best))


def exercise_id(position: Position) -> str:
    """Return the name of a position as an exercise: 16 hexadecimal digits, equal for symmetric positions."""
    text = f"{position.rules} {format_board(position.canonical())}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]
