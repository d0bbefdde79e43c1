"""Openings: how often they are played, and how they end, by year."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from reversi.arguments import check_type
from reversi.games.statistics.results import GameResult
from reversi.games.statistics.tallies import Tally


@dataclass(slots=True)
class OpeningTally:
    """The games of an opening.

    >>> from reversi import Color
    >>> game = GameResult(year=1997, score=12, winner=Color.BLACK, decided=True, opening="Tiger")
    >>> tally = openings_of([game])[0]
    >>> tally.name, tally.all.games, tally.years[1997].black
    ('Tiger', 1, 1)

    Attributes:
        name: its name, empty for games whose opening has none.
        all: how all its games ended.
        years: how those of each year ended; games without a year have ``None``.
    """

    name: str
    all: Tally = field(default_factory=Tally)
    years: dict[int | None, Tally] = field(default_factory=dict)


def openings_of(results: Iterable[GameResult]) -> list[OpeningTally]:
    """Return the openings of games, most games first.

    A game counts for the last named position that it has.

    >>> games = [GameResult(opening="Tiger"), GameResult(opening="Rose"), GameResult(opening="Tiger")]
    >>> [(tally.name, tally.all.games) for tally in openings_of(games)]
    [('Tiger', 2), ('Rose', 1)]

    Args:
        results: the games.
    """
    openings: dict[str, OpeningTally] = {}
    for game in results:
        check_type("results", game, GameResult)
        tally = openings.setdefault(game.opening, OpeningTally(game.opening))
        tally.all.add(game)
        tally.years.setdefault(game.year, Tally()).add(game)
    return sorted(openings.values(), key=lambda tally: (-tally.all.games, tally.name))
