"""What ratings the moves of players say, beside those of the archive and "everybody is average"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from reversi.engine.people import GRID
from reversi.people import rating_of_logs
from training.people import Samples
from training.people_check import interval
from training.people_fit import Choices, Floats, basis, chances

LEAST_GAMES = 5
MOVES = ((1, 6), (6, 14), (14, 27), (27, 54), (54, 108), (108, 10_000))
"""Moves of a player in a year that the shards have; a game has about 27 with a choice."""


def logs_by_rating(choices: Sequence[Choices], samples: Samples, theta: Floats) -> NDArray[np.float64]:
    """Return the logarithm of the chance of each move played at each rating of `GRID`, [sample, rating]."""
    logs = np.full((len(samples), len(GRID)), np.nan)
    for at, rating in enumerate(GRID):
        base = basis(choices, samples, float(rating))
        for one in choices:
            found = chances(one, base, theta)
            logs[one.at, at] = np.log(found[np.arange(len(one.at)), one.chosen])
    return logs


def rows(samples: Samples, logs: NDArray[np.float64], average: float, seed: int) -> Iterator[str]:
    """Yield how far the estimates are from the ratings of the archive, by the moves of a player in a year.

    Args:
        samples: the samples, all with a rating.
        logs: what `logs_by_rating` returns for them.
        average: the rating of "everybody is average".
        seed: of the bootstrap over players.
    """
    key = samples["player"].astype(np.int64) * 10_000 + samples["year"]
    _, first, owner = np.unique(key, return_index=True, return_inverse=True)
    moves = np.bincount(owner)
    sums = np.zeros((len(first), len(GRID)))
    np.add.at(sums, owner, logs)
    found = [rating_of_logs(each.tolist(), 1) for each in sums]
    wrong = np.array([each.rating for each in found]) - samples["rating"][first]
    reach = np.array([each.high - each.rating for each in found])
    plain = average - samples["rating"][first]
    played = np.unique(np.stack([owner, samples["game"]]), axis=1)[0]
    often = np.bincount(played, minlength=len(first)) >= LEAST_GAMES
    bands = [(f"{low} to {high - 1} moves", (moves >= low) & (moves < high)) for low, high in MOVES]
    for name, inside in (*bands, (f"{LEAST_GAMES} games or more", often)):
        if inside.sum() < 2:
            continue
        ours, theirs = (float(np.sqrt((each[inside] ** 2).mean())) for each in (wrong, plain))
        better = (plain[inside] ** 2 - wrong[inside] ** 2).astype(np.float32)
        low, _ = interval(better, samples["player"][first][inside], seed)
        yield (
            f"{name}: {inside.sum()} players and years, error {ours:.0f}, of everybody average {theirs:.0f}"
            f"{'' if low > 0 else ' (not surely better)'}, inside the interval"
            f" {100 * (np.abs(wrong) <= reach)[inside].mean():.1f} %, which reaches {reach[inside].mean():.0f}"
        )
