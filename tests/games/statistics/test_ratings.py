"""Glicko-2: the example of Glickman's paper, and another way to find the volatility."""

from __future__ import annotations

import math
import random

import pytest

from reversi import Color
from reversi.games import GameResult, PlayerRating, next_rating, ratings_of, tables_of

GAMES = [(PlayerRating(1400, 30), 1.0), (PlayerRating(1550, 100), 0.0), (PlayerRating(1700, 300), 0.0)]


def test_the_published_example() -> None:
    """Glickman, "Example of the Glicko-2 system": 1464.06, 151.52, 0.05999."""
    after = next_rating(PlayerRating(1500, 200), GAMES)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert after.games == 3


def plain(rating: PlayerRating, games: list[tuple[PlayerRating, float]]) -> tuple[float, float, float]:
    """The formulas of the paper, with the volatility by halving."""
    mu, phi = (rating.rating - 1500) / 173.7178, rating.deviation / 173.7178
    v, delta = 0.0, 0.0
    for other, score in games:
        g = 1 / math.sqrt(1 + 3 * (other.deviation / 173.7178) ** 2 / math.pi**2)
        e = 1 / (1 + math.exp(-g * (mu - (other.rating - 1500) / 173.7178)))
        v += g * g * e * (1 - e)
        delta += g * (score - e)
    v = 1 / v
    improvement, delta = delta, v * delta

    def f(x: float) -> float:
        top = math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))
        return top / (2 * (phi**2 + v + math.exp(x)) ** 2) - (x - math.log(rating.volatility**2)) / 0.25

    low, high = -60.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    after = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return 173.7178 * (mu + after**2 * improvement) + 1500, 173.7178 * after, sigma


def test_it_agrees_with_the_formulas_by_another_method() -> None:
    chance = random.Random(2)
    for _ in range(200):
        rating = PlayerRating(chance.uniform(1000, 2300), chance.uniform(30, 350), chance.uniform(0.03, 0.1))
        games = [
            (PlayerRating(chance.uniform(1000, 2300), chance.uniform(30, 350)), chance.choice([0.0, 0.5, 1.0]))
            for _ in range(chance.randrange(1, 30))
        ]
        after = next_rating(rating, games)
        expected = plain(rating, games)
        assert (after.rating, after.deviation, after.volatility) == pytest.approx(expected, rel=1e-5)


def test_without_games_only_the_deviation_grows() -> None:
    after = next_rating(PlayerRating(1700, 50), [])
    assert (after.rating, after.volatility) == (1700, 0.06)
    assert after.deviation == pytest.approx(173.7178 * math.hypot(50 / 173.7178, 0.06))
    assert next_rating(PlayerRating(1700, 350), []).deviation == 350


def win(black: str, white: str, year: int | None) -> GameResult:
    return GameResult(black, white, "Open", year, score=2, winner=Color.BLACK, decided=True)


def test_a_year_is_a_period() -> None:
    first = next_rating(PlayerRating(), [(PlayerRating(), 1.0)])
    other = next_rating(PlayerRating(), [(PlayerRating(), 0.0)])
    idle = next_rating(next_rating(first, []), [])
    ratings = ratings_of([win("Bob", "Cy", 2000), win("Ada", "Bob", 1997)])
    assert list(ratings) == ["Ada", "Bob", "Cy"]
    assert ratings["Ada"].rating == pytest.approx(idle.rating)
    assert ratings["Ada"].deviation == pytest.approx(next_rating(idle, []).deviation)
    assert (ratings["Ada"].first, ratings["Ada"].last, ratings["Ada"].games) == (1997, 1997, 1)
    before = next_rating(next_rating(other, []), [])
    assert ratings["Bob"].rating == pytest.approx(next_rating(before, [(PlayerRating(), 1.0)]).rating)
    assert (ratings["Bob"].first, ratings["Bob"].last, ratings["Bob"].games) == (1997, 2000, 2)


def test_ratings_by_year_are_those_at_the_ends_of_years_with_games() -> None:
    games = [win("Ada", "Bob", 1997), win("Bob", "Cy", 2000), win("Ada", "Bob", None)]
    (table,) = tables_of(games, "ratings-by-year")
    assert [row[:2] for row in table.rows] == [("Ada", 1997), ("Bob", 1997), ("Bob", 2000), ("Cy", 2000)]
    until = ratings_of([game for game in games if game.year != 2000])
    assert table.rows[1][2:] == (until["Bob"].rating, until["Bob"].low, until["Bob"].high)
    assert table.text().splitlines() == [
        "Ratings by year (Glicko-2), with 95 % intervals",
        f"Ada  █     {until['Ada'].rating:.0f} in 1997",
        f"Bob  ▂  ▄  {ratings_of(games)['Bob'].rating:.0f} in 2000",
        f"Cy      ▁  {ratings_of(games)['Cy'].rating:.0f} in 2000",
        "     1997",
    ]
    (first,) = [table.first(1) for table in tables_of(games, "ratings-by-year")]
    assert (list(first.curves), first.rest, len(first.rows)) == (["Ada"], 2, 1)
    (bob,) = tables_of(games, "ratings-by-year", player="bob")
    assert bob.rows == table.rows[1:3]
    lines = bob.text().splitlines()[1:]
    assert len(lines) == 8
    assert [line.count("●") for line in zip(*(line.ljust(24)[7:] for line in lines), strict=True)][::3][:4] == [
        1,
        0,
        0,
        1,
    ]
    assert lines[-1].split() == ["1998", "2000"]


def test_games_that_do_not_count() -> None:
    games = [GameResult("Ada", "Bob", year=1997), win("Ada", "Ada", 1997), win("", "Ada", 1997)]
    assert ratings_of(games) == {}
    assert ratings_of([]) == {}
    unknown = ratings_of([win("Ada", "Bob", None), win("Ada", "Bob", 1997)])
    assert (unknown["Ada"].first, unknown["Ada"].last, unknown["Ada"].games) == (1997, 1997, 2)
