"""The options of `record stats`, and how it writes statistics."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import typer

from reversi.arguments import excerpt
from reversi.cli import option_groups
from reversi.cli.console import err, fail
from reversi.cli.option_groups import needs
from reversi.cli.options import option
from reversi.cli.outputs import Inputs
from reversi.cli.status import Status
from reversi.cli.table_output import LISTED, TableOptions, TableOutput, table_text
from reversi.errors import InputError
from reversi.games.aliases import Aliases
from reversi.games.statistics.events import TIE_BREAKS, TieBreak
from reversi.games.statistics.overview import Statistics
from reversi.games.statistics.results import GameResult
from reversi.games.statistics.tables import TABLES, Table, overview_tables, tables_of
from reversi.games.statistics.tallies import PlayerTally, Spread, Tally
from reversi.rules import OTHELLO
from reversi.text.counting import counted

_PARTS: Final = 4  # rows of each part of a profile, so that it fits on a screen
_WHOLE: Final = ("standings", "crosstable")  # tables that nobody reads the first rows of
_OF_PLAYER: Final = ("profile", "ratings-by-year", "streaks")  # tables that --player names the player of


class TableName(enum.Enum):
    """The names of tables, for `--table`."""

    _ignore_ = ["name_"]  # noqa: RUF012 - the enum takes it away
    for name_ in TABLES:
        vars()[name_] = name_


_TIE_BREAKS: Final = ",".join(tie_break.value for tie_break in TIE_BREAKS)


@dataclass(frozen=True)
class StatisticsOptions:
    """Which statistics to write."""

    TABLE: ClassVar[option_groups.Table] = (
        *needs("--min-games", "--table"),
        *needs("--tie-breaks", "--table"),
        *needs("--finals", "--table"),
    )

    table: Annotated[TableName | None, typer.Option(show_default="an overview", help="Write this table.")] = None
    min_games: Annotated[int, option("N", "Leave out players, openings and events with fewer games.", min=1)] = 1
    tie_breaks: Annotated[
        str, option("WORDS", "Separate players with equal points by the first of these that differs.")
    ] = _TIE_BREAKS
    finals: Annotated[
        str,
        option(
            "TEXT",
            "Leave games whose tag Round contains TEXT, such as final, out of standings and crosstables, and list"
            " them.",
        ),
    ] = ""


class StatisticsOutput:
    """Writes statistics as the options of a command say. Ends the command for options that contradict.

    Args:
        options: the options.
        output: how the tables are written.
        player: the values of `--player`.
        inputs: what the games are read from.
    """

    def __init__(
        self, options: StatisticsOptions, output: TableOptions, player: list[str] | None, inputs: Inputs
    ) -> None:
        self.table: str = "" if options.table is None else str(options.table.value)
        self._player = ""
        if self.table == "profile" and (not player or len(player) > 1):
            fail(Status.USAGE, "--table profile shows one player: give --player NAME once")
        if self.table in _OF_PLAYER[1:] and player and len(player) > 1:
            fail(Status.USAGE, f"--table {self.table} shows one player or all: give --player NAME once")
        if self.table in (*_OF_PLAYER, "openings") and player and len(player) == 1:
            self._player = player[0]
        self._out = TableOutput(output, inputs)
        self._min_games = options.min_games
        self._finals = options.finals
        self._tie_breaks = _tie_breaks(options.tie_breaks)
        whole = self.table in _WHOLE
        self._top = self._out.top(0 if whole else _PARTS if self.table == "profile" else LISTED)

    @property
    def needs_results(self) -> bool:
        """Whether the results of all games are needed, not only an overview of them."""
        return bool(self.table)

    @property
    def player_selects(self) -> bool:
        """Whether `--player` selects games; else it names the player of a table."""
        return self.table not in _OF_PLAYER

    def write_tables(self, results: Iterable[GameResult], aliases: Aliases) -> None:
        """Write the table that the options name."""
        games = list(results)
        if not games:
            self.write_nothing()
            return
        try:
            tables = tables_of(
                games,
                self.table,
                player=self._player,
                tie_breaks=self._tie_breaks,
                min_games=self._min_games,
                aliases=aliases,
                finals=self._finals,
            )
        except InputError as error:
            fail(Status.USAGE, f"--player {error}")
        tables = [table.first(self._top) for table in tables]
        first = _PARTS + 1 if self.table == "profile" else 0
        self._out.write(tables, title=self._title(tables), first=first)

    def write_overview(self, statistics: Statistics, what: str, files: int, broken: int) -> None:
        """Write an overview of games.

        Args:
            statistics: the overview.
            what: which games, for people.
            files: how many files have them.
            broken: how many games are malformed.
        """
        cut = ("overview-openings", "overview-players")
        tables = [table.first(self._top) if table.name in cut else table for table in overview_tables(statistics)]
        fields = {"files": files, **_object(statistics, broken, self._top)} if self._out.is_json else {}
        texts = _overview(statistics, tables[1:], what, broken)
        self._out.write(tables, title=what, objects=[fields], texts=texts)

    def write_nothing(self) -> None:
        """Say that no game meets the conditions."""
        err("reversi: no game meets the conditions")

    def _title(self, tables: list[Table]) -> str:
        titles = {table.title for table in tables}
        if self._player and tables:
            return tables[0].title.partition(":")[0]
        return titles.pop() if len(titles) == 1 else self.table.capitalize()


def _tie_breaks(text: str) -> list[TieBreak]:
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(TieBreak(word))
        except ValueError:
            words = ", ".join(tie_break.value for tie_break in TieBreak)
            fail(Status.USAGE, f"--tie-breaks: {excerpt(word)} is none; give some of {words}")
    return found


# --- the overview


def _best(tallies: dict[str, Tally] | dict[str, PlayerTally], top: int) -> list[str]:
    """Return the names with the most games."""
    names = sorted(tallies, key=lambda name: (-tallies[name].games, name))
    return names[:top] if top else names


def _mean(spread: Spread, digits: int = 2) -> float | None:
    return None if spread.mean is None else round(spread.mean, digits)


def _results(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "black": tally.black,
        "draws": tally.draws,
        "white": tally.white,
        "score": _mean(tally.score),
    }


def _object(statistics: Statistics, broken: int, top: int) -> dict[str, object]:
    return {
        **_results(statistics.all),
        "undecided": statistics.all.undecided,
        "finished": statistics.finished,
        "ended_early": statistics.ended_early,
        "unfinished": statistics.unfinished,
        "illegal": statistics.illegal,
        "broken": broken,
        "wipeouts": statistics.wipeouts,
        "placements": {
            "least": statistics.placements.least,
            "mean": _mean(statistics.placements),
            "most": statistics.placements.most,
        },
        "passes": {
            "games": statistics.with_passes,
            "total": statistics.passes.total,
            "most": statistics.passes.most,
        },
        "rules": dict(_rules(statistics)),
        "openings": [
            {"name": name or None, **_results(statistics.openings[name])}
            for name in _best(statistics.openings, top)
        ],
        "years": [{"year": year, **_results(statistics.years[year])} for year in sorted(statistics.years)],
        "no_year": statistics.no_year,
        "players": [_player(name, statistics.players[name]) for name in _best(statistics.players, top)],
    }


def _rules(statistics: Statistics) -> list[tuple[str, int]]:
    """Return the rule sets with their numbers of games, most games first."""
    return sorted(statistics.rules.items(), key=lambda one: (-one[1], one[0]))


def _player(name: str, tally: PlayerTally) -> dict[str, object]:
    return {
        "name": name,
        "games": tally.games,
        "as_black": tally.as_black,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "rate": None if tally.rate is None else round(tally.rate, 4),
        "score": _mean(tally.score),
        "first": tally.first,
        "last": tally.last,
    }


def _overview(statistics: Statistics, tables: list[Table], what: str, broken: int) -> Iterator[str]:
    """Yield the lines of an overview for people, and its tables."""
    every = statistics.all
    yield (
        f"{what}: {statistics.finished} finished, {statistics.ended_early} ended early,"
        f" {statistics.unfinished} unfinished"
    )
    if statistics.illegal or broken:
        yield f"{statistics.illegal} with an illegal move, {broken} malformed"
    parts = [
        f"Black won {_share(every.black, every.games)}",
        f"White won {_share(every.white, every.games)}",
        f"drawn {_share(every.draws, every.games)}",
    ]
    if every.undecided:
        parts.append(f"without a result {_share(every.undecided, every.games)}")
    yield ", ".join(parts)
    if every.score.mean is not None:
        lead = every.score
        yield f"Black's lead {lead.mean:+.2f} discs on average, from {lead.least:+} to {lead.most:+}"
    if statistics.placements.mean is not None:
        length = statistics.placements
        yield (
            f"Finished games have {length.mean:.1f} discs placed on average, {length.least} to {length.most};"
            f" {'1 is a wipe-out' if statistics.wipeouts == 1 else f'{statistics.wipeouts} are wipe-outs'}"
        )
    share = 100 * statistics.with_passes / every.games
    yield (
        f"Passes in {counted(statistics.with_passes, 'game')} ({share:.1f} %):"
        f" {statistics.passes.total}, at most {statistics.passes.most} in a game"
    )
    if list(statistics.rules) != [str(OTHELLO)]:
        yield "Rules: " + ", ".join(f"{name} {count}" for name, count in _rules(statistics))
    for table in tables:
        if table.rows:
            yield ""
            yield table_text(table)


def _share(number: int, of: int) -> str:
    return f"{number} ({100 * number / of:.1f} %)"
