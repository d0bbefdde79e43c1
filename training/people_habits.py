"""The weights of `reversi.engine.habits`: what people play at a glance, from all moves of the years of the fit."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi.engine.habits import PER_UNIT, patterns
from reversi.games.statistics.results import result_of
from training.compiled import habits_library
from training.people import FIT, Samples, is_program, records_of, turns_of

EPOCHS = 2
_RATE = 0.2
_LEAST = 1.0  # the sum of squared slopes of a weight that is kept
_MOVE = np.dtype([("p", "<u8"), ("o", "<u8"), ("legal", "<u8"), ("move", "u1")])


def played_moves(data: Path, without: Samples) -> NDArray[np.void]:
    """Return all moves of people in the years of the fit, but those of some samples."""
    left_out = set(zip(without["game"].tolist(), _empties(without), strict=True))
    rows = []
    for game, record in enumerate(records_of(data)):
        result = result_of(record)
        if is_program(result.black) or is_program(result.white) or not result.black or not result.white:
            continue
        if FIT[0] <= (result.year or 0) <= FIT[1]:
            for position, move in turns_of(record):
                if (game, position.empties) not in left_out:
                    legal = position.legal_moves.placements
                    rows.append((position.player, position.opponent, legal, move.index))
    return np.array(rows, _MOVE)


def _empties(samples: Samples) -> list[int]:
    found: list[int] = (64 - np.bitwise_count(samples["p"] | samples["o"]).astype(int)).tolist()
    return found


def learn_habits(moves: NDArray[np.void], seed: int, epochs: int = EPOCHS) -> tuple[NDArray[np.int8], list[float]]:
    """Return the weights, and the mean logarithm of the chance of a move in each epoch before it was learned."""
    count, of_squares = patterns()
    most, size = max(map(len, of_squares)), max(len(one) for own in of_squares for _, one in own)
    starts, squares = np.full((64, most), -1, np.int32), np.full((64, most, size), -1, np.int8)
    for square, own in enumerate(of_squares):
        for at, (start, places) in enumerate(own):
            starts[square, at] = start
            squares[square, at, : len(places)] = places
    weights, sums = np.zeros(count, np.float32), np.zeros(count, np.float32)
    random, found = np.random.default_rng(seed), []
    for epoch in range(epochs):
        shuffled = moves[random.permutation(len(moves))]
        columns = [np.ascontiguousarray(shuffled[name]) for name in ("p", "o", "legal", "move")]
        arrays = [array.ctypes.data for array in (*columns, starts, squares, weights, sums)]
        rate = _RATE * (1 - epoch / epochs / 2)
        total = habits_library().learn(len(moves), *arrays[:4], most, size, *arrays[4:], rate)
        found.append(total / len(moves))
    rounded = np.clip(np.rint(weights * PER_UNIT), -127, 127).astype(np.int8)
    rounded[sums <= _LEAST] = 0
    return rounded, found


def pack(weights: NDArray[np.int8]) -> bytes:
    """Return the content of the package's file."""
    return gzip.compress(weights.tobytes(), 9, mtime=0)
