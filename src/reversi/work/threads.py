"""Workers that are threads of this process: for work that leaves the interpreter free."""

from __future__ import annotations

import queue
import threading
from typing import TypeVar

from reversi.work.jobs import Job
from reversi.work.workers import Workers

K = TypeVar("K")
A = TypeVar("A")


class Threads(Workers[K, A]):
    """Threads of this process; each starts when there is a job for it.

    Args:
        threads: how many.
        ahead: how many jobs to take for each, so that none waits.
    """

    def __init__(self, threads: int, *, ahead: int = 1) -> None:
        super().__init__(threads, ahead=ahead)
        self._waiting: queue.SimpleQueue[Job[K, A] | None] = queue.SimpleQueue()
        self._started: list[threading.Thread] = []

    @property
    def has_threads(self) -> bool:
        """Whether threads run that `close` ends."""
        return bool(self._started)

    def close(self) -> None:
        """End all threads; what has not come back is lost."""
        super().close()
        for _ in self._started:
            self._waiting.put(None)
        for thread in self._started:
            thread.join()
        self._started.clear()

    def _begin(self, job: Job[K, A]) -> None:
        if len(self._started) < min(self.threads, len(self._running)):
            thread = threading.Thread(target=self._serve, name="reversi-worker", daemon=True)
            thread.start()
            self._started.append(thread)
        self._waiting.put(job)

    def _serve(self) -> None:
        """Do jobs in a thread until there is none."""
        while (job := self._waiting.get()) is not None:
            self._do(job)

    def _do(self, job: Job[K, A]) -> None:
        """Do a job, unless it was cancelled before."""
        try:
            job.end(None if job.cancel.cancelled else self._answer(job))
        except BaseException as error:  # the caller raises it again
            job.end(error=error)
        self._ended.put(job)

    def _answer(self, job: Job[K, A]) -> A | None:
        return job.work.do(job)
