"""The database of games: importing, exploring positions, finding games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from reversi._core import Position
from reversi._system.limits import usable_cpus, usable_memory_mb
from reversi.database.file import (
    _NO_DATABASE,
    DatabaseError,
    DatabaseFile,
    DatabaseUnavailableError,
    DatabaseWriteError,
    remove_file,
    told,
)
from reversi.database.layout import MISSING, OLDEST, SCHEMA, VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from reversi.database.exploring import Exploration
    from reversi.database.importing import Import
    from reversi.database.searching import DatabaseGame, GameQuery
    from reversi.records.record import Record

__all__ = ["Database"]


class Database(DatabaseFile):
    """A library of games. Open one with :meth:`open`; close it, or use it in a ``with`` statement.

    One process can write to it, or several can read it.

    Attributes:
        path: its file.
        version: the version of its layout.
    """

    @classmethod
    def open(cls, path: str | Path, *, create: bool = False, write: bool = False) -> Self:
        """Open a library. One of an older layout is read as it is, and brought to today's where it is written.

        Args:
            path: its file.
            create: make an empty one where there is no file, and open it for writing.
            write: whether games are to be imported.

        Raises:
            DatabaseError: there is no such file, it is no library, damaged, of another version, or in use; or
                DuckDB is not installed.
            DatabaseWriteError: it is to be written, and cannot be.
            OSError: no file can have that name.
        """
        path = Path(path)
        new = not path.exists()
        if new and not create:
            raise DatabaseError(f"{path}: there is no library; make one with an import")
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
                    from reversi.database.migrating import migrate

                    migrate(cls(connection, path, version=version), connection)
                    version = VERSION
            except BaseException:
                connection.close()
                if new:
                    remove_file(path)
                raise
        return cls(connection, path, new=new, version=version)

    def importing(self) -> Import:
        """Begin an import: a transaction that ends with all its games in the library, or none. One at a time.

        Raises:
            DatabaseError: the library was not opened for writing, or NumPy is not installed.
        """
        from reversi.database.importing import Import

        return Import(self, self._connection)

    def explore(self, position: Position) -> Exploration:
        """What was played in a position, however it was reached, mirrored and turned ones included.

        Raises:
            DatabaseError: it cannot be read.
        """
        from reversi.database.exploring import explore

        return explore(self, position)

    def games(self, query: GameQuery) -> list[DatabaseGame]:
        """The games that a query asks for, by year, event and number.

        Raises:
            DatabaseError: it cannot be read.
        """
        from reversi.database.searching import games

        return games(self, query)

    def count(self, query: GameQuery) -> int:
        """How many games a query asks for, whatever its limit.

        Raises:
            DatabaseError: it cannot be read.
        """
        from reversi.database.searching import count

        return count(self, query)

    def record(self, game: int) -> Record:
        """The whole record of a game, as it was imported.

        Args:
            game: its number in the library.

        Raises:
            DatabaseError: there is no such game, or it cannot be read.
        """
        from reversi.database.searching import record

        return record(self, game)

    def records(self, query: GameQuery) -> Iterator[Record]:
        """The whole records of the games that a query asks for, in the order of :meth:`games`, one at a time.

        Raises:
            DatabaseError: they cannot be read.
        """
        from reversi.database.searching import records

        return records(self, query)


def _connect(path: Path, *, read_only: bool) -> DuckDBPyConnection:
    try:
        import duckdb
    except ImportError:
        raise DatabaseUnavailableError(MISSING) from None
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
        kind = DatabaseError if read_only else DatabaseWriteError
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
        raise DatabaseError(f"{path}: {_NO_DATABASE}")


def _version(connection: DuckDBPyConnection, path: Path) -> int:
    """The version of the layout of a database, which is one that can be read."""
    tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    if "reversi_library" not in tables:
        raise DatabaseError(f"{path}: a DuckDB database, but no library of games; give another file")
    found = connection.execute("select version from reversi_library").fetchall()
    version = found[0][0] if len(found) == 1 else "unknown"
    if version not in range(OLDEST, VERSION + 1):
        raise DatabaseError(
            f"{path}: a library of layout {version}, and this program reads {OLDEST} to {VERSION};"
            " update the program, or import the games anew"
        )
    if not {"sources", "players", "games", "positions"} <= tables:
        raise DatabaseError(f"{path}: damaged, tables are missing; import the games anew")
    return int(version)


_MAGIC_AT: Final = 8  # after a checksum
_MAGIC: Final = b"DUCK"
