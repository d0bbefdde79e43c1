"""The jobs of a proof, and the threads of this machine that do them.

A job answers one question about a position, in most cases whether its value is at least a number. Or it looks at
the question with a selective search, which proves nothing.
"""

from __future__ import annotations

import enum
import queue
import threading
import time
from dataclasses import dataclass
from typing import Final, Protocol

from reversi._core import Move, Position, Task
from reversi.solver.question import Question
from reversi.solver.search import ALL, Search
from reversi.solver.solver import Solver
from reversi.solver.stopping import SearchStopped, ask
from reversi.work.cancel import Cancel

__all__ = ["Found", "Job", "Kind", "LocalWorkers", "Workers", "do_job"]

_LEVEL: Final = 0  # of selective looks: the cheapest; what it misses costs less than a more careful one


class Kind(enum.Enum):
    """What a job does."""

    PROVE = "prove"
    LOOK = "look"
    GUESS = "guess"  # the value of the position, which no number bounds


@dataclass(frozen=True, slots=True)
class Job:
    """A job.

    Attributes:
        number: its number.
        kind: what it does.
        position: the position.
        question: what is asked about it.
        alone: whether it is the only job for now: several threads may do it together.
    """

    number: int
    kind: Kind
    position: Position
    question: Question
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a job found.

    Attributes:
        job: the job.
        nodes: positions visited.
        lower: the proved lower bound; ``None`` for a look or a guess, and if the job was stopped.
        upper: the proved upper bound.
        value: the likely value or bound of a look or a guess; ``None`` if it was stopped or does not pay.
        best: the move that a look prefers.
    """

    job: Job
    nodes: int
    lower: int | None = None
    upper: int | None = None
    value: int | None = None
    best: Move | None = None


class Workers(Protocol):
    """What does jobs: threads of this machine, or a cluster."""

    @property
    def threads(self) -> int:
        """How many jobs are done side by side."""

    @property
    def is_free(self) -> bool:
        """Whether another job can be sent."""

    def send(self, job: Job) -> None:
        """Begin a job."""

    def withdraw(self, jobs: list[Job]) -> None:
        """Stop needless jobs; nothing comes back of them."""

    def next(self, timeout: float) -> Found | None:
        """Return what the next job found; ``None`` after ``timeout`` seconds without one."""

    def close(self) -> None:
        """Stop everything."""


def do_job(solver: Solver, job: Job, cancel: Cancel) -> Found:
    """Do a job in this thread."""
    if job.kind is Kind.PROVE:
        threads = solver.threads if job.alone else 1
        solution = solver.ask(job.position, job.question, threads=threads, cancel=cancel)
        score = solution.score
        if cancel.cancelled and not job.question.is_answered(solution):
            return Found(job, score.nodes)
        return Found(job, score.nodes, score.lower, score.upper)
    with solver.shared.use(job.position.rules) as table:
        weights = solver.weights(job.position)
        task = Task(table, weights)
        value: int | None = None
        best: Move | None = None

        def work() -> None:
            nonlocal value, best
            try:
                if job.kind is Kind.GUESS:
                    value = Search(job.position, task, Question(), weights is not None, 0.0).guess()
                else:
                    alpha, beta = job.question.bounds(job.position.rules.board.cells)
                    value = task.value(job.position, alpha, beta, ALL, _LEVEL)
                best = None if task.cancelled else task.remembered(job.position)
            except SearchStopped:
                pass
            finally:
                task.dismiss()

        ask(task, work, cancel=cancel)
        if cancel.cancelled:
            value = best = None
        return Found(job, task.nodes, value=value, best=best)


class LocalWorkers:
    """Threads of this machine; they share the table of one solver.

    Args:
        solver: the solver.
        threads: how many jobs are done side by side; those of the solver when not given.
    """

    def __init__(self, solver: Solver, threads: int | None = None) -> None:
        self.threads = solver.threads if threads is None else threads
        self._solver = solver
        self._jobs: queue.SimpleQueue[tuple[Job, Cancel] | None] = queue.SimpleQueue()
        self._found: queue.SimpleQueue[Found | BaseException] = queue.SimpleQueue()
        self._running: dict[Job, Cancel] = {}
        self._started: list[threading.Thread] = []

    @property
    def is_free(self) -> bool:
        """Whether a thread has no job."""
        return len(self._running) < self.threads

    def send(self, job: Job) -> None:
        """Begin a job."""
        cancel = Cancel()
        self._running[job] = cancel
        if len(self._started) < self.threads:
            thread = threading.Thread(target=self._work, name="reversi-proof", daemon=True)
            thread.start()
            self._started.append(thread)
        self._jobs.put((job, cancel))

    def withdraw(self, jobs: list[Job]) -> None:
        """Stop needless jobs; nothing comes back of them."""
        for job in jobs:
            if (cancel := self._running.pop(job, None)) is not None:
                cancel.cancel()

    def next(self, timeout: float) -> Found | None:
        """Return what the next job found; ``None`` after ``timeout`` seconds without one."""
        give_up = time.monotonic() + timeout
        while self._running:
            try:
                found = self._found.get(timeout=max(0.0, min(0.1, give_up - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= give_up:
                    return None
                continue
            if isinstance(found, BaseException):
                raise found
            if self._running.pop(found.job, None) is not None:
                return found
        return None

    def close(self) -> None:
        """Stop everything."""
        self.withdraw(list(self._running))
        for _ in self._started:
            self._jobs.put(None)
        for thread in self._started:
            thread.join()
        self._started.clear()

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            job, cancel = item
            try:
                if not cancel.cancelled:
                    self._found.put(do_job(self._solver, job, cancel))
            except BaseException as error:  # raised again by the thread that asked
                self._found.put(error)
