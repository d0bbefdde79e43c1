"""Databases among the files of games: asked in SQL in place of being read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from reversi.games.database.database import Database
from reversi.games.files import FileGames, Report, ReportKind
from reversi.records.formats.database.file import DatabaseError, DatabaseMemoryError
from reversi.records.formats.database.layout import MAGIC, MAGIC_AT
from reversi.records.sources.finding import FoundFile

Answer = TypeVar("Answer")


def is_database(file: FoundFile) -> bool:
    """Return whether a file is a database."""
    try:
        with Path(file.path).open("rb") as stream:
            return not file.error and stream.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    except (OSError, ValueError):
        return False  # reading it says why


def answers_of(games: FileGames, file: FoundFile, ask: Callable[[Database], Iterator[Answer]]) -> Iterator[Answer]:
    """Yield the answers of a database among files of games; report one that cannot be read.

    Raises:
        DatabaseMemoryError: DuckDB needs more memory.
    """
    try:
        with Database(file.path) as database:
            games.take(database.count(), 1, 0, names=False)
            yield from ask(database)
    except DatabaseMemoryError:
        raise
    except DatabaseError as error:
        games.report(Report(ReportKind.DAMAGED, str(error)))
