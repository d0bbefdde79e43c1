"""How well the model of people's moves says what people play, in years that take part in no fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reversi._core import SQUARES, Position
from reversi.analysis.exercises.judge import EXACT_FROM, Judge
from reversi.analysis.exercises.ratings import class_of
from reversi.engine import Engine
from reversi.engine.people import DEPTHS, FEATURES
from reversi.people import difficulty
from reversi.solver.symmetry import twins
from training.people import Samples
from training.people_fit import Choices, Floats, chances

UNRATED = 1500.0  # the rating that stands for players without one
RATING_BANDS = ((0, 1200), (1200, 1300), (1300, 1400), (1400, 1500), (1500, 1600), (1600, 1700), (1700, 4000))
EMPTIES_BANDS = ((50, 60), (40, 49), (30, 39), (20, 29), (10, 19), (1, 9))
VALUES = [at for at, name in enumerate(FEATURES) if "depth" in name]  # the features of the values-only model
GAMES = FEATURES.index("games of the opening")
CALIBRATED = ((0, 1300), (1300, 1500), (1500, 1700), (1700, 4000))  # bands of ratings
_BOOK = 100.0  # so that any game of the book counts more than a value
_DRAWS = 1000
_SAME = 1e-6


@dataclass(frozen=True)
class Judged:
    """What one way to foresee moves is worth, sample by sample.

    Attributes:
        name: which.
        first: the credit for the best move, 0 to 1; moves that are alike share it.
        third: the same for the three best.
        log: the logarithm of the chance of the move played, NaN where there are no chances.
    """

    name: str
    first: Floats
    third: Floats
    log: Floats


def judge(choices: Sequence[Choices], count: int, base: Floats, theta: Floats, simple: Floats) -> list[Judged]:
    """Return what the uniform choice, the engine, a book, the logit on values alone and the model are worth.

    The book has the openings of the years of the fit; it plays the most frequent move.

    Args:
        choices: the positions.
        count: how many samples there are.
        base: what weights are combined from.
        theta: the weights of the model.
        simple: the weights of the logit on values alone.
    """
    ways = [
        ("uniform", lambda one: np.zeros(one.x.shape[:2], np.float32), False),
        *(
            (f"engine, depth {depth}", lambda one, at=at: -one.x[:, :, at], False)
            for at, depth in enumerate(DEPTHS)
        ),
        ("book, else engine", lambda one: _BOOK * one.x[:, :, GAMES] - one.x[:, :, len(DEPTHS) - 1], False),
        ("values alone", lambda one: chances(replaced(one), base, simple), True),
        ("the model", lambda one: chances(one, base, theta), True),
    ]
    found = []
    for name, scores, has_chances in ways:
        first, third, log = (np.full(count, np.nan, np.float32) for _ in range(3))
        for one in choices:
            score = scores(one)
            own = score[np.arange(len(one.at)), one.chosen]
            better = (score > own[:, None] + _SAME).sum(axis=1)
            alike = (np.abs(score - own[:, None]) <= _SAME).sum(axis=1)
            first[one.at], third[one.at] = (np.clip((most - better) / alike, 0, 1) for most in (1, 3))
            if has_chances:
                log[one.at] = np.log(own)
            elif name == "uniform":
                log[one.at] = -np.log(one.x.shape[1])
        found.append(Judged(name, first, third, log))
    return found


def level_credit(samples: Samples, at: NDArray[np.int64], level: int) -> Floats:
    """Return the credit for the best move of a level of the engine in some samples; moves alike share it."""
    engine = Engine(level)
    found = []
    for sample in samples[at]:
        position = Position.from_discs(int(sample["p"]), int(sample["o"]))
        firsts = twins(position)
        best, played = firsts[engine.hint(position, 1)[0].move], SQUARES[int(sample["move"])]
        found.append((firsts[played] == best) / sum(first == best for first in firsts.values()))
    return np.array(found, np.float32)


def replaced(one: Choices) -> Choices:
    """Return choices with the features of values alone."""
    return Choices(one.at, one.x[:, :, VALUES], one.chosen, one.best)


def bands(samples: Samples) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield the names of all samples, of bands of ratings and of empty squares, with the samples in them."""
    rating = samples["rating"]
    rated = ~np.isnan(rating)
    empties = 64 - np.bitwise_count(samples["p"] | samples["o"]).astype(int)
    yield "all", rated
    for low, high in RATING_BANDS:
        name = f"below {high}" if not low else f"from {low}" if high == 4000 else f"{low} to {high - 1}"
        yield name, rated & (rating >= low) & (rating < high)
    for low, high in EMPTIES_BANDS:
        yield f"{low} to {high} empty", rated & (empties >= low) & (empties <= high)
    for year in sorted(set(samples["year"].tolist())):
        yield str(year), rated & (samples["year"] == year)
    yield "no rating", ~rated


def interval(values: Floats, players: NDArray[np.uint32], seed: int) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values, by a bootstrap over players."""
    _, owner = np.unique(players, return_inverse=True)
    sums, counts = np.bincount(owner, values), np.bincount(owner)
    random = np.random.default_rng(seed)
    drawn = random.integers(0, len(sums), (_DRAWS, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def calibration(
    choices: Sequence[Choices], base: Floats, theta: Floats
) -> Iterator[tuple[int, int, float, float]]:
    """Yield tenths, how many moves have such a chance, their mean chance and the share of them that was played."""
    every, played = [], []
    for one in choices:
        found = chances(one, base, theta)
        was = np.zeros(found.shape, bool)
        was[np.arange(len(one.at)), one.chosen] = True
        every.append(found.ravel())
        played.append(was.ravel())
    chance, hit = np.concatenate(every), np.concatenate(played)
    tenth = np.minimum((10 * chance).astype(int), 9)
    for number in range(10):
        inside = tenth == number
        if inside.any():
            yield number, int(inside.sum()), float(chance[inside].mean()), float(hit[inside].mean())


@dataclass(frozen=True)
class Found:
    """A position with 16 empty squares at most, and whether a person kept the result there.

    Attributes:
        chance: the chance of that by the model, for the rating of the person.
        number: the class of its difficulty, where one move alone keeps the result.
        kept: whether the person did.
    """

    chance: float
    number: int | None
    kept: bool


def found_moves(samples: Samples) -> Iterator[Found]:
    """Yield positions in which some moves keep the result, and others do not."""
    judge = Judge()
    for p, o, played, rating in zip(
        *(samples[name].tolist() for name in ("p", "o", "move", "rating")), strict=True
    ):
        position = Position.from_discs(p, o)
        if position.empties > EXACT_FROM:
            continue
        scored = judge.value_all(position)
        results = {one.move: (one.score.value > 0) - (one.score.value < 0) for one in scored}
        best = max(results.values())
        if best < 0 or min(results.values()) == best:
            continue
        hard = judge.difficulty(position, [move for move in results if results[move] == best])
        only = list(results.values()).count(best) == 1
        assert hard is not None
        chance = difficulty(position, rating).keeps
        yield Found(chance, class_of(hard) if only else None, results[SQUARES[played]] == best)
