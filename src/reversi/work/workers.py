"""What does jobs: the one face of threads, processes and clusters."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Iterable
from typing import Final, Generic, TypeVar

from reversi._system.closing import ClosedAtEnd
from reversi._system.inbox import Inbox
from reversi.work.jobs import Job, Work

POLL_S: Final = 0.1
"""Seconds of a wait: short, so that signals are seen where waiting cannot be interrupted."""

K = TypeVar("K")
A = TypeVar("A")


class Workers(ClosedAtEnd, Generic[K, A]):
    """What does jobs. Call it from one thread, and close it at the end.

    Args:
        threads: how many jobs are done side by side.
        ahead: how many jobs to take for each thread, so that none waits.
    """

    def __init__(self, threads: int, *, ahead: int = 1) -> None:
        self.threads = threads  #: how many jobs are done side by side
        self.is_stopped: bool = False  #: whether `stop` was called
        self._ahead = ahead
        self._running: dict[Job[K, A], None] = {}  # in the order in which they came
        self._ended: Inbox[Job[K, A]] = Inbox()

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another job."""
        return not self.is_stopped and len(self._running) < self._ahead * max(1, self.threads)

    @property
    def has_threads(self) -> bool:
        """Whether threads run that `close` ends."""
        return False

    @property
    def is_busy(self) -> bool:
        """Whether jobs were sent that have not come back."""
        return bool(self._running)

    @property
    def has_ended(self) -> bool:
        """Whether a job has ended that `next` has not returned."""
        return bool(self._ended)

    @property
    def running(self) -> list[Job[K, A]]:
        """The jobs that were sent and have not come back, in that order."""
        return list(self._running)

    @property
    def under_way(self) -> list[Job[K, A]]:
        """Those of them whose work has noted progress."""
        return [job for job in self.running if job.progress is not None]

    @property
    def amount(self) -> int:
        """What the jobs under way have taken so far, in the unit of their work."""
        return sum(job.amount for job in self.running)

    def send(self, key: K, work: Work[A], cost: float = 0.0) -> Job[K, A]:
        """Hand out work.

        Args:
            key: what the caller knows the job by.
            work: what to do.
            cost: what it is predicted to take, in a unit of the caller.
        """
        job = Job(key, work, cost)
        self._running[job] = None
        self._begin(job)
        return job

    def next(self, timeout_s: float) -> Job[K, A] | None:
        """Return the next job that has ended; ``None`` after ``timeout_s`` seconds without one, or if none runs.

        Raises:
            ReversiError: the workers are lost. (What the work of a job raises, `Job.result` raises.)
        """
        give_up = time.monotonic() + timeout_s
        while self._running:
            self._look_after()
            job = self._wait(max(0.0, min(POLL_S, give_up - time.monotonic())))
            if job is None:
                if time.monotonic() >= give_up:
                    return None
            elif job in self._running:  # it was not withdrawn
                del self._running[job]
                return job
        return None

    def result(self, job: Job[K, A]) -> A | None:
        """Wait until a job ends, and return its answer or raise its error; other jobs may end meanwhile."""
        while job in self._running:
            self.next(POLL_S)
        return job.result()

    async def wait(self) -> None:
        """Let asyncio do something else until a job may have ended; up to `POLL_S`."""
        import asyncio  # it takes long to load

        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def note() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(ended.set)

        self._ended.heard = note
        if not self._ended:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await ended.wait()

    def withdraw(self, jobs: Iterable[Job[K, A]]) -> None:
        """Cancel jobs that are needless now; they do not come back. One that has come back stays as it is."""
        for job in jobs:
            if job in self._running:
                del self._running[job]
                job.cancel.cancel()

    def stop(self) -> None:
        """Take no more jobs, and cancel all; they come back soon, some without an answer."""
        self.is_stopped = True
        for job in self.running:
            job.cancel.cancel()

    def close(self) -> None:
        """End everything; what has not come back is lost."""
        self.is_stopped = True
        self.withdraw(self.running)

    @abstractmethod
    def _begin(self, job: Job[K, A]) -> None:
        """Let a worker begin a job, now or when one is free; it goes to ``_ended`` at its end."""

    def _wait(self, seconds: float) -> Job[K, A] | None:
        """Return a job that has ended; ``None`` after a while without one."""
        return self._ended.take(seconds)

    def _look_after(self) -> None:
        """Do what is due while somebody waits."""
