"""Solve many positions: small ones side by side, one thread each; hard ones alone, with all threads.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import Batch
>>> start = Position(parse_rules("othello,board=4x4"))
>>> with Batch(enumerate([start, start.play("b1")]), threads=2) as batch:
...     sorted((answer.key, str(answer.solution.score)) for answer in batch)
[(0, '-10 exact'), (1, '+10 exact')]
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from reversi._core import Position, Weights
from reversi._system.closing import ClosedAtEnd
from reversi._system.limits import check_memory, usable_cpus
from reversi.arguments import MAX_HASH_MB, MAX_THREADS, check_count, check_seconds
from reversi.errors import TableSizeError
from reversi.solver.costs import estimated_nodes
from reversi.solver.question import Question
from reversi.solver.solution import Progress, Solution
from reversi.solver.solver import SHARED_FROM, Solver
from reversi.work.cancel import Cancel

__all__ = ["DEFAULT_BATCH_HASH_MB", "Answer", "Batch", "is_small"]

DEFAULT_BATCH_HASH_MB: Final = 256
_SMALL_NODES: Final = 20e6
"""The cost limit of a position that is solved beside others: about half a second of one thread."""
_AHEAD: Final = 3
"""Positions handed out per thread, so that none waits while answers are being written."""
_MOST_SKIPPED: Final = 10_000
"""Positions that are counted after the total time: a fraction of a second's work."""

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Answer(Generic[K]):
    """One position of a batch, answered.

    Attributes:
        key: what came with the position.
        solution: the answer; as far as it was proved when a limit or `Batch.cancel` stopped it.
        threads: how many threads worked on it.
    """

    key: K
    solution: Solution
    threads: int


@dataclass(slots=True, eq=False)
class _Job(Generic[K]):
    key: K
    position: Position
    threads: int
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class _Done(Generic[K]):
    job: _Job[K]
    solution: Solution | None = None  # None: not attempted
    error: BaseException | None = None


def is_small(position: Position, threads: int, question: Question | None = None) -> bool:
    """Return whether one thread solves a position beside others, rather than all ``threads`` together.

    The more threads there are, the more a position must cost to keep them all busy.
    """
    if threads == 1 or position.empties < SHARED_FROM:
        return True
    return estimated_nodes(position, question) <= _SMALL_NODES * max(1.0, threads / 2)


class Batch(ClosedAtEnd, Generic[K]):
    """Solves positions with several threads and gives the answers as they come, in no particular order.

    Iterate over it, or call `next` to do something else in between; both from one thread. The batch takes
    positions from the iterable when it needs them. As a context manager it stops its threads at the end.

    Args:
        positions: pairs of a key, which comes back with the answer, and a position; of any rules.
        question: what is asked about each.
        hash_mb: size of the table in MB (2**20 bytes): all threads share it.
        threads: how many threads work; the usable CPUs when not given.
        time_limit: seconds for each position.
        total_time: seconds for all; `skipped` counts the positions that are not begun by then, up to 10,000. The
            others stay in the iterable, and `cut_short` says so.
        evaluation: whether the learned evaluation helps, or weights of one's own for it; see `Solver`.

    Raises:
        TableSizeError: the table does not fit in memory.
        InputError: a number is outside its limits.
    """

    def __init__(
        self,
        positions: Iterable[tuple[K, Position]],
        question: Question | None = None,
        *,
        hash_mb: int = DEFAULT_BATCH_HASH_MB,
        threads: int | None = None,
        time_limit: float | None = None,
        total_time: float | None = None,
        evaluation: bool | Weights = True,
    ) -> None:
        self.question = question or Question()
        self.threads = usable_cpus() if threads is None else threads
        check_count("threads", self.threads, MAX_THREADS)
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB")
        for name, seconds in (("time_limit", time_limit), ("total_time", total_time)):
            if seconds is not None:
                check_seconds(name, seconds)
        check_memory(hash_mb)
        self.skipped = 0  #: positions not begun within the total time, as far as they are counted
        self.cut_short = False  #: whether there may be more of these
        self.answered = 0  #: answers given so far
        self._hash_mb = hash_mb
        self._evaluation = evaluation
        self._time_limit = time_limit
        self._end = None if total_time is None else time.monotonic() + total_time
        self._positions: Iterator[tuple[K, Position]] | None = iter(positions)
        self._waiting: _Job[K] | None = None  # taken from the positions, but to be begun later
        self._running: list[_Job[K]] = []  # handed out, in that order
        self._tasks: queue.SimpleQueue[tuple[_Job[K], Solver] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[_Done[K]] = queue.SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._solver: Solver | None = None
        self._cancelled = False
        self._nodes = 0

    # --- for the caller

    @property
    def is_done(self) -> bool:
        """Whether all answers have been given."""
        return not self._running and self._waiting is None and self._positions is None

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all threads."""
        return self._nodes + sum(job.progress.nodes for job in self._running if job.progress is not None)

    @property
    def under_way(self) -> list[tuple[K, Progress]]:
        """The positions that have been searched for a while, with the bounds so far."""
        return [(job.key, job.progress) for job in self._running if job.progress is not None]

    def cancel(self) -> None:
        """Begin nothing more and stop what runs soon; its answers still come, as far as they were proved.

        A signal handler may call it.
        """
        self._cancelled = True

    def next(self, timeout: float | None = None) -> Answer[K] | None:
        """Return the next answer; ``None`` after ``timeout`` seconds without one, or when all have been given.

        Raises:
            TableSizeError: the machine has not enough memory for the table.
        """
        give_up = None if timeout is None else time.monotonic() + timeout
        while True:
            self._hand_out()
            if not self._running:
                return None
            pause = 0.1  # short, so that signals are seen where waiting cannot be interrupted
            if give_up is not None:
                pause = min(pause, give_up - time.monotonic())
            try:
                done = self._done.get(timeout=max(0.0, pause))
            except queue.Empty:
                if give_up is not None and time.monotonic() >= give_up:
                    return None
                continue
            self._running.remove(done.job)
            if done.error is not None:
                self.cancel()
                raise done.error
            if done.solution is not None:
                self._nodes += done.solution.score.nodes
                self.answered += 1
                return Answer(done.job.key, done.solution, done.job.threads)
            if not self._cancelled:
                self.skipped += 1

    def __iter__(self) -> Iterator[Answer[K]]:
        while (answer := self.next()) is not None:
            yield answer

    def close(self) -> None:
        """Stop all threads; answers not given yet are lost."""
        self.cancel()
        self._positions = self._waiting = None
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.join()
        self._workers.clear()
        self._running.clear()

    # --- handing positions out

    def _hand_out(self) -> None:
        """Give the workers their next positions: many small ones, or a single hard one."""
        if self._cancelled:
            self._positions = self._waiting = None
        while (job := self._waiting or self._pull()) is not None:
            self._waiting = job
            alone = not self._running
            if job.threads > 1:
                if not alone:
                    return
            elif not alone and (self._running[0].threads > 1 or len(self._running) >= _AHEAD * self.threads):
                return
            solver = self._shared_solver()
            self._waiting = None
            self._running.append(job)
            if len(self._workers) < min(self.threads, len(self._running)):
                worker = threading.Thread(target=self._work, name="reversi-batch", daemon=True)
                worker.start()
                self._workers.append(worker)
            self._tasks.put((job, solver))

    def _pull(self) -> _Job[K] | None:
        """Return the next position, ``None`` when there is none to be begun."""
        while self._positions is not None:
            positions, self._positions = self._positions, None  # what has failed is not asked again
            try:
                key, position = next(positions)
            except StopIteration:
                break
            self._positions = positions
            if self._end is not None and time.monotonic() >= self._end:
                self.skipped += 1
                if self.skipped >= _MOST_SKIPPED:
                    self._positions = None
                    self.cut_short = True
                continue
            return _Job(key, position, 1 if is_small(position, self.threads, self.question) else self.threads)
        return None

    def _shared_solver(self) -> Solver:
        """Return the one solver, with the one table, of all workers."""
        if self._solver is None:
            try:
                self._solver = Solver(self._hash_mb, self.threads, self._evaluation)
            except MemoryError:
                raise TableSizeError(f"no memory for a table of {self._hash_mb} MB") from None
        return self._solver

    # --- the workers

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            job, solver = task
            try:
                self._done.put(_Done(job, self._solve(job, solver)))
            except BaseException as error:  # raised again by the thread that asked
                self._done.put(_Done(job, error=error))

    def _solve(self, job: _Job[K], solver: Solver) -> Solution | None:
        left = None if self._end is None else self._end - time.monotonic()
        if self._cancelled or (left is not None and left <= 0):
            return None
        limits = [limit for limit in (self._time_limit, left) if limit is not None]
        stop = Cancel()

        def note(progress: Progress) -> None:
            job.progress = progress
            if self._cancelled:
                stop.cancel()

        return solver.ask(
            job.position,
            self.question,
            threads=job.threads,
            time_limit=min(limits, default=None),
            cancel=stop,
            progress=note,
        )
