"""The answers to questions in SQL: rows, or tables of Arrow and polars."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reversi._system.arrow import TableWriter, load_arrow, load_polars
from reversi.arguments import check_type
from reversi.games.database.functions import add_functions
from reversi.games.database.views import views
from reversi.records.formats.database.file import DatabaseError, duckdb_errors
from reversi.text.spreadsheet import spreadsheet_cell

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from reversi.records.formats.database.connection import Connection

_ROWS: Final = 1000  # per fetch
_BATCH: Final = 1 << 18  # rows of a batch, and of a row group in Parquet


class QueryError(DatabaseError):
    """A query that DuckDB refuses; the message says what is wrong with it."""


class SqlQuery:
    """The answer to a question in SQL: rows, or a table of Arrow or polars. Each use asks the question again.

    Args:
        path: the file of the database.
        cursor: a connection.
        query: the question.
        parts: questions whose answers, one after the other, are the answer. `pieces` asks them one at a time, so
            that a table in an order needs no more memory than a part.
        completed: adds columns to rows of Arrow, and says what the columns mean.

    Attributes:
        count: how many rows `pieces` has given.
    """

    def __init__(
        self,
        path: Path,
        cursor: Connection,
        query: str,
        parts: Sequence[str] = (),
        completed: Callable[[pa.RecordBatch], pa.RecordBatch] | None = None,
    ) -> None:
        check_type("path", path, Path)
        check_type("query", query, str)
        self._path = path
        self._cursor = cursor
        self._query = query
        self._parts = parts
        self._completed = completed
        self.count: int = 0

    def rows(self) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
        """Return the names of the columns, and an iterator over the rows.

        Raises:
            QueryError: DuckDB refuses the query, or it fails for a row.
            DatabaseError: the file cannot be read.
        """
        with _query_errors(self._path):
            return self._cursor.execute(self._query).columns, self._fetched()

    def _fetched(self) -> Iterator[tuple[Any, ...]]:
        while True:
            with _query_errors(self._path):
                rows = self._cursor.fetchmany(_ROWS)
            if not rows:
                return
            yield from rows

    def to_arrow(self) -> pa.Table:
        """Return the rows as a table of Arrow.

        Raises:
            MissingExtraError: the extra `tables` is not installed.
            DatabaseError: the file cannot be read, or the query fails.
        """
        reader = self._reader(self._query)
        if self._completed is None:
            with _query_errors(self._path):
                return self._cursor.run(reader.read_all)
        schema = self._empty(reader).schema
        return load_arrow().Table.from_batches(list(self._batches(reader)), schema)

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a data frame of polars.

        Raises:
            MissingExtraError: the extra `tables` is not installed.
            DatabaseError: the file cannot be read, or the query fails.
        """
        polars = load_polars()
        frame: pl.DataFrame = polars.from_arrow(self.to_arrow())
        return frame

    def pieces(self, format_: str, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the bytes of a file of the rows, piece by piece.

        Args:
            format_: ``parquet``, ``csv`` or ``arrow``.
            spreadsheet: put an apostrophe before texts that a spreadsheet could run.

        Raises:
            MissingExtraError: the extra `tables` is not installed.
            DatabaseError: the file cannot be read, or the query fails.
        """
        writer: TableWriter | None = None
        for query in self._parts or (self._query,):
            reader = self._reader(query)
            if writer is None:
                writer = TableWriter(
                    format_, self._empty(reader).schema, spreadsheet_cell if spreadsheet else None
                )
            for batch in self._batches(reader):
                self.count += batch.num_rows
                if piece := writer.add(batch):
                    yield piece
        assert writer is not None
        yield writer.finish()

    def _empty(self, reader: pa.RecordBatchReader) -> pa.RecordBatch:
        """Return no rows, with the columns of the answer."""
        empty = load_arrow().RecordBatch.from_pylist([], reader.schema)
        return empty if self._completed is None else self._completed(empty)

    def _batches(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        while True:
            with _query_errors(self._path):
                batch = self._cursor.run(next, reader, None)
            if batch is None:
                return
            yield batch if self._completed is None else self._completed(batch)

    def _reader(self, query: str) -> pa.RecordBatchReader:
        load_arrow()
        with _query_errors(self._path):
            relation = self._cursor.relation(query)  # a cursor would copy the rows
            if relation is None:
                raise QueryError("the query has no rows; ask with select")
            if hasattr(relation, "to_arrow_reader"):
                return self._cursor.run(relation.to_arrow_reader, _BATCH)
            return self._cursor.run(relation.fetch_arrow_reader, _BATCH)  # DuckDB before 1.5


def ask(
    path: Path,
    connection: Connection,
    query: str,
    parts: Sequence[str] = (),
    completed: Callable[[pa.RecordBatch], pa.RecordBatch] | None = None,
) -> SqlQuery:
    """Return the answer to a question; see `Database.sql` and `SqlQuery`."""
    with duckdb_errors(path):
        cursor = connection.cursor()
        ((catalog,),) = cursor.rows("select current_database()")
        add_functions(cursor)
        cursor.execute(views(catalog))
    with _query_errors(path):
        statements = cursor.statements(query)
    if len(statements) != 1:
        what = f"has {len(statements)} statements" if statements else "is empty"
        raise QueryError(f"the query {what}; give one statement")
    return SqlQuery(path, cursor, query, parts, completed)


@contextlib.contextmanager
def _query_errors(path: Path) -> Iterator[None]:
    """Raise an error that is the query's own as `QueryError`, any other as `duckdb_errors` does."""
    import duckdb

    with duckdb_errors(path):
        try:
            yield
        except (duckdb.ProgrammingError, duckdb.DataError, duckdb.NotSupportedError) as error:
            text = " ".join(str(error).partition("\n\nLINE")[0].split())
            if (why := text.partition(" executing the UDF: ")[2]) and ": " in why:
                raise QueryError(f"the query fails: position_key: {why.partition(': ')[2]}") from None
            if "read-only mode" in text:
                text = "it changes the database, which is open for reading only"
            elif "configuration has been locked" in text:
                text = "the settings of the database cannot change"
            raise QueryError(f"the query fails: {text.rpartition(' Error: ')[2][:300]}") from None
        except duckdb.PermissionException:
            raise QueryError(
                "the query fails: it can use only the tables of this database, not other files, databases or"
                " extensions"
            ) from None
