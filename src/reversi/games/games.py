"""Many games as one thing to ask, whether files have them, a database, or both."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from os import PathLike, fspath
from typing import TypeVar

from reversi._core import Position
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_count, check_type
from reversi.games.database.counting import counts_in
from reversi.games.database.database import Database
from reversi.games.database.searching import BY_NUMBER, records, results
from reversi.games.databases import answers_of, is_database
from reversi.games.exploring import Exploration, MoveCounts, counts_of, exploration_of, merged
from reversi.games.files import FileGames, Report
from reversi.games.reading import first_problem_raised
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.statistics.overview import selected_results
from reversi.games.statistics.results import GameResult
from reversi.games.writing import write_records
from reversi.records.entry import Entry
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules

_Answer = TypeVar("_Answer")


class Games:
    """The games of files, folders, patterns and databases. Each question reads them again.

    >>> from reversi.games import Games, Selection
    >>> games = Games("examples/games.pgn")
    >>> greedy = Selection(black="greedy")
    >>> games.count(), games.count(greedy), next(games.select(greedy)).white
    (5, 3, 'random')

    Args:
        paths: the paths, one by one.
        rules: the rules of games that do not name their own.
        report: called with one line for each file or game that cannot be read, which is then skipped, and for each
            warning. Without it, the first one that cannot be read is an error, and warnings are Python's.

    Raises:
        MissingFileError: without ``report``, a path names no file; every question can raise this and the next one.
        RecordError: without ``report``, a file is not a file of games, or a game is malformed.
        DatabaseError: a database cannot be read, or DuckDB is not installed.
    """

    def __init__(
        self, *paths: FilePath, rules: Rules = OTHELLO, report: Callable[[str], None] | None = None
    ) -> None:
        for path in paths:
            check_type("path", path, str, PathLike, advice="the paths come one by one, Games(*paths)")
        check_type("rules", rules, Rules)
        self._paths = [fspath(path) for path in paths]
        self._rules = rules
        self._say = report

    def __repr__(self) -> str:
        return f"<Games {' '.join(self._paths)}>"

    def __iter__(self) -> Iterator[Record]:
        return self.select()

    def select(self, selection: Selection = EVERY_GAME) -> Iterator[Record]:
        """Yield the games that a selection takes, in the order of the files and of the games in them."""
        check_type("selection", selection, Selection)
        return self._each(
            lambda database: records(database, selection, BY_NUMBER),
            lambda entries: (entry.record for entry in selection.of(entries)),
        )

    def results(self, selection: Selection = EVERY_GAME) -> Iterator[GameResult]:
        """Yield the results of the games that a selection takes, for `Statistics`, `events_of` and the others."""
        check_type("selection", selection, Selection)
        return self._each(
            lambda database: results(database, selection, BY_NUMBER),
            lambda entries: selected_results(selection, entries),
        )

    def count(self, selection: Selection = EVERY_GAME) -> int:
        """Return how many games a selection takes."""
        check_type("selection", selection, Selection)
        return sum(
            self._each(
                lambda database: iter((database.count(selection),)),
                lambda entries: (1 for _ in selection.of(entries)),
            )
        )

    def explore(self, position: Position, selection: Selection = EVERY_GAME, *, minimum: int = 1) -> Exploration:
        """Return what was played in a position, in any order of moves, mirrored and rotated games included.

        Args:
            position: the position.
            selection: which games count.
            minimum: leave out moves that fewer games play.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        check_type("selection", selection, Selection)
        check_count("minimum", minimum, least=0)
        counts: dict[int, MoveCounts] = {}
        for part in self._each(
            lambda database: iter((counts_in(database, position, selection),)),
            lambda entries: iter((counts_of((entry.record for entry in selection.of(entries)), position),)),
        ):
            merged(counts, part)
        return exploration_of(position, counts, minimum)

    def write(self, path: FilePath, selection: Selection = EVERY_GAME) -> None:
        """Write the games that a selection takes into one file, as `write_records` does."""
        write_records(path, self.select(selection))

    def _each(
        self,
        ask: Callable[[Database], Iterator[_Answer]],
        read: Callable[[Iterator[Entry]], Iterator[_Answer]],
    ) -> Iterator[_Answer]:
        """Yield the answers of each database and of the games of each file."""
        say = self._say
        with contextlib.ExitStack() as stack:
            if say is None:
                report = stack.enter_context(first_problem_raised())
            else:

                def report(event: Report) -> None:
                    say(event.text)

            files = FileGames(self._paths, report, self._rules)
            for file in files.found():
                if is_database(file):
                    yield from answers_of(files, file, ask)
                else:
                    for _, entries in files.entries_of(file):
                        yield from read(entries)
            files.check()
