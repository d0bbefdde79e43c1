"""The explorer: it joins the engine, the opening book, the names of openings and many games on one position."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import NoneType
from typing import Final

from reversi._core import Position
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import MAX_THREADS, TEXT_TO_POSITION, check_count, check_type
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.levels import HINT_LEVEL, MAX_LEVEL
from reversi.engine.search import Estimate
from reversi.errors import MissingFileError, ReversiError
from reversi.explorer.table import ExplorerRow, ExplorerTable
from reversi.games.exploring import Exploration
from reversi.games.games import Games
from reversi.games.repertoire import Repertoire
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.sorting import Order
from reversi.openings.book import Books
from reversi.openings.names import opening_of_position
from reversi.people import check_rating, move_chances
from reversi.records.record import Record
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

_GAMES: Final = 1000
_MAKE: Final = "'reversi db import PATH...' makes a database of your game files"


class Explorer(ClosedAtEnd):
    """Says what is known about the moves of positions. Close it with `close`, or use it in a ``with`` statement.

    One thread asks at a time; any thread may cancel.

    Args:
        archive: games of files and databases, ``None`` for none. Databases stay open until the end.
        level: the level of the engine's last values, that of hints by default; 0 for no values of the engine.
        selection: which games of the archive count.
        book: an opening book.
        threads: how many threads search.
        repertoire: the moves that somebody wants to play, which the rows name; ``None`` for none.
        people: the rating of the people whose moves the rows foresee (`reversi.people`); ``None`` for none.

    Attributes:
        level: as given; may change between questions.
        selection: as given; may change between questions.
        people: as given; may change between questions.

    Raises:
        InputError: the level or the number of threads is out of range, or the rating is not a finite number.
    """

    def __init__(
        self,
        archive: Games | None = None,
        *,
        level: int = HINT_LEVEL,
        selection: Selection = EVERY_GAME,
        book: Books | None = None,
        threads: int = 1,
        repertoire: Repertoire | None = None,
        people: float | None = None,
    ) -> None:
        check_type("archive", archive, Games, NoneType, advice="Games(path) is one")
        if level:
            check_count("level", level, MAX_LEVEL)
        check_type("selection", selection, Selection)
        check_type("book", book, Books, NoneType)
        check_count("threads", threads, MAX_THREADS)
        check_type("repertoire", repertoire, Repertoire, NoneType)
        self.people: float | None = None if people is None else check_rating(people)
        self.level = level
        self.selection = selection
        self._archive = None if archive is None else archive.__enter__()
        self._book = book
        self._threads = threads
        self._repertoire = repertoire
        self._searching: Engine | None = None

    def close(self) -> None:
        """Close the databases, which another process may then write. Closing twice is allowed."""
        if self._archive is not None:
            self._archive.__exit__()

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
                games, then the engine's values at each depth that its search completes; with the last one, too.

        Raises:
            EngineCancelled: ``cancel`` stopped it.
            InputError: the position is not one of the standard game, and the explorer foresees people's moves.
            ResourceError: the machine has not enough memory or threads for the engine.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        cancel = cancel or Cancel()
        report = progress or _ignore
        searched = bool(self.level) and not position.is_over
        table = self._with_book(position)
        if self._archive is not None:
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
        known = {} if self._book is None else {choice.move: choice for choice in self._book.moves(position)}
        people = {} if self.people is None or not moves else move_chances(position, self.people)
        rows = (
            ExplorerRow(
                move,
                position.to_move,
                book=known.get(move),
                opening=opening_of_position(position.play(move)),
                repertoire=None if self._repertoire is None else self._repertoire.find(position, move),
                people=people.get(move),
            )
            for move in moves
        )
        return ExplorerTable(position, tuple(rows), opening_of_position(position))

    # --- the archive

    def _with_games(self, table: ExplorerTable, cancel: Cancel) -> ExplorerTable:
        if self._archive is None:
            return replace(table, error=MissingFileError(f"no database: {_MAKE}"))
        exploration: Exploration | None = None
        problem: ReversiError | OSError | None = None
        try:
            with _way_out():
                exploration = self._archive.explore(table.position, self.selection, cancel=cancel)
        except (ReversiError, OSError) as error:
            problem = error
        if cancel.cancelled:
            raise EngineCancelled("the explorer was cancelled")
        if exploration is None:
            return replace(table, error=problem)
        moved = [(tally.move, tally) for tally in exploration.moves]
        tallies = {move: tally for first, tally in moved if first is not None for move in (first, *tally.also)}
        rows = tuple(replace(row, tally=tallies.get(row.move)) for row in table.rows)
        return replace(table, rows=rows, exploration=exploration)

    def games(
        self, position: Position, *, limit: int | None = _GAMES, cancel: Cancel | None = None
    ) -> list[Record]:
        """Return the games of the archive that passed a position and meet the conditions, by year and event.

        Args:
            position: the position; games that reach a symmetric one count.
            limit: the most games, ``None`` for all.
            cancel: stops it from another thread.

        Raises:
            EngineCancelled: ``cancel`` stopped it.
            MissingFileError: a file of the archive does not exist.
            RecordError: it cannot be read.
            OSError: a file cannot have that name.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if self._archive is None:
            raise MissingFileError(f"no database: {_MAKE}")
        passing = replace(self.selection, positions=(*self.selection.positions, position))
        cancel = cancel or Cancel()
        try:
            with _way_out():
                found = list(self._archive.select(passing, Order(("year", "event"), limit), cancel=cancel))
        except ReversiError:
            if not cancel.cancelled:
                raise
        if cancel.cancelled:
            raise EngineCancelled("the explorer was cancelled")
        return found


@contextlib.contextmanager
def _way_out() -> Iterator[None]:
    """Say of a file that does not exist how to get a database."""
    try:
        yield
    except MissingFileError as error:
        raise MissingFileError(f"{error}; {_MAKE}") from None


def _with_values(table: ExplorerTable, scored: Iterable[MoveScore]) -> ExplorerTable:
    values = {each.move: each for each in scored}
    return replace(table, rows=tuple(replace(row, value=values.get(row.move)) for row in table.rows))


def _ignore(_table: ExplorerTable) -> None:
    """Take a table that nobody waits for."""
