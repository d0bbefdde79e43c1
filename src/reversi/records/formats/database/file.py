"""The file of a database: run SQL on it, describe it, and name its errors.

`reversi.records.formats.database.layout` describes its tables.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import reversi._regex as re
from reversi._system.closing import ClosedAtEnd
from reversi._system.held_signals import SignalsHeld
from reversi._system.paths import real_path
from reversi.errors import MissingExtraError, MissingFileError, ReversiError
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.layout import MISSING

_AT_ONCE: Final = 1000  # rows per fetch


class DatabaseError(ReversiError):
    """A database that cannot be opened, read or written; the message names the file and what to do."""


class DatabaseMissingError(DatabaseError, MissingFileError):
    """A database whose file does not exist."""


class DatabaseWriteError(DatabaseError):
    """A database whose file cannot be created or written; the message names the file."""


class DatabaseReadError(DatabaseError, OSError):
    """A database whose file the system refuses to open, or another process has open for writing."""

    def __init__(self, path: Path, reason: str) -> None:
        OSError.__init__(self, errno.EACCES, reason, str(path))

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class DatabaseMemoryError(DatabaseError, MemoryError):
    """DuckDB needs more memory than it may take; the message says how much that is, and what to do."""


class DatabaseUnavailableError(DatabaseError, MissingExtraError):
    """DuckDB or NumPy is not installed; the message says how to install them."""


class DatabaseFile(ClosedAtEnd):
    """The open file of a database, for questions in SQL."""

    def __init__(self, connection: Connection, path: Path, *, new: bool = False) -> None:
        self.path = path
        self._connection = connection
        self._new = new
        self._closed = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path}>"

    @property
    def _is_open(self) -> bool:
        return not self._closed

    def close(self) -> None:
        """Close the file, and remove a new one without an import. Closing twice is allowed."""
        self._closed = True
        try:
            with duckdb_errors(self.path, write=True):
                self._connection.close()
        finally:
            if self._new:
                self._new = False
                remove_file(self.path)

    def keep(self) -> None:
        """Keep a new file when it closes: an import added games."""
        self._new = False

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the answer to a question in SQL; `reversi.records.formats.database.layout` describes the tables.

        SQL cannot read or write other files.

        Raises:
            DatabaseError: the file cannot be read, or the question reaches beyond it.
        """
        with duckdb_errors(self.path):
            return self._connection.rows(query, parameters)

    def stream(self, query: str, parameters: list[Any] | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield the answer to a question in SQL row by row, without holding all of it in memory.

        Raises:
            DatabaseError: the file cannot be read, or the question reaches beyond it.
        """
        with duckdb_errors(self.path):
            cursor = self._connection.cursor().execute(query, parameters or [])
        try:
            while True:
                with duckdb_errors(self.path):
                    rows = cursor.fetchmany(_AT_ONCE)
                if not rows:
                    return
                yield from rows
        finally:
            cursor.close()

    def interrupt(self) -> None:
        """End the question that another thread asks; it raises `DatabaseError` there."""
        self._connection.interrupt()


def remove_file(path: Path) -> None:
    """Remove the file of a new database and its log."""
    for file in (real_path(path), log_of(path)):  # a link is older than what it names
        with contextlib.suppress(OSError):
            file.unlink()


def log_of(path: Path) -> Path:
    """Return the file where DuckDB logs what the file of a database does not contain yet."""
    return path.with_name(path.name + ".wal")


def load_duckdb() -> ModuleType:
    """Return DuckDB. What a signal raises within its import would end the process, so signals wait.

    Raises:
        DatabaseUnavailableError: it is not installed.
    """
    try:
        with SignalsHeld():
            import duckdb
    except ImportError:
        raise DatabaseUnavailableError(MISSING) from None
    return duckdb


@contextlib.contextmanager
def duckdb_errors(path: Path, *, write: bool = False) -> Iterator[None]:
    """Raise the errors of DuckDB as `DatabaseError`, in one line that names the file.

    Args:
        path: the file.
        write: whether to write the file; an error of the file is a `DatabaseWriteError` then.
    """
    duckdb = load_duckdb()
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        limit = _LIMIT.search(str(error))
        raise DatabaseMemoryError(
            f"{path}: {limit[1] if limit else 'its limit'} of memory is not enough for DuckDB; give it more"
            " (memory_mb, --memory MB), or import fewer games at a time"
        ) from None
    except duckdb.Error as error:
        reason = _reason(str(error))
        if write and (reason == _IN_USE or _CANNOT_WRITE.search(str(error)) is not None):
            raise DatabaseWriteError(f"{path}: {reason}") from None
        if reason == _IN_USE or reason.startswith(_CLOSED):
            raise DatabaseReadError(path, reason) from None
        raise DatabaseError(f"{path}: {reason}") from None


_LIMIT: Final = re.compile(r"/([0-9.]+ [A-Za-z]+) used")
NO_DATABASE: Final = "not a DuckDB database; give one, as 'reversi db import PATH... --db FILE' makes of games"
_IN_USE: Final = "in use by another process; wait for it to end"
_CLOSED: Final = "cannot be opened"
_IN_USE_HERE: Final = "already open in this program, for writing or with duckdb.connect; close it there first"

_CANNOT_WRITE: Final = re.compile(
    "cannot open file|could not write|failed to write|no space left|disk quota|permission denied|read-only file"
    "|could not create|could not sync|could not truncate|file size limit|file too large",
    re.IGNORECASE,
)

_REFUSED: Final = re.compile(r'(?:cannot open|could not read from) file "[^"\n]*": ([^\n]{1,200})', re.IGNORECASE)
"""What the system says of a file that it does not open."""


def in_use(error: BaseException) -> bool:
    """Return whether another process, or another connection of this one, has the file."""
    return _reason(str(error)) in (_IN_USE, _IN_USE_HERE)


def _reason(text: str) -> str:
    """Return the reason that a message of DuckDB means."""
    folded = text.casefold()
    if "already closed" in folded:
        return "the database was closed"
    if "not a valid duckdb" in folded:
        return NO_DATABASE
    if "different configuration" in folded:
        return _IN_USE_HERE
    if "disabled by configuration" in folded or "disabled through configuration" in folded:
        return "SQL can use only the tables of this database, not other files, databases or extensions"
    if "configuration has been locked" in folded:
        return "the settings of the database cannot change"
    if "read-only mode" in folded:
        return "open for reading only; open it with write=True to change it"
    if "conflicting lock" in folded or "being used by another" in folded:
        return _IN_USE
    if "corrupt" in folded or "checksum" in folded or "deserializ" in folded or "read enough" in folded:
        return "damaged; import the games again"
    if "newer version of duckdb" in folded or "older version of duckdb" in folded:
        return "written by another version of DuckDB, which this one cannot read; update DuckDB"
    if "no space left" in folded or "disk quota" in folded:
        return "cannot be written: the disk is full"
    if folded.startswith("interrupt"):
        return "the question was interrupted"
    if refusal := _REFUSED.search(text):
        return f"{_CLOSED}: {refusal[1].strip()}"
    if "no such file or directory" in folded or "cannot open file" in folded:
        return _CLOSED
    return f"DuckDB fails: {' '.join(text.split())[:200]}"
