"""Who plays: a person, or an engine of a level or with a time per move, and the question put to an engine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from reversi._core import Position
from reversi._version import __version__
from reversi.engine.engine import DEFAULT_LEVEL, MAX_LEVEL, Engine
from reversi.errors import InputError
from reversi.game.clocks import ClockReading
from reversi.solver.solution import MoveScore
from reversi.solver.stopping import Cancel

__all__ = ["HUMAN", "Side", "Thought", "parse_side"]

_STRENGTH = re.compile(r"(?P<level>[0-9]{1,4})|(?P<seconds>[0-9]{1,5}(?:\.[0-9]{1,3})?)s")


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays a colour: a person, or an engine of a level or with a time per move.

    Attributes:
        level: the engine's level, or ``None`` for a person.
        seconds: the engine's time for each move, or ``None`` when its level or the game's clock decides.
        name: how records call the player; by default what it is.

    Raises:
        InputError: there is no such level or time.
    """

    level: int | None = None
    seconds: float | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if self.level is not None and not 1 <= self.level <= MAX_LEVEL:
            raise InputError(f"level must be between 1 and {MAX_LEVEL}, not {self.level}")
        if self.seconds is not None and (self.level is None or not 0 < self.seconds <= 86_400):
            raise InputError(f"time per move must be above 0 and at most 86,400 s, not {self.seconds:g}")

    @classmethod
    def engine(cls, level: int | None = None, *, seconds: float | None = None, name: str = "") -> Side:
        """An engine of a level, or one that thinks so long for each move; both together limit each other.

        Raises:
            InputError: there is no such level or time.
        """
        if level is None:
            level = DEFAULT_LEVEL if seconds is None else MAX_LEVEL
        return cls(level, seconds, name)

    @property
    def is_engine(self) -> bool:
        """Whether an engine plays it."""
        return self.level is not None

    def __str__(self) -> str:
        if self.level is None:
            return "human"
        if self.seconds is None:
            return f"engine level {self.level}"
        depth = "" if self.level == MAX_LEVEL else f" level {self.level}"
        return f"engine{depth} {self.seconds:g} s"

    @property
    def record_name(self) -> str:
        """The name in a record."""
        if self.name:
            return self.name
        return f"reversi {__version__} {str(self).removeprefix('engine ')}" if self.is_engine else "human"


HUMAN: Final = Side()
"""A person."""


def parse_side(text: str, level: int = DEFAULT_LEVEL) -> Side:
    """Read who plays: ``human``, ``engine``, ``engine:7`` for a level, ``engine:2s`` for seconds per move.

    Args:
        text: what was written.
        level: the level of an engine that names none.

    Raises:
        InputError: the text is no player, or there is no such level or time.
    """
    kind, colon, rest = text.strip().lower().partition(":")
    if kind == "human" and not colon:
        return HUMAN
    if kind == "engine" and not colon:
        return Side.engine(level)
    match = _STRENGTH.fullmatch(rest)
    if kind == "engine" and match and match["level"]:
        return Side.engine(int(match["level"]))
    if kind == "engine" and match:
        return Side.engine(seconds=float(match["seconds"]))
    raise InputError(
        f"{text!r} is not a player; write human, engine, engine:LEVEL, or engine:2s for two seconds a move"
    )


class Thought:
    """The question which move an engine would play, to be answered in any thread.

    :meth:`reversi.session.Session.thought` makes it. Let :meth:`think` return, or raise, before another question
    is put to the same session's engines.
    """

    def __init__(self, engine: Engine, position: Position, reading: ClockReading | None, number: int) -> None:
        self.position: Final = position
        """The position that is asked about."""
        self.choice: MoveScore | None = None
        """The answer, once there is one."""
        self._engine = engine
        self._reading = reading
        self._cancel = Cancel()
        self._number = number

    def think(self) -> MoveScore:
        """Answer it; takes as long as the engine takes.

        Raises:
            EngineCancelled: :meth:`cancel` was called meanwhile.
        """
        self.choice = self._engine.choose(self.position, clock=self._reading, cancel=self._cancel)
        return self.choice

    def cancel(self) -> None:
        """Make :meth:`think`, running in another thread, stop soon; asked later it stops at once."""
        self._cancel.cancel()

    @property
    def number(self) -> int:
        """The state of the session that it belongs to."""
        return self._number
