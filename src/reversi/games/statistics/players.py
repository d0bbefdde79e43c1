"""Players: what one of them played, against whom, and how it went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from reversi.arguments import check_type, excerpt
from reversi.color import Color
from reversi.errors import InputError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.names import name_identity
from reversi.games.statistics.events import TIE_BREAKS, TieBreak, events_of
from reversi.games.statistics.ratings import PlayerRating, ratings_by_year, years_of
from reversi.games.statistics.results import GameResult
from reversi.games.statistics.tallies import PlayerTally

_BEST: Final = 10
_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Win:
    """A win of a player against a strong opponent.

    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> win = profile_of([game], "Ada").best_wins[0]
    >>> win.opponent, win.lead, round(win.rating)
    ('Bob', 12, 1338)

    Attributes:
        opponent: who lost.
        rating: the opponent's rating at the end of that year.
        lead: the winner's lead in discs, ``None`` without one.
        event: the event, empty while unknown.
        year: the year, ``None`` while unknown.
    """

    opponent: str
    rating: float
    lead: int | None
    event: str
    year: int | None


@dataclass(slots=True)
class Profile:
    """What a player did.

    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> profile = profile_of([game], "Ada")
    >>> profile.all.wins, profile.opponents["Bob"].wins, profile.places["Open", 1997]
    (1, 1, (1, 2))

    Attributes:
        player: the name.
        all: all games.
        sides: the games with each color.
        years: the games of each year.
        openings: the games by the color and the name of the opening, most games first.
        opponents: the games by opponent, most games first.
        events: the games by event and year, in order.
        places: the place in each event of those, and the number of players there.
        best_wins: wins against the highest rated opponents.
        ratings: the ratings at the end of each year with games.
    """

    player: str
    all: PlayerTally = field(default_factory=PlayerTally)
    sides: dict[Color, PlayerTally] = field(
        default_factory=lambda: {side: PlayerTally() for side in Color}, repr=False
    )
    years: dict[int | None, PlayerTally] = field(default_factory=dict, repr=False)
    openings: dict[tuple[Color, str], PlayerTally] = field(default_factory=dict, repr=False)
    opponents: dict[str, PlayerTally] = field(default_factory=dict, repr=False)
    events: dict[tuple[str, int | None], PlayerTally] = field(default_factory=dict, repr=False)
    places: dict[tuple[str, int | None], tuple[int, int]] = field(default_factory=dict, repr=False)
    best_wins: list[Win] = field(default_factory=list, repr=False)
    ratings: dict[int, PlayerRating] = field(default_factory=dict, repr=False)

    def _add(self, game: GameResult, side: Color) -> None:
        opponent = game.player(side.opponent)
        tallies = [
            self.all,
            self.sides[side],
            self.years.setdefault(game.year, PlayerTally()),
            self.openings.setdefault((side, game.opening), PlayerTally()),
            self.events.setdefault((game.event, game.year), PlayerTally()),
        ]
        if opponent:
            tallies.append(self.opponents.setdefault(opponent, PlayerTally()))
        for tally in tallies:
            tally.add(game, side)


def profile_of(results: Iterable[GameResult], player: str, tie_breaks: Sequence[TieBreak] = TIE_BREAKS) -> Profile:
    """Return the profile of a player.

    >>> profile_of([GameResult("Ada", "Bob", decided=True)], "Bob").all.draws
    1

    Args:
        results: all games, those of others, too: places in events and ratings of opponents are of all of them.
        player: the whole name.
        tie_breaks: as in `Event.standings`.

    Raises:
        InputError: the player has no game.
    """
    results = list(results)
    profile = Profile(player)
    ratings = ratings_by_year(results)
    profile.ratings = years_of(ratings, player)
    wins: list[Win] = []
    for game in results:
        check_type("results", game, GameResult)
        for side in Color:
            if game.player(side) != player:
                continue
            profile._add(game, side)
            opponent = game.player(side.opponent)
            if game.points(side) == 1 and opponent in ratings.get(game.year, {}):
                rating = ratings[game.year][opponent].rating
                wins.append(Win(opponent, rating, game.lead(side), game.event, game.year))
    if not profile.all.games:
        raise InputError(f"{excerpt(player)} has no games here")
    for table in (profile.openings, profile.opponents):
        _sort_by_games(table)
    mine = [game for game in results if game.event and (game.event, game.year) in profile.events]
    for event in events_of(mine):
        lines = event.standings(tie_breaks)
        place = next(line.place for line in lines if line.player == player)
        profile.places[event.name, event.year] = place, len(lines)
    by_year = sorted(profile.events, key=lambda event: (event[1] is None, event[1] or 0, event[0]))
    profile.events = {event: profile.events[event] for event in by_year}
    years = sorted(profile.years, key=lambda year: (year is None, year or 0))
    profile.years = {year: profile.years[year] for year in years}
    profile.best_wins = sorted(wins, key=lambda win: (-win.rating, win.year or 0, win.event))[:_BEST]
    return profile


def _sort_by_games(tallies: dict[tuple[Color, str], PlayerTally] | dict[str, PlayerTally]) -> None:
    """Sort tallies in place, most games first."""
    items = sorted(tallies.items(), key=lambda item: (-item[1].games, str(item[0])))
    tallies.clear()
    tallies.update(items)  # type: ignore[arg-type]


def player_named(results: Iterable[GameResult], words: str, aliases: Aliases = NO_ALIASES) -> str:
    """Return the only player that some words name: the one with that whole name, or else with these words.

    Raises:
        InputError: there is none, or several.
    """
    games: dict[str, int] = {}
    for game in results:
        for name in (game.black, game.white):
            if name:
                games[name] = games.get(name, 0) + 1
    wanted = name_identity(aliases.name_of(words))
    whole = [name for name in games if name_identity(name) == wanted]
    found = whole if len(whole) == 1 else [name for name in games if aliases.has_words(name, words)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"{excerpt(words)}: no player has this name")
    found.sort(key=lambda name: (-games[name], name))
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    names = ", ".join(excerpt(name) for name in found[:_NAMED])
    raise InputError(f"{excerpt(words)} names {len(found)} players: {names}{more}; give the whole name of one")
