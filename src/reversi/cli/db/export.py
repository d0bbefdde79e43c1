"""`reversi db export`: write the games or the positions of a database as a table."""

from __future__ import annotations

import enum
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi._system.arrow import FORMATS
from reversi.cli.console import command, err, fail
from reversi.cli.db.file import FileOption, MemoryOption, opened_database
from reversi.cli.outputs import ForceOption, Inputs, SpreadsheetOption, check_output, write_pieces
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.errors import ResourceError
from reversi.games.database.views import TABLES
from reversi.text.counting import counted


class Table(enum.Enum):
    _ignore_ = ["name_"]  # noqa: RUF012 - the enum takes it away
    for name_ in TABLES:
        vars()[name_] = name_


_GAMES: Final = Table("games")


class TableFormat(enum.Enum):
    """The forms of files, for `--to`."""

    PARQUET = "parquet"
    CSV = "csv"
    ARROW = "arrow"


@command
def export(
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")],
    db: FileOption = "",
    memory: MemoryOption = None,
    table: Annotated[Table, typer.Option("--table", help="Write this table.")] = _GAMES,
    to: Annotated[
        TableFormat | None,
        typer.Option("--to", show_default="from the name of the file", help="Write this format."),
    ] = None,
    spreadsheet: SpreadsheetOption = False,
    force: ForceOption = False,
) -> None:
    """Write the games or the positions of a database as a table: Parquet, CSV or Arrow IPC.

    A row is a game, or a position of a game with its key and the move played. docs/database.md describes the
    columns. This needs an extra: pip install "reversi-engine[tables]".

    Example: reversi db export games.parquet

    Example: reversi db export positions.parquet --table positions

    Example: reversi db export games.csv --spreadsheet
    """
    path = database_path(db)
    output = check_output(target, Inputs(path, f"{path}.wal"), force=force)
    format_ = _format(target, to)
    if spreadsheet and format_ != "csv":
        fail(Status.USAGE, f"--spreadsheet: {format_} has no cells that a spreadsheet runs; write csv")
    begin = time.perf_counter()
    try:
        with opened_database(db, memory, low_memory=True) as database:
            write_pieces(output, database.table(table.value).pieces(format_, spreadsheet=spreadsheet))
            rows = getattr(database.info(), table.value)
    except ResourceError as error:
        fail(Status.USAGE, str(error))
    if target != "-":
        seconds = time.perf_counter() - begin
        err(f"reversi: {target}: {counted(rows, table.value.removesuffix('s'))} written; {seconds:.1f} s")


def _format(target: str, to: TableFormat | None) -> str:
    suffix = "" if target == "-" else Path(target).suffix.lower()
    format_ = (
        to.value if to else next((format_ for format_, suffixes in FORMATS.items() if suffix in suffixes), None)
    )
    if format_ is None:
        where = "standard output" if target == "-" else target
        formats = ", ".join(FORMATS)
        fail(
            Status.USAGE, f"{where}: give --to with one of {formats}, or a name with its suffix, such as .parquet"
        )
    return format_
