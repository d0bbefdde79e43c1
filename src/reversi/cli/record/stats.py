"""``reversi record stats``: statistics of games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from reversi.cli.console import StatusCollector, command
from reversi.cli.outputs import Inputs
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.selection import SelectionOptions
from reversi.cli.statistics import StatisticsOptions, StatisticsOutput
from reversi.cli.table_output import TableOptions
from reversi.games.database.database import Database
from reversi.games.database.searching import results
from reversi.games.statistics.overview import Statistics, counted_results, selected_results, statistics_of
from reversi.games.statistics.results import GameResult
from reversi.games.workers import each_made


@command
def stats(
    paths: PathsArgument,
    *,
    reading: ReadingOptions,
    conditions: SelectionOptions,
    tables: StatisticsOptions,
    output: TableOptions,
    workers: WorkersOption = 0,
) -> None:
    """Count results, lengths, passes, openings, players and years; or write a table of events, players or ratings.

    Conditions select the games that count, as in 'reversi record filter'. standings and crosstable are of each
    event; --table profile shows the player that --player names. docs/statistics.md describes the tables.

    Example: reversi record stats games.pgn

    Example: reversi record stats archive/ --table standings --event "Cambridge" --year 1997

    Example: reversi record stats games.duckdb --table profile --player "tastet" -o tastet.html

    Example: reversi record stats archive/ --table ratings --year 2015- --min-games 20 -o ratings.html
    """
    out = StatisticsOutput(tables, output, conditions.player, Inputs(*paths))
    outcome = StatusCollector(complete=output.json)
    selection = (conditions if out.player_selects else replace(conditions, player=None)).read(
        reading.rule_set, reading.encoding
    )
    games = reading.games(paths, outcome)

    def results_in(database: Database) -> Iterator[GameResult]:
        return results(database, selection)

    if out.needs_results:
        made = each_made(games, partial(selected_results, selection), workers, results_in)
        found = [game for _, game in made]
        if games.count:
            out.write_tables(found, selection.aliases)
    else:
        statistics = Statistics()
        parts = each_made(
            games,
            partial(statistics_of, selection),
            workers,
            lambda database: counted_results(results_in(database)),
        )
        for _, part in parts:
            statistics.merge(part)
        counts = games.count - games.broken
        part_of = f"{statistics.all.games} of " if statistics.all.games != counts else ""
        if statistics.all.games:
            what = f"{part_of}{games}"
            out.write_overview(statistics, what, games.files, games.broken)
        elif counts:
            out.write_nothing()
    outcome.finish()
