"""Statistics as tables: for people, for spreadsheets, as JSON.

A table knows what its columns mean; text, CSV, JSON and pages show the same values.
"""

from __future__ import annotations

import csv
import enum
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final, TypeAlias

from reversi.arguments import check_count, check_type, excerpt
from reversi.color import Color
from reversi.errors import InputError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.selection import tag_fits
from reversi.games.statistics.curves import Curves, curve_lines
from reversi.games.statistics.events import TIE_BREAKS, Event, Meeting, TieBreak, events_of
from reversi.games.statistics.openings import openings_of
from reversi.games.statistics.overview import Statistics, counted_results
from reversi.games.statistics.players import player_named, profile_of
from reversi.games.statistics.ratings import ratings_by_year, ratings_of, years_of
from reversi.games.statistics.results import GameResult
from reversi.games.statistics.streaks import streaks_of
from reversi.games.statistics.tallies import PlayerTally, Tally
from reversi.text.counting import counted
from reversi.text.spreadsheet import spreadsheet_cell
from reversi.text.terminal import safe
from reversi.text.widths import filled, width_of

Value: TypeAlias = str | int | float | None


class Kind(enum.Enum):
    """What the values of a column are, and so how people read them."""

    TEXT = enum.auto()
    COUNT = enum.auto()
    YEAR = enum.auto()
    POINTS = enum.auto()
    """Wins and halves."""
    SHARE = enum.auto()
    """0 to 1; people read percent."""
    LEAD = enum.auto()
    """A difference of discs, with its sign."""
    NUMBER = enum.auto()
    """A number that people read without decimals."""
    MEAN = enum.auto()
    """A number that people read with two decimals."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its name in JSON and CSV.
        heading: its heading for people.
        kind: what its values are.
        unknown: what people read for a value that is unknown.
    """

    name: str
    heading: str
    kind: Kind = Kind.COUNT
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of statistics.

    >>> from reversi import Color
    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> table = tables_of([game], "crosstable")[0]
    >>> print(table.text())
    Open 1997
       player  1  2  points  games  Brightwell  discs
    1  Ada     .  1       1      1          38    +12
    2  Bob     0  .       0      1          32    -12
    >>> b"".join(table.csv_pieces()).decode().splitlines()[1]
    'Open 1997,Ada,1,Bob,2,1,1.0,12'

    Attributes:
        name: what it is a table of: a name that `tables_of` takes, or a part of such a table.
        title: its heading.
        columns: its columns.
        rows: a value for each column.
        rest: how many more rows there are that are left out.
        about: what all rows have in common, such as the event.
        grouped: whether rows with the same first value belong together.
        shown: the table that people read in place of the rows.
        curves: ratings over the years that people see in place of the rows, by player.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...] = field(repr=False)
    rest: int = 0
    about: Mapping[str, Value] = field(default_factory=dict)
    grouped: bool = False
    shown: Table | None = None
    curves: Curves = field(default_factory=dict, repr=False)

    def first(self, most: int) -> Table:
        """Return the first rows of the table, or the first groups of them: at most `most`, all if that is 0."""
        check_count("most", most, least=0)
        groups = list(dict.fromkeys(row[0] for row in self.rows)) if self.grouped else self.rows
        rest = len(groups) - most
        if not most or rest <= 0 or len(self.curves) == 1:
            return self
        kept = set(groups[:most])
        rows = tuple(row for row in self.rows if row[0] in kept) if self.grouped else self.rows[:most]
        shown = self.shown and self.shown.first(most)
        curves = {name: self.curves[name] for name in list(self.curves)[:most]}
        return replace(self, rows=rows, rest=rest, shown=shown, curves=curves)

    def lines(self) -> list[list[str]]:
        """Return the headings and the rows as people read them."""
        return [[column.heading for column in self.columns], *self.cells()]

    def cells(self) -> list[list[str]]:
        """Return the values as people read them."""
        return [
            [
                column.unknown if value is None else _cell(value, column.kind)
                for value, column in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]

    def text(self, width: int = 0) -> str:
        """Return the table, or what people read in place of it, as lines of text.

        Args:
            width: the most characters of a line: further columns follow below, with the names of the rows again.
                0 sets no limit.
        """
        check_count("width", width, least=0)
        if self.shown is not None:
            return self.shown.text(width)
        if self.curves:
            return "\n".join([safe(self.title), *curve_lines(self.curves)])
        rows = [[safe(cell) for cell in row] for row in self.lines()]
        widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
        right = [column.kind is not Kind.TEXT for column in self.columns]
        parts = [
            "\n".join(
                "  ".join(filled(row[at], widths[at], right=right[at]) for at in part).rstrip() for row in rows
            )
            for part in self._parts(widths, width)
        ]
        return f"{safe(self.title)}\n" + "\n\n".join(parts)

    def _parts(self, widths: list[int], width: int) -> list[list[int]]:
        """Divide the columns where a line would have more characters; the first of each part name the rows."""
        names = list(range(next((at for at, one in enumerate(self.columns, 1) if one.kind is Kind.TEXT), 0)))
        parts, filled_to = [names[:]], 0
        for at in range(len(names), len(widths)):
            if width and len(parts[-1]) > len(names) and filled_to + 2 + widths[at] > width:
                parts.append(names[:])
            parts[-1].append(at)
            filled_to = sum(widths[one] + 2 for one in parts[-1]) - 2
        return parts

    def objects(self) -> dict[str, object]:
        """Return the table as an object of JSON: what it is about, and an object for each row."""
        names = [column.name for column in self.columns]
        rows = [dict(zip(names, map(_rounded, row), strict=True)) for row in self.rows]
        return {"table": self.name, **self.about, "rows": rows}

    def csv_pieces(self, *, spreadsheet: bool = False, head: bool = True) -> Iterator[bytes]:
        """Yield the table as CSV, in UTF-8. The first column is the title where it tells several tables apart.

        Args:
            spreadsheet: put an apostrophe before texts that a spreadsheet would run.
            head: write the names of the columns first.
        """
        cell: Callable[[str], str] = spreadsheet_cell if spreadsheet else str
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        extra = ["event"] if "event" in self.about else []
        if head:
            writer.writerow([*extra, *(cell(column.name) for column in self.columns)])
        for row in self.rows:
            values = [cell(value) if isinstance(value, str) else _rounded(value) for value in row]
            writer.writerow([*(cell(self.title) for _ in extra), *values])
        yield text.getvalue().encode("utf-8", "surrogateescape")


def _rounded(value: Value) -> Value:
    return round(value, 4) if isinstance(value, float) else value


def _cell(value: str | int | float, kind: Kind) -> str:
    if isinstance(value, str):
        return value
    match kind:
        case Kind.POINTS:
            whole, half = divmod(value, 1)
            return f"{whole:.0f}½".removeprefix("0") if half == 0.5 else f"{value:g}"
        case Kind.SHARE:
            return f"{100 * value:.1f} %"
        case Kind.LEAD:
            return f"{value:+.1f}" if isinstance(value, float) else f"{value:+}"
        case Kind.NUMBER:
            return f"{value:.0f}"
        case Kind.MEAN:
            return f"{value:.2f}"
    return str(value)


@dataclass(frozen=True, slots=True)
class TablesOptions:
    """What tables need to know beside the games.

    Attributes:
        player: words of the name of the player of a profile or of openings.
        tie_breaks: what decides between players with equal points.
        min_games: leave out players, openings and events with fewer games.
        aliases: other names of players, for ``player``.
        finals: what the round of a final contains; empty for none.
    """

    player: str = ""
    tie_breaks: Sequence[TieBreak] = TIE_BREAKS
    min_games: int = 1
    aliases: Aliases = NO_ALIASES
    finals: str = ""


def tables_of(
    results: Iterable[GameResult],
    name: str,
    *,
    player: str = "",
    tie_breaks: Sequence[TieBreak] = TIE_BREAKS,
    min_games: int = 1,
    aliases: Aliases = NO_ALIASES,
    finals: str = "",
) -> list[Table]:
    """Return statistics of games as tables.

    >>> from reversi import Color
    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> tables_of([game], "ratings")[0].rows[0][:2]
    (1, 'Ada')

    Args:
        results: the games.
        name: which statistics: ``events``, ``standings`` or ``crosstable`` (a table for each event), ``players``,
            ``profile`` (several tables about a player), ``openings``, ``ratings``, ``ratings-by-year`` or
            ``streaks``.
        player: words of the name of the player of a profile, or whose openings, ratings by year or streaks are
            shown.
        tie_breaks: what decides between players with equal points.
        min_games: leave out players, openings and events with fewer games.
        aliases: other names of players, for ``player``.
        finals: what the round of a final contains: such games do not count in standings and crosstables, and a
            table of their own has them. Empty for none.

    Raises:
        InputError: another name, or not exactly one player.
    """
    check_type("player", player, str)
    check_type("finals", finals, str)
    check_count("min_games", min_games, least=0)
    check_type("aliases", aliases, Aliases)
    if name not in TABLES:
        raise InputError(f"{excerpt(name)} is not a table; the tables are {', '.join(TABLES)}")
    return TABLES[name](list(results), TablesOptions(player, tuple(tie_breaks), min_games, aliases, finals))


_COLUMNS: Final = {
    column.name: column
    for column in (
        *(Column(name, name, Kind.TEXT) for name in ("event", "player", "first", "color", "opponent", "round")),
        Column("opening", "opening", Kind.TEXT, "(no name)"),
        *(Column(name, name, Kind.YEAR) for name in ("year", "last")),
        *(Column(name, name) for name in ("games", "players", "wins", "draws", "losses")),
        *(Column(name, name, Kind.POINTS) for name in ("points", "direct")),
        *(Column(name, name, Kind.NUMBER) for name in ("rating", "deviation")),
        *(Column(name, name, Kind.SHARE) for name in ("rate", "share")),
        Column("place", ""),
        Column("opponent_place", "place"),
        Column("as_black", "as Black"),
        Column("black", "Black"),
        Column("white", "White"),
        Column("score", "lead", Kind.LEAD),
        Column("discs", "discs", Kind.LEAD),
        Column("brightwell", "Brightwell", Kind.NUMBER),
        Column("low", "from", Kind.NUMBER),
        Column("high", "to", Kind.NUMBER),
    )
}
TALLY: Final = "games wins draws losses points rate score"
"""The names of the columns of `tally_values`."""
_FIRST: Final = Column("first", "first", Kind.YEAR)


def columns_of(names: str) -> tuple[Column, ...]:
    """Return the columns of these names, which all tables call alike."""
    return tuple(_COLUMNS[name] for name in names.split())


def tally_values(tally: PlayerTally) -> tuple[Value, ...]:
    """Return how a player did, as the values of the columns `TALLY`."""
    lead = tally.score.mean
    return (tally.games, tally.wins, tally.draws, tally.losses, tally.points, tally.rate, lead)


# --- events


def _events(results: list[GameResult], options: TablesOptions) -> list[Table]:
    rows = []
    for event in events_of(results):
        if len(event.games) < options.min_games:
            continue
        standings = event.standings(options.tie_breaks)
        first = [line.player for line in standings if line.place == 1]
        points = standings[0].points if standings else None
        rows.append(
            (event.name or None, event.year, len(event.games), len(standings), " = ".join(first) or None, points)
        )
    return [Table("events", "Events", columns_of("event year games players first points"), tuple(rows))]


def _of_events(
    results: list[GameResult], options: TablesOptions, make: Callable[[Event, TablesOptions], Table]
) -> list[Table]:
    tables = []
    for event in events_of(results):
        if len(event.games) >= options.min_games and event.players:
            is_final = [bool(options.finals) and tag_fits(game.round, options.finals) for game in event.games]
            counting = tuple(game for game, final in zip(event.games, is_final, strict=True) if not final)
            tables.append(make(replace(event, games=counting), options))
            if any(is_final):
                rows = tuple(_FINAL(game) for game, final in zip(event.games, is_final, strict=True) if final)
                columns = (*columns_of("round"), *_SIDES, *columns_of("score"))
                tables.append(Table("finals", f"{event}: finals", columns, rows, about=_about(event, options)))
    return tables


_FINAL: Final = attrgetter("round", "black", "white", "score")
_SIDES: Final = (Column("black", "Black", Kind.TEXT), Column("white", "White", Kind.TEXT))


_STANDINGS: Final = attrgetter(
    "place", "player", "points", "games", "wins", "draws", "losses", "brightwell", "lead", "direct"
)


def _standings(event: Event, options: TablesOptions) -> Table:
    columns = columns_of("place player points games wins draws losses brightwell discs direct")
    rows = tuple(map(_STANDINGS, event.standings(options.tie_breaks)))
    return Table("standings", str(event), columns, rows, about=_about(event, options))


def _crosstable(event: Event, options: TablesOptions) -> Table:
    """Rows and columns are players in the order of the standings; a cell has the points in their games."""
    standings, met = event.standings(options.tie_breaks), event.meetings()
    several = any(meeting.games > 1 for meeting in met.values())
    columns = (
        *columns_of("place player"),
        *(Column(line.player, str(number), Kind.TEXT) for number, line in enumerate(standings, 1)),
        *columns_of("points games brightwell discs"),
    )
    grid = tuple(
        (
            line.place,
            line.player,
            *(_met(met.get((line.player, other.player)), several, line is other) for other in standings),
            *(line.points, line.games, line.brightwell, line.lead),
        )
        for line in standings
    )
    pairings = tuple(
        (line.player, line.place, other.player, other.place, of.games, of.points if of.decided else None, of.lead)
        for line in standings
        for other in standings
        if (of := met.get((line.player, other.player))) is not None
    )
    return Table(
        "crosstable",
        str(event),
        columns_of("player place opponent opponent_place games points discs"),
        pairings,
        about=_about(event, options),
        grouped=True,
        shown=Table("crosstable", str(event), columns, grid),
    )


def _met(meeting: Meeting | None, several: bool, same: bool) -> str | None:
    """Return the points in the games of two players, of how many where players met several times."""
    if meeting is None:
        return "." if same else None
    points = _cell(meeting.points, Kind.POINTS) if meeting.decided else "*"
    return f"{points}/{meeting.games}" if several else points


def _about(event: Event, options: TablesOptions) -> dict[str, Value]:
    return {
        "event": event.name or None,
        "year": event.year,
        "games": len(event.games),
        "tie_breaks": ",".join(tie_break.value for tie_break in options.tie_breaks),
    }


# --- players


def _players(results: list[GameResult], options: TablesOptions) -> list[Table]:
    return [_players_table("players", next(counted_results(results)).players, options.min_games)]


def _players_table(name: str, tallies: dict[str, PlayerTally], min_games: int = 1) -> Table:
    rows = (
        (player, *tally_values(tally), tally.as_black, tally.first, tally.last)
        for player, tally in sorted(tallies.items(), key=lambda item: (-item[1].games, item[0]))
        if tally.games >= min_games
    )
    columns = (*columns_of(f"player {TALLY} as_black"), _FIRST, *columns_of("last"))
    return Table(name, "Players", columns, tuple(rows))


def _profile(results: list[GameResult], options: TablesOptions) -> list[Table]:
    player = player_named(results, options.player, options.aliases)
    profile = profile_of(results, player, options.tie_breaks)
    least = options.min_games
    rated = profile.ratings
    sides = [("both", profile.all), *((str(side), tally) for side, tally in profile.sides.items())]
    event = (*columns_of("event year"), Column("place", "place"), Column("players", "of"))
    parts: dict[str, tuple[tuple[Column, ...], Iterable[tuple[Value, ...]]]] = {
        "colors": (columns_of("color"), ((side, *tally_values(tally)) for side, tally in sides)),
        "years": (
            columns_of("year rating low high"),
            (
                (year, *(_RATING(rated[year]) if year in rated else (None, None, None)), *tally_values(tally))
                for year, tally in profile.years.items()
            ),
        ),
        "events": (
            event,
            (
                (name or None, year, *profile.places.get((name, year), (None, None)), *tally_values(tally))
                for (name, year), tally in profile.events.items()
            ),
        ),
        "openings": (
            columns_of("color opening"),
            (
                (str(side), opening or None, *tally_values(tally))
                for (side, opening), tally in profile.openings.items()
                if tally.games >= least
            ),
        ),
        "opponents": (
            columns_of("opponent"),
            ((name, *tally_values(tally)) for name, tally in profile.opponents.items() if tally.games >= least),
        ),
    }
    wins = ((win.opponent, win.rating, win.lead, win.event or None, win.year) for win in profile.best_wins)

    def table(name: str, title: str, columns: tuple[Column, ...], rows: Iterable[tuple[Value, ...]]) -> Table:
        made = Table(f"profile-{name}", f"{player}: {title}", columns, tuple(rows), about={"player": player})
        if name == "years" and rated:
            return replace(made, title=f"{player}: rating by year (Glicko-2)", curves={player: rated})
        if name != "events":
            return made
        best = sorted(made.rows, key=lambda row: (row[2] is None, row[2], -int(row[3] or 0)))
        short = Table(
            made.name,
            f"{player}: events, the best places first",
            columns[:5] + columns[8:],
            tuple(row[:5] + row[8:] for row in best),
        )
        return replace(made, shown=short)

    return [
        *(table(part, part, (*heads, *columns_of(TALLY)), rows) for part, (heads, rows) in parts.items()),
        table("wins", "best wins", columns_of("opponent rating score event year"), wins),
    ]


# --- openings and ratings


def _openings(results: list[GameResult], options: TablesOptions) -> list[Table]:
    """Openings from Black's view, or from that of the player whom the options name."""
    player = player_named(results, options.player, options.aliases) if options.player else ""
    ends, rate = columns_of("black draws white"), Column("rate", "Black's rate", Kind.SHARE)
    if player:
        results = [_seen_by(side, game) for game in results for side in Color if game.player(side) == player]
        ends, rate = columns_of("wins draws losses"), _COLUMNS["rate"]
    columns = (*columns_of("opening year games share"), *ends, rate, *columns_of("score"))
    years: dict[int | None, int] = {}
    for game in results:
        years[game.year] = years.get(game.year, 0) + 1
    rows: list[tuple[Value, ...]] = []
    for opening in openings_of(results):
        if opening.all.games >= options.min_games:
            name = opening.name or None
            known = sorted(year for year in opening.years if year is not None)
            if len(years) > 1 or None in years:  # of all years
                rows.append((name, None, *_results(opening.all, len(results))))
            rows += [(name, year, *_results(opening.years[year], years[year])) for year in known]
    title = f"{player}: openings by year" if player else "Openings by year"
    about = {"player": player} if player else {}
    return [Table("openings", title, columns, tuple(rows), about=about, grouped=True)]


def _seen_by(side: Color, game: GameResult) -> GameResult:
    """Return a game with the result as if ``side`` were Black."""
    if side is Color.BLACK:
        return game
    winner = None if game.winner is None else game.winner.opponent
    return replace(game, score=None if game.score is None else -game.score, winner=winner)


def _results(tally: Tally, of: int) -> tuple[Value, ...]:
    decided = tally.games - tally.undecided
    rate = (tally.black + tally.draws / 2) / decided if decided else None
    return tally.games, tally.games / of, tally.black, tally.draws, tally.white, rate, tally.score.mean


_RATING: Final = attrgetter("rating", "low", "high")
_RATINGS: Final = attrgetter("rating", "low", "high", "deviation", "games", "first", "last")


def _ratings(results: list[GameResult], options: TablesOptions) -> list[Table]:
    columns = (*columns_of("place player rating low high deviation games"), _FIRST, *columns_of("last"))
    rated = [(name, rating) for name, rating in ratings_of(results).items() if rating.games >= options.min_games]
    rows = tuple((place, name, *_RATINGS(rating)) for place, (name, rating) in enumerate(rated, 1))
    return [Table("ratings", "Ratings (Glicko-2), with 95 % intervals", columns, rows)]


def _ratings_by_year(results: list[GameResult], options: TablesOptions) -> list[Table]:
    """The ratings of all players, or of the player whom the options name, at the end of each year with games."""
    ends = ratings_by_year(results)
    names = [name for name, rating in ratings_of(results).items() if rating.games >= options.min_games]
    if options.player:
        names = [player_named(results, options.player, options.aliases)]
    curves = {name: curve for name in names if (curve := years_of(ends, name))}
    rows = tuple((name, year, *_RATING(one)) for name, curve in curves.items() for year, one in curve.items())
    title = "Ratings by year (Glicko-2), with 95 % intervals"
    return [
        Table(
            "ratings-by-year", title, columns_of("player year rating low high"), rows, grouped=True, curves=curves
        )
    ]


def _streaks(results: list[GameResult], options: TablesOptions) -> list[Table]:
    """The streaks of the players whose games have a known order, or of the player whom the options name."""
    every = streaks_of(results)
    names = [player_named(results, options.player, options.aliases)] if options.player else list(every)
    found = [(name, one) for name in names if (one := every.get(name)) and one.games >= options.min_games]
    found.sort(key=lambda one: (-one[1].winning.games, -one[1].unbeaten.games, one[0]))
    columns = (
        *columns_of("player games"),
        *(Column("winning", "wins"), Column("winning_first", "from", Kind.TEXT)),
        *(Column("winning_last", "to", Kind.TEXT), Column("unbeaten", "unbeaten")),
        *(Column("unbeaten_first", "from", Kind.TEXT), Column("unbeaten_last", "to", Kind.TEXT)),
    )
    rows = tuple((name, one.games, *_STREAK(one.winning), *_STREAK(one.unbeaten)) for name, one in found)
    ordered = sum(one is not None for one in every.values())
    title = f"Streaks ({ordered} of {counted(len(every), 'player')}: dates or rounds order all their games)"
    return [Table("streaks", title, columns, rows)]


_STREAK: Final = attrgetter("games", "first", "last")


TABLES: Final[Mapping[str, Callable[[list[GameResult], TablesOptions], list[Table]]]] = {
    "events": _events,
    "standings": lambda results, options: _of_events(results, options, _standings),
    "crosstable": lambda results, options: _of_events(results, options, _crosstable),
    "players": _players,
    "profile": _profile,
    "openings": _openings,
    "ratings": _ratings,
    "ratings-by-year": _ratings_by_year,
    "streaks": _streaks,
}
"""What statistics there are, by name."""


def overview_tables(statistics: Statistics) -> list[Table]:
    """Return an overview of games as tables: how they ended, openings, years and players."""
    every = statistics.all
    numbers: list[tuple[str, Value]] = [
        ("games", every.games),
        ("Black won", every.black),
        ("draws", every.draws),
        ("White won", every.white),
        ("without a result", every.undecided),
        ("finished", statistics.finished),
        ("ended early", statistics.ended_early),
        ("unfinished", statistics.unfinished),
        ("with an illegal move", statistics.illegal),
        ("wipe-outs", statistics.wipeouts),
        ("with passes", statistics.with_passes),
    ]
    ends = "games black draws white score"

    def row(value: Value, tally: Tally) -> tuple[Value, ...]:
        return value, tally.games, tally.black, tally.draws, tally.white, tally.score.mean

    openings = sorted(statistics.openings.items(), key=lambda item: (-item[1].games, item[0]))
    years = sorted(statistics.years.items())
    return [
        Table("overview", "Overview", (Column("what", "", Kind.TEXT), *columns_of("games")), tuple(numbers)),
        Table(
            "overview-openings",
            "Openings",
            columns_of(f"opening {ends}"),
            tuple(row(name or None, tally) for name, tally in openings),
        ),
        Table("overview-years", "Years", columns_of(f"year {ends}"), tuple(row(*year) for year in years)),
        _players_table("overview-players", statistics.players),
    ]
