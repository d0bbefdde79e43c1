"""What happens during a sitting, told to whoever shows it: one small value per event.

A :class:`~reversi.session.Session` calls its listeners with these, in the order in which things happen.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from reversi.color import Color
from reversi.game.ply import Outcome, Ply

__all__ = [
    "By",
    "Ended",
    "Event",
    "FlagFell",
    "Listener",
    "Played",
    "PlayedAgain",
    "Resigned",
    "Restarted",
    "SaveFailed",
    "TakenBack",
    "TurnEnded",
    "Turned",
]


class By(enum.Enum):
    """Who made a ply."""

    HUMAN = "human"
    ENGINE = "engine"
    FORCED = "forced"
    """Nobody: a player without a placement passes by itself."""


@dataclass(frozen=True, slots=True)
class Played:
    """A ply was played; ``ply.handed_over`` says whether a disc had to be handed over for it."""

    ply: Ply
    by: By


@dataclass(frozen=True, slots=True)
class Turned:
    """Discs of the latest ply were turned by hand, or turned back; ``ply`` is what it is now."""

    ply: Ply


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A player who turns discs by hand has finished the turn."""

    color: Color


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Plies were taken back, in playing order; none when only a resignation was withdrawn."""

    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class PlayedAgain:
    """Plies that had been taken back were played again."""

    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave up; :class:`Ended` follows."""

    color: Color


@dataclass(frozen=True, slots=True)
class FlagFell:
    """A player has run out of time; :class:`Ended` follows."""

    color: Color


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Restarted:
    """Another game is on the board: a new one, a set position, or one that was loaded."""


@dataclass(frozen=True, slots=True)
class SaveFailed:
    """The game could not be saved; the sitting goes on. Told once, until saving works again.

    Attributes:
        message: what failed, with the file's name.
        keeper: which of the session's keepers it was.
    """

    message: str
    keeper: object = None


Event = (
    Played | Turned | TurnEnded | TakenBack | PlayedAgain | Resigned | FlagFell | Ended | Restarted | SaveFailed
)
"""Any of the above."""

Listener = Callable[[Event], None]
"""What a session tells its events to."""
