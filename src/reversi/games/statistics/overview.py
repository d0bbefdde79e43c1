"""An overview of many games: results, lengths, passes, openings, players and years; one game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reversi.color import Color
from reversi.games.selection import Selection
from reversi.games.statistics.results import GameResult, result_of
from reversi.games.statistics.tallies import PlayerTally, Spread, Tally, add_numbers
from reversi.records.entry import Entry


@dataclass(slots=True)
class Statistics:
    """Numbers about many games.

    >>> from reversi.games import open_records
    >>> from reversi.games import results_of
    >>> statistics = Statistics()
    >>> for game in results_of(open_records("examples/games.pgn")):
    ...     statistics.add(game)
    >>> statistics.all.games, statistics.players["greedy"].wins
    (5, 3)

    Attributes:
        all: how they ended.
        finished: how many were played to their end.
        ended_early: how many stopped before it, with a result or a reason.
        illegal: how many have a move that is not allowed; they count up to it.
        wipeouts: finished games after which one side has no disc.
        placements: discs placed in a finished game.
        passes: passes in a game.
        with_passes: games that have any.
        rules: games by rule set.
        openings: games by the name of the opening, ``""`` for those without one.
        years: games by year.
        no_year: games without one.
        players: games by player.
    """

    all: Tally = field(default_factory=Tally)
    finished: int = 0
    ended_early: int = 0
    illegal: int = 0
    wipeouts: int = 0
    placements: Spread = field(default_factory=Spread)
    passes: Spread = field(default_factory=Spread)
    with_passes: int = 0
    rules: Counter[str] = field(default_factory=Counter, repr=False)
    openings: dict[str, Tally] = field(default_factory=dict, repr=False)
    years: dict[int, Tally] = field(default_factory=dict, repr=False)
    no_year: int = 0
    players: dict[str, PlayerTally] = field(default_factory=dict, repr=False)

    def add(self, game: GameResult) -> None:
        """Count one more game."""
        self.all.add(game)
        self.illegal += not game.legal
        self.ended_early += game.ended_early
        self.passes.add(game.passes)
        self.with_passes += game.passes > 0
        self.rules[game.rules] += 1
        if game.finished:
            self.finished += 1
            self.wipeouts += game.wipeout
            self.placements.add(game.plies - game.passes)
        self.openings.setdefault(game.opening, Tally()).add(game)
        if game.year is None:
            self.no_year += 1
        else:
            self.years.setdefault(game.year, Tally()).add(game)
        for side, player in ((Color.BLACK, game.black), (Color.WHITE, game.white)):
            if player:
                self.players.setdefault(player, PlayerTally()).add(game, side)

    def merge(self, other: Statistics) -> None:
        """Count the games of another, as if they came after those of this one."""
        add_numbers(self, other, "finished", "ended_early", "illegal", "wipeouts", "with_passes", "no_year")
        self.all.merge(other.all)
        self.placements.merge(other.placements)
        self.passes.merge(other.passes)
        self.rules.update(other.rules)
        for name, tally in other.openings.items():
            self.openings.setdefault(name, Tally()).merge(tally)
        for year, tally in other.years.items():
            self.years.setdefault(year, Tally()).merge(tally)
        for player, their in other.players.items():
            self.players.setdefault(player, PlayerTally()).merge(their)

    @property
    def unfinished(self) -> int:
        """Games that stop before their end without a result or a reason, all their moves allowed."""
        return self.all.games - self.finished - self.ended_early - self.illegal


def selected_results(selection: Selection, entries: Iterable[Entry]) -> Iterator[GameResult]:
    """Yield the results of the games that a selection takes, players under the names of its aliases."""
    return (result_of(entry.record, selection.aliases) for entry in selection.of(entries))


def statistics_of(selection: Selection, entries: Iterable[Entry]) -> Iterator[Statistics]:
    """Count the games of a file that a selection takes, and yield the numbers once: they merge with others."""
    return counted_results(selected_results(selection, entries))


def counted_results(results: Iterable[GameResult]) -> Iterator[Statistics]:
    """Count games, and yield the numbers once."""
    part = Statistics()
    for game in results:
        part.add(game)
    yield part
