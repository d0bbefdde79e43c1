"""Counts of games: how they ended, and how a player did in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from reversi.color import Color
from reversi.games.statistics.results import GameResult


@dataclass(slots=True)
class Spread:
    """The least, the mean and the most of some numbers.

    >>> spread = Spread()
    >>> spread.add(4)
    >>> spread.add(-2)
    >>> spread.least, spread.mean, spread.most
    (-2, 1.0, 4)

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
        """Add a number."""
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

    >>> tally = Tally()
    >>> tally.add(GameResult(score=12, winner=Color.BLACK, decided=True))
    >>> tally.games, tally.black, tally.score.mean
    (1, 1, 12.0)

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

    def add(self, game: GameResult) -> None:
        """Count one more game."""
        self.games += 1
        if game.decided:
            self.black += game.winner is Color.BLACK
            self.draws += game.winner is None
            self.white += game.winner is Color.WHITE
        if game.score is not None:
            self.score.add(game.score)

    def merge(self, other: Tally) -> None:
        """Count the games of another."""
        add_numbers(self, other, "games", "black", "draws", "white")
        self.score.merge(other.score)

    @property
    def undecided(self) -> int:
        """Games without a result."""
        return self.games - self.black - self.draws - self.white


@dataclass(slots=True)
class PlayerTally:
    """How one player did.

    >>> tally = PlayerTally()
    >>> tally.add(GameResult(score=12, winner=Color.BLACK, decided=True), Color.WHITE)
    >>> tally.losses, tally.rate, tally.score.mean
    (1, 0.0, -12.0)

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

    def add(self, game: GameResult, side: Color) -> None:
        """Count a game that the player had ``side`` in."""
        self.games += 1
        self.as_black += side is Color.BLACK
        if game.decided:
            self.wins += game.winner is side
            self.draws += game.winner is None
            self.losses += game.winner is side.opponent
        if game.score is not None:
            self.score.add(game.score if side is Color.BLACK else -game.score)
        if game.year is not None:
            self.first = game.year if self.first is None else min(self.first, game.year)
            self.last = game.year if self.last is None else max(self.last, game.year)

    def merge(self, other: PlayerTally) -> None:
        """Count the games of another."""
        add_numbers(self, other, "games", "as_black", "wins", "draws", "losses")
        self.score.merge(other.score)
        self.first = min((year for year in (self.first, other.first) if year is not None), default=None)
        self.last = max((year for year in (self.last, other.last) if year is not None), default=None)

    @property
    def points(self) -> float:
        """A win is 1, a draw half of one."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float | None:
        """The share of points, a draw half of one; ``None`` without decided games."""
        decided = self.wins + self.draws + self.losses
        return self.points / decided if decided else None


def add_numbers(to: object, other: object, *names: str) -> None:
    """Add attributes of another to those of ``to``."""
    for name in names:
        setattr(to, name, getattr(to, name) + getattr(other, name))
