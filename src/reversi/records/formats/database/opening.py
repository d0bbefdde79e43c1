"""Open the file of a database with DuckDB, and check that it is one of games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from reversi._system.limits import usable_cpus, usable_memory_mb
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.file import (
    NO_DATABASE,
    DatabaseError,
    DatabaseFile,
    DatabaseWriteError,
    duckdb_errors,
    load_duckdb,
)
from reversi.records.formats.database.layout import MAGIC, MAGIC_AT, VERSION


def opened_file(path: Path) -> DatabaseFile:
    """Open a database to read its games one after another.

    Raises:
        DatabaseError: it is not a database of games, is damaged, of another version or in use; or DuckDB is not
            installed.
    """
    with duckdb_errors(path):
        connection = connect(path, read_only=True, memory_mb=memory_for(least=True))
        try:
            check_layout(connection, path)
        except BaseException:
            connection.close()
            raise
    return DatabaseFile(connection, path)


def memory_for(*, least: bool) -> int | None:
    """Return how much memory DuckDB may take, for what needs the least of it or for any question."""
    memory = usable_memory_mb()
    # an import writes, and an export reads, far more than it looks at twice; DuckDB would keep all of it
    return None if memory is None else max(_LEAST_MB, memory // (8 if least else 2))


def connect(path: Path, *, read_only: bool, memory_mb: int | None) -> Connection:
    duckdb = load_duckdb()
    config: dict[str, str | bool | int | float | list[str]] = {
        # one writer packs its blocks fuller than several, in less memory; imports wait for Python anyway
        "threads": usable_cpus() if read_only else 1,
        "autoinstall_known_extensions": False,  # DuckDB never downloads anything
        "autoload_known_extensions": False,
        "enable_external_access": False,  # SQL reads and writes only this file
        "lock_configuration": True,
    }
    if memory_mb is not None:
        config["memory_limit"] = f"{memory_mb}MiB"
    name = os.path.abspath(path)  # noqa: PTH100 - keeps links; a bare :memory: would not be a file
    try:
        name.encode()
    except UnicodeEncodeError:
        kind = DatabaseError if read_only else DatabaseWriteError
        raise kind(f"{path}: DuckDB opens only UTF-8 names; give another name") from None
    _check_head(path)
    return Connection(duckdb.connect(name, read_only=read_only, config=config))


def _check_head(path: Path) -> None:
    """Refuse a file that DuckDB would open as something else, such as a CSV file or an SQLite database."""
    try:
        with path.open("rb") as stream:
            head = stream.read(MAGIC_AT + len(MAGIC))
    except OSError:
        return  # a new database; DuckDB reports what it cannot read
    if head[MAGIC_AT:] != MAGIC:
        raise DatabaseError(f"{path}: {NO_DATABASE}")


def tables_in(connection: Connection) -> set[str]:
    return {name for (name,) in connection.rows("select table_name from duckdb_tables()")}


def check_layout(connection: Connection, path: Path) -> None:
    """Refuse a database that cannot be read."""
    tables = tables_in(connection)
    if "reversi_library" not in tables:
        raise DatabaseError(f"{path}: a DuckDB database without games of reversi; give another file")
    versions = connection.rows("select version from reversi_library")
    version = versions[0][0] if len(versions) == 1 else "unknown"
    if version != VERSION:
        update = "" if isinstance(version, int) and version < VERSION else "update the program, or "
        raise DatabaseError(
            f"{path}: saved in layout {version}; this version reads layout {VERSION};"
            f" {update}import the games again into a new file"
        )
    if not {"sources", "players", "aliases", "games", "positions", "versions"} <= tables:
        raise DatabaseError(f"{path}: damaged, tables are missing; import the games again")


_LEAST_MB: Final = 256
