"""What people play at a glance: a score of each move by the discs around its square, without a search.

The score is the sum of weights, one for the state of each pattern: squares beside the move, the four lines through
it, what lies parallel to these, and the corner and the edges next to it. Squares alike by symmetry share their
weights. They were trained on the moves of people in the WTHOR archive (``training/people_habits.py``).
"""

from __future__ import annotations

import functools
import gzip
from array import array
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter, mul
from pathlib import Path
from typing import Final

from reversi._core import Position

FILE_NAME: Final = "people.habits.gz"
PER_UNIT: Final = 16
"""Steps of a weight in 1 of a move's score."""
_RAYS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
_AROUND: Final = tuple((row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column)
_LEAPS: Final = (
    tuple((2 * row, 2 * column) for row, column in _AROUND),
    tuple((row, column) for row in (-2, -1, 1, 2) for column in (-2, -1, 1, 2) if abs(row) != abs(column)),
)
_FAR: Final = ((7, 6, 15, 14, 5, 23), (56, 57, 48, 49, 58, 40), (63, 62, 55, 54))
_NEAR: Final = (
    tuple(range(8)),
    tuple(range(0, 64, 8)),
    (0, 1, 2, 8, 9, 10, 16, 17, 18),
    (0, 1, 2, 3, 8, 9, 10, 11),
    (0, 8, 16, 24, 1, 9, 17, 25),
)

_TURNS: Final = tuple(
    (down, right, turned) for down in (False, True) for right in (False, True) for turned in (False, True)
)
_POWERS: Final = tuple(3**place for place in range(9))

Pattern = tuple[int, tuple[int, ...]]
"""Where the weights of a pattern begin, and its squares; the first one changes the place of its weight by 1."""


def _patterns(square: int) -> Iterator[tuple[int, ...]]:
    """Yield the squares of the patterns of a square in the triangle of a1, d1 and d4."""
    at = divmod(square, 8)

    def squares(steps: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        places = [(at[0] + row, at[1] + column) for row, column in steps]
        return tuple(8 * row + column for row, column in places if 0 <= row < 8 and 0 <= column < 8)

    yield squares(_AROUND)
    for row, column in _RAYS:
        yield squares([(row * step, column * step) for step in range(-7, 8) if step])
    for leaps in _LEAPS:
        yield squares(leaps)
    for turned in (False, True):
        beside = [(-1, -1), (-1, 0), (-1, 1), *((0, step) for step in (-3, -2, -1, 1, 2, 3))]
        below = [*((1, step) for step in (-2, -1, 0, 1, 2)), *((0, step) for step in (-2, -1, 1, 2))]
        for steps in (beside, below):
            yield squares([step[::-1] for step in steps] if turned else steps)
    for near in (*_NEAR, *_FAR):
        yield tuple(one for one in near if one != square)


def _image(square: int, down: bool, right: bool, turned: bool) -> int:
    row, column = square >> 3, square & 7
    row, column = 7 - row if down else row, 7 - column if right else column
    return 8 * column + row if turned else 8 * row + column


@functools.cache
def patterns() -> tuple[int, tuple[tuple[Pattern, ...], ...]]:
    """Return the number of weights, and the patterns of each square."""
    found: list[list[Pattern]] = [[] for _ in range(64)]
    start = 0
    for square in (8 * row + column for row in range(4) for column in range(row, 4)):
        for squares in _patterns(square):
            if len(squares) < 2:
                continue
            for turn in _TURNS:
                found[_image(square, *turn)].append((start, tuple(_image(one, *turn) for one in squares)))
            start += 3 ** len(squares)
    return start, tuple(map(tuple, found))


@functools.cache
def _readers() -> tuple[list[tuple[int, Callable[[Sequence[int]], tuple[int, ...]]]], ...]:
    return tuple([(start, itemgetter(*squares)) for start, squares in own] for own in patterns()[1])


def habits_of(position: Position, weights: Sequence[int]) -> list[float]:
    """Return the score of each legal move of a position of the standard game."""
    player, opponent = position.player, position.opponent
    state = [(player >> square & 1) + 2 * (opponent >> square & 1) for square in range(64)]
    return [
        sum(weights[start + sum(map(mul, _POWERS, read(state)))] for start, read in _readers()[move.index])
        / PER_UNIT
        for move in position.legal_moves
    ]


@functools.cache
def default_habits() -> array[int]:
    """Return the weights that come with the package, signed bytes."""
    return array("b", gzip.decompress(Path(__file__).with_name(FILE_NAME).read_bytes()))
