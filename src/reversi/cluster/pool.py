"""Tasks on a Dask cluster, from the side of the client: sent, sent again when their worker dies, stopped.

Dask decides which worker gets a task, and gives the tasks of a dead worker to others.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from reversi.cluster.connection import ClusterError, Connection, refuse
from reversi.cluster.versions import fingerprint
from reversi.cluster.work import Order, Report, Work, perform, stop_run
from reversi.errors import ReversiError, TableSizeError

if TYPE_CHECKING:
    from distributed import Future
__all__ = ["Pool", "Returned", "Sent"]

_THREADS_S: Final = 3.0  # between two looks at the number of threads
_STOP_S: Final = 0.7  # after a stop, for what the workers have found until then
_POLL_S: Final = 0.1  # short, so that signals are seen where waiting cannot be interrupted
_MOST_NEWS: Final = 100  # messages about progress in a second
_MOST_LOSSES: Final = 5
"""How often a task may end its worker: after the first time each of its items is a task of its own."""

I = TypeVar("I")  # noqa: E741 - an item
A = TypeVar("A")


@dataclass(slots=True, eq=False)
class Sent(Generic[I]):
    """A task that was sent.

    Attributes:
        number: its number in the run.
        items: its items.
        cost: what it is predicted to take, in the unit of the caller.
        news: what the worker last said about the item under way; empty in the first second.
        losses: how many workers ended with it.
    """

    number: int
    items: list[I]
    cost: float = 0.0
    news: dict[str, Any] = field(default_factory=dict)
    losses: int = 0
    future: Future[Report] | None = None

    @property
    def amount(self) -> int:
        """What the task has taken so far, in the unit of its work: nodes or turns."""
        return int(self.news.get("amount", 0))

    @property
    def item(self) -> I:
        """The item under way."""
        return self.items[min(int(self.news.get("item", 0)), len(self.items) - 1)]


@dataclass(frozen=True, slots=True)
class Returned(Generic[I, A]):
    """What came back of a task.

    Attributes:
        task: the task.
        answers: the items with their answers; after a stop, items without an answer are missing.
        seconds: wall-clock time of the task on its worker.
    """

    task: Sent[I]
    answers: tuple[tuple[I, A], ...]
    seconds: float

    @property
    def is_complete(self) -> bool:
        """Whether every item has an answer."""
        return len(self.answers) == len(self.task.items)


@dataclass(slots=True)
class _Came:
    """What the event loop has for the caller: a report or an error."""

    task: Sent[Any]
    report: Report | None = None
    error: BaseException | None = None


class Pool(Generic[I, A]):
    """The tasks of one run. Call it from one thread; close it at the end.

    Args:
        connection: the cluster.
        work: returns how the items of a task are done, when the task is sent.
        load: returns what travels to the workers of an item.
        noun: what an item is, in messages.
        ahead: tasks to send per thread of the workers, so that none waits.
    """

    def __init__(
        self,
        connection: Connection,
        work: Callable[[], Work[Any, A]],
        load: Callable[[I], object],
        noun: str,
        *,
        ahead: int = 2,
    ) -> None:
        self.threads = connection.threads  #: threads of all workers
        self.unanswered = 0  #: items without an answer because of a stop
        self.is_stopped = False  #: whether `stop` was called
        self._connection = connection
        self._client: Any = connection.client  # Dask has few types
        self._work, self._load, self._noun, self._ahead = work, load, noun, ahead
        self._run = f"reversi-{uuid.uuid4().hex[:12]}"
        self._numbers = 0
        self._again: deque[Sent[I]] = deque()  # to send again
        self._running: dict[int, Sent[I]] = {}
        self._came: queue.SimpleQueue[_Came] = queue.SimpleQueue()
        self._drop_at = 0.0
        self._looked = time.monotonic()
        self._client.subscribe_topic(self._run, self._hear)

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another task."""
        return not (self.is_stopped or self._again) and len(self._running) < self._ahead * max(1, self.threads)

    @property
    def running(self) -> list[Sent[I]]:
        """The tasks that were sent and have not come back."""
        return [*list(self._running.values()), *self._again]

    def send(self, items: Sequence[I], cost: float = 0.0) -> Sent[I]:
        """Send a task.

        Args:
            items: its items; the worker does one after another.
            cost: what it is predicted to take, in the unit of the caller.
        """
        task = self._new(list(items), cost)
        self._submit(task)
        return task

    def next(self, timeout: float) -> Returned[I, A] | None:
        """Return the next task that comes back; ``None`` after ``timeout`` seconds without one.

        Raises:
            ClusterError: the connection to the scheduler is lost, a worker has another version, or an item ends
                every worker that gets it.
            TableSizeError: the workers have not enough memory for a table.
            ReversiError: what else the work of a task raises.
        """
        give_up = time.monotonic() + timeout
        while True:
            self._look_after()
            if not self._running:
                return None
            pause = min(_POLL_S, give_up - time.monotonic())
            try:
                returned = self._take(self._came.get(timeout=max(0.0, pause)))
            except queue.Empty:
                returned = None
            if returned is not None or time.monotonic() >= give_up:
                return returned

    def stop(self) -> None:
        """Stop the workers; what they have found within a second still comes back."""
        if self.is_stopped:
            return
        self.is_stopped = True
        self._drop_at = time.monotonic() + _STOP_S
        for task in self._again:
            self.unanswered += len(task.items)
        self._again.clear()
        if self._running:
            self._client.loop.add_callback(self._stop_workers)

    def withdraw(self, tasks: Sequence[Sent[I]]) -> None:
        """Take tasks back that are needless now; those that have come back already stay as they are."""
        dropped = [task for task in tasks if self._running.pop(task.number, None) is not None]
        for task in tasks:
            with contextlib.suppress(ValueError):
                self._again.remove(task)
        futures = [task.future for task in dropped if task.future is not None]
        with contextlib.suppress(Exception):  # without a connection nothing is left to take back
            self._client.cancel(futures, asynchronous=False, force=True)

    def close(self) -> None:
        """Stop what runs; what has not come back is lost. The connection stays."""
        self.stop()
        self.withdraw(self.running)
        with contextlib.suppress(ValueError, OSError):
            self._client.unsubscribe_topic(self._run)

    # --- sending

    def _new(self, items: list[I], cost: float, losses: int = 0) -> Sent[I]:
        self._numbers += 1
        return Sent(self._numbers, items, cost, losses=losses)

    @property
    def _news_s(self) -> float:
        """Seconds between two messages of a task: the client gets at most 100 a second in all."""
        return max(1.0, self.threads / _MOST_NEWS)

    def _submit(self, task: Sent[I]) -> None:
        key = f"{self._run}-{task.number}"
        items = [self._load(item) for item in task.items]
        order = Order.of(self._run, task.number, key, self._news_s, self._work(), items)
        task.future = self._client.submit(perform, order, key=key, pure=False)
        self._running[task.number] = task
        self._client.loop.add_callback(self._fetch, task, task.future)

    def _look_after(self) -> None:
        """Send tasks again, drop those that do not stop, and count the threads; each when it is due."""
        now = time.monotonic()
        if self.is_stopped:
            if self._running and now >= self._drop_at:
                dropped = self.running
                self.unanswered += sum(len(task.items) for task in dropped)
                self.withdraw(dropped)
            return
        if now - self._looked >= _THREADS_S:
            self._looked = now
            self._client.loop.add_callback(self._count_threads)
        while self._again:
            self._submit(self._again.popleft())

    # --- in the thread of the client's event loop

    async def _fetch(self, task: Sent[I], future: Future[Report]) -> None:
        """Bring the result of a task here, and put it into the queue."""
        try:
            report = await self._client.gather(future, asynchronous=True)
        except asyncio.CancelledError as error:  # Dask raises it for a future that is lost, too
            self._came.put(_Came(task, error=error))
        except Exception as error:
            self._came.put(_Came(task, error=error))
        else:
            self._came.put(_Came(task, report))

    async def _count_threads(self) -> None:
        with contextlib.suppress(Exception):  # a lost connection shows elsewhere
            found = await self._client.scheduler.ncores()
            self.threads = sum(found.values())

    async def _stop_workers(self) -> None:
        with contextlib.suppress(Exception):  # a dead worker has stopped
            await self._client.run(stop_run, self._run, on_error="ignore", asynchronous=True)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Note how far a task is."""
        news = event[1]
        task = self._running.get(news["task"])
        if task is not None:
            task.news = news

    # --- what comes back

    def _take(self, came: _Came) -> Returned[I, A] | None:
        task, report = came.task, came.report
        if self._running.pop(task.number, None) is None:  # withdrawn
            return None
        task.future = None
        if report is None:
            self._failed(task, came.error)
            return None
        if report.fingerprint != fingerprint():
            self.stop()
            refuse(report.worker, report.fingerprint, fingerprint())
        if len(report.answers) < len(task.items):
            answered = {number for number, _ in report.answers}
            left = [item for number, item in enumerate(task.items) if number not in answered]
            if self.is_stopped:
                self.unanswered += len(left)
            else:  # the scheduler took the task back from that worker and sent it out again
                self._send_again(task, [left])
        answers = tuple((task.items[number], answer) for number, answer in report.answers)
        return Returned(task, answers, report.seconds)

    def _failed(self, task: Sent[I], error: BaseException | None) -> None:
        """Send a task again that ended its worker; any other error ends the run."""
        if self.is_stopped:
            self.unanswered += len(task.items)
            return
        lost = type(error).__name__ == "KilledWorker"
        place = self._connection.address
        if not (lost or isinstance(error, MemoryError | TableSizeError)):
            self.stop()
            if isinstance(error, ReversiError):
                raise error
            if isinstance(error, asyncio.CancelledError) or self._client.status != "running":
                raise ClusterError(f"{place}: the connection to the scheduler is lost") from error
            raise ClusterError(f"{place}: a worker failed: {_named(error)}") from error
        if task.losses >= _MOST_LOSSES:
            self.stop()
            if isinstance(error, TableSizeError):
                raise error
            raise ClusterError(
                f"{place}: one {self._noun} ended its worker {task.losses + 1} times; "
                "the machine may have too little memory"
            )
        self._send_again(task, [[item] for item in task.items])

    def _send_again(self, task: Sent[I], parts: list[list[I]]) -> None:
        for items in parts:
            self._again.append(self._new(items, task.cost * len(items) / len(task.items), task.losses + 1))


def _named(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
