"""Solving many positions on a Dask cluster: what `reversi.solver.Batch` is on one machine.

Positions are ordered by their predicted cost, the largest first, and go out in tasks of a few seconds, so that no
task ends the run alone. Dask decides which worker gets a task, and gives the tasks of a dead worker to others.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import queue
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from reversi._core import Move, Position
from reversi.arguments import MAX_HASH_MB, check_count, check_seconds
from reversi.cluster.connection import ClusterError, Connection, refuse
from reversi.cluster.cost import CostModel
from reversi.cluster.work import Order, Report, fingerprint, solve_order, stop_run
from reversi.errors import ReversiError, TableSizeError
from reversi.solver.batch import DEFAULT_BATCH_HASH_MB, Answer
from reversi.solver.question import Question
from reversi.solver.solution import Progress

if TYPE_CHECKING:
    from distributed import Future
__all__ = ["ClusterBatch"]

_TASK_S: Final = 3.0  # what a task should take
_MOST_IN_TASK: Final = 2_000
_SORTED: Final = 200_000  # positions that are read ahead and sorted
_AHEAD: Final = 2  # tasks handed out per thread, so that none waits
_WIDTH_S: Final = 3.0  # between two looks at the number of threads
_STOP_S: Final = 0.7  # after a stop, for answers as far as they were proved
_LOST_AT_MOST: Final = 5
"""Times that a task may end its worker: after the first time each of its positions is a task of its own."""
_MOST_SKIPPED: Final = 10_000

K = TypeVar("K")


@dataclass(slots=True, eq=False)
class _Task(Generic[K]):
    number: int
    predicted: float  # nodes
    items: list[tuple[K, Position]]
    lost: int = 0  # workers that ended with it
    future: Future[Report] | None = None
    progress: Progress | None = None
    at: int = 0  # the item that the progress is about
    before: int = 0  # nodes of the items before it


@dataclass(slots=True)
class _Came:
    """What came back of a task: a report or an error."""

    task: _Task[Any]
    report: Report | None = None
    error: BaseException | None = None


@dataclass(slots=True)
class _Pool(Generic[K]):
    """Positions that wait, the cheapest last; with the sum of what they are predicted to cost."""

    waiting: deque[tuple[float, K, Position]] = field(default_factory=deque)
    nodes: float = 0.0

    def fill(self, found: Iterable[tuple[float, K, Position]]) -> None:
        self.waiting = deque(sorted(found, key=lambda item: -item[0]))
        self.nodes = math.fsum(item[0] for item in self.waiting)

    def take(self, nodes: float) -> tuple[float, list[tuple[K, Position]]]:
        """Return the most expensive positions that cost about ``nodes`` together, and their sum."""
        items: list[tuple[K, Position]] = []
        total = 0.0
        while self.waiting and len(items) < _MOST_IN_TASK:
            if items and total + self.waiting[0][0] > nodes:
                break
            cost, key, position = self.waiting.popleft()
            total += cost
            items.append((key, position))
        self.nodes -= total
        return total, items


class ClusterBatch(Generic[K]):
    """Solves positions on a cluster and gives the answers as they come, in no particular order.

    It is used as a `reversi.solver.Batch`, also by `reversi.solver.Run`. Each position is searched by one thread.

    Args:
        positions: pairs of a key, which comes back with the answer, and a position; of any rules.
        question: what is asked about each.
        connection: the cluster; see `reversi.cluster.connect`.
        hash_mb: size of the table of each worker process in MB (2**20 bytes).
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
        self.threads = connection.threads  #: threads of all workers
        self._connection = connection
        self._client: Any = connection.client  # Dask has few types
        self._hash_mb, self._evaluation, self._time_limit = hash_mb, evaluation, time_limit
        self._end = None if total_time is None else time.monotonic() + total_time
        self._run = f"reversi-{uuid.uuid4().hex[:12]}"
        self._positions: Iterator[tuple[K, Position]] | None = iter(positions)
        self._pool: _Pool[K] = _Pool()
        self._again: deque[_Task[K]] = deque()  # to hand out again
        self._running: dict[int, _Task[K]] = {}
        self._answers: deque[Answer[K]] = deque()
        self._came: queue.SimpleQueue[_Came] = queue.SimpleQueue()
        self._numbers = 0
        self._costs = CostModel(self.question)
        self._nodes = 0
        self._cancelled = False
        self._stopped: float | None = None  # when the workers were asked to stop
        self._looked = time.monotonic()
        self._client.subscribe_topic(self._run, self._hear)

    # --- for the caller

    @property
    def is_done(self) -> bool:
        """Whether all answers have been given."""
        return not (self._running or self._again or self._pool.waiting or self._answers or self._positions)

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all workers; those under way report once a second."""
        running = list(self._running.values())
        return self._nodes + sum(task.before + task.progress.nodes for task in running if task.progress)

    @property
    def under_way(self) -> list[tuple[K, Progress]]:
        """The positions that have been searched for a while, with what is known about them."""
        found = [(task, task.progress) for task in list(self._running.values())]
        return [(task.items[task.at][0], progress) for task, progress in found if progress is not None]

    def cancel(self) -> None:
        """Begin nothing more and stop what runs within a second; answers that come by then are still given.

        A signal handler may call it.
        """
        self._cancelled = True

    def next(self, timeout: float | None = None) -> Answer[K] | None:
        """Return the next answer; ``None`` after ``timeout`` seconds without one, or when all have been given.

        Raises:
            ClusterError: the connection to the scheduler is lost, or a worker is of another version.
            TableSizeError: the workers have not enough memory for the table.
        """
        give_up = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._answers:
                self.answered += 1
                return self._answers.popleft()
            self._advance()
            if not self._running:
                return None
            pause = 0.1  # short, so that signals are seen where waiting cannot be interrupted
            if give_up is not None:
                pause = min(pause, give_up - time.monotonic())
            try:
                self._take(self._came.get(timeout=max(0.0, pause)))
            except queue.Empty:
                if give_up is not None and time.monotonic() >= give_up:
                    return None

    def __iter__(self) -> Iterator[Answer[K]]:
        while (answer := self.next()) is not None:
            yield answer

    def close(self) -> None:
        """Stop what runs; answers not given yet are lost. The connection stays."""
        self._cancelled = True
        self._positions = None
        self._pool = _Pool()
        self._again.clear()
        if self._running:
            self._ask_to_stop()
            self._drop()
        with contextlib.suppress(ValueError, OSError):
            self._client.unsubscribe_topic(self._run)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- handing positions out

    def _advance(self) -> None:
        """Hand out tasks, or stop those that run when that is due."""
        now = time.monotonic()
        over = self._end is not None and now >= self._end
        if self._cancelled or over:
            self._leave_out(count=over and not self._cancelled)
            if self._stopped is None and self._running:
                self._stopped = now
                self._ask_to_stop()
            elif self._stopped is not None and now - self._stopped >= _STOP_S:
                for task in self._drop():
                    self.skipped += 0 if self._cancelled else len(task.items)
            return
        if now - self._looked >= _WIDTH_S:
            self._looked = now
            self._client.loop.add_callback(self._look)
        while len(self._running) < _AHEAD * max(1, self.threads):
            new = self._next_task()
            if new is None:
                return
            self._submit(new)

    def _leave_out(self, *, count: bool) -> None:
        """Begin nothing more; count what is left out, as far as that does not take long."""
        if count:
            self.skipped += len(self._pool.waiting) + sum(len(task.items) for task in self._again)
            if self._positions is not None:
                self.skipped += sum(1 for _ in islice(self._positions, max(0, _MOST_SKIPPED - self.skipped)))
            if self.skipped >= _MOST_SKIPPED:
                self.skipped, self.cut_short = _MOST_SKIPPED, True
        self._positions = None
        self._pool = _Pool()
        self._again.clear()

    def _next_task(self) -> _Task[K] | None:
        if self._again:
            return self._again.popleft()
        if not self._pool.waiting and self._positions is not None:
            found = list(islice(self._positions, _SORTED))
            if len(found) < _SORTED:
                self._positions = None
            self._pool.fill((self._costs.predicted(position), key, position) for key, position in found)
        if not self._pool.waiting:
            return None
        # towards the end tasks become small, so that all workers end at the same time
        share = self._pool.nodes / (2 * max(1, self.threads))
        nodes, items = self._pool.take(min(self._costs.nodes_in(_TASK_S), share))
        self._numbers += 1
        return _Task(self._numbers, nodes, items)

    def _submit(self, task: _Task[K]) -> None:
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        limits = [limit for limit in (self._time_limit, left) if limit is not None]
        positions = tuple((number, position) for number, (_, position) in enumerate(task.items))
        key = f"{self._run}-{task.number}-{task.lost}"
        order = Order(
            self._run,
            task.number,
            key,
            fingerprint(),
            self.question,
            self._hash_mb,
            self._evaluation,
            min(limits, default=None),
            positions,
        )
        task.progress = None
        task.future = self._client.submit(solve_order, order, key=key, pure=False)
        self._running[task.number] = task
        self._client.loop.add_callback(self._fetch, task, task.future)

    # --- in the thread of the client's event loop

    async def _fetch(self, task: _Task[K], future: Future[Report]) -> None:
        """Bring the result of a task here, and put it into the queue."""
        try:
            report = await self._client.gather(future, asynchronous=True)
        except asyncio.CancelledError as error:  # also what Dask raises for a future that is lost
            self._came.put(_Came(task, error=error))
        except Exception as error:
            self._came.put(_Came(task, error=error))
        else:
            self._came.put(_Came(task, report))

    async def _look(self) -> None:
        with contextlib.suppress(Exception):  # a lost connection shows elsewhere
            found = await self._client.scheduler.ncores()
            self.threads = sum(found.values())

    async def _stop_workers(self) -> None:
        with contextlib.suppress(Exception):  # a dead worker has stopped
            await self._client.run(stop_run, self._run, on_error="ignore", asynchronous=True)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Note how far a task is."""
        said = event[1]
        task = self._running.get(said["task"])
        if task is not None:
            task.at, task.before = min(said["number"], len(task.items) - 1), said["before"]
            best = Move.parse(said["best"]) if said["best"] else None
            task.progress = Progress(said["lower"], said["upper"], best, said["nodes"], said["time_s"])

    def _ask_to_stop(self) -> None:
        self._client.loop.add_callback(self._stop_workers)

    def _drop(self) -> list[_Task[K]]:
        """Take back the tasks that run, and forget them; the scheduler tells their workers to stop."""
        dropped = list(self._running.values())
        self._running.clear()
        futures = [task.future for task in dropped if task.future is not None]
        with contextlib.suppress(Exception):  # without a connection nothing is left to take back
            self._client.cancel(futures, asynchronous=False, force=True)
        return dropped

    # --- what comes back

    def _take(self, came: _Came) -> None:
        task = came.task
        if self._running.pop(task.number, None) is None:  # dropped
            return
        task.future = None
        if came.report is None:
            self._failed(task, came.error)
            return
        if came.report.fingerprint != fingerprint():
            self.cancel()
            refuse(came.report.worker, came.report.fingerprint, fingerprint())
        nodes, seconds = 0, 0.0
        for number, solution in came.report.answers:
            score = solution.score
            nodes, seconds = nodes + score.nodes, seconds + score.time_s
            self._answers.append(Answer(task.items[number][0], solution, 1))
        self._nodes += nodes
        if len(came.report.answers) == len(task.items):
            self._costs.learn(task.predicted, seconds)
        elif self._stopped is None and not self._cancelled:
            # a worker took part of it for stopped: a task that came back and went out again
            answered = {number for number, _ in came.report.answers}
            left = [item for number, item in enumerate(task.items) if number not in answered]
            self._put_again(task, [left])
        elif not self._cancelled:
            self.skipped += len(task.items) - len(came.report.answers)

    def _failed(self, task: _Task[K], error: BaseException | None) -> None:
        """Hand out a task again that cost a worker; anything else ends the run."""
        if self._stopped is not None:
            return
        lost = type(error).__name__ == "KilledWorker"
        if not (lost or isinstance(error, MemoryError)):
            self.cancel()
            if isinstance(error, ReversiError):
                raise error
            if isinstance(error, asyncio.CancelledError) or self._client.status != "running":
                raise ClusterError(
                    f"{self._connection.address}: the connection to the scheduler is lost"
                ) from error
            raise ClusterError(f"{self._connection.address}: a worker failed: {_named(error)}") from error
        if task.lost >= _LOST_AT_MOST:
            self.cancel()
            if isinstance(error, MemoryError):
                raise TableSizeError(f"no memory for a table of {self._hash_mb} MB on the workers")
            raise ClusterError(
                f"{self._connection.address}: one position ended its worker {task.lost + 1} times; "
                "there may be too little memory for the table"
            )
        self._put_again(task, [[item] for item in task.items])

    def _put_again(self, task: _Task[K], parts: list[list[tuple[K, Position]]]) -> None:
        for items in parts:
            self._numbers += 1
            nodes = math.fsum(self._costs.predicted(position) for _, position in items)
            self._again.append(_Task(self._numbers, nodes, items, task.lost + 1))


def _named(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
