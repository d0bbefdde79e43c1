"""The players: a person, or an engine of a level or with a time per move; and the question to an engine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from reversi._core import Move, Position
from reversi._version import __version__
from reversi.arguments import TEXT_TO_POSITION, check_type
from reversi.engine.engine import DEFAULT_LEVEL, MAX_LEVEL, Engine
from reversi.engine.player import Chosen, Player, ask_player
from reversi.errors import GameError, InputError
from reversi.game.clocks import ClockReading
from reversi.protocols.programs import PROGRAM_KINDS, check_program, open_program
from reversi.work.cancel import Cancel

__all__ = ["HUMAN", "Side", "Thought", "parse_side"]

_STRENGTH = re.compile(r"(?P<level>[0-9]{1,4})|(?P<seconds>[0-9]{1,5}(?:\.[0-9]{1,3})?)s")


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays a color: a person, an engine of a level or with a time per move, or another program.

    Attributes:
        level: the engine's level, or ``None`` for a person or another program.
        seconds: the engine's time per move, or ``None`` where its level or the game's clock decides.
        name: the player's name in records; by default a description.
        program: an external engine (``gtp:COMMAND``, ``nboard:COMMAND``) or a bot (``python:MODULE:CLASS``), or ""
            for neither. It is code that runs with the rights of the user.
        player: an object that plays, instead of all that; a saved session does not keep it.

    Raises:
        InputError: the level or time is out of range, or the program is not one of these.
    """

    level: int | None = None
    seconds: float | None = None
    name: str = ""
    program: str = ""
    player: Player | None = None

    def __post_init__(self) -> None:
        if self.program:
            check_program(self.program)
        if (self.level is not None) + bool(self.program) + (self.player is not None) > 1:
            raise InputError("a side is played by a level, a program or a player object, not by several of them")
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

    @classmethod
    def of(cls, player: Player | str, *, name: str = "") -> Side:
        """Return the side of a player object, or of a program such as ``gtp:COMMAND``.

        Raises:
            InputError: the text is not a program.
        """
        return cls(program=player, name=name) if isinstance(player, str) else cls(player=player, name=name)

    @property
    def is_engine(self) -> bool:
        """Whether an engine, another program or a player object plays this side."""
        return self.level is not None or bool(self.program) or self.player is not None

    def open(self, seed: int = 0, name: str = "") -> Player:
        """Return the player of this side; end it with `reversi.engine.close_player`.

        Args:
            seed: chooses between equally good moves of an engine of this package.
            name: the name of another program in messages; by default its command.

        Raises:
            GameError: a person plays this side.
            PlayerError: the program does not start.
        """
        if self.player is not None:
            return self.player
        if self.program:
            return open_program(self.program, name=name or self.name)
        if self.level is None:
            raise GameError("a person plays this side")
        return Engine(self.level if self.seconds is None else None, seed, time_s=self.seconds)

    def __str__(self) -> str:
        if self.program:
            return self.program
        if self.player is not None:
            return f"bot {type(self.player).__name__}"
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
        if self.program or self.player is not None:
            return str(self).removeprefix("bot ")
        return f"reversi {__version__} {str(self).removeprefix('engine ')}" if self.is_engine else "human"


HUMAN: Final = Side()
"""A person."""


def parse_side(text: str, level: int = DEFAULT_LEVEL) -> Side:
    """Read a player: ``human``, ``engine``, ``engine:7`` for a level, ``engine:2s`` for seconds per move.

    Other programs are ``gtp:COMMAND``, ``nboard:COMMAND`` and ``python:MODULE:CLASS``.

    Args:
        text: the text.
        level: the level of ``engine`` alone.

    Raises:
        InputError: the text is not a player, or the level or time is out of range.
    """
    check_type("text", text, str)
    kind, colon, strength = text.strip().partition(":")
    kind = kind.lower()
    if kind in PROGRAM_KINDS and colon:
        return Side.of(f"{kind}:{strength.strip()}")
    strength = strength.lower()
    if kind == "human" and not colon:
        return HUMAN
    if kind == "engine" and not colon:
        return Side.engine(level)
    match = _STRENGTH.fullmatch(strength)
    if kind == "engine" and match and match["level"]:
        return Side.engine(int(match["level"]))
    if kind == "engine" and match:
        return Side.engine(seconds=float(match["seconds"]))
    raise InputError(
        f"{text!r} is not a player; write human, engine, engine:LEVEL, engine:2s for two seconds per move,"
        " gtp:COMMAND, nboard:COMMAND, or python:MODULE:CLASS"
    )


class Thought:
    """The question which move an engine plays; any thread may answer it.

    `reversi.session.Session.thought` makes it. Let `think` return or raise before you put another question to
    the engines of the same session.
    """

    def __init__(
        self,
        player: Player,
        position: Position,
        reading: ClockReading | None,
        number: int,
        *,
        game: tuple[Position, tuple[Move, ...]] | None = None,
        name: str = "",
    ) -> None:
        check_type("player", player, Player)
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        self.position: Final = position
        """The position in question."""
        self.choice: Chosen | None = None
        """The answer, ``None`` until `think` returns."""
        self.player: Final = player
        """Who answers."""
        self._game = game
        self._name = name
        self._reading = reading
        self._cancel = Cancel()
        self._number = number

    def think(self) -> Chosen:
        """Answer the question; this takes as long as the engine thinks.

        Raises:
            EngineCancelled: another thread called `cancel`.
            PlayerError: another program failed, or answered with an illegal move.
        """
        self.choice = ask_player(
            self.player, self.position, self._reading, game=self._game, cancel=self._cancel, name=self._name
        )
        return self.choice

    def cancel(self) -> None:
        """Stop `think` in another thread soon; a later call of `think` stops at once."""
        self._cancel.cancel()

    @property
    def number(self) -> int:
        """The number of the session's state that the question belongs to."""
        return self._number
