"""The statistics of a match: Elo with an interval from game pairs, the likelihood of superiority, and the SPRT.

The unit is the **pair**: two games from one opening with colors changed. The games of a pair depend on each other
(an opening that favors Black gives each player a win), so an interval from single games is too wide or too
narrow. A pair has five scores, 0 to 2 points in halves; their counts are the *pentanomial* distribution.

Everything here is the profile likelihood of that multinomial distribution: for a mean score *s*, the greatest
likelihood among all distributions over the five scores with this mean. The interval holds each *s* whose
likelihood is close to the greatest; the log-likelihood ratio (LLR) of the SPRT is the difference between two
values of *s*. Scores that no pair has had may still have a probability, so that the interval of a player who has
won everything does not shrink to a point.

Sources: A. Owen, *Empirical Likelihood* (2001), for the constrained maximum and the calibration of the interval by
Student's t; M. Van den Bergh, *The generalized maximum likelihood ratio for the expectation value of a
distribution* (the "LLRcalc" of Stockfish's fishtest), for the same maximum in the SPRT; A. Wald, *Sequential Tests
of Statistical Hypotheses* (1945), for its bounds.

>>> pairs = PairCounts((34, 54, 63, 64, 75))
>>> estimate = elo_of(pairs)
>>> round(estimate.elo, 1)
55.6
"""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from reversi.arguments import check_type, excerpt
from reversi.errors import InputError

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five scores of a pair, as a share of its two points."""

_MOST_ELO: Final = 2000.0
_STEPS: Final = 60
_EDGE: Final = 1e-9  # a mean nearer to 0 or 1 counts as this


def elo_of_score(score: float) -> float:
    """Return the Elo difference that a mean score between 0 and 1 stands for; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """Return the mean score that an Elo difference stands for."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs had each of the five scores.

    Attributes:
        counts: the pairs with 0, 0.5, 1, 1.5 and 2 points.

    Raises:
        InputError: not five counts from 0 up.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != len(SCORES) or any(count < 0 for count in self.counts):
            raise InputError(f"pairs must be counted in five numbers from 0 up, not {excerpt(self.counts)}")

    @classmethod
    def of(cls, points: Iterable[float]) -> PairCounts:
        """Return the counts of pairs with these points (0, 0.5, 1, 1.5 or 2 each).

        Raises:
            InputError: a pair cannot have these points.
        """
        counts = [0] * len(SCORES)
        for each in points:
            if each not in (0, 0.5, 1, 1.5, 2):
                raise InputError(f"a pair of games has 0, 0.5, 1, 1.5 or 2 points, not {excerpt(each)}")
            counts[round(2 * each)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score, a share of the points; 0.5 without pairs."""
        if not self.pairs:
            return 0.5
        return sum(count * score for count, score in zip(self.counts, SCORES, strict=True)) / self.pairs

    @property
    def deviation(self) -> float:
        """The standard deviation of the score of one pair."""
        mean, pairs = self.mean, self.pairs
        if not pairs:
            return 0.0
        squares = (count * (score - mean) ** 2 for count, score in zip(self.counts, SCORES, strict=True))
        return math.sqrt(sum(squares) / pairs)

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how sure it is that the first player is the stronger one, 0 to 1.

        It is that of the signed root of the likelihood ratio, which is about normally distributed; for many pairs
        the same as other match programs say.
        """
        root = math.sqrt(max(-2.0 * log_likelihood(self, 0.5), 0.0))
        return NormalDist().cdf(root if self.mean > 0.5 else -root)

    def __add__(self, other: PairCounts) -> PairCounts:
        a, b = self.counts, other.counts
        return PairCounts((a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]))

    def mirrored(self) -> PairCounts:
        """Return the counts from the view of the other player."""
        a, b, c, d, e = self.counts
        return PairCounts((e, d, c, b, a))


def log_likelihood(pairs: PairCounts, mean: float) -> float:
    """Return the logarithm of the greatest likelihood of a distribution with this mean, less that of the observed.

    It is 0 at the observed mean and below 0 elsewhere.

    Args:
        pairs: the observed pairs.
        mean: the mean score, between 0 and 1 exclusive.
    """
    if not pairs.pairs:
        return 0.0
    mean = min(max(mean, _EDGE), 1.0 - _EDGE)
    seen = [(count, score - mean) for count, score in zip(pairs.counts, SCORES, strict=True) if count]
    # Lagrange: p = (n / N) / (1 + x (a - s)), where x makes the mean s. All five scores may have a probability,
    # so 1 + x (a - s) must not be negative at 0 and at 1; such an end has the rest of the probability.
    x = _multiplier(seen, -1.0 / (1.0 - mean), 1.0 / mean)
    return -sum(count * math.log1p(x * gap) for count, gap in seen)


def _multiplier(seen: list[tuple[int, float]], low: float, high: float) -> float:
    """Return where the sum of n (a - s) / (1 + x (a - s)) is 0, or the end of the interval before which it is not.

    The sum falls with x. Newton's steps, halving where one leaves the interval.
    """
    margin = 1e-12 * (high - low)
    low, high = low + margin, high - margin
    x = 0.0
    for _ in range(_STEPS):
        value = slope = 0.0
        for count, gap in seen:
            part = gap / (1.0 + x * gap)
            value += count * part
            slope -= count * part * part
        if value > 0.0:
            low = x
        elif value < 0.0:
            high = x
        else:
            return x
        step = x - value / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) <= 1e-12 * (1.0 + abs(x)):
            return step
        x = step
    return x


@dataclass(frozen=True, slots=True)
class Elo:
    """An Elo difference with its interval.

    Attributes:
        elo: the difference that the mean score stands for; infinite when one player has won everything.
        low: lower end of the interval, may be infinite.
        high: upper end of the interval, may be infinite.
        confidence: how often such an interval holds the true difference, 0 to 1.
    """

    elo: float
    low: float
    high: float
    confidence: float = 0.95

    def __str__(self) -> str:
        return f"{_signed(self.elo)} ({_signed(self.low)} to {_signed(self.high)})"


def _signed(elo: float) -> str:
    return f"{round(elo):+d}" if math.isfinite(elo) else "+inf" if elo > 0 else "-inf"


def elo_of(pairs: PairCounts, confidence: float = 0.95) -> Elo:
    """Return the Elo difference of a match, with the interval of the profile likelihood.

    One pair says nothing, and neither do two with all the points: an end of the interval is infinite then.

    Args:
        pairs: the pairs, from the view of the first player.
        confidence: how often the interval holds the true difference, between 0 and 1 exclusive.

    Raises:
        InputError: ``confidence`` is out of range.
    """
    if not 0.0 < confidence < 1.0:
        raise InputError(f"confidence must be between 0 and 1, not {excerpt(confidence)}")
    mean, total = pairs.mean, pairs.pairs
    if total < 2:
        return Elo(elo_of_score(mean), -math.inf, math.inf, confidence)
    limit = -0.5 * _student(total - 1, confidence) ** 2

    def end(outer: float) -> float:
        inside, outside = mean, outer
        for _ in range(_STEPS):
            middle = (inside + outside) / 2
            if log_likelihood(pairs, middle) >= limit:
                inside = middle
            else:
                outside = middle
        return outer if abs(inside - outer) <= 2 * _EDGE else inside

    return Elo(elo_of_score(mean), elo_of_score(end(0.0)), elo_of_score(end(1.0)), confidence)


@functools.cache
def _student(freedom: int, confidence: float) -> float:
    """Return the value below which the amount of a variable of Student's t stays with this probability."""
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        if _within(freedom, middle) < confidence:
            low = middle
        else:
            high = middle
    return high


def _within(freedom: int, limit: float) -> float:
    """Return the probability that Student's t lies within ±limit (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(limit / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom > 1000:  # the sums below get long; the normal distribution is as good
        return 2 * NormalDist().cdf(limit * (1 - 1 / (4 * freedom)) / math.sqrt(1 + limit**2 / (2 * freedom))) - 1
    term, total = 1.0, 0.0
    if freedom % 2:
        term = cosine
        for k in range(1, freedom // 2 + 1):
            total += term
            term *= cosine**2 * (2 * k) / (2 * k + 1)
        return 2 / math.pi * (angle + sine * total)
    for k in range(1, freedom // 2 + 1):
        total += term
        term *= cosine**2 * (2 * k - 1) / (2 * k)
    return sine * total


class SprtVerdict(enum.Enum):
    """What a sequential test says."""

    OPEN = "undecided"
    H0 = "H0 accepted"
    H1 = "H1 accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test between two Elo differences.

    H0 says that the first player is ``elo0`` stronger, H1 that it is ``elo1`` stronger.

    Attributes:
        elo0: the difference of H0.
        elo1: the difference of H1, above ``elo0``.
        alpha: how often H1 may be accepted while H0 holds.
        beta: how often H0 may be accepted while H1 holds.

    Raises:
        InputError: a number is out of range.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            check_type(name, getattr(self, name), int, float)
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise InputError(
                f"elo0 must be below elo1, both between -{_MOST_ELO:g} and {_MOST_ELO:g},"
                f" not {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < value < 0.5:
                raise InputError(f"{name} must be between 0 and 0.5, not {value:g}")

    @property
    def lower(self) -> float:
        """The bound at or below which H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The bound at or above which H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: PairCounts) -> float:
        """Return the log-likelihood ratio of H1 to H0 (LLR)."""
        check_type("pairs", pairs, PairCounts)
        return log_likelihood(pairs, score_of_elo(self.elo1)) - log_likelihood(pairs, score_of_elo(self.elo0))

    def verdict(self, ratio: float) -> SprtVerdict:
        """Return what a log-likelihood ratio means."""
        if ratio >= self.upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if ratio <= self.lower else SprtVerdict.OPEN

    def run(self, points: Iterable[float]) -> SprtState:
        """Return the state of the test after pairs in the order of the schedule.

        The test ends at the first pair where the ratio reaches a bound; it ignores what comes after.

        Args:
            points: the points of each pair.
        """
        state = SprtState(self)
        for each in points:
            if state.verdict is not SprtVerdict.OPEN:
                break
            state = state.after(each)
        return state


@dataclass(frozen=True, slots=True)
class SprtState:
    """How far a sequential test is.

    Attributes:
        test: the test.
        counts: the pairs that count: up to the one that decided.
        ratio: the log-likelihood ratio.
        verdict: what it means.
    """

    test: Sprt
    counts: PairCounts = PairCounts()
    ratio: float = 0.0
    verdict: SprtVerdict = SprtVerdict.OPEN

    @property
    def pairs(self) -> int:
        """The number of pairs that count."""
        return self.counts.pairs

    def after(self, points: float) -> SprtState:
        """Return the state after another pair; a decided test stays as it is."""
        if self.verdict is not SprtVerdict.OPEN:
            return self
        counts = self.counts + PairCounts.of([points])
        ratio = self.test.ratio(counts)
        return SprtState(self.test, counts, ratio, self.test.verdict(ratio))
