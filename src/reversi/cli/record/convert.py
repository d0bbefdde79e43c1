"""``reversi record convert``: games from one form to another, and the tables of a database."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi._system.arrow import FORMATS
from reversi.cli.console import command, err, fail
from reversi.cli.database import MemoryOption, opened_database
from reversi.cli.option_groups import excludes, needs
from reversi.cli.options import argument
from reversi.cli.outputs import Inputs, SpreadsheetOption, check_output, write_pieces
from reversi.cli.record.game_files import format_option
from reversi.cli.record.output import WritingOptions
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.selection import OpeningTagsOption, SelectionOptions
from reversi.cli.status import Status
from reversi.games.changes import Changes
from reversi.games.database.views import TABLES
from reversi.games.selection import Selection
from reversi.records.formats.registry import FORMATS as GAME_FORMATS
from reversi.text.counting import counted

_NO_GAMES: Final = (
    "--from",
    "--columns",
    "--encoding",
    "--opening-tags",
    "--rules",
    "--invalid",
    "--report",
)


class _DatabaseTable(enum.Enum):
    """The tables of a database, for `--table`."""

    _ignore_ = ["name_"]  # noqa: RUF012 - the enum takes it away
    for name_ in TABLES:
        vars()[name_] = name_


@dataclass(frozen=True)
class _Writing(WritingOptions):
    """The options, with one format more."""

    to: Annotated[
        str,
        format_option(
            ("--to",), "Write this format (arrow: a table).", "from the name of the file", others=FORMATS
        ),
    ] = ""


@command(
    *needs("--spreadsheet", "--table"),
    *needs("--memory", "--table"),
    *excludes("--table", *_NO_GAMES, why="a table is copied as it is"),
)
def convert(
    source: Annotated[str, argument("IN", "Games; - is standard input.")],
    target: Annotated[
        str,
        argument(
            "OUT",
            "The file to write; - is standard output. A folder, or a name with {year}, gets a file for each year.",
        ),
    ],
    writing: _Writing,
    conditions: SelectionOptions,
    opening_tags: OpeningTagsOption = False,
    *,
    reading: ReadingOptions,
    table: Annotated[
        _DatabaseTable | None, typer.Option(help="Copy this table of a database, as Parquet, CSV or Arrow IPC.")
    ] = None,
    spreadsheet: SpreadsheetOption = False,
    memory: MemoryOption = None,
) -> None:
    """Convert games to another format, and report what that format cannot hold.

    The content of IN decides its format; the name of OUT decides the new one. Conditions select the games, as in
    'reversi record filter'. WTHOR keeps the names of players and tournaments in files beside OUT. With --table, IN
    is a database: a row is a game, or a position of a game with its key and the move played, as docs/database.md
    describes. This needs an extra: pip install "reversi-engine[tables]".

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert WTH_1984.wtb games.sgf

    Example: reversi record convert ggs.ggf - --to transcript

    Example: reversi record convert games.duckdb positions.parquet --table positions
    """
    if table is not None:
        selection = conditions.read(reading.rule_set, reading.encoding)
        _copy_table(source, target, table.value, selection, writing, memory, spreadsheet=spreadsheet)
        return
    if writing.to in FORMATS and writing.to not in (one.name for one in GAME_FORMATS):
        fail(Status.USAGE, f"--to {writing.to} needs --table; give it too")
    with writing.writer(target, Inputs(source), default=None) as writer:
        selection = conditions.read(reading.rule_set, reading.encoding)
        changes = Changes(selection.aliases, opening_tags)
        writer.write_all(reading.games([source], writer.outcome), changes, 1, selection=selection)


def _copy_table(
    source: str,
    target: str,
    name: str,
    selection: Selection,
    writing: _Writing,
    memory: int | None,
    *,
    spreadsheet: bool,
) -> None:
    """Write a table of a database."""
    output = check_output(target, Inputs(source, f"{source}.wal"), force=writing.force)
    suffix = "" if target == "-" else Path(target).suffix.lower()
    format_ = writing.to or next((to for to, known in FORMATS.items() if suffix in known), "")
    if format_ not in FORMATS:
        where, forms = "standard output" if target == "-" else target, ", ".join(FORMATS)
        fail(Status.USAGE, f"{where}: --table writes {forms}; give --to with one, or a name with its suffix")
    if spreadsheet and format_ != "csv":
        fail(Status.USAGE, f"--spreadsheet: {format_} has no cells that a spreadsheet runs; write csv")
    with opened_database(source, memory, low_memory=True) as database:
        table = database.table(name, selection)
        write_pieces(output, table.pieces(format_, spreadsheet=spreadsheet))
    if target != "-":
        err(f"reversi: {target}: {counted(table.count, name.removesuffix('s'))} written")
