"""Openings: the names that positions have, and lists of openings to start games from.

A name belongs to a position, however it was reached: moves in another order, or mirrored or rotated, make no
difference. A game is called by the last of its positions that has a name.

>>> from reversi import Move
>>> from reversi.openings import opening_of_game
>>> str(opening_of_game(map(Move.parse, "e6 f4 c3 c4 d3".split())).opening)
'Tiger'
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import NoneType
from typing import Final, NamedTuple

from reversi._core import Move, Position, Square, batch_keys, canonical_key
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.errors import IllegalMoveError, InputError
from reversi.openings.named_lines import NAMES
from reversi.rules import OTHELLO, Ending, Objective, Rules, Start


class OpeningError(InputError):
    """A name that no opening has, or a malformed list of openings; the message says where."""


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
        return after_moves(self.moves)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position under every rule set whose games have this name."""
        return tuple(map(self.position.with_rules, _known_rules()))

    @property
    def transcript(self) -> str:
        """The moves as text: ``f5d6c3d3c4``."""
        return "".join(map(str, self.moves))

    def __str__(self) -> str:
        return self.name


class Named(NamedTuple):
    """The opening of a game, which prints as its name.

    Attributes:
        opening: the opening.
        ply: after how many turns the game was there.
    """

    opening: Opening
    ply: int

    def __str__(self) -> str:
        return self.opening.name


def after_moves(moves: Iterable[Move]) -> Position:
    position = Position()
    for move in moves:
        position = position.play(move)
    return position


@cache
def named_openings() -> tuple[Opening, ...]:
    """Return every opening that has a name, family by family, shorter lines first within each."""
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


_START: Final = Position()
_BEGIN: Final = (*(discs.to_bytes(8, sys.byteorder) for discs in (_START.black, _START.white)), b"\0")


def _plain(name: str) -> str:
    """Return a name without what people write differently."""
    words = re.sub(r"[^a-z0-9]+", " ", name.lower().replace("'", "").replace(".", ""))
    return "".join(word for word in words.split() if word not in ("the", "opening", "variation"))


def _is_known(rules: Rules) -> bool:
    """Return whether games of these rules open as the standard game does."""
    return rules == OTHELLO or (rules.mandatory_capture and rules.board == OTHELLO.board)


@cache
def _known_rules() -> tuple[Rules, ...]:
    fields = product((False, True), (False, True), Ending, Start, Objective, (True, False))
    return tuple(
        Rules(
            adjacent_only=adjacent,
            optional_skip=skip,
            ending=ending,
            start=start,
            objective=objective,
            empties_to_winner=empties,
        )
        for adjacent, skip, ending, start, objective, empties in fields
    )


def opening_of_position(position: Position) -> Opening | None:
    """Return the opening whose position this is, up to symmetry, or ``None``."""
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    return _by_key().get(canonical_key(position)) if _is_known(position.rules) else None


def opening_of_positions(positions: Iterable[Position]) -> Named | None:
    """Return the last position of a game that has a name, or ``None`` when none has.

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


def opening_of_numbers(moves: bytes) -> Named | None:
    """Return the name of a legal game of the standard rules, as `opening_of_positions` does.

    Args:
        moves: the numbers of the squares, passes included.
    """
    count = min(len(moves), _deepest())
    keys = batch_keys(moves[:count], count.to_bytes(4, sys.byteorder), *_BEGIN)[0]
    names = _by_key()
    for ply, key in zip(range(count, -1, -1), reversed(memoryview(keys).cast("Q").tolist()), strict=True):
        if (opening := names.get(key)) is not None:
            return Named(opening, ply)
    return None


def opening_of_game(moves: str | Iterable[Move | str], start: Position | None = None) -> Named | None:
    """Return the name of a game: of the last of its positions that has one, or ``None``. A wrong move ends the
    search.

    Args:
        moves: the moves, passes included; or one transcript, which is read whole and may leave out forced passes.
        start: where the game starts; the standard start when not given.

    Raises:
        IllegalMoveError: a move of the transcript is not allowed.
        InvalidMoveError: a text is not a move.
    """
    check_type("start", start, Position, NoneType, advice=TEXT_TO_POSITION)
    start = start or Position()
    return opening_of_positions(_positions(start.parse_moves(moves) if isinstance(moves, str) else moves, start))


def _positions(moves: Iterable[Move | str], position: Position) -> Iterator[Position]:
    yield position
    for move in moves:
        try:
            position = position.play(move)
        except IllegalMoveError:
            return
        yield position


def opening_named(name: str) -> Opening:
    """Return the opening of a name, in any spelling: capitals, blanks, hyphens and the word "opening" do not
    count.

    Raises:
        OpeningError: no opening has the name; the message suggests similar ones.
    """
    check_type("name", name, str)
    openings = _by_name()
    plain = _plain(name)
    if (opening := openings.get(plain)) is not None:
        return opening
    from difflib import get_close_matches

    like = dict.fromkeys(openings[match].name for match in get_close_matches(plain, openings, 3, 0.7))
    hint = f"; did you mean {' or '.join(like)}?" if like else ""
    raise OpeningError(f"no opening is called {excerpt(name)}{hint}")
