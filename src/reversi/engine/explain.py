"""Why a move is good or bad, in words: what an Othello teacher would point at, computed from the positions.

Every remark is something that the board before and after the move shows: corners taken, opened and denied, the X-
and C-squares beside empty corners, how many moves the opponent is left, discs that can never be flipped again, the
frontier, and whose turn it is where the last squares are filled. What a remark says is good for discs is bad where
the fewest discs win. The remarks are no proof; the score of a search is the better judge, and the two may differ.

The notions are those of the game's textbooks (Rose, "Othello: A Minute to Learn… A Lifetime to Master", 2005).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from dataclasses import dataclass

from reversi._core import SQUARES, Move, Position, Square
from reversi.rules import BoardSize
from reversi.text.counting import counted

__all__ = ["Feature", "Remark", "explain", "regions", "stable_discs"]

_LATE = 20
"""With how many empty squares or fewer parity decides more than mobility."""
_VERY_LATE = 12
"""With how many or fewer nobody asks what is open."""
_NOT_A = 0xFEFE_FEFE_FEFE_FEFE
_NOT_H = 0x7F7F_7F7F_7F7F_7F7F
_ALL = 0xFFFF_FFFF_FFFF_FFFF
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Feature(enum.Enum):
    """What a remark is about."""

    CORNER = "corner"
    X_SQUARE = "x-square"
    C_SQUARE = "c-square"
    GIVES_CORNER = "gives-corner"
    DENIES_CORNER = "denies-corner"
    MOBILITY = "mobility"
    FRONTIER = "frontier"
    STABLE = "stable"
    PARITY = "parity"
    PASS = "pass"
    END = "end"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a move does.

    Attributes:
        feature: what it is about.
        weight: how good it is for the player who moves, roughly in discs; below zero it is bad.
        text: in words.
    """

    feature: Feature
    weight: float
    text: str

    @property
    def is_good(self) -> bool:
        return self.weight > 0

    def __str__(self) -> str:
        return f"{'+' if self.is_good else '-'} {self.text}"


@dataclass(frozen=True, slots=True)
class _Corner:
    """A corner with the squares beside it, as bits."""

    corner: int
    x_square: int
    c_squares: int


@functools.cache
def _corners_of(board: BoardSize) -> tuple[_Corner, ...]:
    corners = []
    for row, inner_row in ((0, 1), (board.rows - 1, board.rows - 2)):
        for column, inner_column in ((0, 1), (board.columns - 1, board.columns - 2)):
            corners.append(
                _Corner(
                    _bit(row, column),
                    _bit(inner_row, inner_column),
                    _bit(row, inner_column) | _bit(inner_row, column),
                )
            )
    return tuple(corners)


def _bit(row: int, column: int) -> int:
    return 1 << (8 * row + column)


def _around(squares: int) -> int:
    """Return the squares next to ``squares``, in all eight directions, some of themselves among them."""
    row = squares | (squares << 1) & _NOT_A | (squares >> 1) & _NOT_H
    return (row | row << 8 | row >> 8) & _ALL


def explain(position: Position, move: Move, count: int = 4) -> list[Remark]:
    """Return the reasons for and against a move, the strongest first.

    Args:
        position: where it is played.
        move: the move.
        count: how many remarks at most.

    Raises:
        IllegalMoveError: the move is not allowed.
    """
    after = position.play(move)
    remarks = list(_remarks(position, move, after))
    remarks.sort(key=lambda remark: -abs(remark.weight))
    return remarks[:count]


def _remarks(position: Position, move: Move, after: Position) -> Iterator[Remark]:
    if after.is_over:
        yield _end(position, after)
        return
    if isinstance(move, Square):
        yield from _corners(position, move, after)
        yield from _stable(position, after)
        yield from _frontier(position, move, after)
        yield from _parity(position, move)
    elif position.legal_moves.placements:
        yield Remark(Feature.PASS, -0.5, "skips: the opponent gets a turn more")
    yield from _mobility(position, move, after)


def _sign(position: Position) -> int:
    """-1 where discs are bad."""
    return -1 if position.rules.misere else 1


def _end(position: Position, after: Position) -> Remark:
    result = after.result
    assert result is not None
    mine = result.score if position.to_move.symbol == "X" else -result.score
    discs = f"{result.discs} (Black-White)"
    if mine == 0:
        return Remark(Feature.END, 0.0, f"ends the game in a draw, {discs}")
    return Remark(Feature.END, float(mine), f"ends the game and {'wins' if mine > 0 else 'loses'} it, {discs}")


# --- corners and what is beside them


def _corners(position: Position, move: Square, after: Position) -> Iterator[Remark]:
    sign = _sign(position)
    opponent = after.to_move
    for area in _corners_of(position.rules.board):
        corner = _square(area.corner)
        if move.bit == area.corner:
            yield Remark(Feature.CORNER, 8 * sign, f"takes the corner {corner}, a disc that can never be flipped")
            continue
        if not area.corner & position.empty:
            continue
        could = bool(position.with_to_move(opponent).legal_moves.placements & area.corner)
        can = bool(after.legal_moves.placements & area.corner)
        free = not position.rules.mandatory_capture
        if can and not could:
            yield Remark(Feature.GIVES_CORNER, -7 * sign, f"lets {opponent} take the corner {corner}")
        elif could and not can:
            yield Remark(Feature.DENIES_CORNER, 5 * sign, f"keeps {opponent} out of the corner {corner}")
        if move.bit == area.x_square:
            risk = "at once" if can else "sooner or later"
            text = f"{move} is the X-square of the empty corner {corner}: it may cost the corner {risk}"
            weight = (-4.0 if can else -3.0) * sign
            yield Remark(Feature.X_SQUARE, weight / (2 if free and not can else 1), text)
        elif move.bit & area.c_squares:
            weight = (-3.0 if can else -1.5) * sign
            text = f"{move} is a C-square beside the empty corner {corner}: the edge can be attacked from there"
            yield Remark(Feature.C_SQUARE, weight / (2 if free and not can else 1), text)


def _square(bit: int) -> Square:
    return SQUARES[bit.bit_length() - 1]


# --- moves left


def _mobility(position: Position, move: Move, after: Position) -> Iterator[Remark]:
    if not position.rules.mandatory_capture:
        return  # nearly every empty square is a move
    opponent, mover = after.to_move, position.to_move
    left = after.legal_moves.placements.bit_count()
    if not left:
        # the game goes on, so there is an own placement
        yield Remark(Feature.MOBILITY, 4.0, f"{opponent} has no placement and must pass: {mover} moves again")
        return
    others = [
        position.play(other).legal_moves.placements.bit_count()
        for other in position.legal_moves
        if not other.is_pass and other != move
    ]
    moves = counted(left, "move")
    if not others:
        return
    average = sum(others) / len(others)
    weight = (average - left) * 0.6
    if left < min(others):
        yield Remark(
            Feature.MOBILITY, max(weight, 0.3), f"leaves {opponent} only {moves}, fewer than any other move"
        )
    elif left > max(others):
        yield Remark(Feature.MOBILITY, min(weight, -0.3), f"leaves {opponent} {moves}, more than any other move")
    elif abs(average - left) >= 0.7:
        than = "few" if left < average else "many"
        yield Remark(
            Feature.MOBILITY, weight, f"leaves {opponent} {than} moves: {left}, where others leave {average:.1f}"
        )


def _frontier(position: Position, move: Square, after: Position) -> Iterator[Remark]:
    """Own discs beside empty squares are what the opponent can capture; at the very end that says little."""
    if not position.rules.mandatory_capture or position.empties <= _VERY_LATE:
        return
    flips = position.flips(move)
    near = _around(after.empty)
    if not any(square.bit & near for square in flips):
        what = "a disc that lies" if len(flips) == 1 else f"{len(flips)} discs that all lie"
        yield Remark(Feature.FRONTIER, 1.5, f"flips only {what} inside: a quiet move that opens nothing")
    outer = (after.opponent & near).bit_count()
    others = []
    for other in position.legal_moves:
        if not other.is_pass and other != move:
            then = position.play(other)
            others.append((then.opponent & _around(then.empty)).bit_count())
    if not others:
        return
    average = sum(others) / len(others)
    if abs(average - outer) >= 1:
        text = f"leaves {outer} own discs beside empty squares, where others leave {average:.1f}"
        yield Remark(Feature.FRONTIER, (average - outer) * 0.3, text)


# --- discs that stay


def stable_discs(position: Position) -> int:
    """Discs, as bits, that no move can ever flip: a part of them that is easy to see.

    A disc is in it when along each of the four lines through it every square is taken, or one neighbor is the
    edge of the board or a disc of the same color that is in it itself. No disc is in it by mistake, under any
    rules of placing.
    """
    return _stable_of(position.black, position.white, position.rules.board) | _stable_of(
        position.white, position.black, position.rules.board
    )


def _stable_of(mine: int, theirs: int, board: BoardSize) -> int:
    taken = mine | theirs
    full = [
        {bit for line in _lines(board, step) if all(taken & cell for cell in line) for bit in line}
        for step in _DIRECTIONS
    ]
    candidates = [index for index in range(64) if mine >> index & 1]
    stable = 0
    while True:
        more = stable
        for index in candidates:
            bit = 1 << index
            if not more & bit and all(
                bit in full[axis] or any(cell == 0 or more & cell for cell in _neighbors(board, index, step))
                for axis, step in enumerate(_DIRECTIONS)
            ):
                more |= bit
        if more == stable:
            return stable
        stable = more


@functools.cache
def _lines(board: BoardSize, step: tuple[int, int]) -> list[list[int]]:
    """Return the lines of the board in one direction, as bits of their squares."""
    lines: dict[int, list[int]] = {}
    for row in range(board.rows):
        for column in range(board.columns):
            key = row * step[1] - column * step[0]
            lines.setdefault(key, []).append(1 << (8 * row + column))
    return list(lines.values())


@functools.cache
def _neighbors(board: BoardSize, index: int, step: tuple[int, int]) -> tuple[int, int]:
    """Return the two neighbors of a square along a line as bits, 0 for beyond the edge."""
    row, column = divmod(index, 8)
    cells = []
    for sign in (1, -1):
        r, c = row + sign * step[0], column + sign * step[1]
        cells.append(1 << (8 * r + c) if 0 <= r < board.rows and 0 <= c < board.columns else 0)
    return cells[0], cells[1]


def _stable(position: Position, after: Position) -> Iterator[Remark]:
    board = position.rules.board
    mine = _stable_of(after.opponent, after.player, board).bit_count()
    gained = mine - _stable_of(position.player, position.opponent, board).bit_count()
    if gained > 1:
        text = f"makes {gained} discs stable ({mine} in all)"
        yield Remark(Feature.STABLE, gained * _sign(position), text)


# --- who fills the last squares


def regions(position: Position) -> list[int]:
    """Return the connected regions (8 ways) of empty squares as bits, in the order of their first squares."""
    unassigned, areas = position.empty, []
    while unassigned:
        region = unassigned & -unassigned
        while (grown := _around(region) & unassigned) | region != region:
            region |= grown
        areas.append(region)
        unassigned &= ~region
    return areas


def _parity(position: Position, move: Square) -> Iterator[Remark]:
    """Parity of the region that is played into, where the game is late enough."""
    if position.empties > _LATE or position.empties < 2:
        return
    sign, mover = _sign(position), position.to_move
    every = regions(position)
    size = next(region for region in every if region & move.bit).bit_count()
    if len(every) == 1:
        return
    if size == 1:
        yield Remark(Feature.PARITY, 0.5 * sign, f"fills the hole at {move}, a region of its own")
    elif size % 2:
        text = f"plays into a region of {size} empty squares, an odd number: {mover} can be the last there"
        yield Remark(Feature.PARITY, 1.0 * sign, text)
    elif any(region.bit_count() % 2 for region in every):
        text = (
            f"plays into a region of {size} empty squares, an even number: {mover.opponent} can be the last there"
        )
        yield Remark(Feature.PARITY, -1.0 * sign, text)
