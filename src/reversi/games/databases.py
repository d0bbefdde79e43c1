"""Databases among the files of games: asked in SQL in place of being read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeAlias, TypeVar

from reversi.games.database.database import Database
from reversi.games.files import FileGames, Report, ReportKind
from reversi.records.formats.database.file import DatabaseError, DatabaseMemoryError, DatabaseUnavailableError
from reversi.records.formats.database.layout import MAGIC, MAGIC_AT
from reversi.records.sources.finding import FoundFile

Answer = TypeVar("Answer")

OpenDatabase: TypeAlias = Callable[[str], AbstractContextManager[Database]]
"""What opens a database for a block."""


def is_database(file: FoundFile) -> bool:
    """Return whether a file is a database."""
    try:
        with Path(file.path).open("rb") as stream:
            return not file.error and stream.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    except (OSError, ValueError):
        return False  # reading it says why


def is_alone(games: FileGames) -> bool:
    """Return whether a database, and nothing else, has all these games."""
    return len(games.paths) == 1 and is_database(FoundFile(games.paths[0]))


def answers_of(
    games: FileGames, file: FoundFile, ask: Callable[[Database], Iterator[Answer]], open_: OpenDatabase
) -> Iterator[Answer]:
    """Yield the answers of a database among files of games; report one that cannot be read.

    Raises:
        DatabaseMemoryError: DuckDB needs more memory.
        DatabaseUnavailableError: DuckDB is not installed.
    """
    try:
        with open_(file.path) as database:
            games.take(database.count(), 1, 0, names=False)
            games.at = file.path
            yield from ask(database)
    except (DatabaseMemoryError, DatabaseUnavailableError):
        raise
    except DatabaseError as error:
        kind = ReportKind.MISSING if isinstance(error, OSError) else ReportKind.DAMAGED
        games.report(Report(kind, str(error)))
