"""The cost of hostile text is linear in its length: four times the text takes about four times as long.

The tests compare CPU times with each other, never with a clock.
"""

from __future__ import annotations

import pytest

from hostile import SHAPES, Shape
from hostile_readers import MOST, READERS, growth
from reversi.records.sources.decoding import MAX_LINE_BYTES

QUICK = 4_000
LARGE = 60_000

BY_NAME = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


def check(shape: Shape, reader: str, size: int) -> None:
    found = growth(READERS[reader], shape.bytes(size), shape.bytes(4 * size))
    if found.ratio >= MOST:  # one step, where another reader takes over, does not come again
        found = growth(READERS[reader], shape.bytes(4 * size), shape.bytes(16 * size))
    assert found.ratio < MOST, f"{shape.name}, {reader}: {found}"


@pytest.mark.thorough
@BY_NAME
def test_games(shape: Shape) -> None:
    check(shape, "games", QUICK)


@pytest.mark.thorough
@BY_NAME
def test_positions(shape: Shape) -> None:
    check(shape, "positions", QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@BY_NAME
def test_every_reader(shape: Shape, reader: str) -> None:
    check(shape, reader, LARGE)


@pytest.mark.thorough
def test_the_length_of_lines_costs_nothing() -> None:
    short, long = (b"%s\n" % (b"x" * length) * (3_200_000 // length) for length in (100, 3200))
    found = growth(READERS["text"], short, long)
    assert found.ratio < MOST, found
    longest = b"x" * MAX_LINE_BYTES + b"\n"
    found = growth(READERS["text"], longest * 3, longest * 12)
    assert found.ratio < MOST, found
