"""Many games as one thing to ask, whether files have them, a database, or both."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from os import PathLike, fspath
from types import NoneType
from typing import Self, TypeVar

from reversi._core import Position
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_count, check_type
from reversi.games.database.counting import counts_in
from reversi.games.database.database import Database
from reversi.games.database.searching import entries, results
from reversi.games.databases import OpenDatabase, is_alone
from reversi.games.exploring import Exploration, MoveCounts, counts_of, exploration_of, merged
from reversi.games.files import FileGames, Report
from reversi.games.reading import first_problem_raised
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.sorting import AS_FOUND, Found, Order
from reversi.games.statistics.overview import selected_results
from reversi.games.statistics.results import GameResult
from reversi.games.workers import Ask, Make, each_made
from reversi.games.writing import write_records
from reversi.records.entry import Entry
from reversi.records.formats.tables.table import TableOptions
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import check_encoding
from reversi.work.cancel import Cancel

_Answer = TypeVar("_Answer")


def found_games(
    files: FileGames,
    selection: Selection,
    order: Order,
    open_: OpenDatabase = Database,
    cancel: Cancel | None = None,
) -> Iterator[Found]:
    """Yield the games of files and databases that a selection takes, in an order. A database alone sorts its own.

    Args:
        files: the files.
        selection: the conditions.
        order: the order.
        open_: opens a database.
        cancel: stops it from another thread: what was found until then is all.
    """
    alone = is_alone(files) and not (order.sort and selection.aliases)

    def ask(database: Database) -> Iterator[Entry]:
        if alone:
            files.taken = database.count(selection, twins=order.twins)
            return entries(database, selection, order)
        return entries(database, EVERY_GAME if order.twins else selection)

    games = _each_made(files, iter, ask, open_, cancel or Cancel())
    if alone:
        yield from games
        return
    for game in order.of(games, selection):
        files.taken += 1
        if order.limit is None or files.taken <= order.limit:
            yield game


def _each_made(
    files: FileGames, make: Make[_Answer], ask: Ask[_Answer], open_: OpenDatabase, cancel: Cancel
) -> Iterator[tuple[str, _Answer]]:
    """Yield what is made of games in this process, as `each_made` does, until somebody cancels."""

    def asked(database: Database) -> Iterator[_Answer]:
        with cancel.ends(database.interrupt):
            yield from ask(database)

    return each_made(files, lambda games: make(takewhile(lambda _: not cancel.cancelled, games)), 1, asked, open_)


class Games:
    """The games of files, folders, patterns and databases. Each question reads them again.

    In a ``with`` statement the databases stay open from one question to the next.

    >>> from reversi.games import Games, Selection
    >>> games = Games("examples/games.pgn")
    >>> greedy = Selection(black="greedy")
    >>> games.count(), games.count(greedy), next(games.select(greedy)).white
    (5, 3, 'random')

    Args:
        paths: the paths, one by one.
        rules: the rules of games that do not name their own.
        encoding: the encoding of files of text, as in `open_records`.
        report: called with a report, whose text is one line, for each file or game that cannot be read, which is
            then skipped, and for each warning. Without it, the first one that cannot be read is an error, and
            warnings are Python's.
        memory_mb: the most memory in MB that DuckDB may take, as in `Database`.

    Attributes:
        paths: as given, as texts.

    Raises:
        MissingFileError: without ``report``, a path names no file; every question can raise this and the others.
        RecordError: without ``report``, a file is not a file of games, a database cannot be read, or a game is
            malformed.
        DatabaseUnavailableError: DuckDB is not installed.
        DatabaseMemoryError: DuckDB needs more memory than it may take.
    """

    def __init__(
        self,
        *paths: FilePath,
        rules: Rules = OTHELLO,
        encoding: str = "",
        report: Callable[[Report], None] | None = None,
        memory_mb: int | None = None,
    ) -> None:
        for path in paths:
            check_type("path", path, str, PathLike, advice="the paths come one by one, Games(*paths)")
        check_type("rules", rules, Rules)
        if memory_mb is not None:
            check_count("memory_mb", memory_mb)
        self.paths: tuple[str, ...] = tuple(fspath(path) for path in paths)
        self._rules = rules
        self._tables = TableOptions(encoding=check_encoding(encoding))
        self._report = report
        self._memory_mb = memory_mb
        self._open: contextlib.ExitStack | None = None
        self._databases: dict[str, Database] = {}

    def __repr__(self) -> str:
        return f"<Games {' '.join(self.paths)}>"

    def __enter__(self) -> Self:
        self._open = contextlib.ExitStack()
        return self

    def __exit__(self, *_: object) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None
        self._databases.clear()

    def __iter__(self) -> Iterator[Record]:
        return self.select()

    def select(
        self, selection: Selection = EVERY_GAME, order: Order = AS_FOUND, *, cancel: Cancel | None = None
    ) -> Iterator[Record]:
        """Yield the games that a selection takes.

        Args:
            selection: which games.
            order: in which order; by default that of the files, and of the games in them.
            cancel: stops it from another thread: what was found until then is all.
        """
        check_type("selection", selection, Selection)
        check_type("order", order, Order)
        check_type("cancel", cancel, Cancel, NoneType)
        with self._files() as files:
            for _, entry in found_games(files, selection, order, self._database, cancel):
                yield entry.record

    def results(self, selection: Selection = EVERY_GAME) -> Iterator[GameResult]:
        """Yield the results of the games that a selection takes, for `Statistics`, `events_of` and the others."""
        check_type("selection", selection, Selection)
        return self._each(partial(selected_results, selection), lambda database: results(database, selection))

    def count(self, selection: Selection = EVERY_GAME) -> int:
        """Return how many games a selection takes."""
        check_type("selection", selection, Selection)
        return sum(
            self._each(
                lambda games: (1 for _ in selection.of(games)),
                lambda database: iter((database.count(selection),)),
            )
        )

    def explore(
        self,
        position: Position,
        selection: Selection = EVERY_GAME,
        *,
        minimum: int = 1,
        cancel: Cancel | None = None,
    ) -> Exploration:
        """Return what was played in a position, in any order of moves, mirrored and rotated games included.

        Args:
            position: the position.
            selection: which games count.
            minimum: leave out moves that fewer games play.
            cancel: stops it from another thread: the games read until then count.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        check_type("selection", selection, Selection)
        check_count("minimum", minimum, least=0)
        check_type("cancel", cancel, Cancel, NoneType)
        counts: dict[int, MoveCounts] = {}
        for part in self._each(
            lambda games: (counts_of((game.record for game in selection.of(games)), position),),
            lambda database: iter((counts_in(database, position, selection),)),
            cancel,
        ):
            merged(counts, part)
        return exploration_of(position, counts, minimum)

    def write(self, path: FilePath, selection: Selection = EVERY_GAME) -> None:
        """Write the games that a selection takes into one file, as `write_records` does."""
        write_records(path, self.select(selection))

    def _each(self, make: Make[_Answer], ask: Ask[_Answer], cancel: Cancel | None = None) -> Iterator[_Answer]:
        """Yield the answers of each database and of the games of each file."""
        with self._files() as files:
            for _, answer in _each_made(files, make, ask, self._database, cancel or Cancel()):
                yield answer

    @contextlib.contextmanager
    def _files(self) -> Iterator[FileGames]:
        with contextlib.ExitStack() as stack:
            report = self._report or stack.enter_context(first_problem_raised())
            yield FileGames(list(self.paths), report, self._rules, tables=self._tables)

    def _database(self, path: str) -> contextlib.AbstractContextManager[Database]:
        """Return a database that is open within the next block, or as long as this object's own."""
        if self._open is None:
            return Database(path, memory_mb=self._memory_mb)
        if path not in self._databases:
            self._databases[path] = self._open.enter_context(Database(path, memory_mb=self._memory_mb))
        return contextlib.nullcontext(self._databases[path])
