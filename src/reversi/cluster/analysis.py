"""Analyzing games on a Dask cluster: the workers of a `reversi.analysis.AnalysisRun` on several machines."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.analyzer import Analyzer, marked
from reversi.analysis.run import AnalyzedGame, GameInput
from reversi.arguments import MAX_HASH_MB, check_count
from reversi.cluster.connection import Connection
from reversi.cluster.pool import Pool
from reversi.cluster.work import RunningTask
from reversi.errors import InputError, TableSizeError
from reversi.records.record import Record
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.openings.book import Book

__all__ = ["AnalyzeWork", "ClusterAnalysis"]

_TASK_S: Final = 3.0  # what a task should take
_MOST_IN_TASK: Final = 200
_MEMORY: Final = 0.8  # weight of the games before, for each task

_kept = threading.local()


@dataclass(frozen=True, slots=True)
class AnalyzeWork:
    """Analyzing games, with one table for each thread of a worker.

    Attributes:
        level: the level of the searches; see `reversi.analysis.Analyzer`, for the next three, too.
        time_s: seconds for each search, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact.
        hash_mb: size of the table in MB.
    """

    level: int
    time_s: float | None
    exact_from: int | None
    hash_mb: int

    def do(self, record: Record, task: RunningTask) -> Analysis | None:
        """Analyze a game.

        Raises:
            TableSizeError: the worker has no memory for the table.
        """
        turns = 0

        def note(_: AnalyzedTurn) -> None:
            nonlocal turns
            turns += 1
            task.note(turns)

        analysis = self._analyzer().analyze(record, cancel=task.cancel, progress=note)
        task.finish(turns)
        return analysis if analysis.complete else None

    def _analyzer(self) -> Analyzer:
        """Return the analyzer of this thread, whose table earlier tasks have allocated."""
        if getattr(_kept, "work", None) != self:
            _kept.work = _kept.analyzer = None  # two tables may be one too many
            try:
                _kept.analyzer = self.analyzer()
            except MemoryError:
                raise TableSizeError(f"the workers have no memory for a table of {self.hash_mb} MB") from None
            _kept.work = self
        found: Analyzer = _kept.analyzer
        return found

    def analyzer(self) -> Analyzer:
        """Return a new analyzer with these settings.

        Raises:
            InputError: a number is outside its limits.
            MemoryError: there is no memory for the table.
        """
        return Analyzer(
            level=self.level, time_s=self.time_s, exact_from=self.exact_from, threads=1, hash_mb=self.hash_mb
        )


class ClusterAnalysis:
    """The workers of an `AnalysisRun` on a cluster: `AnalysisRun(…, make_workers=…)` makes it.

    One thread analyzes a game. A task is a game, or as many as take a few seconds. The opening book stays with the
    client, which marks its moves.

    Args:
        connection: the cluster; see `reversi.cluster.connect`.
        threads: must be 1: the workers have their own threads, one for each game.
        workers: must be ``None``: the cluster has its own.

    The other arguments are those of `AnalysisRun`; ``hash_mb`` is for each thread of the workers.

    Raises:
        TableSizeError: the tables of local workers do not fit in memory.
        InputError: a number is outside its limits.
    """

    def __init__(
        self,
        *,
        connection: Connection,
        level: int,
        time_s: float | None,
        exact_from: int | None,
        threads: int,
        hash_mb: int,
        book: Book | None,
        workers: int | None,
        cancel: Cancel,
    ) -> None:
        if threads != 1 or workers is not None:
            raise InputError("threads and workers are those of the cluster")
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB")
        connection.check_table(hash_mb)
        work = AnalyzeWork(level, time_s, exact_from, hash_mb)
        work.analyzer()  # so that wrong numbers are refused here
        self._pool: Pool[GameInput, Analysis] = Pool(connection, lambda: work, _record_of, "game")
        self._book = book
        self._cancel = cancel
        self._next_task: list[GameInput] = []
        self._done: deque[AnalyzedGame] = deque()
        self._turns = 0
        self._games, self._seconds = 0.0, 0.0

    @property
    def turns(self) -> int:
        """Turns analyzed so far, those of games under way included."""
        return self._turns + sum(task.amount for task in self._pool.running)

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another game."""
        return self._pool.is_free

    @property
    def is_busy(self) -> bool:
        """Whether games have been handed out whose analyses have not come back."""
        return bool(self._next_task or self._pool.running or self._done)

    def put(self, game: GameInput) -> None:
        """Hand out a game, alone or with the next ones."""
        self._next_task.append(game)
        wanted = self._games * _TASK_S / self._seconds if self._seconds else 1.0
        if len(self._next_task) >= min(wanted, _MOST_IN_TASK):
            self._send()

    def next(self, timeout: float) -> AnalyzedGame | None:
        """Return the next analysis; ``None`` after ``timeout`` seconds without one.

        Raises:
            ClusterError: the connection to the scheduler is lost, or a worker has another version.
            TableSizeError: the workers have not enough memory for their tables.
        """
        if self._cancel.cancelled:
            self._next_task.clear()
            self._pool.stop()
        elif not self._done:
            self._send()
        if not self._done and (returned := self._pool.next(timeout)) is not None:
            for game, analysis in returned.answers:
                self._turns += len(analysis.turns)
                self._done.append(
                    AnalyzedGame(game, analysis if self._book is None else marked(analysis, self._book))
                )
            self._games = _MEMORY * self._games + len(returned.answers)
            self._seconds = _MEMORY * self._seconds + returned.seconds
        return self._done.popleft() if self._done else None

    def close(self) -> None:
        """Stop what runs; what has not come back is lost. The connection stays."""
        self._pool.close()

    def _send(self) -> None:
        if self._next_task:
            self._pool.send(self._next_task)
            self._next_task = []


def _record_of(game: GameInput) -> Record:
    return game.record
