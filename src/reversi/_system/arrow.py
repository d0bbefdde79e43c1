"""Files of tables, through Apache Arrow: Parquet, CSV and Arrow IPC, piece by piece.

This needs the extra `tables`: `pip install "reversi-engine[tables]"`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from reversi.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

MISSING: Final = 'tables need pyarrow and polars: pip install "reversi-engine[tables]"'
"""The message of the error when the extra is not installed."""

FORMATS: Final = {"parquet": (".parquet",), "csv": (".csv",), "arrow": (".arrow", ".feather", ".ipc")}
"""The forms of files, each with the suffixes of its names."""


def load_arrow() -> Any:
    """Return the module `pyarrow`.

    Raises:
        MissingExtraError: the extra `tables` is not installed.
    """
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(MISSING) from None
    return pyarrow


def load_polars() -> Any:
    """Return the module `polars`.

    Raises:
        MissingExtraError: the extra `tables` is not installed.
    """
    try:
        import polars
    except ImportError:
        raise MissingExtraError(MISSING) from None
    return polars


class TableWriter:
    """A table on its way into a file: batches of rows in, bytes out.

    Args:
        format_: what to write, one of `FORMATS`.
        schema: the columns.
        cell: changes every text that is written.

    Raises:
        MissingExtraError: the extra `tables` is not installed.
    """

    def __init__(self, format_: str, schema: pa.Schema, cell: Callable[[str], str] | None = None) -> None:
        arrow = load_arrow()
        self._cell = cell
        self._as_text = format_ == "csv"
        if self._as_text:
            schema = _without_maps(arrow, schema)
        self._sink = _Sink()
        self._file = arrow.PythonFile(self._sink, mode="w")
        self._writer = _writer(arrow, format_, self._file, schema)

    def add(self, batch: pa.RecordBatch) -> bytes:
        """Add rows, and return the bytes that are ready. In Parquet, the rows are a row group."""
        if batch.num_rows:
            if self._as_text:
                batch = _maps_as_text(batch)
            if self._cell is not None:
                batch = _changed(batch, self._cell)
            self._writer.write_batch(batch)
        return self._sink.taken()

    def finish(self) -> bytes:
        """Return the rest of the file. No rows can be added afterwards."""
        self._writer.close()
        return self._sink.taken()


def _without_maps(arrow: Any, schema: pa.Schema) -> pa.Schema:
    """Return a schema with text in place of maps."""
    kinds = [arrow.string() if arrow.types.is_map(field.type) else field.type for field in schema]
    return arrow.schema(list(zip(schema.names, kinds, strict=True)))


def _maps_as_text(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows with maps as objects of JSON."""
    arrow = load_arrow()
    columns = []
    for column in batch.columns:
        if arrow.types.is_map(column.type):
            texts = [
                None if value is None else json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"))
                for value in column.to_pylist()
            ]
            columns.append(arrow.array(texts, arrow.string()))
        else:
            columns.append(column)
    return arrow.RecordBatch.from_arrays(columns, schema=_without_maps(arrow, batch.schema))


def _changed(batch: pa.RecordBatch, cell: Callable[[str], str]) -> pa.RecordBatch:
    """Return the rows with every text changed."""
    arrow = load_arrow()
    columns = []
    for column in batch.columns:
        if arrow.types.is_string(column.type):
            texts = column.dictionary_encode()
            values = [cell(text) for text in texts.dictionary.to_pylist()]
            changed = arrow.array(values, column.type)
            columns.append(arrow.DictionaryArray.from_arrays(texts.indices, changed).cast(column.type))
        else:
            columns.append(column)
    return arrow.RecordBatch.from_arrays(columns, schema=batch.schema)


def _writer(arrow: Any, format_: str, file: Any, schema: pa.Schema) -> Any:
    if format_ == "parquet":
        import pyarrow.parquet as pq

        return pq.ParquetWriter(file, schema, compression="zstd")
    if format_ == "csv":
        from pyarrow import csv

        return csv.CSVWriter(file, schema)
    return arrow.ipc.new_file(file, schema, options=arrow.ipc.IpcWriteOptions(compression="zstd"))


class _Sink(io.RawIOBase):
    """A file that keeps what is written to it until somebody takes it."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._before = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._data += data
        return len(data)

    def tell(self) -> int:
        return self._before + len(self._data)

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        data = bytes(self._data)
        self._before += len(data)
        self._data.clear()
        return data
