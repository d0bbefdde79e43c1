"""Ratings of players by Glicko-2, with the intervals that they lie in.

Mark E. Glickman, "Example of the Glicko-2 system", 2022, http://www.glicko.net/glicko/glicko2.pdf. A year is a
rating period.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reversi.arguments import check_type
from reversi.color import Color
from reversi.games.statistics.results import GameResult

_SCALE: Final = 173.7178
_START: Final = 1500.0
_CHANGE: Final = 0.5  # of the volatility: tau
_PRECISION: Final = 1e-6
_WIDTH: Final = 1.96  # deviations on each side of a rating that 95 % lie within


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """The rating of a player.

    >>> rating = PlayerRating(1600, 50)
    >>> rating.low, rating.high
    (1502.0, 1698.0)

    Attributes:
        rating: the rating; a new player has 1500.
        deviation: how uncertain it is: a standard deviation.
        volatility: how much the strength of the player changes.
        games: how many games it is of.
        first: the year of the first game, ``None`` while unknown.
        last: the year of the last game, ``None`` while unknown.
    """

    rating: float = _START
    deviation: float = 350.0
    volatility: float = 0.06
    games: int = 0
    first: int | None = None
    last: int | None = None

    @property
    def low(self) -> float:
        """The least rating of the interval that has the strength of the player with a probability of 95 %."""
        return self.rating - _WIDTH * self.deviation

    @property
    def high(self) -> float:
        """The highest rating of that interval."""
        return self.rating + _WIDTH * self.deviation


def next_rating(rating: PlayerRating, games: Sequence[tuple[PlayerRating, float]]) -> PlayerRating:
    """Return a rating after the games of a rating period, by Glicko-2. The years do not change.

    The example of Glickman's paper:

    >>> games = [(PlayerRating(1400, 30), 1.0), (PlayerRating(1550, 100), 0.0), (PlayerRating(1700, 300), 0.0)]
    >>> after = next_rating(PlayerRating(1500, 200), games)
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)

    Args:
        rating: the rating before.
        games: the rating of the opponent before the period, and the points: 1, 0.5 or 0. Without games only the
            deviation grows.
    """
    check_type("rating", rating, PlayerRating)
    check_type("games", games, Sequence)
    deviation = rating.deviation / _SCALE
    if not games:
        wider = min(math.hypot(deviation, rating.volatility) * _SCALE, PlayerRating().deviation)
        return replace(rating, deviation=wider)
    mean = (rating.rating - _START) / _SCALE
    information = gain = 0.0
    for opponent, points in games:
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / _SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-weight * (mean - (opponent.rating - _START) / _SCALE)))
        information += weight**2 * expected * (1 - expected)
        gain += weight * (points - expected)
    volatility = _next_volatility(rating.volatility, deviation, 1 / information, gain / information)
    before = math.hypot(deviation, volatility)
    after = 1 / math.sqrt(1 / before**2 + information)
    return replace(
        rating,
        rating=_SCALE * (mean + after**2 * gain) + _START,
        deviation=_SCALE * after,
        volatility=volatility,
        games=rating.games + len(games),
    )


def _next_volatility(volatility: float, deviation: float, variance: float, change: float) -> float:
    """Find the new volatility by the Illinois algorithm: step 5 of the paper."""
    start = math.log(volatility**2)

    def function(x: float) -> float:
        power = math.exp(x)
        total = deviation**2 + variance + power
        return power * (change**2 - total) / (2 * total**2) - (x - start) / _CHANGE**2

    low = start
    if change**2 > deviation**2 + variance:
        high = math.log(change**2 - deviation**2 - variance)
    else:
        steps = 1
        while function(start - steps * _CHANGE) < 0:
            steps += 1
        high = start - steps * _CHANGE
    at_low, at_high = function(low), function(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = function(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def ratings_by_year(results: Iterable[GameResult]) -> dict[int | None, dict[str, PlayerRating]]:
    """Return the ratings of all players so far at the end of each year.

    Args:
        results: the games; see `ratings_of`.
    """
    years: dict[int | None, list[GameResult]] = {}
    for game in results:
        check_type("results", game, GameResult)
        if game.decided and game.black and game.white and game.black != game.white:
            years.setdefault(game.year, []).append(game)
    known = sorted(year for year in years if year is not None)
    periods: list[int | None] = [None] if None in years else []
    periods += range(known[0], known[-1] + 1) if known else ()
    ratings: dict[str, PlayerRating] = {}
    ends: dict[int | None, dict[str, PlayerRating]] = {}
    new = PlayerRating()
    for period in periods:
        played: dict[str, list[tuple[PlayerRating, float]]] = {name: [] for name in ratings}
        for game in years.get(period, ()):
            for side in Color:
                opponent = ratings.get(game.player(side.opponent), new)
                played.setdefault(game.player(side), []).append((opponent, game.points(side) or 0.0))
        after = {}
        for name, games in played.items():
            rating = next_rating(ratings.get(name, new), games)
            if games:
                first = period if name not in ratings else rating.first
                rating = replace(rating, first=period if first is None else first, last=period)
            after[name] = rating
        ratings = ends[period] = after
    return ends


def years_of(ends: Mapping[int | None, Mapping[str, PlayerRating]], player: str) -> dict[int, PlayerRating]:
    """Return the ratings of a player at the end of each year in which the player has games.

    Args:
        ends: the ratings of all players, as `ratings_by_year` returns them.
        player: the whole name.
    """
    rated = ((year, end[player]) for year, end in ends.items() if year is not None and player in end)
    return {year: rating for year, rating in rated if rating.last == year}


def ratings_of(results: Iterable[GameResult]) -> dict[str, PlayerRating]:
    """Return the ratings of all players after all games, the best first.

    A year is a rating period of Glicko-2. Games without a year are a period before the others. Games without a
    result, or without one of the players, do not count.

    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> {name: round(rating.rating) for name, rating in ratings_of([game]).items()}
    {'Ada': 1662, 'Bob': 1338}

    Args:
        results: the games.
    """
    ends = ratings_by_year(results)
    last = next(reversed(ends.values()), {})
    return {name: last[name] for name in sorted(last, key=lambda name: (-last[name].rating, name))}
