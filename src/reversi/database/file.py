"""The database of a library of games: one file, opened, checked and asked.

Its tables are described in :mod:`reversi.database.layout`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from reversi.database.layout import MISSING, VERSION
from reversi.errors import ReversiError

if TYPE_CHECKING:
    from types import TracebackType

    from duckdb import DuckDBPyConnection


__all__ = ["DatabaseError", "DatabaseFile", "DatabaseInfo", "DatabaseUnavailableError", "DatabaseWriteError"]

_AT_ONCE: Final = 1000  # rows that are fetched together


class DatabaseError(ReversiError):
    """A library that cannot be opened, read or written; the message names the file and what to do."""


class DatabaseWriteError(DatabaseError):
    """A library whose file cannot be made or written; the message names the file."""


class DatabaseUnavailableError(DatabaseError):
    """DuckDB or NumPy is not installed; the message says how to install them."""


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """What a library holds.

    Attributes:
        games: how many games.
        positions: how many positions of games, the same ones counted each time.
        players: how many names.
        sources: how many files were imported.
        first: the first year, ``None`` without any.
        last: the last year, ``None`` without any.
    """

    games: int
    positions: int
    players: int
    sources: int
    first: int | None
    last: int | None


class DatabaseFile:
    """The file of a database: opened, checked, described and asked in SQL."""

    def __init__(
        self, connection: DuckDBPyConnection, path: Path, *, new: bool = False, version: int = VERSION
    ) -> None:
        self.path = path
        self.version = version
        self._connection = connection
        self._new = new

    def close(self) -> None:
        """Close the file. A new one that nothing was imported into is removed. Closing twice is allowed."""
        with told(self.path, write=True):
            self._connection.close()
        if self._new:
            self._new = False
            remove_file(self.path)

    def keep(self) -> None:
        """Keep a new file from now on: something was imported into it."""
        self._new = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """The answer to a question in SQL (the layout is described in this module).

        It reaches only the library: no other file is read or written.

        Raises:
            DatabaseError: it cannot be read, or the question reaches beyond the library.
        """
        with told(self.path):
            return self._connection.execute(query, parameters or []).fetchall()

    def stream(self, query: str, parameters: list[Any] | None = None) -> Iterator[tuple[Any, ...]]:
        """The answer to a question in SQL, as :meth:`rows` gives it, without holding all of it in memory.

        Raises:
            DatabaseError: it cannot be read, or the question reaches beyond the library.
        """
        with told(self.path):
            cursor = self._connection.cursor().execute(query, parameters or [])
        try:
            while True:
                with told(self.path):
                    rows = cursor.fetchmany(_AT_ONCE)
                if not rows:
                    return
                yield from rows
        finally:
            cursor.close()

    def info(self) -> DatabaseInfo:
        """What it holds.

        Raises:
            DatabaseError: it cannot be read.
        """
        (row,) = self.rows(
            "select (select count(*) from games), (select count(*) from positions),"
            " (select count(*) from players), (select count(*) from sources),"
            " (select min(year) from games), (select max(year) from games)"
        )
        return DatabaseInfo(*row)


def remove_file(path: Path) -> None:
    """Remove a database that was begun, and what lies beside it."""
    for file in (path, path.with_name(path.name + ".wal")):
        with contextlib.suppress(OSError):
            file.unlink()


@contextlib.contextmanager
def told(path: Path, *, write: bool = False) -> Iterator[None]:
    """Turn the database's errors into :class:`DatabaseError`, in one line that names the file.

    An interrupt that the database met is a ``KeyboardInterrupt`` again.

    Args:
        path: the file.
        write: whether it is being written: what goes wrong with the file is a :class:`DatabaseWriteError` then.
    """
    try:
        import duckdb
    except ImportError:
        raise DatabaseUnavailableError(MISSING) from None
    try:
        with interruptible():
            yield
    except duckdb.Error as error:
        reason = _reason(str(error))
        unwritten = write and reason != _IN_USE and _CANNOT_WRITE.search(str(error)) is not None
        raise (DatabaseWriteError if unwritten else DatabaseError)(f"{path}: {reason}") from None


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Turn what DuckDB makes of an interrupt that came while it worked into ``KeyboardInterrupt`` again."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:  # "Query interrupted"
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise


_NO_DATABASE: Final = "not a library of games (no DuckDB database); give another file"
_IN_USE: Final = "in use by another process; wait for it to end"

_CANNOT_WRITE: Final = re.compile(
    "cannot open file|could not write|failed to write|no space left|disk quota|permission denied|read-only file"
    "|could not create|could not sync|could not truncate|file size limit|file too large",
    re.IGNORECASE,
)


def _reason(text: str) -> str:
    """What a message of DuckDB comes to."""
    folded = text.casefold()
    if "not a valid duckdb" in folded:
        return _NO_DATABASE
    if "different configuration" in folded:
        return "open in this program already, for writing or with duckdb.connect; close it there first"
    if "disabled by configuration" in folded or "disabled through configuration" in folded:
        return "a question reaches only the tables of the library: no other file, no other database, no extension"
    if "configuration has been locked" in folded:
        return "the settings of the database are fixed"
    if "read-only mode" in folded:
        return "open for reading only; open it with write=True to change it"
    if "conflicting lock" in folded or "being used by another" in folded:
        return _IN_USE
    if "corrupt" in folded or "checksum" in folded or "deserializ" in folded:
        return "damaged; import the games anew"
    if "newer version of duckdb" in folded or "older version of duckdb" in folded:
        return "written by another version of DuckDB that this one cannot read; update DuckDB"
    if "no space left" in folded or "disk quota" in folded:
        return "cannot be written: the disk is full"
    if "no such file or directory" in folded or "cannot open file" in folded:
        return "cannot be opened"
    return f"the database cannot go on: {' '.join(text.split())[:200]}"
