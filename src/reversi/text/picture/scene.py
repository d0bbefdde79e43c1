"""What a picture is of: a position, or a game up to one of its plies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias

from reversi._core import Move, Position
from reversi.color import Color
from reversi.errors import ArgumentError, InputError


class Turn(NamedTuple):
    """One ply of a game.

    Attributes:
        number: of a placement, its number among the placements, from 1, as in books; 0 for a pass.
        square: the index of the square, -1 for a pass.
        color: whose turn it was.
        flips: the discs that were flipped, as bits.
    """

    number: int
    square: int
    color: Color
    flips: int


class Scene(NamedTuple):
    """What to draw.

    Attributes:
        positions: the start, and the position after each turn, up to the one to draw.
        turns: the turns between them.
        length: how many plies the whole game has.
        is_game: whether it is a game, not a position alone.
        names: the players, Black's first; "" for one who is not known.
        outcome: how a game ended otherwise than on the board, in words, when its end is drawn; "" for all else.
    """

    positions: tuple[Position, ...]
    turns: tuple[Turn, ...] = ()
    length: int = 0
    is_game: bool = False
    names: tuple[str, str] = ("", "")
    outcome: str = ""

    @property
    def position(self) -> Position:
        """The position to draw."""
        return self.positions[-1]

    @property
    def last(self) -> Turn | None:
        """The last turn before it, ``None`` when there is none."""
        return self.turns[-1] if self.turns else None


class Played(Protocol):
    """A game or a record of one."""

    def _scene_(self, ply: int | None) -> Scene:
        """Return the scene after a ply; ``None`` is the last one."""


Drawable: TypeAlias = Position | Played
"""What a picture can be of: a position, a `reversi.Game` or a `reversi.Record`."""


def scene_of(what: Drawable, ply: int | None = None) -> Scene:
    """Return the scene of a position or a game.

    Args:
        what: a position, a game or a record.
        ply: the ply of a game after which it is drawn; ``None`` is the last one.

    Raises:
        ArgumentError: ``what`` is something else.
        InputError: the game does not have the ply.
        IllegalMoveError: a record has an illegal move at or before that ply.
    """
    if isinstance(what, Position):
        if ply:
            raise InputError(f"ply {ply} does not exist: a position has no plies; give a game")
        return Scene((what,))
    if (scene := getattr(what, "_scene_", None)) is not None:
        drawn: Scene = scene(ply)
        return drawn
    advice = "; Position.parse reads text" if isinstance(what, str) else ""
    raise ArgumentError(f"a picture is of a Position, a Game or a Record, not of {type(what).__name__}{advice}")


def last_ply(ply: int | None, length: int) -> int:
    """Return how many plies of a game of this length are drawn.

    Raises:
        InputError: the game does not have the ply.
    """
    if ply is not None and ply > length:
        raise InputError(f"ply {ply} does not exist: the game has {length}")
    return length if ply is None else ply


def turns_of(positions: Iterable[Position], moves: Iterable[Move]) -> tuple[Turn, ...]:
    """Return the turns between positions."""
    turns: list[Turn] = []
    placements = 0
    for move, (before, after) in zip(moves, pairwise(positions), strict=False):
        flips = (before.black & after.white) | (before.white & after.black)
        if move.index < 64:
            placements += 1
            turns.append(Turn(placements, move.index, before.to_move, flips))
        else:
            turns.append(Turn(0, -1, before.to_move, flips))
    return tuple(turns)


def bits(squares: int) -> Iterator[int]:
    """Yield the indices of the squares in a set of bits, in ascending order."""
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1
