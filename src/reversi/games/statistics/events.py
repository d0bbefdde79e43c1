"""Events: their games, standings with tie-breaks, and who met whom.

An event is a name and a year. Its games need no rounds: archives such as WTHOR have none.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import Final

from reversi.arguments import check_type
from reversi.color import Color
from reversi.games.statistics.results import GameResult

BRIGHTWELL: Final = 6.0
"""The weight of an opponent's point in the Brightwell quotient of world championships."""


class TieBreak(enum.Enum):
    """What decides between players with equal points.

    >>> TieBreak("direct")
    <TieBreak.DIRECT: 'direct'>

    Attributes:
        BRIGHTWELL: the Brightwell quotient: the discs of the player in all games, and 6 for each point that the
            opponents have, an opponent counting once for each game. This is the rule of world championships
            (http://othello.dk/book/index.php/BQ), without its part for byes and opponents who withdraw: records do
            not say who these are.
        DISCS: the difference of discs, of all games.
        DIRECT: points in the games between the players who are tied; it decides nothing unless all of them met,
            and equally often.
    """

    BRIGHTWELL = "brightwell"
    DISCS = "discs"
    DIRECT = "direct"


TIE_BREAKS: Final = (TieBreak.BRIGHTWELL, TieBreak.DISCS, TieBreak.DIRECT)
"""The order of tie-breaks when none is given: that of world championships, then the games between the players."""


@dataclass(slots=True)
class Meeting:
    """The games of a player against another one.

    >>> meeting = Meeting()
    >>> meeting.add(GameResult(score=12, winner=Color.BLACK, decided=True), Color.WHITE)
    >>> meeting.games, meeting.points, meeting.lead
    (1, 0.0, -12)

    Attributes:
        games: how many.
        decided: how many have a result.
        points: the player's points.
        lead: the player's discs more than the opponent's.
    """

    games: int = 0
    decided: int = 0
    points: float = 0.0
    lead: int = 0

    def add(self, game: GameResult, side: Color) -> None:
        """Add a game in which the player has ``side``."""
        points = game.points(side)
        self.games += 1
        if points is not None:
            self.decided += 1
            self.points += points
            self.lead += game.lead(side) or 0


@dataclass(slots=True)
class Standing:
    """A line of the standings of an event.

    >>> from reversi.games import events_of
    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> events_of([game])[0].standings()[1]
    Standing(player='Bob', place=2, games=1, wins=0, draws=0, losses=1, brightwell=32.0, lead=-12, direct=None)

    Attributes:
        player: the player.
        place: the place; players whom no tie-break separates share one.
        games: all games, those without a result, too.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        brightwell: the Brightwell quotient (`TieBreak.BRIGHTWELL`).
        lead: the difference of discs.
        direct: points in the games between tied players, where these were compared; else ``None``.
    """

    player: str
    place: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    brightwell: float = 0.0
    lead: int = 0
    direct: float | None = None

    @property
    def points(self) -> float:
        """A win is 1, a draw half of one."""
        return self.wins + self.draws / 2


@dataclass(frozen=True, slots=True)
class Event:
    """An event: the games with one name in one year.

    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> event = events_of([game])[0]
    >>> str(event), event.players
    ('Open 1997', ('Ada', 'Bob'))

    Attributes:
        name: the name, empty for games without one.
        year: the year, ``None`` while unknown.
        games: the games.
    """

    name: str
    year: int | None
    games: tuple[GameResult, ...] = field(repr=False)

    def __str__(self) -> str:
        name = self.name or "(no event)"
        return name if self.year is None or str(self.year) in name else f"{name} {self.year}"

    @property
    def players(self) -> tuple[str, ...]:
        """The players, by name; unknown ones do not count."""
        return tuple(sorted({name for game in self.games for name in (game.black, game.white) if name}))

    def standings(
        self, tie_breaks: Sequence[TieBreak] = TIE_BREAKS, *, brightwell: float = BRIGHTWELL
    ) -> list[Standing]:
        """Return the standings: players by their points, a win is 1 and a draw half of one.

        >>> event = events_of(
        ...     [
        ...         GameResult("Ada", "Bob", score=2, winner=Color.BLACK, decided=True),
        ...         GameResult("Bob", "Cy", score=20, winner=Color.BLACK, decided=True),
        ...     ]
        ... )[0]
        >>> [(line.place, line.player, line.points, line.brightwell) for line in event.standings()]
        [(1, 'Bob', 1.0, 79.0), (2, 'Ada', 1.0, 39.0), (3, 'Cy', 0.0, 28.0)]

        Games against unknown players count for points and discs. All games count, those of finals, too: records do
        not say which these are.

        Args:
            tie_breaks: what decides between players with equal points, the first that differs.
            brightwell: what a point of an opponent counts in the Brightwell quotient.

        Raises:
            ArgumentError: a tie-break is something else.
        """
        for tie_break in tie_breaks:
            check_type("tie_breaks", tie_break, TieBreak)
        lines = {name: Standing(name) for name in self.players}
        for game in self.games:
            for side in Color:
                if (line := lines.get(game.player(side))) is not None:
                    points = game.points(side)
                    line.games += 1
                    line.wins += points == 1
                    line.draws += points == 0.5
                    line.losses += points == 0
                    if points is not None:
                        line.lead += game.lead(side) or 0
        for game in self.games:
            for side in Color:
                line = lines.get(game.player(side))
                if line is not None and game.decided:
                    opponent = lines.get(game.player(side.opponent))
                    line.brightwell += game.discs(side) + brightwell * (opponent.points if opponent else 0)
        ranked: list[Standing] = []
        for tied in self._ranked(list(lines.values()), (None, *tie_breaks)):
            for line in tied:
                line.place = len(ranked) + 1
            ranked += sorted(tied, key=lambda line: line.player)
        return ranked

    def meetings(self) -> dict[tuple[str, str], Meeting]:
        """Return who met whom: the games of a player, the first name, against another.

        >>> event = events_of([GameResult("Ada", "Bob", score=12, winner=Color.BLACK, decided=True)])[0]
        >>> event.meetings()["Bob", "Ada"]
        Meeting(games=1, decided=1, points=0.0, lead=-12)
        """
        met: dict[tuple[str, str], Meeting] = {}
        for game in self.games:
            if game.black and game.white:
                for side in Color:
                    pair = game.player(side), game.player(side.opponent)
                    met.setdefault(pair, Meeting()).add(game, side)
        return met

    def _ranked(self, lines: list[Standing], by: tuple[TieBreak | None, ...]) -> list[list[Standing]]:
        """Return groups of lines, the best first, that nothing separates; ``None`` stands for points."""
        if len(lines) < 2 or not by:
            return [lines] if lines else []
        values = self._values(lines, by[0])
        lines = sorted(lines, key=lambda line: -values[line.player])
        groups = [list(group) for _, group in groupby(lines, key=lambda line: values[line.player])]
        return [ranked for group in groups for ranked in self._ranked(group, by[1:])]

    def _values(self, lines: list[Standing], by: TieBreak | None) -> dict[str, float]:
        match by:
            case None:
                return {line.player: line.points for line in lines}
            case TieBreak.BRIGHTWELL:
                return {line.player: line.brightwell for line in lines}
            case TieBreak.DISCS:
                return {line.player: line.lead for line in lines}
        met = self.meetings()
        between = [met.get((one.player, other.player), Meeting()) for one, other in combinations(lines, 2)]
        counts = {meeting.decided for meeting in between}
        if len(counts) > 1 or 0 in counts:
            return {line.player: 0.0 for line in lines}
        for line in lines:
            others = (met[line.player, other.player] for other in lines if other is not line)
            line.direct = sum(meeting.points for meeting in others)
        return {line.player: line.direct or 0.0 for line in lines}


def events_of(results: Iterable[GameResult]) -> list[Event]:
    """Return the events of games, by year and name.

    >>> events_of([GameResult("Ada", "Bob", "Open", 1998), GameResult("Ada", "Bob", "Open", 1997)])
    [Event(name='Open', year=1997), Event(name='Open', year=1998)]

    Args:
        results: the games.
    """
    events: dict[tuple[str, int | None], list[GameResult]] = {}
    for game in results:
        check_type("results", game, GameResult)
        events.setdefault((game.event, game.year), []).append(game)
    known = sorted(events, key=lambda event: (event[1] is None, event[1] or 0, event[0]))
    return [Event(name, year, tuple(events[name, year])) for name, year in known]
