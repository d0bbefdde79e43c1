"""Openings: the names that positions have, and lists of openings to start games from.

A name belongs to a position, however it was reached: moves in another order, or mirrored or turned, make no
difference. A game is called by the last of its positions that has a name.

>>> from reversi import Move
>>> from reversi.openings import name_of_game
>>> str(name_of_game(map(Move.parse, "e6 f4 c3 c4 d3".split())).opening)
'Tiger'
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from reversi._core import Move, Position, Random, Square, canonical_key
from reversi.errors import IllegalMoveError, InputError
from reversi.opening_table import NAMES
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import decode_text, excerpt
from reversi.text.transcripts import tokenize_transcript

__all__ = [
    "Named",
    "Opening",
    "OpeningError",
    "StartingLine",
    "balanced_lines",
    "draw_line",
    "name_of_game",
    "name_of_position",
    "name_of_positions",
    "named_openings",
    "opening_named",
    "read_xot",
]


class OpeningError(InputError):
    """There is no opening of that name, or a list of openings that cannot be read; the message says where."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening that has a name.

    Attributes:
        name: what it is called most.
        moves: the moves that lead there from the standard start, beginning with f5.
        other_names: what else it is called.
    """

    name: str
    moves: tuple[Square, ...]
    other_names: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """The position that has the name."""
        return _after(self.moves)

    @property
    def transcript(self) -> str:
        """The moves as text: ``f5d6c3d3c4``."""
        return "".join(map(str, self.moves))

    def __str__(self) -> str:
        return self.name


class Named(NamedTuple):
    """The name of a game.

    Attributes:
        opening: the opening.
        ply: after how many turns the game was there.
    """

    opening: Opening
    ply: int


@dataclass(frozen=True, slots=True)
class StartingLine:
    """The first moves of a game that are laid down before it.

    Attributes:
        moves: the moves from the standard start.
        position: where they lead.
    """

    moves: tuple[Move, ...]
    position: Position

    def __str__(self) -> str:
        return "".join(map(str, self.moves))


def _after(moves: Iterable[Move]) -> Position:
    position = Position()
    for move in moves:
        position = position.play(move)
    return position


@cache
def named_openings() -> tuple[Opening, ...]:
    """Every opening that has a name, family by family, shorter lines first within each."""
    return tuple(
        Opening(names[0], tuple(Square(moves[at : at + 2]) for at in range(0, len(moves), 2)), names[1:])
        for moves, names in NAMES
    )


@cache
def _by_key() -> dict[int, Opening]:
    return {canonical_key(opening.position): opening for opening in named_openings()}


@cache
def _by_name() -> dict[str, Opening]:
    names = {_plain(name): opening for opening in named_openings() for name in opening.other_names}
    names.update((_plain(opening.name), opening) for opening in named_openings())
    return names


@cache
def _deepest() -> int:
    return max(len(opening.moves) for opening in named_openings())


def _plain(name: str) -> str:
    """A name without what people write differently."""
    words = re.sub(r"[^a-z0-9]+", " ", name.lower().replace("'", "").replace(".", ""))
    return "".join(word for word in words.split() if word not in ("the", "opening", "variation"))


def _is_known(rules: Rules) -> bool:
    """Whether games of these rules open as the standard game does."""
    return rules == OTHELLO or (rules.mandatory_capture and rules.board == OTHELLO.board)


def name_of_position(position: Position) -> Opening | None:
    """The opening whose position this is, up to symmetry, or ``None``."""
    return _by_key().get(canonical_key(position)) if _is_known(position.rules) else None


def name_of_positions(positions: Iterable[Position]) -> Named | None:
    """The last position of a game that has a name, or ``None`` when none has.

    Args:
        positions: the positions of the game, its start first. No more are taken than names reach.
    """
    named: Named | None = None
    names = _by_key()
    for ply, position in enumerate(positions):
        if ply > _deepest() or (ply == 0 and not _is_known(position.rules)):
            break
        if (opening := names.get(canonical_key(position))) is not None:
            named = Named(opening, ply)
    return named


def name_of_game(moves: Iterable[Move], start: Position | None = None) -> Named | None:
    """The name of a game: of the last of its positions that has one, or ``None``. A wrong move ends the search.

    Args:
        moves: the moves, passes included.
        start: where the game starts; the standard start when not given.
    """
    return name_of_positions(_positions(moves, start or Position()))


def _positions(moves: Iterable[Move], position: Position) -> Iterator[Position]:
    yield position
    for move in moves:
        try:
            position = position.play(move)
        except IllegalMoveError:
            return
        yield position


def opening_named(name: str) -> Opening:
    """The opening of a name, in any spelling: capitals, blanks, hyphens and the word "opening" do not count.

    Raises:
        OpeningError: there is none of that name; the message has the ones that are like it.
    """
    known = _by_name()
    plain = _plain(name)
    if (opening := known.get(plain)) is not None:
        return opening
    from difflib import get_close_matches

    like = dict.fromkeys(known[match].name for match in get_close_matches(plain, known, 3, 0.6))
    hint = f"; did you mean {' or '.join(like)}?" if like else ""
    raise OpeningError(f"no opening is called {excerpt(name)}{hint}")


def read_xot(source: str | os.PathLike[str]) -> tuple[StartingLine, ...]:
    """The openings of an XOT list: one transcript per line, played from the standard start.

    Blank lines and lines of comment (``%``, ``#``) count for nothing, nor does a line that comes twice.

    Args:
        source: the text of the list; or the path of its file, as a :class:`~pathlib.Path`.

    Raises:
        OpeningError: a line is no transcript, a move in it is not allowed or ends the game, or there is no line.
        OSError: the file cannot be read.
    """
    text = source if isinstance(source, str) else decode_text(Path(source).read_bytes(), os.fspath(source))
    lines: dict[tuple[Move, ...], StartingLine] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        body = line.strip()
        if not body or body[0] in "%#":
            continue
        try:
            starting_line = _starting_line(body)
        except (IllegalMoveError, OpeningError) as error:
            raise OpeningError(f"line {number}: {error}") from None
        lines.setdefault(starting_line.moves, starting_line)
    if not lines:
        raise OpeningError("there is no opening in the list")
    return tuple(lines.values())


def _starting_line(text: str) -> StartingLine:
    if len(text) > 1000:
        raise OpeningError(f"{len(text)} characters: this is no opening")
    moves: list[Move] = []
    for token in tokenize_transcript(text):
        if token.move is None:
            raise OpeningError(f"{excerpt(token.text)} is not a move")
        moves.append(token.move)
    position = _after(moves)
    if position.is_over:
        raise OpeningError(f"the game is over after {excerpt(text)}")
    return StartingLine(tuple(moves), position)


@cache
def balanced_lines() -> tuple[StartingLine, ...]:
    """The project's own list: openings of eight moves, all different up to symmetry, about even by this program's
    search (how they were chosen, ``training/starts.py`` says)."""
    return read_xot(files("reversi").joinpath("starts", "balanced.txt").read_text(encoding="ascii"))


def draw_line(seed: int, lines: Iterable[StartingLine] | None = None) -> StartingLine:
    """One of the openings of a list; the same seed draws the same one from the same list.

    Args:
        seed: any number from 0 to 2**64 - 1.
        lines: the list; the project's own when not given.

    Raises:
        OpeningError: the list is empty.
        OverflowError: the seed is out of range.
    """
    choice = tuple(balanced_lines() if lines is None else lines)
    if not choice:
        raise OpeningError("there is no opening in the list")
    return choice[Random(seed).below(len(choice))]
