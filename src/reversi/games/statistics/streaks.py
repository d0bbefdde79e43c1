"""Streaks of players: games won one after the other, and games without a loss, where their order is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from reversi.color import Color
from reversi.games.statistics.results import GameResult

_DAY: Final = len("2004.05.28")


@dataclass(frozen=True, slots=True)
class Streak:
    """Games of a player one after the other.

    Attributes:
        games: how many.
        first: when the first was played, as far as it is known.
        last: when the last was.
    """

    games: int = 0
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Streaks:
    """The longest streaks of a player, of several equal ones the first. Games without a result do not count.

    Attributes:
        games: how many games have a result.
        winning: games won.
        unbeaten: games won or drawn.
    """

    games: int
    winning: Streak
    unbeaten: Streak


def streaks_of(results: Iterable[GameResult]) -> dict[str, Streaks | None]:
    """Return the streaks of each player by name; ``None`` where full dates or rounds do not order all games."""
    games: dict[str, list[tuple[GameResult, float]]] = {}
    for game in results:
        for side in Color:
            if (name := game.player(side)) and (points := game.points(side)) is not None:
                games.setdefault(name, []).append((game, points))
    return {name: _streaks(played) for name, played in games.items()}


def _streaks(played: list[tuple[GameResult, float]]) -> Streaks | None:
    played = sorted(played, key=lambda one: (_when(one[0]), _round(one[0]) or 0))
    if not all(_is_before(one, other) for (one, _), (other, _) in pairwise(played)):
        return None
    return Streaks(len(played), _longest(played, 1.0), _longest(played, 0.5))


def _longest(played: list[tuple[GameResult, float]], least: float) -> Streak:
    """Return the longest run of games with some points."""
    runs = [list(run) for enough, run in groupby(played, lambda one: one[1] >= least) if enough]
    if not runs:
        return Streak()
    run = max(runs, key=len)
    return Streak(len(run), _when(run[0][0]), _when(run[-1][0]))


def _when(game: GameResult) -> str:
    return game.date or ("" if game.year is None else str(game.year))


def _round(game: GameResult) -> int | None:
    return int(game.round) if game.round.isdecimal() else None


def _is_before(one: GameResult, other: GameResult) -> bool:
    """Return whether it is known that a game was played before another, which does not come before it by date."""
    if one.date and other.date and one.date[:_DAY] != other.date[:_DAY]:
        return True
    if not (one.date and other.date) and one.year != other.year:
        return None not in (one.year, other.year)
    if len(one.date) > _DAY < len(other.date):
        return one.date < other.date
    first, second = _round(one), _round(other)
    return (
        bool(one.event)
        and one.event == other.event
        and None not in (first, second)
        and (first or 0) < (second or 0)
    )
