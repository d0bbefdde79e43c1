"""``reversi record filter``: the games that meet some conditions."""

from __future__ import annotations

from functools import partial

from reversi.cli.console import command
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import OutputOptions
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.selection import OpeningTagsOption, SelectionOptions, SortOption, sorts_of
from reversi.games.changes import Changes
from reversi.games.sorting import sorted_games
from reversi.games.texts import selected_texts
from reversi.games.workers import each_made


@command
def filter_games(
    paths: PathsArgument,
    output: OutputOptions,
    reading: ReadingOptions,
    conditions: SelectionOptions,
    sort: SortOption = None,
    opening_tags: OpeningTagsOption = False,
    workers: WorkersOption = 0,
) -> None:
    """Write the games that meet every condition.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.
    Tags of different names must all fit. With --aliases, the conditions find any name of a player, and the games
    written have the one that the file gives.

    Example: reversi record filter archive/ --player "tastet" --year 1990-1999 --opening Tiger -o tiger.pgn

    Example: reversi record filter games.pgn --result draw --tag Event=Cambridge

    Example: reversi record filter games.pgn --position "f5d6c3d3c4"
    """
    sorts = sorts_of(sort)
    selection = conditions.read(reading.rule_set)
    changes = Changes(selection.aliases, opening_tags)
    with output.writer(output.output, Inputs(*paths)) as writer:
        games = reading.games(paths, writer.outcome)
        if writer.takes_texts and not sorts:
            writer.write_texts(each_made(games, partial(selected_texts, selection, changes), workers))
        else:
            writer.write(sorted_games(changes.of(selection.of(games)), sorts), lambda: games.at)
        writer.report(games.count, games.broken)
