"""Numbers about many games: results, lengths, passes, openings, players and years; one game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reversi.color import Color
from reversi.records.entry import Entry
from reversi.records.facts import GameFacts, facts_of

__all__ = ["PlayerTally", "Spread", "Statistics", "Tally", "statistics_of"]


@dataclass(slots=True)
class Spread:
    """The least, the mean and the most of some numbers.

    Attributes:
        count: how many there are.
        total: their sum.
        least: the least, 0 for none.
        most: the most, 0 for none.
    """

    count: int = 0
    total: int = 0
    least: int = 0
    most: int = 0

    def add(self, number: int) -> None:
        self.least = number if not self.count else min(self.least, number)
        self.most = number if not self.count else max(self.most, number)
        self.count += 1
        self.total += number

    def merge(self, other: Spread) -> None:
        """Count the numbers of another."""
        if other.count:
            self.least = min(self.least, other.least) if self.count else other.least
            self.most = max(self.most, other.most) if self.count else other.most
            self.count += other.count
            self.total += other.total

    @property
    def mean(self) -> float | None:
        """The mean, ``None`` for none."""
        return self.total / self.count if self.count else None


@dataclass(slots=True)
class Tally:
    """How games ended.

    Attributes:
        games: all of them.
        black: Black won.
        draws: nobody won.
        white: White won.
        score: Black's lead in discs, of the games that give one.
    """

    games: int = 0
    black: int = 0
    draws: int = 0
    white: int = 0
    score: Spread = field(default_factory=Spread)

    def add(self, facts: GameFacts) -> None:
        """Count one more game."""
        self.games += 1
        if facts.decided:
            self.black += facts.winner is Color.BLACK
            self.draws += facts.winner is None
            self.white += facts.winner is Color.WHITE
        if facts.score is not None:
            self.score.add(facts.score)

    def merge(self, other: Tally) -> None:
        """Count the games of another."""
        _add_numbers(self, other, "games", "black", "draws", "white")
        self.score.merge(other.score)

    @property
    def undecided(self) -> int:
        """Games without a result."""
        return self.games - self.black - self.draws - self.white


@dataclass(slots=True)
class PlayerTally:
    """How one player did.

    Attributes:
        games: all of them.
        as_black: those with Black.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        score: the player's own lead in discs, of the games that give one.
        first: the first year, ``None`` while unknown.
        last: the last year, ``None`` while unknown.
    """

    games: int = 0
    as_black: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: Spread = field(default_factory=Spread)
    first: int | None = None
    last: int | None = None

    def add(self, facts: GameFacts, side: Color) -> None:
        """Count a game that the player had ``side`` in."""
        self.games += 1
        self.as_black += side is Color.BLACK
        if facts.decided:
            self.wins += facts.winner is side
            self.draws += facts.winner is None
            self.losses += facts.winner is side.opponent
        if facts.score is not None:
            self.score.add(facts.score if side is Color.BLACK else -facts.score)
        if facts.year is not None:
            self.first = facts.year if self.first is None else min(self.first, facts.year)
            self.last = facts.year if self.last is None else max(self.last, facts.year)

    def merge(self, other: PlayerTally) -> None:
        _add_numbers(self, other, "games", "as_black", "wins", "draws", "losses")
        self.score.merge(other.score)
        self.first = min((year for year in (self.first, other.first) if year is not None), default=None)
        self.last = max((year for year in (self.last, other.last) if year is not None), default=None)

    @property
    def rate(self) -> float | None:
        """The share of points, a draw half of one; ``None`` without decided games."""
        decided = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / decided if decided else None


def _add_numbers(to: object, other: object, *names: str) -> None:
    for name in names:
        setattr(to, name, getattr(to, name) + getattr(other, name))


@dataclass(slots=True)
class Statistics:
    """Numbers about many games.

    Attributes:
        all: how they ended.
        finished: how many were played to their end.
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
    illegal: int = 0
    wipeouts: int = 0
    placements: Spread = field(default_factory=Spread)
    passes: Spread = field(default_factory=Spread)
    with_passes: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    openings: dict[str, Tally] = field(default_factory=dict)
    years: dict[int, Tally] = field(default_factory=dict)
    no_year: int = 0
    players: dict[str, PlayerTally] = field(default_factory=dict)

    def add(self, facts: GameFacts) -> None:
        self.all.add(facts)
        self.illegal += not facts.legal
        self.passes.add(facts.passes)
        self.with_passes += facts.passes > 0
        self.rules[str(facts.end.rules)] += 1
        if facts.finished:
            self.finished += 1
            self.wipeouts += not (facts.end.black and facts.end.white)
            self.placements.add(facts.plies - facts.passes)
        name = facts.opening.opening.name if facts.opening else ""
        self.openings.setdefault(name, Tally()).add(facts)
        if facts.year is None:
            self.no_year += 1
        else:
            self.years.setdefault(facts.year, Tally()).add(facts)
        for side, player in ((Color.BLACK, facts.black), (Color.WHITE, facts.white)):
            if player:
                self.players.setdefault(player, PlayerTally()).add(facts, side)

    def merge(self, other: Statistics) -> None:
        """Count the games of another, as if they came after those of this one."""
        _add_numbers(self, other, "finished", "illegal", "wipeouts", "with_passes", "no_year")
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
        """Games that stop before their end, all their moves allowed."""
        return self.all.games - self.finished - self.illegal


def statistics_of(entries: Iterable[Entry]) -> Iterator[Statistics]:
    """Count the games of a file, and yield the numbers once: they merge with those of other files."""
    part = Statistics()
    for entry in entries:
        part.add(facts_of(entry.record))
    yield part
