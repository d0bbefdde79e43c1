"""How good fitted weights are: against held-out labels, and against the archive's solved values."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reversi._core import Table, Weights, batch_search
from training.data import load_positions
from training.fit import STAGES, numbers_of
from training.wthor import read_games

__all__ = ["check_archive", "check_held_out"]


def check_held_out(folder: Path, weights: Weights) -> list[tuple[int, int, float, float, float]]:
    """For each stage with labels, on positions that no fit has seen: (fewest empty squares, positions, the labels'
    mean size, mean absolute error, root of the mean squared error), in discs."""
    rows = []
    table = Table(1)
    for stage in range(STAGES):
        parts = [load_positions(folder, n, held_out=True) for n in numbers_of(stage)]
        p, o, labels = (np.concatenate([part[i] for part in parts]) for i in range(3))
        if len(p):
            values = np.empty(len(p), np.int16)
            batch_search(weights, table, p, o, values, 0)
            off = values / 128 - labels
            rows.append(
                (
                    numbers_of(stage)[0],
                    len(p),
                    float(np.abs(labels).mean()),
                    float(np.abs(off).mean()),
                    float(np.sqrt((off**2).mean())),
                )
            )
    return rows


def check_archive(
    data: Path, weights: Weights, years: tuple[int, int], depths: tuple[int, ...], most: int
) -> list[tuple[int, int, float, float]]:
    """Against the archive's theoretical values at 24 empty squares in years that took no part in the training: for
    each depth (depth, positions, mean absolute error, mean error) in discs; empty without the files."""
    games = read_games(data / "wthor", *years)
    there = np.flatnonzero(games.p[:, 24])
    there = np.sort(np.random.default_rng(24).permutation(there)[:most])
    if not len(there):
        return []
    p, o = np.ascontiguousarray(games.p[there, 24]), np.ascontiguousarray(games.o[there, 24])
    exact = np.where(games.black[there, 24], games.theoretical[there], -games.theoretical[there])
    table = Table(16)
    rows = []
    for depth in depths:
        values = np.empty(len(p), np.int16)
        batch_search(weights, table, p, o, values, depth)
        off = values / 128 - exact
        rows.append((depth, len(p), float(np.abs(off).mean()), float(off.mean())))
    return rows
