"""How good fitted weights are: against held-out labels, and against the archive's solved values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Table, Weights, batch_search
from training.boards import Words
from training.data import load_positions
from training.fit import STAGES, numbers_of
from training.wthor import read_games

__all__ = ["archive_sample", "check_archive", "check_held_out"]


def check_held_out(folder: Path, weights: Weights) -> list[tuple[int, int, float, float, float, float]]:
    """For each stage with labels, on positions that no fit has seen: (fewest empty squares, positions, the labels'
    mean size, mean absolute error, root of the mean squared error, how much whoever is to move is
    favoured), in discs. The last is half of what the mean falls by with a look one placement ahead."""
    rows = []
    table = Table(1)
    for stage in range(STAGES):
        parts = [load_positions(folder, n, held_out=True) for n in numbers_of(stage)]
        p, o, labels = (np.concatenate([part[i] for part in parts]) for i in range(3))
        if len(p):
            values = np.empty(len(p), np.int16)
            batch_search(weights, table, p, o, values, 0)
            ahead = np.empty(len(p), np.int16)
            batch_search(weights, table, p, o, ahead, 1)
            off = values / 128 - labels
            rows.append(
                (
                    numbers_of(stage)[0],
                    len(p),
                    float(np.abs(labels).mean()),
                    float(np.abs(off).mean()),
                    float(np.sqrt((off**2).mean())),
                    float((values - ahead.astype(np.float64)).mean() / 256),
                )
            )
    return rows


def archive_sample(data: Path, years: tuple[int, int], most: int) -> tuple[Words, Words, NDArray[np.int16]]:
    """At most so many positions with 24 empty squares of real games of those years, and their solved values."""
    games = read_games(data / "wthor", *years)
    there = np.flatnonzero(games.p[:, 24])
    there = np.sort(np.random.default_rng(24).permutation(there)[:most])
    p, o = np.ascontiguousarray(games.p[there, 24]), np.ascontiguousarray(games.o[there, 24])
    return p, o, np.where(games.black[there, 24], games.theoretical[there], -games.theoretical[there])


def check_archive(
    data: Path, weights: Weights, years: tuple[int, int], depths: tuple[int, ...], most: int
) -> list[tuple[int, int, float, float, float]]:
    """Against the archive's theoretical values at 24 empty squares in years that took no part in the training: for
    each depth (depth, positions, mean absolute error, mean error, deviation) in discs; empty without the files."""
    p, o, exact = archive_sample(data, years, most)
    table = Table(16)
    rows = []
    for depth in depths if len(p) else ():
        values = np.empty(len(p), np.int16)
        batch_search(weights, table, p, o, values, depth)
        off = values / 128 - exact
        rows.append((depth, len(p), float(np.abs(off).mean()), float(off.mean()), float(off.std())))
    return rows
