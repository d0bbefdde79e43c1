"""The players: a person, or an engine of a level or with a time per move; and the question to an engine."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position
from reversi._version import __version__
from reversi.arguments import MAX_NODES, TEXT_TO_POSITION, check_count, check_seconds, check_type, excerpt
from reversi.engine.engine import Engine
from reversi.engine.levels import AUTO, DEFAULT_LEVEL, LADDER, LEVEL_CHOICES, MAX_LEVEL, level_for, parse_level
from reversi.engine.player import MoveChoice, Player, ask_player
from reversi.errors import GameError, InputError, MissingFileError, PlayerError, ResignationError
from reversi.game.clocks import ClockReading
from reversi.openings.book import BookError, Books, book_path, open_books
from reversi.protocols.programs import PROGRAM_KINDS, check_program, open_program
from reversi.rules import Rules
from reversi.work.cancel import Cancel

LONGEST_NAME: Final = 40
"""Characters of a person's name."""
_STRENGTH: Final = re.compile(
    r"(?:level\s*)?([0-9]+|(?:beginner|people|club)-.*)|([0-9]{1,5}(?:\.[0-9]{1,3})?)\s*(?:s|sec|seconds)|([0-9]{1,18})\s*(?:n|nodes)",
    re.IGNORECASE,
)

_BOOK: Final = re.compile(r"\s+book=")


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays a color: a person, an engine of a level or with a time per move, or another program.

    Attributes:
        level: the engine's level, or ``None`` for a person or another program.
        time_s: the engine's time per move, or ``None`` where its level or the game's clock decides.
        name: the player's name in records; by default a description.
        program: an external engine (``gtp:COMMAND``, ``nboard:COMMAND``) or a bot (``python:MODULE:CLASS``), or ""
            for neither. It is code that runs with the rights of the user.
        player: an object that plays, instead of all that; a saved session does not keep it.
        adaptive: whether the level of the next game follows the results (`reversi.person.auto_level`).
        nodes: how many positions the engine visits per move, or ``None`` where that has no limit.
        books: the engine's own opening books, as `reversi.openings.open_books` takes them; without any it plays
            from that of the session.

    Raises:
        InputError: the level or time is out of range or one beside the other, or the program is not one of these.
    """

    level: int | str | None = None
    time_s: float | None = None
    name: str = ""
    program: str = ""
    player: Player | None = None
    adaptive: bool = False
    nodes: int | None = None
    books: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_type("name", self.name, str)
        if self.player is not None:
            check_type("player", self.player, Player)
        if self.time_s is not None:
            check_seconds("time_s", self.time_s)
        if self.nodes is not None:
            check_count("nodes", self.nodes, MAX_NODES)
            if self.level is None:
                raise InputError("nodes per move are for an engine of this package")
        if self.books and self.level is None:
            raise InputError("opening books are for an engine of this package")
        if self.program:
            check_program(self.program)
        if (self.level is not None) + bool(self.program) + (self.player is not None) > 1:
            raise InputError("a side is played by a level, a program or a player object, not by several of them")
        if self.level is not None:
            level_for(self.level)
        for name in ("time_s", "nodes"):
            if getattr(self, name) is not None and self.level not in (None, MAX_LEVEL):
                raise InputError(f"level and {name} are different limits; give one of them")
        if self.time_s is not None and (self.level is None or not 0 < self.time_s <= 86_400):
            raise InputError(f"time per move must be above 0 and at most 86,400 s, not {self.time_s:g}")

    @classmethod
    def engine(
        cls,
        level: int | str | None = None,
        *,
        time_s: float | None = None,
        nodes: int | None = None,
        name: str = "",
    ) -> Side:
        """Return an engine of a level, or with a time or positions per move, or with both of these.

        Raises:
            InputError: a number is out of range, or there is a level beside a time or positions.
        """
        if level is None:
            level = DEFAULT_LEVEL if time_s is None and nodes is None else MAX_LEVEL
        return cls(level, time_s, name, nodes=nodes)

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

    @property
    def ponders(self) -> bool:
        """Whether this side is a program of this package that thinks on its opponent's time (``--ponder``)."""
        return "--ponder" in self.program.split()

    def open(self, seed: int = 0, name: str = "") -> Player:
        """Return the player of this side. If it has a method ``close``, call that at the end.

        Args:
            seed: chooses between equally good moves of an engine of this package.
            name: the name of another program in messages; by default its command.

        Raises:
            GameError: a person plays this side.
            PlayerError: the program does not start, or a book of the engine cannot be opened.
        """
        if self.player is not None:
            return self.player
        if self.program:
            return open_program(self.program, name=name or self.name)
        if self.level is None:
            raise GameError("a person plays this side")
        level = self.level if self.time_s is None and self.nodes is None else None
        try:
            return Engine(level, seed, time_s=self.time_s, nodes=self.nodes, book=self.open_books())
        except (BookError, MissingFileError) as error:
            raise PlayerError(name or str(self), str(error)) from None

    def open_books(self, *rules: Rules) -> Books | None:
        """Return the engine's own books; ``None`` without any.

        Args:
            rules: each book must have one of these rules; by default it may have any.

        Raises:
            BookError: a book is damaged, or one for other rules.
            MissingFileError: a book does not exist.
        """
        return open_books(self.books, rules) if self.books else None

    def __str__(self) -> str:
        if self.program:
            return self.name or self.program
        if self.player is not None:
            return f"bot {type(self.player).__name__}"
        if self.level is None:
            return self.name or "human"
        limits = [] if self.time_s is None else [f"{self.time_s:g} s"]
        limits += [] if self.nodes is None else [f"{self.nodes} nodes"]
        strength = " ".join(limits) or f"{level_text(self.level)}{', auto' if self.adaptive else ''}"
        return ", ".join((f"engine {strength}", *(f"book {Path(name).name}" for name in self.books)))

    @property
    def record_name(self) -> str:
        """The name in a record."""
        if self.name:
            return self.name
        if self.program or self.player is not None:
            return str(self).removeprefix("bot ")
        if not self.is_engine:
            return "human"
        return f"reversi {__version__} {str(replace(self, adaptive=False)).removeprefix('engine ')}"


def level_text(level: int | str) -> str:
    return f"level {level}" if isinstance(level, int) else level


HUMAN: Final = Side()
"""A person."""


def engine_side(level: int | str) -> Side:
    """Return an engine of a level; for `AUTO` its level follows the results, from the lowest one on."""
    return Side(level=LADDER[0], adaptive=True) if level == AUTO else Side.engine(level)


def person(name: str) -> Side:
    """Return a person of a name; "" is a person without one.

    Raises:
        InputError: the name is too long, or has characters that cannot be shown.
    """
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        raise InputError(f"a name has at most {LONGEST_NAME} characters, not {len(name)}")
    if not name.isprintable():
        raise InputError(f"{excerpt(name)} is not a name; write one of letters, digits and spaces")
    return Side(name=name)


def parse_strength(text: str) -> Side | None:
    """Return an engine of a level (``8``, ``auto``) or of a time or nodes per move (``2 s``, ``9000 nodes``).

    Any other text is ``None``.

    Raises:
        InputError: the level is out of range.
    """
    text = text.strip().lower()
    if text == AUTO:
        return engine_side(AUTO)
    if (match := _STRENGTH.fullmatch(text)) is None:
        return None
    if match[1]:
        return Side.engine(parse_level(match[1]))
    return Side.engine(time_s=float(match[2])) if match[2] else Side.engine(nodes=int(match[3]))


def books_in(text: str, folder: Path = Path()) -> tuple[str, tuple[str, ...]]:
    """Return a text such as ``8 book=my.book book=standard`` without its books, and the absolute paths of these.

    Args:
        text: the text.
        folder: the folder that paths are relative to.
    """
    rest, *names = _BOOK.split(text)
    return rest, tuple(book_path(name, folder) for name in names)


def parse_side(text: str, level: int | str = DEFAULT_LEVEL, *, names: Iterable[str] = ()) -> Side:
    """Read a player.

    ``human`` is a person, ``human:Ada`` one with a name; ``engine:7`` and ``engine:beginner-1`` are engines of a
    level, ``engine:auto`` has a level that follows the results, ``engine:2s`` has seconds per move,
    ``engine:9000n`` positions per move; ``engine:7 book=FILE`` plays from a book of its own, or several.
    Other programs are ``gtp:COMMAND``, ``nboard:COMMAND`` and ``python:MODULE:CLASS``.

    Args:
        text: the text.
        level: the level of ``engine`` alone, or `AUTO`.
        names: names of engines that the user has, for the suggestion where the text is no player.

    Raises:
        InputError: the text is not a player, or the level or time is out of range.
    """
    check_type("text", text, str)
    kind, colon, strength = text.strip().partition(":")
    kind = kind.lower()
    if kind in PROGRAM_KINDS and colon:
        return Side.of(f"{kind}:{strength.strip()}")
    plain, books = books_in(text.strip())
    if plain.lower().startswith("engine"):
        kind, colon, strength = plain.lower().partition(":")
    if kind == "human":
        if colon and not strength.strip():
            raise InputError(
                f"{excerpt(text)} names nobody; write human:Ada, or human for a person without a name"
            )
        return person(strength)
    if kind == "engine":
        side = parse_strength(strength) if colon else engine_side(level)
        if side is not None:
            return replace(side, books=books)
        raise InputError(
            f"{excerpt(text)} is not a player; write engine:LEVEL with a level ({LEVEL_CHOICES}), engine:2s for"
            " two seconds per move, or engine:9000n for 9,000 positions per move"
        )
    raise InputError(f"{excerpt(text)} is not a player; {_way_out(text.strip(), names)}")


def _way_out(text: str, names: Iterable[str]) -> str:
    """Return what to write instead of a text that is no player."""
    near = difflib.get_close_matches(text.lower(), ["human", "engine", *names], n=1)
    if near:
        return f"did you mean {near[0]}{'' if ':' in text else f', or human:{text} for a person of this name'}?"
    forms = "human, engine, engine:LEVEL, engine:2s, gtp:COMMAND, nboard:COMMAND, or python:MODULE:CLASS"
    if text and ":" not in text:
        return f"write human:{text} for a person of this name; others are {forms}"
    return f"write human:NAME, {forms}"


class Thought:
    """The question which move an engine plays; any thread may answer it.

    `Session.thought` makes it. Let `think` return or raise before you put another question to
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
        held: Move | None = None,
    ) -> None:
        check_type("player", player, Player)
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        self.position: Final = position
        """The position in question."""
        self.choice: MoveChoice | None = None
        """The answer, ``None`` until `think` returns, and where the player resigns."""
        self.resigns: bool = False
        """Whether the player resigns instead."""
        self.player: Final = player
        """Who answers."""
        self._game = game
        self._name = name
        self._held = held
        self._reading = reading
        self._cancel = Cancel()
        self._number = number

    def think(self) -> MoveChoice | None:
        """Answer the question; this takes as long as the engine thinks. ``None`` is a resignation.

        Raises:
            EngineCancelled: another thread called `cancel`.
            PlayerError: another program failed, or answered with an illegal move.
        """
        if self._held is not None:
            self.choice = MoveChoice(self._held)
            return self.choice
        try:
            self.choice = ask_player(
                self.player, self.position, self._reading, game=self._game, cancel=self._cancel, name=self._name
            )
        except ResignationError:
            self.resigns = True
        return self.choice

    def cancel(self) -> None:
        """Stop `think` in another thread soon; a later call of `think` stops at once."""
        self._cancel.cancel()

    @property
    def number(self) -> int:
        """The number of the session's state that the question belongs to."""
        return self._number
