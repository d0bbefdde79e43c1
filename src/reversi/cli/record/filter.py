"""``reversi record filter``: the games that meet some conditions: written, or listed."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

import typer

from reversi._system.paths import may_exist
from reversi.cli.console import StatusCollector, command, err, fail, out, out_json
from reversi.cli.database import MemoryOption
from reversi.cli.option_groups import Flag, excludes
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import OutputOptions
from reversi.cli.record.streams import ReadingOptions, StreamsArgument, WorkersOption
from reversi.cli.selection import OpeningTagsOption, OrderOptions, SelectionOptions, first_ones
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.games.changes import Changes
from reversi.games.database.database import Database
from reversi.games.games import found_games
from reversi.records.entry import Entry
from reversi.records.facts import facts_of
from reversi.records.formats.tables.json_table import json_row
from reversi.text.counting import counted
from reversi.text.terminal import safe
from reversi.text.widths import filled

_WRITING: Final = ("--output", "--to", "--invalid", "--report")


@command(
    *excludes("--list", "--json", "--opening-tags", *_WRITING, why="a list is for people"),
    *excludes("--json", *_WRITING, why="JSON goes to standard output"),
)
def filter_(
    paths: StreamsArgument = None,
    *,
    output: OutputOptions,
    list_: Annotated[bool, typer.Option("--list", help="List the games, one line each.")] = False,
    json: Annotated[bool, Flag("Write one JSON object per game, with its place.")] = False,
    conditions: SelectionOptions,
    arrangement: OrderOptions,
    opening_tags: OpeningTagsOption = False,
    reading: ReadingOptions,
    memory: MemoryOption = None,
    workers: WorkersOption = 0,
) -> None:
    """Write the games that meet every condition, or list them.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.
    Tags of different names must all fit. With --aliases, the conditions find any name of a player, and the games
    written have the one that the file gives. Without PATH, the games are those of the database of 'reversi db'.

    Example: reversi record filter archive/ --player "tastet" --year 1990-1999 --opening Tiger -o tiger.pgn

    Example: reversi record filter games.duckdb --result draw --sort year --list

    Example: reversi record filter games.pgn --position "f5d6c3d3c4"
    """
    selection = conditions.read(reading.rule_set, reading.encoding)
    order = arrangement.read(whole=not list_)
    changes = Changes(selection.aliases, opening_tags)
    paths = paths or [_default()]
    open_ = partial(Database, memory_mb=memory)
    if list_ or json:
        outcome = StatusCollector(complete=json)
        games = reading.games(paths, outcome)
        for place, entry in found_games(games, selection, order, open_):
            record = changes.changed(entry).record
            if json:
                out_json({**json_row(record), "file": place, "game": entry.number})
            else:
                out(_line(place, entry))
        err(f"reversi: {counted(games.taken, 'game')}{first_ones(order.limit or games.taken, games.taken)}")
        outcome.finish()
        return
    with output.writer(output.output, Inputs(*paths, *(f"{path}.wal" for path in paths))) as writer:
        games = reading.games(paths, writer.outcome)
        writer.write_all(games, changes, workers, selection=selection, order=order, open_=open_)


def _default() -> str:
    """Return the database of `reversi db`; end the command where there is none."""
    path = database_path("")
    if not may_exist(path):
        fail(
            Status.NO_INPUT,
            f"{path}: does not exist; 'reversi db import PATH...' creates it, or name the files to read",
        )
    return str(path)


def _line(place: str, entry: Entry) -> str:
    record, facts = entry.record, facts_of(entry.record)
    players = f"{facts.black or '?'} – {facts.white or '?'}"
    about = ", ".join(filter(None, (facts.event, facts.opening.opening.name if facts.opening else "")))
    where = f"[{safe(place)}#{entry.number}]"
    return f"{facts.year or '????'}  {record.result:>7}  {filled(players, 44)}  {about}  {where}"
