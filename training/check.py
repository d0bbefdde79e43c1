"""The quality of fitted weights, by held-out labels and by the solved values of the archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Table, Weights, batch_search
from reversi.evaluation.weights import default_weights
from training.boards import Words, canonical
from training.data import load_positions
from training.fit import STAGES, numbers_of
from training.positions import distinct, generate, read_openings
from training.wthor import ARCHIVE, TRAINING_YEARS, read_games

_FRESH_SEED = 9000  # of self-play that no training uses


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


def held_out_games(
    data: Path, years: tuple[int, int], n: int, most: int, seed: int = 24
) -> tuple[Words, Words, NDArray[np.int16]]:
    """Return at most `most` different positions with `n` empty squares from games of `years`, in random order.

    With them come the archive's values of the games, which hold at 24 empty squares. Positions that also occur in
    the years of the training are excluded; without the files the result is empty.
    """
    games = read_games(data / "wthor", *years)
    there = np.random.default_rng((seed, n)).permutation(np.flatnonzero(games.p[:, n]))
    p, o, first = distinct(games.p[there, n], games.o[there, n])
    known = read_games(data / "wthor", *TRAINING_YEARS)
    trained = known.p[:, n] != 0
    trained_p, trained_o = canonical(known.p[trained, n], known.o[trained, n])
    seen = set(zip(trained_p.tolist(), trained_o.tolist(), strict=True))
    new = [i for i, words in enumerate(zip(p.tolist(), o.tolist(), strict=True)) if words not in seen]
    # distinct() sorts: back to the random order
    chosen = np.array(sorted(new, key=lambda i: first[i])[:most], np.intp)
    game = there[first[chosen]]
    values = np.where(games.black[game, n], games.theoretical[game], -games.theoretical[game])
    return p[chosen], o[chosen], values


def solved_games(data: Path, years: tuple[int, int], n: int, most: int) -> tuple[Words, Words, NDArray[np.int16]]:
    """Return what `held_out_games` returns, with values that hold at `n` empty squares.

    With 24 they are the archive's, with fewer the solver's.
    """
    p, o, values = held_out_games(data, years, n, most)
    if n != ARCHIVE and len(p):
        p, o, values = np.ascontiguousarray(p), np.ascontiguousarray(o), np.empty(len(p), np.int16)
        batch_search(default_weights(), Table(256), p, o, values, n)
        values //= 128
    return p, o, values


def yardstick(data: Path, years: tuple[int, int], n: int, count: int) -> tuple[Words, Words]:
    """Return `count` positions with `n` empty squares that take part in no training, to compare solvers on.

    Half come from games of `years`. The rest is self-play with a seed of its own between players who count
    mobility: the positions stay the same when the weights change.
    """
    p, o, _ = held_out_games(data, years, n, count // 2)
    left = count - len(p)
    openings = read_openings(data / "xot" / "xot_large.txt")
    no_games = read_games(data, 1, 0)
    mine, theirs, tail = generate(n, 8 * left, _FRESH_SEED, None, no_games, openings)
    chosen = np.flatnonzero(tail == 0)[:left]
    return np.concatenate([p, mine[chosen]]), np.concatenate([o, theirs[chosen]])


@dataclass(frozen=True)
class ErrorRow:
    """Searches of one depth against exact values, in discs.

    Attributes:
        depth: in placements.
        count: positions.
        absolute: mean absolute error.
        interval: its 95 % interval.
        mean: mean error.
        rms: root of the mean squared error.
    """

    depth: int
    count: int
    absolute: float
    interval: tuple[float, float]
    mean: float
    rms: float


def errors_at(weights: Weights, p: Words, o: Words, exact: NDArray[np.int16], depth: int) -> ErrorRow:
    """Compare searches of a depth with the exact values of positions."""
    values = np.empty(len(p), np.int16)
    batch_search(weights, Table(16), np.ascontiguousarray(p), np.ascontiguousarray(o), values, depth)
    return error_row(depth, values / 128 - exact)


def error_row(depth: int, off: NDArray[np.floating]) -> ErrorRow:
    """Sum up errors in discs."""
    size = np.abs(off)
    mean = float(size.mean())
    half = 1.96 * float(size.std(ddof=1)) / len(off) ** 0.5 if len(off) > 1 else float("inf")
    return ErrorRow(
        depth, len(off), mean, (mean - half, mean + half), float(off.mean()), float(np.sqrt((off**2).mean()))
    )
