"""A worker that is the calling thread itself: for work that no other thread or process can do."""

from __future__ import annotations

from typing import TypeVar

from reversi.work.jobs import Job
from reversi.work.workers import Workers

K = TypeVar("K")
A = TypeVar("A")


class Here(Workers[K, A]):
    """The thread that sends a job does it at once. An interrupt ends it there."""

    def __init__(self) -> None:
        super().__init__(1)

    def _begin(self, job: Job[K, A]) -> None:
        try:
            job.end(job.work.do(job))
        except Exception as error:  # the caller raises it again
            job.end(error=error)
        self._ended.put(job)
