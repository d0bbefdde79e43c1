"""The database of a command: its option, and how it is opened."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from reversi._system.paths import is_folder, may_exist
from reversi.cli.console import fail, out, out_json, reason
from reversi.cli.option_groups import Flag
from reversi.cli.options import option
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.games.database.database import Database
from reversi.records.formats.database.file import DatabaseWriteError
from reversi.text.counting import counted

FileOption = Annotated[
    str,
    option(
        "FILE", "Use this database instead of games.duckdb in the user's data folder.", "--db", envvar="REVERSI_DB"
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write one JSON object per line.")]
MemoryOption = Annotated[
    int | None,
    option(
        "MB",
        "Let DuckDB take at most MB megabytes of memory.",
        "--memory",
        min=1,
        show_default="half of the memory to read, an eighth to change or copy tables",
    ),
]


@dataclass(frozen=True)
class DatabaseOptions:
    """The options of every command of a database."""

    db: FileOption = ""
    memory: MemoryOption = None

    def opened(self, *, write: bool = False, change: bool = False) -> AbstractContextManager[Database]:
        """Open the database; see `opened_database`."""
        return opened_database(self.db, self.memory, write=write, change=change)


@dataclass(frozen=True)
class ChangeOptions(DatabaseOptions):
    """The options of a command that changes a database."""

    dry_run: Annotated[bool, Flag("Show what would change; change nothing.")] = False
    json: JsonOption = False

    @property
    def would(self) -> str:
        """What comes before the word for a change: it is made, or would be."""
        return "would be " if self.dry_run else ""

    def report(self, fields: dict[str, object], *lines: str) -> None:
        """Write what has changed, or would: as JSON, or as lines."""
        if self.json:
            out_json({**fields, "dry_run": self.dry_run})
        else:
            for line in filter(None, lines):
                out(line)

    def repeated(self, games: int) -> str:
        """The line about games of several files that have become the same; "" for none."""
        removed = f"{counted(games, 'game')} of several files {self.would}removed; the first of each stays"
        return removed if games else ""


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
