"""Many standard boards at once, as NumPy arrays of 64-bit words (mover, opponent)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reversi.arrays import PositionArray

Words = NDArray[np.uint64]


def start(count: int) -> tuple[Words, Words]:
    """Return copies of the start position."""
    positions = PositionArray.start(count)
    return positions.black, positions.white


def empties(p: Words, o: Words) -> NDArray[np.uint8]:
    """Return the number of empty squares."""
    counts: NDArray[np.uint8] = (64 - np.bitwise_count(p | o)).astype(np.uint8)
    return counts


def canonical(p: Words, o: Words) -> tuple[Words, Words]:
    """Return one of the eight symmetric images of each position, the same one for all of them."""
    images = PositionArray.from_discs(np.ascontiguousarray(p), np.ascontiguousarray(o)).canonical()
    return images.black, images.white
