"""The database of a command: its option, and how it is opened."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from reversi._system.paths import is_folder, may_exist
from reversi.cli.console import fail, reason
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.games.database.database import Database
from reversi.records.formats.database.file import DatabaseWriteError

FileOption = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="FILE",
        envvar="REVERSI_DB",
        help="Use this database instead of games.duckdb in the user's data folder.",
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Write one JSON object per line.")]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="MB",
        min=1,
        show_default="half of the memory to read, an eighth to change or copy tables",
        help="Let DuckDB take at most MB megabytes of memory.",
    ),
]


@contextlib.contextmanager
def opened_database(
    option: str,
    memory: int | None = None,
    *,
    write: bool = False,
    change: bool = False,
    low_memory: bool = False,
) -> Iterator[Database]:
    """Open the database of an option; a file that is missing or cannot be created ends the command.

    Args:
        option: the value of `--db`.
        memory: the value of `--memory`.
        write: create the file if it does not exist.
        change: open an existing file for writing.
        low_memory: keep little of the file in memory.
    """
    path = database_path(option)
    open_ = functools.partial(Database, path, create=write, write=change, low_memory=low_memory, memory_mb=memory)
    try:
        with _opened(path, open_, write=write, make_folder=not option) as database:
            yield database
    except DatabaseWriteError as error:
        fail(Status.CANNOT_WRITE, str(error))


def _opened(path: Path, open_: Callable[[], Database], *, write: bool, make_folder: bool) -> Database:
    try:
        if is_folder(path):
            fail(Status.USAGE, f"{path}: is a folder; name a file in it")
        if write:
            if make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            if not is_folder(path.parent):
                fail(Status.CANNOT_WRITE, f"{path}: folder {path.parent} does not exist; create it first")
        elif not may_exist(path):
            fail(
                Status.NO_INPUT,
                f"{path}: does not exist; 'reversi db import PATH... --db FILE' creates it",
            )
        return open_()
    except OSError as error:  # a name too long, a folder that cannot be created
        fail(Status.CANNOT_WRITE if write else Status.NO_INPUT, f"{path}: {reason(error)}")
