"""The code that every worker of a cluster runs: the work of a task, piece by piece, until it is done or stopped.

A task stops early when its run is stopped (`stop_run`), when the scheduler takes the task back, and when the
client ends, after which the scheduler does so.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reversi._system.children import begin_process
from reversi.work.cluster.versions import Fingerprint, fingerprint
from reversi.work.jobs import Job, Work

_LOOK_S: Final = 0.1  # between two looks whether a task is stopped


@dataclass(frozen=True, slots=True)
class Order:
    """A task as it travels to a worker.

    Attributes:
        run: the name of the run, which `stop_run` takes; also the topic of its events.
        number: the number of the task in the run.
        key: the name of the task, as Dask knows it.
        fingerprint: that of the client.
        news_s: seconds between two messages about its progress.
        content: the work, pickled: a worker of another version does not open it.
    """

    run: str
    number: int
    key: str
    fingerprint: Fingerprint
    news_s: float
    content: bytes

    @classmethod
    def of(cls, run: str, number: int, key: str, news_s: float, work: Sequence[Work[Any]]) -> Order:
        content = pickle.dumps(tuple(work), pickle.HIGHEST_PROTOCOL)
        return cls(run, number, key, fingerprint(), news_s, content)


@dataclass(frozen=True, slots=True)
class Report:
    """What comes back.

    Attributes:
        worker: the address of the worker.
        fingerprint: that of the worker; if it differs, the worker did nothing.
        answers: the answers, with the place of their work in the order; what a stop left out is missing.
        seconds: wall-clock time of the task.
    """

    worker: str
    fingerprint: Fingerprint
    answers: tuple[tuple[int, Any], ...] = ()
    seconds: float = 0.0


_stopped: set[str] = set()


def stop_run(run: str) -> None:
    """End the tasks of a run in this process, also those that come later; each returns what it has."""
    _stopped.add(run)


def perform(order: Order) -> Report:
    """Do a task in a thread of a worker.

    Raises:
        MemoryError: the worker has too little memory.
    """
    from distributed import get_worker

    worker = get_worker()
    mine = fingerprint()
    if mine != order.fingerprint:
        return Report(worker.address, mine)

    def is_stopped() -> bool:
        if order.run in _stopped:
            return True
        task = worker.state.tasks.get(order.key)
        return task is None or task.state in ("cancelled", "resumed")

    def send(news: dict[str, Any]) -> None:
        worker.log_event(order.run, {"task": order.number, **news})

    began = time.monotonic()
    answers = []
    with _watched(is_stopped, send, order.news_s) as task:
        for number, work in enumerate(pickle.loads(order.content)):
            if is_stopped():
                break
            answer = work.do(task.begin(number, work, worker.state.nthreads))
            if answer is not None:
                answers.append((number, answer))
    return Report(worker.address, mine, tuple(answers), time.monotonic() - began)


class _Running:
    def __init__(self) -> None:
        self._before = 0
        self._now: tuple[int, Job[None, Any]] | None = None

    def begin(self, number: int, work: Work[Any], threads: int) -> Job[None, Any]:
        """Return the next job of the task."""
        if self._now is not None:
            self._before += self._now[1].amount
        job: Job[None, Any] = Job(None, work, threads=threads)
        self._now = number, job
        return job

    def cancel(self) -> None:
        if self._now is not None:
            self._now[1].cancel.cancel()

    def news(self) -> dict[str, Any]:
        """Return how far the task is; empty if nothing was noted about the job under way."""
        if self._now is None:
            return {}
        number, job = self._now
        if job.progress is None and not job.amount:
            return {}
        progress = pickle.dumps(job.progress, pickle.HIGHEST_PROTOCOL)
        return {"job": number, "amount": self._before + job.amount, "progress": progress}


@contextlib.contextmanager
def _watched(
    is_stopped: Callable[[], bool], send: Callable[[dict[str, Any]], None], news_s: float
) -> Iterator[_Running]:
    """Cancel a task soon after it is stopped, and send its news; whatever it does."""
    task, done = _Running(), threading.Event()

    def watch() -> None:
        due = time.monotonic() + news_s
        while not done.wait(_LOOK_S):
            if is_stopped():
                task.cancel()  # again and again: an engine that does not think yet misses it
            elif time.monotonic() >= due and (news := task.news()):
                send(news)
                due = time.monotonic() + news_s

    thread = threading.Thread(target=watch, name="reversi-watch", daemon=True)
    thread.start()
    try:
        yield task
    finally:
        done.set()
        thread.join()


def dask_setup(worker: object) -> None:
    """Begin a worker of ``local``; Dask calls this."""
    del worker
    begin_process()
