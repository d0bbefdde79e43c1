"""The workers of a Dask cluster, as the client has them: tasks sent, sent again when their worker dies, stopped.

Dask decides which worker gets a task, and gives the tasks of a dead worker to others.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import pickle
import time
import uuid
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from reversi._system.inbox import Inbox
from reversi.arguments import check_type
from reversi.errors import ReversiError, TableSizeError
from reversi.work.cluster.bundles import Rate, Waiting
from reversi.work.cluster.connection import ClusterError, Connection, refuse
from reversi.work.cluster.remote import Order, Report, perform, stop_run
from reversi.work.cluster.versions import fingerprint
from reversi.work.jobs import Job
from reversi.work.workers import Workers

if TYPE_CHECKING:
    from distributed import Future

_THREADS_S: Final = 3.0  # between two looks at the number of threads
_STOP_S: Final = 0.7  # after a stop, for what the workers have found until then
_MOST_NEWS: Final = 100  # messages about progress in a second
_MOST_LOSSES: Final = 5
"""How often a task may end its worker: after the first time each of its jobs is a task of its own."""

K = TypeVar("K")
A = TypeVar("A")


@dataclass(slots=True, eq=False)
class _Task(Generic[K, A]):
    """Jobs that one worker does one after another.

    Attributes:
        number: its number in the run.
        jobs: its jobs.
        losses: how many workers ended with it.
        amount: what it has taken so far, as the worker said.
        now: the job under way, as the worker said.
    """

    number: int
    jobs: list[Job[K, A]]
    losses: int = 0
    amount: int = 0
    now: Job[K, A] | None = None
    future: Future[Report] | None = None


@dataclass(slots=True)
class _Came:
    """What the event loop has for the caller: a report or an error."""

    task: _Task[Any, Any]
    report: Report | None = None
    error: BaseException | None = None


class ClusterWorkers(Workers[K, A]):
    """The workers of a cluster; the connection stays when they are closed. Each of their threads does one job.

    Cheap jobs go out together, in tasks of about three seconds, the most expensive ones first. The workers gather
    jobs while they are free; a wait while they are means that no others follow.

    Args:
        connection: the cluster; see `reversi.work.connect`.
        noun: what a job is about, in messages.
        ahead: how many tasks to send to each thread, so that none waits.
        rate: what a thread is likely to do in a second, in the unit of costs; ``None``: each job is a task.
        read_ahead: how many jobs to take and sort before the first of them go out; 1 keeps their order.
    """

    def __init__(
        self,
        connection: Connection,
        noun: str,
        *,
        hash_mb: int = 0,
        ahead: int = 2,
        rate: float | None = None,
        read_ahead: int = 1,
    ) -> None:
        check_type("connection", connection, Connection)
        connection.check_table(hash_mb)
        super().__init__(connection.threads, ahead=ahead)
        self._connection = connection
        self._client: Any = connection.client  # Dask has few types
        self._noun = noun
        self._run = f"reversi-{uuid.uuid4().hex[:12]}"
        self._numbers = 0
        self._rate = None if rate is None else Rate(rate)
        self._waiting: Waiting[Job[K, A]] = Waiting(self._rate or Rate(1.0))
        self._read_ahead = read_ahead
        self._is_filling, self._are_last = True, False
        self._again: deque[_Task[K, A]] = deque()  # to send again
        self._tasks: dict[int, _Task[K, A]] = {}  # that were sent
        self._came: Inbox[_Came] = Inbox()
        self._drop_at = 0.0
        self._looked = time.monotonic()
        self._client.subscribe_topic(self._run, self._hear)

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another job."""
        return self._is_filling and not (self.is_stopped or self._again) and self._has_room

    @property
    def under_way(self) -> list[Job[K, A]]:
        """The jobs under way whose work has noted progress; each task has one."""
        return [task.now for task in list(self._tasks.values()) if task.now is not None]

    @property
    def amount(self) -> int:
        """What the jobs under way have taken so far, in the unit of their work; they report once a second."""
        return sum(task.amount for task in [*list(self._tasks.values()), *self._again])

    def withdraw(self, jobs: Iterable[Job[K, A]]) -> None:
        """Cancel jobs that are needless now; they do not come back. One that has come back stays as it is."""
        super().withdraw(jobs)
        self._drop(task for task in self._tasks.values() if not self._wanted(task.jobs))
        if not (self._is_filling or self.is_stopped):  # what waits may be needless, too
            self._send_tasks()

    def stop(self) -> None:
        """Take no more jobs and stop the workers; what they find within a second still comes back."""
        if self.is_stopped:
            return
        self.is_stopped = True
        self._drop_at = time.monotonic() + _STOP_S
        self._end_all([*self._waiting.take_all(), *(job for task in self._again for job in task.jobs)])
        self._again.clear()
        if self._tasks:
            self._client.loop.add_callback(self._stop_workers)

    def close(self) -> None:
        """Stop what runs; what has not come back is lost. The connection stays."""
        self.stop()
        super().close()
        with contextlib.suppress(ValueError, OSError):
            self._client.unsubscribe_topic(self._run)

    # --- sending

    @property
    def _has_room(self) -> bool:
        return len(self._tasks) < self._ahead * max(1, self.threads)

    @property
    def _news_s(self) -> float:
        """Seconds between two messages of a task: the client gets at most 100 a second in all."""
        return max(1.0, self.threads / _MOST_NEWS)

    def _begin(self, job: Job[K, A]) -> None:
        if self._rate is None:
            self._submit(self._new([job]))
            return
        self._waiting.add(job.cost, job)
        if len(self._waiting) >= self._read_ahead and self._waiting.fill_a_task(self.threads):
            self._is_filling = False
            self._send_tasks()

    def _send_tasks(self) -> None:
        """Send what waits, as far as there is room."""
        while len(self._waiting) and self._has_room:
            jobs, _ = self._waiting.next_task(self.threads, are_last=self._are_last)
            if wanted := self._wanted(jobs):
                self._submit(self._new(wanted))
        if not len(self._waiting):
            self._is_filling, self._are_last = True, False

    def _wanted(self, jobs: list[Job[K, A]]) -> list[Job[K, A]]:
        return [job for job in jobs if job in self._running]

    def _new(self, jobs: list[Job[K, A]], losses: int = 0) -> _Task[K, A]:
        self._numbers += 1
        return _Task(self._numbers, jobs, losses)

    def _submit(self, task: _Task[K, A]) -> None:
        key = f"{self._run}-{task.number}"
        order = Order.of(self._run, task.number, key, self._news_s, [job.work for job in task.jobs])
        task.future = self._client.submit(perform, order, key=key, pure=False)
        self._tasks[task.number] = task
        self._client.loop.add_callback(self._fetch, task, task.future)

    def _drop(self, tasks: Iterable[_Task[K, A]]) -> None:
        """Take tasks back."""
        dropped = list(tasks)
        for task in dropped:
            del self._tasks[task.number]
        futures = [task.future for task in dropped if task.future is not None]
        if futures:
            with contextlib.suppress(Exception):  # without a connection nothing is left to take back
                self._client.cancel(futures, asynchronous=False, force=True)

    def _look_after(self) -> None:
        """Send tasks, drop those that do not stop, and count the threads; each when it is due."""
        now = time.monotonic()
        if self.is_stopped:
            if self._tasks and now >= self._drop_at:
                for task in self._tasks.values():
                    self._end_all(task.jobs)
                self._drop(self._tasks.values())
            return
        if now - self._looked >= _THREADS_S:
            self._looked = now
            self._client.loop.add_callback(self._count_threads)
        while self._again:
            if self._wanted((task := self._again.popleft()).jobs):
                self._submit(task)
        if self._is_filling and len(self._waiting):
            self._is_filling, self._are_last = False, True
        self._send_tasks()

    # --- in the thread of the client's event loop

    async def _fetch(self, task: _Task[K, A], future: Future[Report]) -> None:
        """Bring the result of a task here, and put it where `next` finds it."""
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
            cores = await self._client.scheduler.ncores()
            self.threads: int = sum(cores.values())

    async def _stop_workers(self) -> None:
        with contextlib.suppress(Exception):  # a dead worker has stopped
            await self._client.run(stop_run, self._run, on_error="ignore", asynchronous=True)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Note how far a task is."""
        news = event[1]
        task = self._tasks.get(news["task"])
        if task is not None:
            task.amount = news["amount"]
            job = task.jobs[news["job"]]
            job.progress = pickle.loads(news["progress"])
            task.now = None if job.progress is None else job

    # --- what comes back

    def _wait(self, seconds: float) -> Job[K, A] | None:
        if not self._ended and (came := self._came.take(seconds)) is not None:
            self._take(came)
        return self._ended.take()

    def _end(self, job: Job[K, A], answer: A | None = None) -> None:
        job.end(answer)
        self._ended.put(job)

    def _end_all(self, jobs: Iterable[Job[K, A]]) -> None:
        """End jobs without an answer, because of a stop."""
        for job in jobs:
            self._end(job)

    def _take(self, came: _Came) -> None:
        task, report = came.task, came.report
        if self._tasks.pop(task.number, None) is None:  # withdrawn
            return
        task.future = None
        if report is None:
            self._failed(task, came.error)
            return
        if report.fingerprint != fingerprint():
            self.stop()
            refuse(report.worker, report.fingerprint, fingerprint())
        for number, answer in report.answers:
            self._end(task.jobs[number], answer)
        left = [job for job in task.jobs if not job.is_done]
        if not left:
            if self._rate is not None:
                self._rate.learn(math.fsum(job.cost for job in task.jobs), report.seconds)
        elif self.is_stopped:
            self._end_all(left)
        else:  # the scheduler took the task back from that worker and sent it out again
            self._again.append(self._new(left, task.losses + 1))

    def _failed(self, task: _Task[K, A], error: BaseException | None) -> None:
        """Send a task again that ended its worker; any other error ends the run."""
        if self.is_stopped:
            self._end_all(task.jobs)
            return
        lost = type(error).__name__ == "KilledWorker"
        place = self._connection.address
        if not (lost or isinstance(error, MemoryError | TableSizeError)):
            self.stop()
            if isinstance(error, ReversiError):
                raise error
            from distributed.comm.core import CommClosedError

            gone = isinstance(error, asyncio.CancelledError | CommClosedError)
            if gone or self._client.status != "running":
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
        self._again.extend(self._new([job], task.losses + 1) for job in task.jobs)


def _named(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
