"""Tables in Parquet, read and written some rows at a time. This needs the extra `tables`."""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any, BinaryIO, Final

from reversi._system.arrow import TableWriter, load_arrow
from reversi.arguments import Frame
from reversi.errors import InputError, ResourceError
from reversi.records.formats.format import NameFile
from reversi.records.formats.game_columns import GAMES, checked_row, described, row_of
from reversi.records.formats.tables.columns import Row
from reversi.records.formats.tables.table import BinaryTableFormat, read_table
from reversi.records.holding import Capabilities
from reversi.records.notes import clean
from reversi.records.record import Record

_MAGIC: Final = b"PAR1"
_ROWS: Final = 256  # that are read at once
_GROUP: Final = 10_000  # that are written at once
_MEMORY: Final = 1 << 24  # bytes of a stream that are held in memory, since Parquet is read from its end
_PIECE: Final = 1 << 20
_SKIPPED: Final = ("key", "game_key", "play_key")  # of this program


def is_parquet(head: bytes, size: int) -> bool:
    return head.startswith(_MAGIC)


def parquet_table(stream: BinaryIO) -> Iterator[Row]:
    """Return the rows of a file, each with its number.

    Raises:
        InputError: the extra `tables` is not installed.
    """
    try:
        arrow = load_arrow()
    except ResourceError as error:
        raise InputError(str(error)) from None
    return _rows(arrow, stream)


def _rows(arrow: Any, stream: BinaryIO) -> Iterator[Row]:
    from pyarrow import parquet

    with contextlib.ExitStack() as stack:
        file: BinaryIO | IO[bytes] = stream
        if not stream.seekable():
            file = stack.enter_context(tempfile.SpooledTemporaryFile(_MEMORY))
            while piece := stream.read(_PIECE):
                file.write(piece)
            file.seek(0)
        try:
            table = parquet.ParquetFile(arrow.PythonFile(file, mode="r"), pre_buffer=False)
            columns = [name for name in table.schema_arrow.names if name not in _SKIPPED]
            number = 0
            for batch in table.iter_batches(_ROWS, columns=columns, use_threads=False):
                for number, cells in enumerate(batch.to_pylist(), number + 1):  # noqa: B020 - it goes on
                    yield Row(number, cells)
        except (arrow.ArrowException, OSError, ValueError, OverflowError, UnicodeDecodeError) as error:
            if isinstance(error, InputError):
                raise
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"Parquet that cannot be read: {clean(why[:200])}") from None


def frame_rows(frame: Frame) -> Iterator[Row]:
    """Return the rows of a table in memory: of PyArrow, polars, pandas, DuckDB and their like.

    Raises:
        MissingExtraError: the extra `tables` is not installed.
    """
    number = 0
    for batch in load_arrow().RecordBatchReader.from_stream(frame):
        read = batch.select([name for name in batch.schema.names if name not in _SKIPPED])
        for at in range(0, batch.num_rows, _ROWS):
            for number, cells in enumerate(read.slice(at, _ROWS).to_pylist(), number + 1):  # noqa: B020 - it goes on
                yield Row(number, cells)


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
        return self._written() if len(self._rows) == _GROUP else b""

    def _written(self) -> bytes:
        batch = self._arrow.RecordBatch.from_pylist(self._rows, schema=self._schema)
        self._rows = []
        return self._table.add(batch)

    def finish(self) -> bytes:
        return self._written() + self._table.finish()


FORMAT: Final = BinaryTableFormat(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet",),
    holds=Capabilities({}),
    recognize=is_parquet,
    read=lambda stream, path, problems, encoding: read_table(parquet_table(stream)),
    write=lambda names: ParquetWriter(),
    table=parquet_table,
)
