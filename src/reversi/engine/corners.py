"""The corners and edges of a board as sets of bits."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from reversi.rules import BoardSize


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner with the squares beside it, as bits."""

    corner: int
    x_square: int
    c_squares: int


@functools.cache
def corners_of(board: BoardSize) -> tuple[Corner, ...]:
    """Return the four corners of a board."""
    return tuple(
        Corner(_bit(row, column), _bit(inner, side), _bit(row, side) | _bit(inner, column))
        for row, inner in ((0, 1), (board.rows - 1, board.rows - 2))
        for column, side in ((0, 1), (board.columns - 1, board.columns - 2))
    )


@functools.cache
def edge_of(board: BoardSize) -> int:
    """Return the squares of the four edges as bits, the corners among them."""
    return sum(
        _bit(row, column)
        for row in range(board.rows)
        for column in range(board.columns)
        if row in (0, board.rows - 1) or column in (0, board.columns - 1)
    )


def _bit(row: int, column: int) -> int:
    return 1 << (8 * row + column)
