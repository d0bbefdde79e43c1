"""One ply of a game, with the flips as they were made, and how a game ends."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from reversi._core import Move, Position, Square
from reversi.color import Color
from reversi.game.supply import Supply
from reversi.score import Result, Score

__all__ = ["Outcome", "Ply", "Termination"]


class Termination(enum.Enum):
    """How a game came to its end. The values are the words of the ``Termination`` tag of a record."""

    NORMAL = "normal"
    RESIGNATION = "resignation"
    TIME_FORFEIT = "time forfeit"
    ADJUDICATION = "adjudication"

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        termination: on the board (``NORMAL``), or how else.
        winner: who won, or ``None`` for a draw.
        count: the discs on the board, and what they score when the game ended there.
    """

    termination: Termination
    winner: Color | None
    count: Result

    @property
    def text(self) -> str:
        """The result in a record: ``37-27`` for an end on the board, else ``1-0``, ``0-1``, ``1/2-1/2``."""
        if self.termination is Termination.NORMAL:
            return self.count.discs
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Color.BLACK else "0-1"

    def __str__(self) -> str:
        if self.termination is Termination.NORMAL:
            return str(self.count)
        who = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{who} by {self.termination} ({self.text})"


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of a game.

    Attributes:
        number: from 1; passes count.
        move: what was played.
        before: the position it was played in.
        after: the position it led to.
        supply: the disc supply after it.
        handed_over: whether the opponent had to hand over the disc that was placed.
        comment: a free note, "" for none.
        clock: the mover's remaining time after the ply in seconds, or ``None`` when not timed.
        evaluation: what the ply is worth, from the view of the player who made it, or ``None``.
        turned: the discs that the player turned by hand, in square order; ``None`` means as the rules say.
    """

    number: int
    move: Move
    before: Position
    after: Position
    supply: Supply
    handed_over: bool = False
    comment: str = ""
    clock: float | None = None
    evaluation: Score | None = None
    turned: tuple[Square, ...] | None = None

    @property
    def color(self) -> Color:
        """Who made the move."""
        return self.before.to_move

    @property
    def flips(self) -> tuple[Square, ...]:
        """The squares of the discs that turned, in a1, b1, … order: by hand, or as the rules say."""
        return self.before.flips(self.move) if self.turned is None else self.turned

    @property
    def is_pass(self) -> bool:
        """Whether the turn was passed, forced or not."""
        return self.move.is_pass

    @property
    def is_forced_pass(self) -> bool:
        """Whether the turn was passed because there was no placement."""
        return self.move.is_pass and not self.before.legal_moves.placements

    @property
    def is_skip(self) -> bool:
        """Whether the turn was passed although there was a placement."""
        return self.move.is_pass and bool(self.before.legal_moves.placements)
