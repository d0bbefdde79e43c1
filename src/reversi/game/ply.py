"""One ply of a game with its flips, and how a game ends."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from reversi._core import Move, Position, Square
from reversi.color import Color
from reversi.game.supply import Supply
from reversi.score import MoveValue, Result


class Termination(enum.Enum):
    """How a game ended. The values are the words of the ``Termination`` tag of a record."""

    NORMAL = "normal"
    RESIGNATION = "resignation"
    TIME_FORFEIT = "time forfeit"
    ADJUDICATION = "adjudication"
    FORFEIT = "forfeit"
    """A player broke the rules or stopped playing."""

    @staticmethod
    def declared(text: str) -> Termination | None:
        """Return how a game ended before its end on the board, by its tag ``Termination``; ``None`` for others."""
        return _DECLARED.get(text.strip().casefold())

    def __str__(self) -> str:
        return str(self.value)


_DECLARED: Final = {str(kind): kind for kind in Termination if kind is not Termination.NORMAL}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        termination: on the board (``NORMAL``), or otherwise.
        winner: the winner, or ``None`` for a draw.
        count: the discs on the board, and their score if the game ended there.
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
        number: the number of the ply from 1; passes count.
        move: the move.
        before: the position before it.
        after: the position after it.
        supply: the disc supply after it.
        handed_over: whether the opponent handed over the placed disc.
        comment: a free note, "" for none.
        clock: the mover's remaining time after the ply in seconds, or ``None`` in an untimed game.
        evaluation: the value of the move from the mover's view, or ``None``.
        hand_flips: the discs that the player flipped by hand, in square order; ``None`` means as the rules say.
    """

    number: int
    move: Move
    before: Position
    after: Position
    supply: Supply
    handed_over: bool = False
    comment: str = ""
    clock: float | None = None
    evaluation: MoveValue | None = None
    hand_flips: tuple[Square, ...] | None = None

    def __str__(self) -> str:
        return f"{self.number}. {self.color}: {self.move}"

    @property
    def color(self) -> Color:
        """Who made the move."""
        return self.before.to_move

    @property
    def flips(self) -> tuple[Square, ...]:
        """The squares of the flipped discs, in a1, b1, … order: by hand, or as the rules say."""
        return self.before.flips(self.move) if self.hand_flips is None else self.hand_flips

    @property
    def is_pass(self) -> bool:
        """Whether the ply is a pass, forced or not."""
        return self.move.is_pass

    @property
    def is_forced_pass(self) -> bool:
        """Whether the ply is a pass of a player without a placement."""
        return self.move.is_pass and not self.before.legal_moves.placements

    @property
    def is_skip(self) -> bool:
        """Whether the ply is a pass of a player with a placement."""
        return self.move.is_pass and bool(self.before.legal_moves.placements)
