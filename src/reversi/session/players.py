"""The players: a person, or an engine of a level or with a time per move; and the question to an engine."""

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
        seconds: the engine's time per move, or ``None`` where its level or the game's clock decides.
        name: the player's name in records; by default a description.

    Raises:
        InputError: the level or time is out of range.
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
        """Return an engine of a level, or with a time per move; given both, the first limit counts.

        Raises:
            InputError: the level or time is out of range.
        """
        if level is None:
            level = DEFAULT_LEVEL if seconds is None else MAX_LEVEL
        return cls(level, seconds, name)

    @property
    def is_engine(self) -> bool:
        """Whether an engine plays this side."""
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
    """Read a player: ``human``, ``engine``, ``engine:7`` for a level, ``engine:2s`` for seconds per move.

    Args:
        text: the text.
        level: the level of ``engine`` alone.

    Raises:
        InputError: the text is not a player, or the level or time is out of range.
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
        f"{text!r} is not a player; write human, engine, engine:LEVEL, or engine:2s for two seconds per move"
    )


class Thought:
    """The question which move an engine plays; any thread may answer it.

    `reversi.session.Session.thought` makes it. Let `think` return or raise before you put another question to
    the engines of the same session.
    """

    def __init__(self, engine: Engine, position: Position, reading: ClockReading | None, number: int) -> None:
        self.position: Final = position
        """The position in question."""
        self.choice: MoveScore | None = None
        """The answer, ``None`` until `think` returns."""
        self._engine = engine
        self._reading = reading
        self._cancel = Cancel()
        self._number = number

    def think(self) -> MoveScore:
        """Answer the question; this takes as long as the engine thinks.

        Raises:
            EngineCancelled: another thread called `cancel`.
        """
        self.choice = self._engine.choose(self.position, clock=self._reading, cancel=self._cancel)
        return self.choice

    def cancel(self) -> None:
        """Stop `think` in another thread soon; a later call of `think` stops at once."""
        self._cancel.cancel()

    @property
    def number(self) -> int:
        """The number of the session's state that the question belongs to."""
        return self._number
