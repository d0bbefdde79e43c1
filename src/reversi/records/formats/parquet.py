"""The writer of Parquet. This needs the extra `tables`; the columns are those of every table of games."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from reversi._system.arrow import TableWriter, load_arrow
from reversi.records.formats.format import NameFile
from reversi.records.formats.game_columns import GAMES, checked_row, described, row_of
from reversi.records.record import Record

_ROWS: Final = 10_000  # in a row group


class ParquetWriter:
    """Games on their way into a file of Parquet.

    Raises:
        MissingExtraError: the extra `tables` is not installed.
    """

    def __init__(self) -> None:
        arrow = load_arrow()
        self.names: tuple[NameFile, NameFile] | None = None
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self._arrow = arrow
        tags = arrow.map_(arrow.string(), arrow.string())
        types = {
            name: tags if column.type_ == "tags" else getattr(arrow, column.type_)()
            for name, column in GAMES.items()
        }
        self._schema = described(arrow, arrow.schema(list(types.items())), GAMES, "reversi record")
        self._table = TableWriter("parquet", self._schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, record: Record) -> bytes:
        """Add a game and return the bytes that are ready.

        Raises:
            RecordError: a cell is too long to be read back.
        """
        row = checked_row(row_of(record))
        row["tags"] = list(row["tags"].items())
        self._rows.append(row)
        return self._written() if len(self._rows) == _ROWS else b""

    def _written(self) -> bytes:
        batch = self._arrow.RecordBatch.from_pylist(self._rows, schema=self._schema)
        self._rows = []
        return self._table.add(batch)

    def finish(self) -> bytes:
        return self._written() + self._table.finish()
