"""What the methods of a batch take: columns of numbers, moves, seeds."""

from __future__ import annotations

import contextlib
import functools
import operator
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from reversi._core import PASS, SQUARES, Pass, Position, Random, Square
from reversi.arguments import not_one
from reversi.errors import ArgumentError, InputError
from reversi.rules import Rules

_DRAWN = 0x7FFFFFFF  # the largest number that Random takes


class _DLPack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...


Numbers: TypeAlias = "ArrayLike | _DLPack"
"""Anything that NumPy reads as numbers, or an array of another library that has DLPack."""


def column(values: Numbers, kind: DTypeLike, name: str, most: int | None = None) -> NDArray[Any]:
    """Return numbers as a contiguous array of one dimension; without a copy where they are one of this type.

    Args:
        values: an array, a list, or anything with DLPack.
        kind: an unsigned type.
        name: what errors call the array.
        most: the largest number that is allowed; by default that of the type.

    Raises:
        ArgumentError: the values are not whole numbers.
        InputError: they are not from 0 to ``most``, or have more than one dimension.
    """
    source: Any = values
    if hasattr(source, "__dlpack__") and not isinstance(source, np.ndarray):
        source = np.from_dlpack(source)
    try:
        array = np.asarray(source)
        if array.dtype.kind in "fO" and all(type(number) is int for number in np.array(source, object).flat):
            array = np.array(source, kind)  # a list with numbers above 2**63
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name}: {error}") from error
    if array.size and (array.dtype != kind or most is not None):
        most = np.iinfo(np.dtype(kind)).max if most is None else most
        if array.dtype.kind not in "iub":
            raise ArgumentError(f"{name} must have whole numbers, not {array.dtype}")
        if array.min() < 0 or array.max() > most:
            raise InputError(f"{name} must have numbers from 0 to {most}")
    array = np.ascontiguousarray(array, kind)
    if array.ndim != 1:
        raise InputError(f"{name} must have one dimension, not {array.ndim}")
    return array


def filled(value: Numbers, count: int, name: str) -> NDArray[np.uint8]:
    """Return one number repeated, or a column of numbers.

    Raises:
        ArgumentError, InputError: as for `column`.
    """
    if isinstance(value, (int, np.integer)):
        return np.repeat(column([int(value)], np.uint8, name), count)
    return column(value, np.uint8, name)


@functools.cache
def board_mask(rules: Rules) -> int:
    """Return the set of squares of the board."""
    return Position.from_discs(0, 0, rules=rules).empty


def move_of_action(action: object, rules: Rules) -> Square | Pass:
    """Return the move of an action: the number of a cell, row by row, or the number of cells for a pass.

    Raises:
        ArgumentError: it is not a whole number.
        InputError: it is not in the action space.
    """
    number: Any = action
    rows, columns = rules.board
    cells = rows * columns
    with contextlib.suppress(TypeError):
        number = action if isinstance(action, bool) else operator.index(action)  # type: ignore[arg-type]
    if type(number) is not int or not 0 <= number <= cells:
        raise not_one(number, int, f"action must be a whole number from 0 to {cells}, not {action}")
    return PASS if number == cells else SQUARES[8 * (number // columns) + number % columns]


def move_of(code: int) -> Square | Pass:
    """Return the move of an index, 0 to 64."""
    return PASS if code == len(SQUARES) else SQUARES[code]


def playout_seed(seed: int, number: int) -> int:
    """Return the seed of one random game of `PositionArray.random_playouts`, a 64-bit number."""
    random = Random(seed)
    return ((random.below(_DRAWN) << 32 ^ random.below(_DRAWN)) + number) % (1 << 64)
