"""`reversi db sql`: ask a database in SQL."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from json import dumps
from typing import Annotated, Any, Final

import typer

from reversi.cli.console import command, err, fail, out, out_json, stdin_buffer
from reversi.cli.database import DatabaseOptions, JsonOption
from reversi.cli.option_groups import excludes, needs
from reversi.cli.options import EncodingOption, argument
from reversi.cli.outputs import SpreadsheetOption, write_pieces
from reversi.cli.status import Status
from reversi.games import QueryError
from reversi.text.counting import counted
from reversi.text.decoding import decode_text
from reversi.text.spreadsheet import spreadsheet_cell
from reversi.text.widths import filled, width_of

_BLOCK: Final = 1000  # rows; the first ones give the columns their widths
_MAX_BYTES: Final = 1 << 20


@command(*excludes("--json", "--csv"), *needs("--spreadsheet", "--csv"))
def sql(
    query: Annotated[str, argument("QUERY", "One statement of SQL; - reads standard input.")],
    db: DatabaseOptions,
    json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV, with the names of the columns.")] = False,
    spreadsheet: SpreadsheetOption = False,
    encoding: EncodingOption = "",
) -> None:
    """Query a database in SQL. A query can only read, and only from this database.

    The tables are games and positions; docs/database.md describes their columns. The dialect is DuckDB's.

    Example: reversi db sql "select opening, count(*) from games group by opening order by 2 desc limit 10"

    Example: reversi db sql "select black, white, result from games where theoretical_score = 0" --csv
    """
    try:
        with db.opened() as database:
            columns, rows = database.sql(_text(query, encoding)).rows()
            if json:
                _write_json(columns, rows)
            elif as_csv:
                write_pieces(None, _csv(columns, rows, spreadsheet_cell if spreadsheet else str))
            else:
                _write_table(columns, rows)
    except QueryError as error:
        fail(Status.USAGE, str(error))


def _text(query: str, encoding: str) -> str:
    if query != "-":
        return query
    data = stdin_buffer().read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        fail(Status.USAGE, f"standard input: more than {_MAX_BYTES} bytes; give a shorter query")
    return decode_text(data, "standard input", encoding)


def _write_json(columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> None:
    names = _distinct(columns)
    for row in rows:
        out_json(dict(zip(names, map(_json, row), strict=True)))


def _distinct(columns: tuple[str, ...]) -> list[str]:
    """Return names of which an object can have each."""
    names: list[str] = []
    for column in columns:
        name, number = column, 0
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def _json(value: Any) -> Any:
    match value:
        case float() | Decimal():
            return float(value) if math.isfinite(value) else None
        case None | bool() | int() | str():
            return value
        case list() | tuple():
            return [_json(item) for item in value]
        case dict():
            return {str(key): _json(item) for key, item in value.items()}
        case bytes():
            return value.hex()
    return str(value)


def _csv(columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]], cell: Callable[[str], str]) -> Iterator[bytes]:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(cell, columns))
    while block := list(islice(rows, _BLOCK)):
        writer.writerows([_csv_cell(value, cell) for value in row] for row in block)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _csv_cell(value: Any, cell: Callable[[str], str]) -> Any:
    if isinstance(value, dict | list):
        return dumps(_json(value), ensure_ascii=False, separators=(",", ":"))
    return cell(value) if isinstance(value, str) else value


def _write_table(columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> None:
    count = 0
    widths = [0] * len(columns)
    right = [True] * len(columns)
    while block := list(islice(rows, _BLOCK)):
        cells = [[_cell(value) for value in row] for row in block]
        if not count:
            values = zip(*block, strict=True)
            right = [all(isinstance(value, int | float | Decimal | None) for value in column) for column in values]
            widths = [max(map(width_of, column)) for column in zip(columns, *cells, strict=True)]
            out(_line(columns, widths, right))
        for row in cells:
            out(_line(row, widths, right))
        count += len(block)
    if not count and columns:
        out("  ".join(columns))
    err(f"reversi: {counted(count, 'row')}")


def _line(cells: list[str] | tuple[str, ...], widths: list[int], right: list[bool]) -> str:
    return "  ".join(
        filled(cell, width, right=is_right) for cell, width, is_right in zip(cells, widths, right, strict=True)
    ).rstrip()


def _cell(value: Any) -> str:
    """Return a value as one line; null is empty."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(str(value).split("\n"))
