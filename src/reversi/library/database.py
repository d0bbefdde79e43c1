"""The database of a library of games: one file, opened, checked and asked.

Its tables are described in :mod:`reversi.library.layout`.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reversi._core import Position
from reversi.errors import ReversiError
from reversi.library.layout import MISSING, OLDEST, SCHEMA, VERSION
from reversi.resources import usable_cpus, usable_memory_mb

if TYPE_CHECKING:
    from types import TracebackType

    from duckdb import DuckDBPyConnection

    from reversi.library.exploring import Exploration
    from reversi.library.importing import Import
    from reversi.library.searching import GameQuery, LibraryGame
    from reversi.records.record import Record

__all__ = [
    "Library",
    "LibraryError",
    "LibraryInfo",
    "LibraryUnavailableError",
    "LibraryWriteError",
]

_AT_ONCE: Final = 1000  # rows that are fetched together


class LibraryError(ReversiError):
    """A library that cannot be opened, read or written; the message names the file and what to do."""


class LibraryWriteError(LibraryError):
    """A library whose file cannot be made or written; the message names the file."""


class LibraryUnavailableError(LibraryError):
    """DuckDB or NumPy is not installed; the message says how to install them."""


@dataclass(frozen=True, slots=True)
class LibraryInfo:
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


class Library:
    """A library of games. Open one with :meth:`open`; close it, or use it in a ``with`` statement.

    One process can write to it, or several can read it.

    Attributes:
        path: its file.
        version: the version of its layout.
    """

    def __init__(
        self, connection: DuckDBPyConnection, path: Path, *, new: bool = False, version: int = VERSION
    ) -> None:
        self.path = path
        self.version = version
        self._connection = connection
        self._new = new

    @classmethod
    def open(cls, path: str | Path, *, create: bool = False, write: bool = False) -> Library:
        """Open a library. One of an older layout is read as it is, and brought to today's where it is written.

        Args:
            path: its file.
            create: make an empty one where there is no file, and open it for writing.
            write: whether games are to be imported.

        Raises:
            LibraryError: there is no such file, it is no library, damaged, of another version, or in use; or
                DuckDB is not installed.
            LibraryWriteError: it is to be written, and cannot be.
            OSError: no file can have that name.
        """
        path = Path(path)
        new = not path.exists()
        if new and not create:
            raise LibraryError(f"{path}: there is no library; make one with an import")
        write = write or create
        version = VERSION
        with told(path, write=write):
            connection = _connect(path, read_only=not write)
            try:
                if new:
                    connection.execute("begin")
                    connection.execute(SCHEMA)
                    connection.execute("insert into reversi_library values (?)", [VERSION])
                    connection.execute("commit")
                elif (version := _version(connection, path)) < VERSION and write:
                    from reversi.library.migrating import migrate

                    migrate(cls(connection, path, version=version), connection)
                    version = VERSION
            except BaseException:
                connection.close()
                if new:
                    _remove(path)
                raise
        return cls(connection, path, new=new, version=version)

    def close(self) -> None:
        """Close the file. A new one that nothing was imported into is removed. Closing twice is allowed."""
        with told(self.path, write=True):
            self._connection.close()
        if self._new:
            self._new = False
            _remove(self.path)

    def keep(self) -> None:
        """Keep a new file from now on: something was imported into it."""
        self._new = False

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """The answer to a question in SQL (the layout is described in this module).

        It reaches only the library: no other file is read or written.

        Raises:
            LibraryError: it cannot be read, or the question reaches beyond the library.
        """
        with told(self.path):
            return self._connection.execute(query, parameters or []).fetchall()

    def stream(self, query: str, parameters: list[Any] | None = None) -> Iterator[tuple[Any, ...]]:
        """The answer to a question in SQL, as :meth:`rows` gives it, without holding all of it in memory.

        Raises:
            LibraryError: it cannot be read, or the question reaches beyond the library.
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

    def info(self) -> LibraryInfo:
        """What it holds.

        Raises:
            LibraryError: it cannot be read.
        """
        (row,) = self.rows(
            "select (select count(*) from games), (select count(*) from positions),"
            " (select count(*) from players), (select count(*) from sources),"
            " (select min(year) from games), (select max(year) from games)"
        )
        return LibraryInfo(*row)

    def importing(self) -> Import:
        """Begin an import: a transaction that ends with all its games in the library, or none. One at a time.

        Raises:
            LibraryError: the library was not opened for writing, or NumPy is not installed.
        """
        from reversi.library.importing import Import

        return Import(self, self._connection)

    def explore(self, position: Position) -> Exploration:
        """What was played in a position, however it was reached, mirrored and turned ones included.

        Raises:
            LibraryError: it cannot be read.
        """
        from reversi.library.exploring import explore

        return explore(self, position)

    def games(self, query: GameQuery) -> list[LibraryGame]:
        """The games that a query asks for, by year, event and number.

        Raises:
            LibraryError: it cannot be read.
        """
        from reversi.library.searching import games

        return games(self, query)

    def count(self, query: GameQuery) -> int:
        """How many games a query asks for, whatever its limit.

        Raises:
            LibraryError: it cannot be read.
        """
        from reversi.library.searching import count

        return count(self, query)

    def record(self, game: int) -> Record:
        """The whole record of a game, as it was imported.

        Args:
            game: its number in the library.

        Raises:
            LibraryError: there is no such game, or it cannot be read.
        """
        from reversi.library.searching import record

        return record(self, game)

    def records(self, query: GameQuery) -> Iterator[Record]:
        """The whole records of the games that a query asks for, in the order of :meth:`games`, one at a time.

        Raises:
            LibraryError: they cannot be read.
        """
        from reversi.library.searching import records

        return records(self, query)


def _remove(path: Path) -> None:
    """Remove a database that was begun, and what lies beside it."""
    for file in (path, path.with_name(path.name + ".wal")):
        with contextlib.suppress(OSError):
            file.unlink()


def _connect(path: Path, *, read_only: bool) -> DuckDBPyConnection:
    try:
        import duckdb
    except ImportError:
        raise LibraryUnavailableError(MISSING) from None
    memory = usable_memory_mb()
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": usable_cpus(),
        "autoinstall_known_extensions": False,  # nothing is fetched from anywhere
        "autoload_known_extensions": False,
        "enable_external_access": False,  # a question in SQL reads and writes no other file
        "lock_configuration": True,
    }
    if memory is not None:
        config["memory_limit"] = f"{max(256, memory // 2)}MB"
    name = os.path.abspath(path)  # noqa: PTH100 - links stay; a bare :memory: would be no file
    try:
        name.encode()
    except UnicodeEncodeError:
        kind = LibraryError if read_only else LibraryWriteError
        raise kind(f"{path}: DuckDB opens only names that are UTF-8; give another name") from None
    _check_head(path)
    return duckdb.connect(name, read_only=read_only, config=config)


def _check_head(path: Path) -> None:
    """Refuse a file that DuckDB would take for one of another kind, a list in CSV or a database of SQLite, say."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_MAGIC_AT + len(_MAGIC))
    except OSError:
        return  # a new library; what cannot be read is DuckDB's to say
    if head[_MAGIC_AT:] != _MAGIC:
        raise LibraryError(f"{path}: {_NO_DATABASE}")


def _version(connection: DuckDBPyConnection, path: Path) -> int:
    """The version of the layout of a database, which is one that can be read."""
    tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    if "reversi_library" not in tables:
        raise LibraryError(f"{path}: a DuckDB database, but no library of games; give another file")
    found = connection.execute("select version from reversi_library").fetchall()
    version = found[0][0] if len(found) == 1 else "unknown"
    if version not in range(OLDEST, VERSION + 1):
        raise LibraryError(
            f"{path}: a library of layout {version}, and this program reads {OLDEST} to {VERSION};"
            " update the program, or import the games anew"
        )
    if not {"sources", "players", "games", "positions"} <= tables:
        raise LibraryError(f"{path}: damaged, tables are missing; import the games anew")
    return int(version)


@contextlib.contextmanager
def told(path: Path, *, write: bool = False) -> Iterator[None]:
    """Turn the database's errors into :class:`LibraryError`, in one line that names the file.

    An interrupt that the database met is a ``KeyboardInterrupt`` again.

    Args:
        path: the file.
        write: whether it is being written: what goes wrong with the file is a :class:`LibraryWriteError` then.
    """
    try:
        import duckdb
    except ImportError:
        raise LibraryUnavailableError(MISSING) from None
    try:
        with interruptible():
            yield
    except duckdb.Error as error:
        reason = _reason(str(error))
        unwritten = write and reason != _IN_USE and _CANNOT_WRITE.search(str(error)) is not None
        raise (LibraryWriteError if unwritten else LibraryError)(f"{path}: {reason}") from None


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


_MAGIC_AT: Final = 8  # after a checksum
_MAGIC: Final = b"DUCK"
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
