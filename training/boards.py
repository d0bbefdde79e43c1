"""Many standard boards at once, as NumPy arrays of 64-bit words (mover, opponent)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
# direction: shift to higher squares (or lower, when negative), and where a disc may arrive from it
_DIRECTIONS = (
    (1, _NOT_A),
    (-1, _NOT_H),
    (8, _ALL),
    (-8, _ALL),
    (9, _NOT_A),
    (-9, _NOT_H),
    (7, _NOT_H),
    (-7, _NOT_A),
)


def _shift(x: Words, by: int, arrive: np.uint64) -> Words:
    return ((x << np.uint64(by)) if by > 0 else (x >> np.uint64(-by))) & arrive


def start(count: int) -> tuple[Words, Words]:
    """Return copies of the start position."""
    return np.full(count, 0x0000000810000000, np.uint64), np.full(count, 0x0000001008000000, np.uint64)


def empties(p: Words, o: Words) -> NDArray[np.uint8]:
    """Return the number of empty squares."""
    counts: NDArray[np.uint8] = (64 - np.bitwise_count(p | o)).astype(np.uint8)
    return counts


def flips(p: Words, o: Words, placed: Words) -> Words:
    """Return the discs that the movers flip with placements on the given single squares (0: none)."""
    flipped = np.zeros_like(p)
    for by, arrive in _DIRECTIONS:
        run = _shift(placed, by, arrive) & o
        line = run
        for _ in range(5):
            run = _shift(run, by, arrive) & o
            line = line | run
        flipped |= np.where(_shift(line, by, arrive) & p, line, np.uint64(0))
    return flipped


def placements(p: Words, o: Words) -> Words:
    """Return the squares on which the movers may place a disc."""
    found = np.zeros_like(p)
    for by, arrive in _DIRECTIONS:
        run = _shift(p, by, arrive) & o
        for _ in range(5):
            run |= _shift(run, by, arrive) & o
        found |= _shift(run, by, arrive)
    return found & ~(p | o)


def _mirrored(x: Words) -> Words:
    """Rows in reverse order."""
    return x.byteswap()


def _transposed(x: Words) -> Words:
    """Rows and columns exchanged."""
    for by, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        held = (x ^ (x >> np.uint64(by))) & np.uint64(mask)
        x = x ^ held ^ (held << np.uint64(by))
    return x


def canonical(p: Words, o: Words) -> tuple[Words, Words]:
    """Return the least of the eight symmetric images of each position."""
    best_p, best_o = p.copy(), o.copy()
    for i in range(1, 8):
        p, o = (_transposed(p), _transposed(o)) if i % 2 else (_mirrored(p), _mirrored(o))
        less = (p < best_p) | ((p == best_p) & (o < best_o))
        best_p[less] = p[less]
        best_o[less] = o[less]
    return best_p, best_o
