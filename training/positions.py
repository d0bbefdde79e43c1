"""Positions for training, from real games, openings and self-play, with deliberate bad moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Table, Weights, batch_play, batch_search
from reversi.arrays import PositionArray
from reversi.openings import read_xot
from training.boards import Words, canonical, empties, start
from training.wthor import Games

Bytes = NDArray[np.uint8]
_EVEN = 4 * 128  # in 1/128 disc: an opening that gives so much at most is balanced
_TRIES = 4000  # for openings of our own
_TAILS = np.array([0, 0, 1, 2], np.uint8)


def read_openings(path: Path) -> tuple[Words, Words]:
    """The positions after the openings of a file with one transcript (f5d6…) a line; none without a file."""
    if not path.is_file():
        return start(0)
    positions = PositionArray(line.position for line in read_xot(path))
    return positions.player, positions.opponent


def openings_of(data: Path, seed: int, weights: Weights | None) -> tuple[Words, Words]:
    """Return the openings of a folder's list; without one those of our own, which need weights."""
    openings = read_openings(data / "xot" / "xot_large.txt")
    return openings if len(openings[0]) or weights is None else balanced_openings(_TRIES, seed, weights)


def balanced_openings(count: int, seed: int, weights: Weights) -> tuple[Words, Words]:
    """Return positions after 8 to 12 random placements that a search finds nearly even, from `count` tries."""
    random = np.random.default_rng((seed, 60))
    p, o = start(count)
    until = (60 - random.integers(8, 13, count)).astype(np.uint8)
    batch_play(None, p, o, until, np.full(count, 60, np.uint8), 0, 0, int(random.integers(1 << 60)))
    p, o, _ = distinct(p[(p | o) != 0], o[(p | o) != 0])
    values = np.empty(len(p), np.int16)
    batch_search(weights, Table(1), p, o, values, 4)
    even = np.abs(values) <= _EVEN
    return p[even], o[even]


def generate(
    n: int,
    count: int,
    seed: int,
    weights: Weights | None,
    games: Games,
    openings: tuple[Words, Words],
) -> tuple[Words, Words, Bytes]:
    """About `count` different positions with `n` empty squares, the game going on, in random order; and how many
    random placements each comes after.

    Two fifths come from real games (one position a game at most), the rest from self-play between players who see
    one placement ahead, with noise: half of it from random first placements, half from the given openings. Half
    of all positions come directly after one or two random placements.
    """
    random = np.random.default_rng((seed, n))
    parts = []

    def play(p: Words, o: Words, tail: Bytes, share: int, noise: int) -> None:
        p, o = p.copy(), o.copy()
        batch_play(weights, p, o, np.full(len(p), n, np.uint8), tail, share, noise, int(random.integers(1 << 60)))
        good = (p | o) != 0
        good &= empties(p, o) == n
        parts.append((p[good], o[good], tail[good]))

    tail = random.choice(_TAILS, 2 * count // 5)
    for length in (0, 1, 2):
        if n + length > 60 or not len(games.p):
            continue
        usable = np.flatnonzero(games.p[:, n + length])
        chosen = random.permutation(usable)[: int((tail == length).sum())]
        play(
            games.p[chosen, n + length], games.o[chosen, n + length], np.full(len(chosen), length, np.uint8), 0, 0
        )
    left = count - sum(len(part[0]) for part in parts)
    # random first placements, then play
    p, o = start(left // 2)
    until = np.maximum(n, 60 - random.integers(4, 21, len(p))).astype(np.uint8)
    batch_play(weights, p, o, until, np.full(len(p), 60, np.uint8), 0, 0, int(random.integers(1 << 60)))
    keep = (p | o) != 0
    play(p[keep], o[keep], random.choice(_TAILS, int(keep.sum())), 20, 64)
    if len(openings[0]):
        chosen = random.integers(0, len(openings[0]), left - left // 2)
        p, o = openings[0][chosen], openings[1][chosen]
        p, o = p[empties(p, o) > n], o[empties(p, o) > n]
    else:
        p, o = start(left - left // 2)
    play(p, o, random.choice(_TAILS, len(p)), 40, 200)
    p, o, tail = (np.concatenate([part[i] for part in parts]) for i in range(3))
    p, o, first = distinct(p, o)
    order = random.permutation(len(p))
    return p[order], o[order], tail[first][order]


def distinct(p: Words, o: Words) -> tuple[Words, Words, NDArray[np.intp]]:
    """The different positions up to symmetry, and where each comes first."""
    p, o = canonical(p, o)
    _, first = np.unique(np.stack([p, o], 1), axis=0, return_index=True)
    return p[first], o[first], first
