"""Solving many positions on a Dask cluster: `reversi.solver.Batch` for several machines.

Positions are ordered by their predicted cost, the largest first, and go out in tasks of a few seconds, so that no
task ends the run alone.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Generic, TypeVar

from reversi._core import Move, Position
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import MAX_HASH_MB, check_count, check_seconds
from reversi.cluster.connection import Connection
from reversi.cluster.cost import CostModel
from reversi.cluster.pool import Pool, Returned, Sent
from reversi.cluster.work import RunningTask
from reversi.errors import TableSizeError
from reversi.solver.batch import DEFAULT_BATCH_HASH_MB, Answer
from reversi.solver.costs import useful_hash_mb
from reversi.solver.question import Question
from reversi.solver.solution import Progress, Solution
from reversi.solver.solver import Solver

__all__ = ["SORTED", "ClusterBatch", "SolveWork", "Waiting", "kept_solver"]

_TASK_S: Final = 3.0  # what a task should take
_LEAST_TASK_S: Final = 0.05  # and what it takes at least, at the end
_TASKS_PER_S: Final = 100  # what one client sends and takes back with ease
_MOST_TASKS_PER_S: Final = 500  # and for a short time at the end
_MOST_IN_TASK: Final = 2_000
SORTED: Final = 200_000
"""Positions that are read ahead and sorted."""
_MOST_SKIPPED: Final = 10_000
_POLL_S: Final = 0.1

K = TypeVar("K")

_solver: tuple[tuple[int, bool], Solver] | None = None
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SolveWork:
    """Solving positions, with one table per worker process that stays from task to task.

    Attributes:
        question: what to find about each.
        hash_mb: size of the table in MB.
        evaluation: whether the learned evaluation helps.
        time_limit: seconds for each position.
    """

    question: Question
    hash_mb: int
    evaluation: bool
    time_limit: float | None

    def do(self, position: Position, task: RunningTask) -> Solution:
        """Solve a position; a stop ends it with what is proved."""

        def note(progress: Progress) -> None:
            task.note(progress.nodes, functools.partial(_fields, progress))

        solution = kept_solver(self.hash_mb, self.evaluation).ask(
            position, self.question, threads=1, time_limit=self.time_limit, cancel=task.cancel, progress=note
        )
        task.finish(solution.score.nodes)
        return solution


def kept_solver(hash_mb: int, evaluation: bool) -> Solver:
    """Return the solver of this process, with the table that earlier tasks filled.

    Raises:
        TableSizeError: there is no memory for the table.
    """
    global _solver  # noqa: PLW0603 - one table for each process
    with _lock:
        if _solver is None or _solver[0] != (hash_mb, evaluation):
            _solver = None  # two tables may be one too many
            try:
                _solver = (hash_mb, evaluation), Solver(hash_mb, 1, evaluation)
            except MemoryError:
                raise TableSizeError(f"the workers have no memory for a table of {hash_mb} MB") from None
        return _solver[1]


@dataclass(slots=True)
class Waiting(Generic[K]):
    """Positions that wait, the cheapest last, and the sum of their predicted costs."""

    found: deque[tuple[float, K, Position]] = field(default_factory=deque)
    nodes: float = 0.0

    def fill(self, found: Iterable[tuple[float, K, Position]]) -> None:
        """Take positions with their predicted costs."""
        self.found = deque(sorted(found, key=lambda item: -item[0]))
        self.nodes = math.fsum(item[0] for item in self.found)

    def next_task(
        self, costs: CostModel, threads: int, *, are_last: bool
    ) -> tuple[list[tuple[K, Position]], float]:
        """Return the positions of the next task, the most expensive ones that wait, and their predicted cost.

        A task takes a few seconds; more with many threads, so that tasks do not come back faster than one client
        takes them. At the end tasks become small, so that all workers end at the same time.

        Args:
            costs: what positions cost.
            threads: threads of all workers.
            are_last: whether no other positions follow those that wait.
        """
        wanted = costs.nodes_in(max(_TASK_S, threads / _TASKS_PER_S))
        if are_last:
            share = self.nodes / (2 * max(1, threads))
            wanted = max(min(wanted, share), costs.nodes_in(max(_LEAST_TASK_S, threads / _MOST_TASKS_PER_S)))
        items: list[tuple[K, Position]] = []
        total = 0.0
        while self.found and len(items) < _MOST_IN_TASK:
            if items and total + self.found[0][0] > wanted:
                break
            cost, key, position = self.found.popleft()
            total += cost
            items.append((key, position))
        self.nodes -= total
        return items, total


class ClusterBatch(ClosedAtEnd, Generic[K]):
    """Solves positions on a cluster and gives the answers as they come, in no particular order.

    Use it like a `reversi.solver.Batch`; `reversi.solver.Run` does, too. One thread searches each position.

    Args:
        positions: pairs of a key, which comes back with the answer, and a position; of any rules.
        question: what to find about each.
        connection: the cluster; see `reversi.cluster.connect`.
        hash_mb: size of the table of each worker process in MB (2**20 bytes); less where all positions are easy.
        threads: must be ``None``: the workers have their own.
        time_limit: seconds for each position.
        total_time: seconds for all; `skipped` counts the positions that are not begun by then, up to 10,000.
        evaluation: whether the learned evaluation helps. The workers have the weights of the package.

    Raises:
        TableSizeError: the tables of local workers do not fit in memory.
        InputError: a number is outside its limits.
    """

    def __init__(
        self,
        positions: Iterable[tuple[K, Position]],
        question: Question | None = None,
        *,
        connection: Connection,
        hash_mb: int = DEFAULT_BATCH_HASH_MB,
        threads: None = None,
        time_limit: float | None = None,
        total_time: float | None = None,
        evaluation: bool = True,
    ) -> None:
        del threads
        self.question = question or Question()
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB")
        for name, seconds in (("time_limit", time_limit), ("total_time", total_time)):
            if seconds is not None:
                check_seconds(name, seconds)
        connection.check_table(hash_mb)
        self.skipped = 0  #: positions not begun within the total time, as far as they are counted
        self.cut_short = False  #: whether there may be more of these
        self.answered = 0  #: answers given so far
        self._most_hash_mb, self._evaluation, self._time_limit = hash_mb, evaluation, time_limit
        self._hash_mb = 1  # until there are positions
        self._end = None if total_time is None else time.monotonic() + total_time
        self._positions: Iterator[tuple[K, Position]] | None = iter(positions)
        self._waiting: Waiting[K] = Waiting()
        self._answers: deque[Answer[K]] = deque()
        self._costs = CostModel(self.question)
        self._nodes = 0
        self._unanswered = 0  # of the pool, as far as they are counted
        self._cancelled = False
        self._pool: Pool[tuple[K, Position], Solution] = Pool(connection, self._work, _position_of, "position")

    def _work(self) -> SolveWork:
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        limits = [limit for limit in (self._time_limit, left) if limit is not None]
        return SolveWork(self.question, self._hash_mb, self._evaluation, min(limits, default=None))

    @property
    def threads(self) -> int:
        """The threads of all workers."""
        return self._pool.threads

    @property
    def is_done(self) -> bool:
        """Whether all answers have been given."""
        return not (self._pool.running or self._waiting.found or self._answers or self._positions)

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all workers; those under way report once a second."""
        return self._nodes + sum(task.amount for task in self._pool.running)

    @property
    def under_way(self) -> list[tuple[K, Progress]]:
        """The positions that have been searched for a while, with the bounds so far."""
        return [(task.item[0], _progress(task)) for task in self._pool.running if task.news]

    def cancel(self) -> None:
        """Begin nothing more and stop what runs within a second; answers that come by then are still given.

        A signal handler may call it.
        """
        self._cancelled = True

    def next(self, timeout: float | None = None) -> Answer[K] | None:
        """Return the next answer; ``None`` after ``timeout`` seconds without one, or when all have been given.

        Raises:
            ClusterError: the connection to the scheduler is lost, or a worker has another version.
            TableSizeError: the workers have not enough memory for the table.
        """
        give_up = math.inf if timeout is None else time.monotonic() + timeout
        while not self._answers:
            self._advance()
            if not self._pool.running:
                return None
            returned = self._pool.next(max(0.0, min(_POLL_S, give_up - time.monotonic())))
            self._count_unanswered()
            if returned is not None:
                self._take(returned)
            elif time.monotonic() >= give_up:
                return None
        self.answered += 1
        return self._answers.popleft()

    def __iter__(self) -> Iterator[Answer[K]]:
        while (answer := self.next()) is not None:
            yield answer

    def close(self) -> None:
        """Stop what runs; answers not given yet are lost. The connection stays."""
        self._cancelled = True
        self._positions = None
        self._waiting = Waiting()
        self._pool.close()

    def _advance(self) -> None:
        """Send tasks, or stop those that run when that is due."""
        over = self._end is not None and time.monotonic() >= self._end
        if self._cancelled or over:
            self._leave_out(count=over and not self._cancelled)
            self._pool.stop()
            return
        while self._pool.is_free and (new := self._next_items()) is not None:
            self._pool.send(*new)

    def _leave_out(self, *, count: bool) -> None:
        """Begin nothing more; count what is left out, as far as that does not take long."""
        if count:
            self.skipped += len(self._waiting.found)
            if self._positions is not None:
                self.skipped += sum(1 for _ in islice(self._positions, max(0, _MOST_SKIPPED - self.skipped)))
            if self.skipped >= _MOST_SKIPPED:
                self.skipped, self.cut_short = _MOST_SKIPPED, True
        self._positions = None
        self._waiting = Waiting()

    def _count_unanswered(self) -> None:
        new, self._unanswered = self._pool.unanswered - self._unanswered, self._pool.unanswered
        if not self._cancelled:
            self.skipped += new

    def _next_items(self) -> tuple[list[tuple[K, Position]], float] | None:
        """Return the positions of the next task, and their predicted nodes."""
        if not self._waiting.found and self._positions is not None:
            found = list(islice(self._positions, SORTED))
            if len(found) < SORTED:
                self._positions = None
            self._waiting.fill((self._costs.predicted(position), key, position) for key, position in found)
            if self._waiting.found:
                useful = useful_hash_mb(self._waiting.found[0][0])
                self._hash_mb = max(self._hash_mb, min(self._most_hash_mb, useful))
        if not self._waiting.found:
            return None
        return self._waiting.next_task(self._costs, self.threads, are_last=self._positions is None)

    def _take(self, returned: Returned[tuple[K, Position], Solution]) -> None:
        seconds = 0.0
        for (key, _), solution in returned.answers:
            self._nodes += solution.score.nodes
            seconds += solution.score.time_s
            self._answers.append(Answer(key, solution, 1))
        if returned.is_complete:
            self._costs.learn(returned.task.cost, seconds)


def _position_of(item: tuple[object, Position]) -> Position:
    return item[1]


def _fields(progress: Progress) -> dict[str, object]:
    best = "" if progress.best is None else str(progress.best)
    bounds = {"lower": progress.lower, "upper": progress.upper, "best": best}
    return {"nodes": progress.nodes, "time_s": progress.time_s, **bounds}


def _progress(task: Sent[tuple[K, Position]]) -> Progress:
    news = task.news
    best = Move.parse(news["best"]) if news["best"] else None
    return Progress(news["lower"], news["upper"], best, news["nodes"], news["time_s"])
