"""Games as the rows of a table, for data frames and SQL, and the writer of Parquet.

Parquet needs the extra `tables`. The columns are `COLUMNS`. ``record`` has the whole game in this program's own
format: the table loses nothing.

`reversi.database.views` defines the tables of a database separately: SQL makes them, and they add what only an
import knows (years, openings, keys). There, ``tags`` has all tags, ``record`` is null where the other columns say
all, and ``score`` falls back on the recorded result. Columns of the same name agree otherwise for legal games; a
test compares them.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from reversi._core import Position
from reversi._system.arrow import TableWriter, load_arrow
from reversi.records.counts import board_result
from reversi.records.formats.format import NameFile
from reversi.records.record import Record, format_record
from reversi.text.boards import format_board
from reversi.text.transcripts import format_transcript

__all__ = ["COLUMNS", "ParquetWriter", "row_of"]

COLUMNS: Final = {
    "event": "string",
    "site": "string",
    "date": "string",
    "round": "string",
    "black": "string",
    "white": "string",
    "result": "string",
    "score": "int16",
    "rules": "string",
    "start": "string",
    "moves": "string",
    "plies": "int16",
    "passes": "int16",
    "tags": "string",
    "record": "string",
}
"""The columns and their types. Unknown tags are null. ``score`` is Black's, null before the end of a game;
``start`` is null for the start of the rules; ``tags`` is JSON of the other tags."""

_ROWS: Final = 10_000  # in a row group
_NAMED: Final = ("Event", "Site", "Date", "Round", "Black", "White")


class ParquetWriter:
    """Games on their way into a file of Parquet.

    Raises:
        ResourceError: the extra `tables` is not installed.
    """

    def __init__(self) -> None:
        arrow = load_arrow()
        self.names: tuple[NameFile, NameFile] | None = None
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self._arrow = arrow
        self._schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in COLUMNS.items()])
        self._table = TableWriter("parquet", self._schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, record: Record) -> bytes:
        """Add a game and return the bytes that are ready."""
        self._rows.append(row_of(record))
        return self._written() if len(self._rows) == _ROWS else b""

    def _written(self) -> bytes:
        batch = self._arrow.RecordBatch.from_pylist(self._rows, schema=self._schema)
        self._rows = []
        return self._table.add(batch)

    def finish(self) -> bytes:
        return self._written() + self._table.finish()


def row_of(record: Record) -> dict[str, Any]:
    """Return the row of a game, by the names of `COLUMNS`."""
    moves, tags, result = record.moves, dict(record.tags), board_result(record)
    others = {name: value for name, value in tags.items() if name not in _NAMED}
    row: dict[str, Any] = {name.lower(): tags[name] if tags[name].strip(" ?.-") else None for name in _NAMED}
    return row | {
        "result": record.result,
        "score": None if result is None else result.score,
        "rules": str(record.rules),
        "start": None if record.start == Position(record.rules) else format_board(record.start),
        "moves": format_transcript(moves),
        "plies": len(moves),
        "passes": sum(move.is_pass for move in moves),
        "tags": json.dumps(others, ensure_ascii=False),
        "record": format_record(record),
    }
