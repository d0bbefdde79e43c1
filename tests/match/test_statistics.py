"""Elo, its interval and the sequential test: against published examples, and in simulated matches.

The published examples are those of fastchess (github.com/Disservin/fastchess, app/tests/elo_test.cpp and
sprt_test.cpp), a match program for chess whose numbers agree with Stockfish's fishtest. Its pairs are counted as
(LL, LD, WL, DD, WD, WW); WL and DD are one score here.
"""

from __future__ import annotations

import math
import random
from itertools import accumulate
from statistics import NormalDist

import pytest

from reversi import InputError
from reversi.match import Sprt
from reversi.match.statistics import (
    SCORES,
    PairCounts,
    SprtVerdict,
    elo_of,
    elo_of_score,
    log_likelihood,
    score_of_elo,
)


@pytest.mark.parametrize(
    ("counts", "elo", "error", "superiority"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_elo_of_published_examples(
    counts: tuple[int, int, int, int, int], elo: float, error: float, superiority: float
) -> None:
    pairs = PairCounts(counts)
    found = elo_of(pairs)
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)
    assert pairs.superiority == pytest.approx(superiority, abs=0.0005)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
    ],
)
def test_ratio_of_published_examples(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float, ratio: float
) -> None:
    assert Sprt(elo0, elo1).ratio(PairCounts(counts)) == pytest.approx(ratio, abs=0.005)


def test_bounds_of_the_sequential_test() -> None:
    test = Sprt(0, 5, 0.05, 0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert [test.verdict(ratio) for ratio in (-2.3, 0.0, 2.9)] == [
        SprtVerdict.H0,
        SprtVerdict.OPEN,
        SprtVerdict.H1,
    ]


def test_elo_and_score() -> None:
    assert [round(score_of_elo(elo), 3) for elo in (-400, 0, 200)] == [0.091, 0.5, 0.76]
    assert elo_of_score(score_of_elo(123.4)) == pytest.approx(123.4)
    assert (elo_of_score(0.0), elo_of_score(1.0)) == (-math.inf, math.inf)
    assert str(elo_of_score(0.5)) == "0.0"  # which JSON shows


def test_the_constrained_maximum() -> None:
    """By hand: of 3 losses and 1 win the likeliest distribution with mean s has 1 - s and s."""
    pairs = PairCounts((3, 0, 0, 0, 1))
    for mean in (0.1, 0.25, 0.5, 0.9):
        best = 3 * math.log((1 - mean) / 0.75) + math.log(mean / 0.25)
        assert log_likelihood(pairs, mean) == pytest.approx(best, abs=1e-9)
    # all pairs at one score: the rest of the probability goes to the far end
    assert log_likelihood(PairCounts((0, 0, 4, 0, 0)), 0.6) == pytest.approx(4 * math.log(0.8), abs=1e-6)


def test_who_has_won_everything() -> None:
    found = elo_of(PairCounts((0, 0, 0, 0, 100)))
    assert (found.elo, found.high) == (math.inf, math.inf)
    assert 600 < found.low < 750
    mirrored = elo_of(PairCounts((0, 0, 0, 0, 100)).mirrored())
    assert (mirrored.high, mirrored.low) == (pytest.approx(-found.low), -math.inf)


def test_hardly_any_games() -> None:
    assert str(elo_of(PairCounts())) == "+0 (-inf to +inf)"
    assert str(elo_of(PairCounts.of([1.5]))) == "+191 (-inf to +inf)"
    assert PairCounts().superiority == 0.5
    assert 0.5 < PairCounts.of([2]).superiority < 0.95  # one pair proves little


def test_more_pairs_narrow_the_interval() -> None:
    widths = [elo.high - elo.low for elo in (elo_of(PairCounts((n, 2 * n, 4 * n, 2 * n, n))) for n in (1, 4, 16))]
    assert widths[0] > 1.9 * widths[1] > 1.9 * 1.9 * widths[2]


@pytest.mark.parametrize("points", [0.3, 3, -1])
def test_impossible_points(points: float) -> None:
    with pytest.raises(InputError, match="a pair of games has"):
        PairCounts.of([points])


@pytest.mark.parametrize(
    "numbers",
    [(5, 5, 0.05, 0.05), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.5), (0, 9999, 0.05, 0.05), (math.nan, 5, 0.1, 0.1)],
)
def test_impossible_tests(numbers: tuple[float, float, float, float]) -> None:
    with pytest.raises(InputError):
        Sprt(*numbers)


def test_the_test_ignores_what_comes_after_its_decision() -> None:
    test = Sprt(0, 100)
    state = test.run([2.0] * 40)
    assert state.verdict is SprtVerdict.H1
    assert test.run([2.0] * state.pairs + [0.0] * 500) == state
    assert test.run([2.0] * (state.pairs - 1)).verdict is SprtVerdict.OPEN


# --- simulated matches


def tilted(shape: tuple[float, ...], elo: float) -> list[float]:
    """A distribution of this shape whose mean score stands for an Elo difference (an exponential tilt)."""
    wanted = score_of_elo(elo)
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        weights = [p * math.exp(middle * score) for p, score in zip(shape, SCORES, strict=True)]
        if sum(w * s for w, s in zip(weights, SCORES, strict=True)) / sum(weights) < wanted:
            low = middle
        else:
            high = middle
    return list(accumulate(weights))


def binomial_interval(share: float, number: int, confidence: float = 0.99) -> tuple[float, float]:
    """Where the share of hits lies with this confidence, when each of ``number`` trials hits with this chance."""
    width = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(share * (1 - share) / number)
    return share - width, share + width


BALANCED = (0.1, 0.2, 0.4, 0.2, 0.1)
DECIDED = (0.3, 0.05, 0.3, 0.05, 0.3)  # as in Othello: few draws


def errors_of(test: Sprt, shape: tuple[float, ...], elo: float, wrong: SprtVerdict, matches: int) -> float:
    """The share of simulated matches that end with the wrong verdict."""
    generator = random.Random(f"{test}{shape}{elo}")
    points, weights = [2 * score for score in SCORES], tilted(shape, elo)
    found = 0
    for _ in range(matches):
        endless = (generator.choices(points, cum_weights=weights)[0] for _ in range(100_000))
        state = test.run(endless)
        assert state.verdict is not SprtVerdict.OPEN
        found += state.verdict is wrong
    return found / matches


@pytest.mark.parametrize("matches", [150, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", [BALANCED, DECIDED])
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.05, 0.1)])
def test_error_rates_of_the_sequential_test(
    matches: int, shape: tuple[float, ...], alpha: float, beta: float
) -> None:
    test = Sprt(0, 80, alpha, beta)
    assert errors_of(test, shape, 0.0, SprtVerdict.H1, matches) <= binomial_interval(alpha, matches)[1]
    assert errors_of(test, shape, 80.0, SprtVerdict.H0, matches) <= binomial_interval(beta, matches)[1]


@pytest.mark.parametrize("matches", [200, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("shape", "elo", "pairs"), [(BALANCED, 0.0, 100), (DECIDED, 60.0, 50), (DECIDED, 300.0, 100)]
)
def test_coverage_of_the_interval(matches: int, shape: tuple[float, ...], elo: float, pairs: int) -> None:
    generator = random.Random(f"{shape}{elo}{pairs}")
    points, weights = [2 * score for score in SCORES], tilted(shape, elo)
    hits = 0
    for _ in range(matches):
        found = elo_of(PairCounts.of(generator.choices(points, cum_weights=weights, k=pairs)))
        hits += found.low <= elo <= found.high
    low, high = binomial_interval(0.95, matches)
    assert low <= hits / matches
    assert hits / matches <= high or elo > 100  # near the end of the scale the interval is careful


def test_the_tilt_has_the_mean() -> None:
    weights = tilted(DECIDED, 80.0)
    chances = [b - a for a, b in zip([0.0, *weights], weights, strict=False)]
    mean = sum(p * s for p, s in zip(chances, SCORES, strict=True)) / weights[-1]
    assert mean == pytest.approx(score_of_elo(80.0))
