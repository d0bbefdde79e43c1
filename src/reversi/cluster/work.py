"""The code that every worker runs: the items of a task, one after another, until they are done or stopped.

A kind of task is a `Work`; it travels to the workers with its items. A task stops early when its run is stopped
(`stop_run`), when the scheduler takes the task back, and when the client ends, after which the scheduler does so.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from reversi.cluster.versions import Fingerprint, fingerprint
from reversi.work.cancel import Cancel

__all__ = ["VARIABLES", "Order", "Report", "RunningTask", "Work", "perform", "restore_variables", "stop_run"]

VARIABLES: Final = "reversi.variables"
"""The setting of Dask that says which variables of the environment its workers of ``local`` restore."""

_LOOK_S: Final = 0.1  # between two looks whether a task is stopped

I_contra = TypeVar("I_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Work(Protocol[I_contra, A_co]):
    """A kind of task: how a worker gets the answer of one item. It must pickle."""

    def do(self, item: I_contra, task: RunningTask, /) -> A_co | None:
        """Return the answer of an item; ``None`` if the task was stopped before there was one.

        Raises:
            MemoryError: the worker has too little memory; another one may have more.
        """
        ...


class RunningTask:
    """A task under way on a worker.

    Attributes:
        cancel: stops the item under way; the task cancels it when it is stopped.
        threads: how many tasks the worker runs at a time.
    """

    def __init__(self, threads: int) -> None:
        self.cancel = Cancel()
        self.threads = threads
        self._item = 0
        self._before = 0
        self._noted: tuple[int, Callable[[], dict[str, Any]]] | None = None

    def note(self, amount: int, fields: Callable[[], dict[str, Any]] = dict) -> None:
        """Note how far the item under way is; the client gets it when it is due.

        Args:
            amount: what the item has taken so far: nodes or turns.
            fields: returns what else is known about it.
        """
        self._noted = amount, fields

    def finish(self, amount: int) -> None:
        """End the item under way, which has taken ``amount`` in all."""
        self._noted = None
        self._item += 1
        self._before += amount

    def news(self) -> dict[str, Any]:
        """Return how far the task is; empty if nothing was noted about the item under way."""
        noted = self._noted
        return {} if noted is None else {"item": self._item, "amount": self._before + noted[0], **noted[1]()}


@dataclass(frozen=True, slots=True)
class Order:
    """A task as it travels to a worker.

    Attributes:
        run: the name of the run, which `stop_run` takes; also the topic of its events.
        number: the number of the task in the run.
        key: the name of the task, as Dask knows it.
        fingerprint: that of the client.
        news_s: seconds between two messages about its progress.
        content: the `Work` and the items, pickled: a worker of another version does not open it.
    """

    run: str
    number: int
    key: str
    fingerprint: Fingerprint
    news_s: float
    content: bytes

    @classmethod
    def of(
        cls, run: str, number: int, key: str, news_s: float, work: Work[Any, Any], items: Sequence[Any]
    ) -> Order:
        """Return the order of a task."""
        content = pickle.dumps((work, tuple(items)), pickle.HIGHEST_PROTOCOL)
        return cls(run, number, key, fingerprint(), news_s, content)


@dataclass(frozen=True, slots=True)
class Report:
    """What comes back.

    Attributes:
        worker: the address of the worker.
        fingerprint: that of the worker; if it differs, the worker did nothing.
        answers: the numbers of the items with their answers; items that a stop left out are missing.
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
    work, items = pickle.loads(order.content)
    answers = []
    with _watched(RunningTask(worker.state.nthreads), is_stopped, send, order.news_s) as task:
        for number, item in enumerate(items):
            if is_stopped():
                break
            answer = work.do(item, task)
            if answer is not None:
                answers.append((number, answer))
    return Report(worker.address, mine, tuple(answers), time.monotonic() - began)


@contextlib.contextmanager
def _watched(
    task: RunningTask,
    is_stopped: Callable[[], bool],
    send: Callable[[dict[str, Any]], None],
    news_s: float,
) -> Iterator[RunningTask]:
    """Cancel a task soon after it is stopped, and send its news; whatever it does."""
    done = threading.Event()

    def watch() -> None:
        due = time.monotonic() + news_s
        while not done.wait(_LOOK_S):
            if is_stopped():
                task.cancel.cancel()  # again and again: an engine that does not think yet misses it
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
    """Leave Ctrl-C to the client: in a terminal it reaches the workers of ``local``, too. Dask calls this.

    What Dask has set in their environment is not for the engines that they start.
    """
    del worker
    import dask

    restore_variables(dask.config.get(VARIABLES, {}))
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def restore_variables(values: Mapping[str, str | None]) -> None:
    """Give variables of the environment these values; ``None`` is for a variable that is not set."""
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
