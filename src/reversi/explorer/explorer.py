"""The explorer: it joins the engine, the opening book, the names of openings and a database on one position."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Final

from reversi._core import Position, canonical_key
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import MAX_THREADS, TEXT_TO_POSITION, FilePath, check_count, check_type
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.levels import HINT_LEVEL, MAX_LEVEL
from reversi.engine.search import Estimate
from reversi.errors import IllegalMoveError
from reversi.explorer.table import ExplorerRow, ExplorerTable
from reversi.games.database.database import Database
from reversi.games.database.searching import DatabaseGame
from reversi.games.exploring import Exploration
from reversi.games.selection import EVERY_GAME, Selection
from reversi.openings.book import Book, BookError, default_book
from reversi.openings.names import opening_of_position
from reversi.records.formats.database.file import DatabaseError, DatabaseMissingError
from reversi.records.record import Record
from reversi.records.replay import positions
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

_GAMES: Final = 1000
_MAKE: Final = "'reversi db import PATH...' makes it from your game files"


class Explorer(ClosedAtEnd):
    """Says what is known about the moves of positions. Close it with `close`, or use it in a ``with`` statement.

    One thread asks at a time; any thread may cancel.

    Args:
        database: the file of a database, ``None`` for none.
        level: the level of the engine's last values, that of hints by default; 0 for no values of the engine.
        selection: which games of the database count.
        book: the opening book; by default the one of the package.
        threads: how many threads search.

    Attributes:
        level: as given; may change between questions.
        selection: as given; may change between questions.

    Raises:
        InputError: the level or the number of threads is out of range.
    """

    def __init__(
        self,
        database: FilePath | None = None,
        *,
        level: int = HINT_LEVEL,
        selection: Selection = EVERY_GAME,
        book: Book | None = None,
        threads: int = 1,
    ) -> None:
        if level:
            check_count("level", level, MAX_LEVEL)
        check_type("selection", selection, Selection)
        check_type("book", book, Book, NoneType)
        check_count("threads", threads, MAX_THREADS)
        self.level = level
        self.selection = selection
        self._path = None if database is None else Path(database)
        self._book = book
        self._threads = threads
        self._database: Database | None = None
        self._searching: Engine | None = None

    def close(self) -> None:
        """Close the database, which another process may then write. Closing twice is allowed."""
        database, self._database = self._database, None
        if database is not None:
            database.close()

    @property
    def path(self) -> Path | None:
        """The file of the database, ``None`` for none."""
        return self._path

    # --- positions

    def explore(
        self,
        position: Position,
        *,
        cancel: Cancel | None = None,
        progress: Callable[[ExplorerTable], None] | None = None,
    ) -> ExplorerTable:
        """Return what is known about the moves of a position.

        Args:
            position: any position under any rule set.
            cancel: stops it from another thread, at once.
            progress: called with ever better tables, from this thread: the names and the book at once, then the
                database, then the engine's values at each depth that its search completes; with the last one, too.

        Raises:
            EngineCancelled: ``cancel`` stopped it.
            ResourceError: the machine has not enough memory or threads for the engine.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        cancel = cancel or Cancel()
        report = progress or _ignore
        searched = bool(self.level) and not position.is_over
        table = self._with_book(position)
        if self._path is not None:
            report(table)
        table = self._with_games(table, cancel)
        if searched:
            report(table)

            def deepen(found: Estimate) -> None:
                report(_with_values(table, found.moves))

            values = self._engine().hint(
                position, 64, cancel=cancel, progress=None if progress is None else deepen
            )
            table = _with_values(table, values)
        table = replace(table, last=True)
        report(table)
        return table

    def _engine(self) -> Engine:
        if self._searching is None or self._searching.level != self.level:
            self._searching = Engine(self.level, threads=self._threads)
        return self._searching

    def _with_book(self, position: Position) -> ExplorerTable:
        moves = () if position.is_over else tuple(position.legal_moves)
        try:
            book = self._book or default_book()
            known = {choice.move: choice for choice in book.moves(position)}
        except BookError:  # a damaged installation; `reversi doctor` says so
            known = {}
        rows = (
            ExplorerRow(
                move,
                position.to_move,
                book=known.get(move),
                opening=opening_of_position(position.play(move)),
            )
            for move in moves
        )
        return ExplorerTable(position, tuple(rows), opening_of_position(position))

    # --- the database

    def _with_games(self, table: ExplorerTable, cancel: Cancel) -> ExplorerTable:
        if self._path is None:
            return replace(table, problem=f"no database: {_MAKE}")
        exploration: Exploration | None = None
        problem = ""
        try:
            database = self._opened()
            with cancel.ends(database.interrupt):
                exploration = database.explore(table.position, self.selection)
        except (DatabaseError, OSError) as error:
            if cancel.cancelled:
                raise EngineCancelled("the explorer was cancelled") from None
            problem = str(error)
        if cancel.cancelled:
            raise EngineCancelled("the explorer was cancelled")
        if exploration is None:
            return replace(table, problem=problem)
        moved = [(tally.move, tally) for tally in exploration.moves]
        tallies = {move: tally for first, tally in moved if first is not None for move in (first, *tally.also)}
        rows = tuple(replace(row, tally=tallies.get(row.move)) for row in table.rows)
        return replace(table, rows=rows, exploration=exploration)

    def _opened(self) -> Database:
        if self._database is None:
            assert self._path is not None
            try:
                self._database = Database(self._path)
            except DatabaseMissingError:
                raise DatabaseMissingError(f"{self._path}: does not exist; {_MAKE}") from None
        return self._database

    def games(
        self, position: Position, *, limit: int | None = _GAMES, cancel: Cancel | None = None
    ) -> list[DatabaseGame]:
        """Return the games of the database that passed a position and meet the conditions, by year.

        Args:
            position: the position; games that reach a symmetric one count.
            limit: the most games, ``None`` for all.
            cancel: stops it from another thread.

        Raises:
            DatabaseError: there is no database, or it cannot be read.
            EngineCancelled: ``cancel`` stopped it.
            OSError: a file cannot have that name.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if self._path is None:
            raise DatabaseError(f"no database: {_MAKE}")
        passing = replace(self.selection, positions=(*self.selection.positions, position))
        database = self._opened()
        try:
            with (cancel or Cancel()).ends(database.interrupt):
                return database.games(passing, limit=limit)
        except DatabaseError:
            if cancel is not None and cancel.cancelled:
                raise EngineCancelled("the explorer was cancelled") from None
            raise

    def opened(self, game: int, position: Position) -> tuple[Record, int]:
        """Return the record of a game of the database, and after how many plies it passed a position.

        Args:
            game: the number of the game in the database.
            position: the position, or one symmetric to it; 0 plies where the game does not pass it.

        Raises:
            DatabaseError: there is no database, the game does not exist, or the file cannot be read.
            OSError: a file cannot have that name.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if self._path is None:
            raise DatabaseError(f"no database: {_MAKE}")
        record, key = self._opened().record(game), canonical_key(position)
        try:
            for ply, passed in enumerate(positions(record)):
                if canonical_key(passed) == key:
                    return record, ply
        except IllegalMoveError:  # games with one are in the database up to it
            pass
        return record, 0


def _with_values(table: ExplorerTable, scored: Iterable[MoveScore]) -> ExplorerTable:
    values = {each.move: each for each in scored}
    return replace(table, rows=tuple(replace(row, value=values.get(row.move)) for row in table.rows))


def _ignore(_table: ExplorerTable) -> None:
    """Take a table that nobody waits for."""
