"""The difference between shallow and deep searches, which ProbCut needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Table, Weights, batch_search
from training.boards import Words
from training.check import held_out_games
from training.data import load_positions
from training.positions import generate, openings_of
from training.wthor import read_games


@dataclass(frozen=True)
class Row:
    """Searches of two depths compared.

    Attributes:
        n: empty squares.
        deep: the deeper depth; equal to `n` for the exact value.
        shallow: the other depth.
        mean: mean of deep - shallow, in discs.
        deviation: standard deviation of deep - shallow, in discs.
    """

    n: int
    deep: int
    shallow: int
    mean: float
    deviation: float


@dataclass(frozen=True)
class Model:
    """The deviation in discs as exp(constant + by_n * n + by_deep * deep + by_shallow * shallow
    + by_root * sqrt(deep - shallow)).

    Attributes:
        error: the root of the mean squared error of the logarithm.
    """

    constant: float
    by_n: float
    by_deep: float
    by_shallow: float
    by_root: float
    error: float

    def __str__(self) -> str:
        terms = f"{self.by_n:+.4f} n {self.by_deep:+.4f} deep {self.by_shallow:+.4f} shallow"
        terms += f" {self.by_root:+.4f} sqrt(deep - shallow)"
        return f"exp({self.constant:.4f} {terms}), within a factor of {np.exp(self.error):.2f}"


def held_out(folder: Path, n: int, count: int) -> tuple[Words, Words]:
    """Return at most `count` held-out positions of a training."""
    p, o, _, _ = load_positions(folder, n, held_out=True)
    return p[:count].copy(), o[:count].copy()


def fresh(
    data: Path, years: tuple[int, int], n: int, count: int, seed: int, weights: Weights
) -> tuple[Words, Words]:
    """Return at most `count` positions like those of a training, from other years and another seed."""
    openings = openings_of(data, seed, weights)
    p, o, _ = generate(n, count, seed, weights, read_games(data / "wthor", *years), openings)
    return p, o


def measure(
    positions: Callable[[int], tuple[Words, Words]], weights: Weights, numbers: list[int], deepest: int, exact: int
) -> list[Row]:
    """Compare all depths up to `deepest` on the positions for each number of empty squares; the exact value too up
    to `exact` empty."""
    rows = []
    table = Table(64)
    for n in numbers:
        p, o = positions(n)
        values = _values(weights, table, p, o, [*range(min(deepest, n - 1) + 1), *([n] if n <= exact else [])])
        rows += _compared(n, values)
    return rows


def measure_archive(data: Path, weights: Weights, years: tuple[int, int], deepest: int, count: int) -> list[Row]:
    """Compare depths up to `deepest` with the archive's values at 24 empty squares; nothing without files."""
    p, o, exact = held_out_games(data, years, 24, count)
    values = _values(weights, Table(1), p, o, list(range(deepest + 1)))
    return [row for row in _compared(24, {**values, 24: exact.astype(np.float64)}) if row.deep == 24]


def matrix(rows: list[Row]) -> str:
    """Format the deviations as a table: a line per number of empty squares, columns for pairs of depths."""
    pairs = [("4", 2), ("5", 1), ("6", 2), ("6", 4), ("7", 3), ("8", 2), ("8", 4)]
    pairs += [("end", shallow) for shallow in range(0, 9, 2)]
    found = {(row.n, "end" if row.deep == row.n else str(row.deep), row.shallow): row.deviation for row in rows}
    pairs = [pair for pair in pairs if any(key[1:] == pair for key in found)]
    lines = ["empties" + "".join(f" {f'{deep}-{shallow}':>5}" for deep, shallow in pairs)]
    for n in sorted({key[0] for key in found}):
        cells = (found.get((n, *pair)) for pair in pairs)
        lines.append((f"{n:7}" + "".join(" " * 6 if cell is None else f" {cell:5.2f}" for cell in cells)).rstrip())
    return "\n".join(lines)


def _values(
    weights: Weights, table: Table, p: Words, o: Words, depths: list[int]
) -> dict[int, NDArray[np.float64]]:
    """Values in discs by searches of several depths."""
    values = {}
    for depth in depths:
        found = np.empty(len(p), np.int16)
        batch_search(weights, table, p, o, found, depth)
        values[depth] = found / 128
    return values


def _compared(n: int, values: dict[int, NDArray[np.float64]]) -> list[Row]:
    rows = []
    for deep, theirs in values.items():
        for shallow, ours in values.items():
            if shallow < deep and len(ours):
                off = theirs - ours
                rows.append(Row(n, deep, shallow, float(off.mean()), float(off.std())))
    return rows


def fit_model(rows: list[Row]) -> Model:
    """Fit the model to the measured deviations."""
    matrix = np.array([[1, row.n, row.deep, row.shallow, (row.deep - row.shallow) ** 0.5] for row in rows])
    goal = np.log([max(row.deviation, 0.1) for row in rows])
    solution, *_ = np.linalg.lstsq(matrix, goal, rcond=None)
    error = float(np.sqrt(((matrix @ solution - goal) ** 2).mean()))
    a, b, c, d, e = (float(x) for x in solution)
    return Model(a, b, c, d, e, error)
