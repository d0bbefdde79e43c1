"""The database of a command: its option, and how it is opened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi.cli.console import fail, reason
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.database.database import Database
from reversi.database.file import DatabaseUnavailableError, DatabaseWriteError
from reversi.database.searching import GameQuery
from reversi.records.collection.selection import Selection

__all__ = [
    "DryRunOption",
    "FileOption",
    "JsonOption",
    "LimitOption",
    "most_rows",
    "opened_database",
    "query_of",
]

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
LimitOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        show_default="20 for a list to read, all for files and --json",
        help="List or write at most N; 0 is all.",
    ),
]
_LISTED: Final = 20


def most_rows(limit: int | None, *, whole: bool) -> int | None:
    """Return how many rows to show, `None` for all.

    Args:
        limit: the value of `--limit`.
        whole: whether a program or a file gets the rows; people get the first ones unless there is a limit.
    """
    if limit is None:
        return None if whole else _LISTED
    return limit or None


def query_of(
    selection: Selection, *, twins: bool = False, limit: int | None = None, sort: tuple[str, ...] = ()
) -> GameQuery:
    """Return the query for the games that a selection takes."""
    return GameQuery(
        selection.player,
        selection.black,
        selection.white,
        selection.event,
        selection.years,
        selection.results,
        selection.positions,
        twins,
        limit,
        selection.aliases,
        selection.tags,
        sort,
    )


@contextlib.contextmanager
def opened_database(
    option: str, *, write: bool = False, change: bool = False, low_memory: bool = False
) -> Iterator[Database]:
    """Open the database of an option; a file that is missing or cannot be created ends the command.

    Args:
        option: the value of `--db`.
        write: create the file if it does not exist.
        change: open an existing file for writing.
        low_memory: keep little of the file in memory.
    """
    path = database_path(option)
    try:
        with _opened(path, write=write, change=change, make_folder=not option, low_memory=low_memory) as database:
            yield database
    except DatabaseUnavailableError as error:
        fail(Status.USAGE, str(error))
    except DatabaseWriteError as error:
        fail(Status.CANNOT_WRITE, str(error))


def _opened(path: Path, *, write: bool, change: bool, make_folder: bool, low_memory: bool) -> Database:
    try:
        if path.is_dir():
            fail(Status.USAGE, f"{path}: is a folder; name a file in it")
        if write:
            if make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            if not path.parent.is_dir():
                fail(Status.CANNOT_WRITE, f"{path}: folder {path.parent} does not exist; create it first")
        elif not path.exists():
            fail(
                Status.NO_INPUT,
                f"{path}: does not exist; 'reversi db import PATH... --db FILE' creates it",
            )
        return Database(path, create=write, write=change, low_memory=low_memory)
    except OSError as error:  # a name too long, a folder that cannot be created
        fail(Status.CANNOT_WRITE if write else Status.NO_INPUT, f"{path}: {reason(error)}")
