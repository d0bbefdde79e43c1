"""A plain static evaluation: what an unfinished position looks worth, in hundredths of a disc.

Where a placement must capture, moves are the currency: mobility, potential mobility (the frontier) and corners
count first and discs come in towards the end. Where it need not, every square will be filled by somebody, and
discs that can hardly be turned again (corners, edges) and the count itself matter. Under misère what makes discs
is bad, what makes moves is still good.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

from reversi._core import Position
from reversi.rules import BoardSize, Rules

__all__ = ["UNIT", "evaluate", "square_order"]

UNIT: Final = 100
"""Value of one disc."""

_NOT_A: Final = 0xFEFE_FEFE_FEFE_FEFE
_NOT_H: Final = 0x7F7F_7F7F_7F7F_7F7F
_ALL: Final = 0xFFFF_FFFF_FFFF_FFFF


@dataclass(frozen=True, slots=True)
class _Area:
    """The corner of one board quarter with its neighbours, as bits."""

    corner: int
    x_square: int
    c_squares: int


@dataclass(frozen=True, slots=True)
class _Weights:
    """Values per feature difference, in hundredths of a disc."""

    corner: int
    x_square: int
    c_square: int
    edge: int
    mobility: int
    frontier: int
    discs_early: int


_CAPTURE: Final = _Weights(
    corner=800, x_square=-400, c_square=-150, edge=0, mobility=90, frontier=35, discs_early=-20
)
_FREE: Final = _Weights(corner=500, x_square=-200, c_square=-60, edge=60, mobility=0, frontier=-15, discs_early=40)


@functools.cache
def _areas(board: BoardSize) -> tuple[_Area, ...]:
    areas = []
    for row, inner_row in ((0, 1), (board.rows - 1, board.rows - 2)):
        for column, inner_column in ((0, 1), (board.columns - 1, board.columns - 2)):
            areas.append(
                _Area(
                    corner=_bit(row, column),
                    x_square=_bit(inner_row, inner_column),
                    c_squares=_bit(row, inner_column) | _bit(inner_row, column),
                )
            )
    return tuple(areas)


@functools.cache
def _edges(board: BoardSize) -> int:
    bits = 0
    for row in range(board.rows):
        for column in range(board.columns):
            if row in (0, board.rows - 1) or column in (0, board.columns - 1):
                bits |= _bit(row, column)
    return bits


def _bit(row: int, column: int) -> int:
    return 1 << (8 * row + column)


def _around(discs: int) -> int:
    """The squares next to ``discs``, in all eight directions, some of the discs themselves among them."""
    row = discs | (discs << 1) & _NOT_A | (discs >> 1) & _NOT_H
    return (row | row << 8 | row >> 8) & _ALL


def evaluate(position: Position) -> int:
    """The value of an unfinished position for the player to move, in hundredths of a disc."""
    rules = position.rules
    weights = _CAPTURE if rules.mandatory_capture else _FREE
    mine, theirs, empty = position.player, position.opponent, position.empty
    good = 0  # what helps whoever wants moves
    if weights.mobility:
        other = position.with_to_move(position.to_move.opponent)
        moves, replies = position.legal_moves.placements, other.legal_moves.placements
        good += weights.mobility * (moves.bit_count() - replies.bit_count())
    good += weights.frontier * ((_around(theirs) & empty).bit_count() - (_around(mine) & empty).bit_count())
    owned = 0  # what ends in discs
    for area in _areas(rules.board):
        if area.corner & mine:
            owned += weights.corner
        elif area.corner & theirs:
            owned -= weights.corner
        else:  # beside an empty corner only
            owned += weights.x_square * _difference(mine, theirs, area.x_square)
            owned += weights.c_square * _difference(mine, theirs, area.c_squares)
    owned += weights.edge * _difference(mine, theirs, _edges(rules.board))
    cells = rules.board.cells
    filled = cells - position.empties
    difference = mine.bit_count() - theirs.bit_count()
    discs = weights.discs_early * difference
    late = UNIT * difference
    sign = -1 if rules.misere else 1
    early = good + sign * (owned + discs)
    # From the shape of the position to the plain count, the later the faster.
    share = filled * filled
    whole = cells * cells
    value = (early * (whole - share) + sign * late * share) // whole
    most = UNIT * cells
    return max(-most, min(most, value))


def _difference(mine: int, theirs: int, squares: int) -> int:
    return (mine & squares).bit_count() - (theirs & squares).bit_count()


@functools.cache
def square_order(rules: Rules) -> tuple[int, ...]:
    """For each square index and the pass (64) a rank: moves of a low rank are likely good and searched first."""
    ranks = [2] * 65
    areas = _areas(rules.board)
    sign = -1 if rules.misere else 1
    for index in range(64):
        bit = 1 << index
        if _edges(rules.board) & bit:
            ranks[index] -= sign
        for area in areas:
            if area.corner & bit:
                ranks[index] = 2 - 3 * sign
            elif area.x_square & bit:
                ranks[index] = 2 + 2 * sign
            elif area.c_squares & bit:
                ranks[index] = 2 + sign
    ranks[64] = 9
    return tuple(ranks)
