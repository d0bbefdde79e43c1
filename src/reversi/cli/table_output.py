"""Tables that commands write: as text, CSV, JSON or a page, to standard output or a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

import typer

from reversi.cli import option_groups
from reversi.cli.console import fail, json_line, out, out_json, terminal_width
from reversi.cli.option_groups import Flag, excludes, needs
from reversi.cli.options import option, output_option
from reversi.cli.outputs import ForceOption, Inputs, SpreadsheetOption, check_output, write_pieces
from reversi.cli.reports import write_report
from reversi.cli.status import Status
from reversi.games.statistics.tables import Table

if TYPE_CHECKING:
    from reversi.render import ReportGame, ReportTable

LISTED: Final = 10
"""Rows of a table that people read on a terminal."""


@dataclass(frozen=True)
class TableOptions:
    """How tables are written."""

    TABLE: ClassVar[option_groups.Table] = (
        *excludes("--json", "--csv"),
        *needs("--force", "--output FILE"),
    )

    top: Annotated[
        int | None,
        option(
            "N",
            "List at most N rows: the first ones of the table; 0 lists all.",
            min=0,
            show_default="10 to read, all for files, --json and --csv",
        ),
    ] = None
    output: Annotated[
        str,
        output_option(
            "Write to FILE: CSV for .csv, JSON for .json, a page for .html, else text; - is standard output.",
            show_default=False,
        ),
    ] = ""
    json: Annotated[bool, Flag("Write one JSON object for each table.")] = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV, with the names of the columns.")] = False
    spreadsheet: SpreadsheetOption = False
    force: ForceOption = False


class TableOutput:
    """Writes tables as the options of a command say. Ends the command for options that contradict.

    Args:
        options: the options.
        inputs: what the tables are made from.

    Attributes:
        is_json: whether objects are written.
        is_page: whether a page is written.
        is_data: whether a program reads what is written: JSON or CSV.
        width: the characters of a line of the terminal that tables are written to, 0 elsewhere.
    """

    def __init__(self, options: TableOptions, inputs: Inputs) -> None:
        suffix = "" if options.json or options.as_csv else Path(options.output).suffix.lower()
        self.is_json: bool = options.json or suffix == ".json"
        self.is_page: bool = suffix in (".html", ".htm")
        self._csv = options.as_csv or suffix == ".csv"
        self.is_data: bool = self.is_json or self._csv
        self._spreadsheet = options.spreadsheet
        if self._spreadsheet and not self._csv:
            fail(Status.USAGE, "--spreadsheet: only CSV has cells that a spreadsheet runs; add --csv")
        self._target = check_output(options.output, inputs, force=options.force) if options.output else None
        self._top = options.top
        self.width: int = 0 if self._target else terminal_width()

    def top(self, listed: int = LISTED) -> int:
        """Return how many rows of a table to write, 0 for all: as the option says, else ``listed`` to read."""
        to_read = not (self.is_data or self._target)
        return (listed if to_read else 0) if self._top is None else self._top

    def write(
        self,
        tables: Sequence[Table],
        *,
        title: str = "",
        objects: Iterable[Mapping[str, object]] | None = None,
        texts: Iterable[str] | None = None,
        first: int = 0,
        games: Iterable[ReportGame] = (),
    ) -> None:
        """Write tables as objects, CSV or texts, or as a page.

        Args:
            tables: the tables.
            title: what a page is called; by default as all tables are.
            objects: what JSON has in their place.
            texts: the lines that people read in their place.
            first: of a page, the rows after which a reader opens the others; 0 shows all.
            games: the games below the tables of a page.
        """
        if self.is_page:
            write_report(self._target, games, title, [page_table(table, first) for table in tables])
        elif self.is_json:
            fields = (table.objects() for table in tables) if objects is None else objects
            if self._target is None:
                for each in fields:
                    out_json(each)
            else:
                write_pieces(self._target, (f"{json_line(each)}\n".encode() for each in fields))
        elif self._csv:
            write_pieces(self._target, _csv(tables, spreadsheet=self._spreadsheet))
        else:
            whole = (table_text(table, self.width) for table in tables)
            text = "\n\n".join(whole) if texts is None else "\n".join(texts)
            if self._target is None:
                out(text)
            else:
                write_pieces(self._target, [f"{text}\n".encode("utf-8", "surrogateescape")])


def page_table(table: Table, first: int = 0) -> ReportTable:
    """Return a table for a page, of which a reader opens the rows after the first ones; 0 shows all."""
    from reversi.render import ReportTable

    shown = table.shown or table
    return ReportTable(shown.title, _page_rows(shown), _notes(table), first, table.curves)


def _page_rows(table: Table) -> list[list[str]]:
    """Return the lines of a table for a page; a place joins the name after it, which is the heading of the row."""
    lines = table.lines()
    if table.columns[0].name != "place":
        return lines
    return [[" ".join(filter(None, line[:2])), *line[2:]] for line in lines]


def _notes(table: Table) -> list[str]:
    return [f"… and {table.rest} more"] if table.rest else []


def table_text(table: Table, width: int = 0) -> str:
    """Return a table as `Table.text` does, with a line for the rows that are left out."""
    return "\n".join([table.text(width), *(f"{note} (--top 0)" for note in _notes(table))])


def _csv(tables: Sequence[Table], *, spreadsheet: bool) -> Iterator[bytes]:
    """Yield tables as CSV: one if their columns are the same, else one after the other, a blank line between."""
    same = len({tuple(column.name for column in table.columns) for table in tables}) == 1
    for number, table in enumerate(tables):
        if number and not same:
            yield b"\n"
        yield from table.csv_pieces(spreadsheet=spreadsheet, head=not number or not same)
