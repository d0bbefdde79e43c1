"""The events of a session: one small value each.

A `Session` calls its listeners with every event, in the order in which they happen.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from reversi._core import Move
from reversi.color import Color
from reversi.game.ply import Outcome, Ply


class By(enum.Enum):
    """Who made a ply."""

    HUMAN = "human"
    ENGINE = "engine"
    FORCED = "forced"
    """Nobody: the session passes for a player without a placement."""


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody played a ply; ``ply.handed_over`` says whether the opponent handed over a disc for it."""

    ply: Ply
    by: By


@dataclass(frozen=True, slots=True)
class Flipped:
    """A player flipped discs of the latest ply by hand, or flipped them back; ``ply`` is the changed ply."""

    ply: Ply


@dataclass(frozen=True, slots=True)
class FlipsFinished:
    """A player who flips discs by hand has finished."""

    color: Color


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Somebody took back plies, here in playing order; none where only a resignation is withdrawn."""

    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class PlayedAgain:
    """Somebody replayed plies that were taken back."""

    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class OpeningLeft:
    """A ply left the opening that engines hold to, or reached its end; it follows that ply's `Played`.

    Attributes:
        ply: the ply.
        known: the moves that the opening has in its place; none at its end.
    """

    ply: Ply
    known: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player resigned; `Ended` follows."""

    color: Color


@dataclass(frozen=True, slots=True)
class FlagFell:
    """A player ran out of time; `Ended` follows."""

    color: Color


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class EngineNoise:
    """An external engine wrote lines outside its answers, which are skipped. Reported once for each engine.

    Attributes:
        message: what it wrote, with its name.
    """

    message: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """Another game is on the board: a new game, a set position, or a loaded record."""


@dataclass(frozen=True, slots=True)
class SaveFailed:
    """A keeper could not save the game; the session continues. Reported once, until saving works again.

    Attributes:
        message: the failure, with the name of the file.
        keeper: the keeper that failed.
    """

    message: str
    keeper: object = None


SessionEvent = (
    Played
    | Flipped
    | FlipsFinished
    | TakenBack
    | PlayedAgain
    | OpeningLeft
    | Resigned
    | FlagFell
    | Ended
    | Restarted
    | SaveFailed
    | EngineNoise
)
"""Any of the above."""

Listener = Callable[[SessionEvent], None]
"""A function that a session calls with every event."""
