"""An analyzed game: its turns with their values, what each side lost, and when the game was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final

from reversi._core import Move, Position, Square
from reversi.analysis.judgement import Judgement, Prospect, is_certain, noise, prospect
from reversi.color import Color
from reversi.game.hand_flips import play_with_flips
from reversi.records.record import Record
from reversi.rules import Rules
from reversi.score import Score

__all__ = ["ANALYSIS_TAG", "Analysis", "AnalyzedTurn", "SideSummary", "decided_at", "known_tags", "summarize"]

ANALYSIS_TAG: Final = "Analysis"
"""The tag in which an annotated record keeps the level and from where values are exact."""


@dataclass(frozen=True, slots=True)
class AnalyzedTurn:
    """One turn of an analyzed game. Scores are from the mover's view.

    Attributes:
        ply: the number of the turn from 1; passes count.
        position: the position before it.
        move: the move played.
        score: the value of the move played; with the flips that the rules say.
        best: the best moves, in a1, b1, … order; of a value that is not exact the one that the search found.
        best_score: the value of the best moves.
        pv: the best line, from a move of ``best`` on; passes are in it.
        judgement: the judgement of a remarkable move; ``None`` for most moves.
        flips: the discs flipped by hand, where they differ from what the rules say; else ``None``.
        book: whether the opening book has the move among its good ones; such a move is no mistake.
    """

    ply: int
    position: Position
    move: Move
    score: Score
    best: tuple[Move, ...]
    best_score: Score
    pv: tuple[Move, ...]
    judgement: Judgement | None = None
    flips: tuple[Square, ...] | None = None
    book: bool = False

    @property
    def mover(self) -> Color:
        """Who made the move."""
        return self.position.to_move

    @property
    def loss(self) -> int:
        """Discs lost: the difference between the best score and that of the move played, 0 for a best move."""
        return max(self.best_score.value - self.score.value, 0)

    @property
    def forced(self) -> bool:
        """Whether the mover had one legal move (a pass is one) and nothing to choose."""
        return len(self.position.legal_moves) == 1

    @property
    def is_best(self) -> bool:
        """Whether the move played is a best move."""
        return self.move in self.best

    @property
    def outcome(self) -> Prospect:
        """Win, draw or loss for the mover after the move played."""
        return prospect(self.score.value)

    @property
    def best_outcome(self) -> Prospect:
        """Win, draw or loss for the mover after a best move."""
        return prospect(self.best_score.value)

    @property
    def outcome_changed(self) -> bool:
        """Whether the move gives away a win or a draw; noise and a move of the book do not."""
        if self.book or self.outcome is self.best_outcome:
            return False
        return is_certain(self.loss, self.score, self.best_score)

    @property
    def after(self) -> Position:
        """The position after the turn, with the discs flipped by hand."""
        if self.flips is None:
            return self.position.play(self.move)
        return play_with_flips(self.position, self.move, self.flips)


@dataclass(frozen=True, slots=True)
class SideSummary:
    """How one side played. Passes and forced moves do not count.

    Attributes:
        moves: turns with a choice.
        best: of those, turns with a best move.
        loss: discs lost in all.
        worst_ply: the ply of the largest loss, ``None`` where nothing was lost.
        signs: how often each judgement was given.
        outcome_changes: turns that gave away a win or a draw.
    """

    moves: int
    best: int
    loss: int
    worst_ply: int | None
    signs: Mapping[Judgement, int]
    outcome_changes: int

    @property
    def mean_loss(self) -> float:
        """Discs lost per turn with a choice; 0 without one."""
        return self.loss / self.moves if self.moves else 0.0

    @property
    def best_share(self) -> float:
        """The share of best moves, from 0 to 1; 1 without a choice."""
        return self.best / self.moves if self.moves else 1.0


def summarize(turns: Iterable[AnalyzedTurn]) -> SideSummary:
    """Return the summary of some turns of one side, or of both."""
    chosen = [turn for turn in turns if not turn.forced]
    worst = max(chosen, key=lambda turn: turn.loss, default=None)
    return SideSummary(
        len(chosen),
        sum(turn.is_best for turn in chosen),
        sum(turn.loss for turn in chosen),
        worst.ply if worst is not None and worst.loss else None,
        Counter(turn.judgement for turn in chosen if turn.judgement is not None),
        sum(turn.outcome_changed for turn in chosen),
    )


def decided_at(outcomes: Sequence[Prospect | None]) -> int | None:
    """Return the ply from which the outcome is certain and no longer changes; ``None`` where the last one is open.

    Args:
        outcomes: the outcome after each ply from one side's view, the start at index 0; ``None`` for an open one.
    """
    ply = len(outcomes) - 1
    if outcomes[ply] is None:
        return None
    while ply and outcomes[ply - 1] is outcomes[-1]:
        ply -= 1
    return ply


@dataclass(frozen=True)
class Analysis:
    """A game, analyzed.

    Attributes:
        start: the position before the first turn; it carries the rules.
        moves: all moves of the game, passes included.
        turns: the analyzed turns in playing order: all of them, or the last ones where a cancel stopped the work.
        level: the level of the searches; ``None`` where a time was given instead.
        time_s: the seconds for each search, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact.
        tags: what the record knows by name: players, event, date.
        result: the result as recorded: ``37-27``, ``1-0``, ``*``.
        flips: by ply, the discs flipped by hand where they differ from what the rules say.
        book: whether an opening book marks its moves.
    """

    start: Position
    moves: tuple[Move, ...]
    turns: tuple[AnalyzedTurn, ...]
    level: int | None
    exact_from: int
    time_s: float | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str = "*"
    flips: Mapping[int, tuple[Square, ...]] = field(default_factory=dict)
    book: bool = False

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def complete(self) -> bool:
        """Whether every turn is analyzed."""
        return len(self.turns) == len(self.moves)

    @property
    def sides(self) -> dict[Color, SideSummary]:
        """How each side played."""
        return {color: summarize(turn for turn in self.turns if turn.mover is color) for color in Color}

    @property
    def values(self) -> tuple[int | None, ...]:
        """The value after each ply from Black's view, the start at index 0; ``None`` where it is not known."""
        known: list[int | None] = [None] * (len(self.moves) + 1)
        for turn in self.turns:
            known[turn.ply - 1] = _for_black(turn.best_score.value, turn)
            known[turn.ply] = _for_black(turn.score.value, turn)
        return tuple(known)

    @property
    def decided(self) -> int | None:
        """The ply from which the outcome no longer changes, 0 where the start decides it.

        A value that may be noise decides nothing. ``None`` while the outcome is open, and where turns are missing.
        """
        if not self.turns or not self.complete:
            return None
        outcomes = [_certain_outcome(turn.best_score, turn) for turn in self.turns]
        return decided_at([*outcomes, _certain_outcome(self.turns[-1].score, self.turns[-1])])

    def turn(self, ply: int) -> AnalyzedTurn:
        """Return the analyzed turn with this number.

        Raises:
            KeyError: the turn is not in the game, or not analyzed.
        """
        first = len(self.moves) - len(self.turns) + 1
        if not first <= ply <= len(self.moves):
            raise KeyError(ply)
        return self.turns[ply - first]

    @property
    def mistakes(self) -> tuple[AnalyzedTurn, ...]:
        """The inaccuracies, mistakes and blunders, in playing order."""
        return tuple(turn for turn in self.turns if turn.judgement is not None and turn.judgement.is_error)

    def __str__(self) -> str:
        # by name: the text of an analysis is above it
        return "\n".join(import_module("reversi.analysis.text").table_lines(self))

    def _repr_svg_(self) -> str:
        """Return the graph of the game as SVG, which notebooks show."""
        # by name: only notebooks ask for pictures
        return str(import_module("reversi.analysis.graph").graph_svg(self))


def known_tags(record: Record) -> dict[str, str]:
    """Return what a record knows by name, without unknown values and the tag of an earlier analysis."""
    unknown = ("", "?", "????.??.??")
    return {name: value for name, value in record.tags.items() if value not in unknown and name != ANALYSIS_TAG}


def _certain_outcome(score: Score, turn: AnalyzedTurn) -> Prospect | None:
    """The outcome for Black that a score of a turn means; ``None`` where it may be noise."""
    certain = not (margin := noise(score, score)) or abs(score.value) > margin
    return prospect(_for_black(score.value, turn)) if certain else None


def _for_black(value: int, turn: AnalyzedTurn) -> int:
    return value if turn.mover is Color.BLACK else -value
