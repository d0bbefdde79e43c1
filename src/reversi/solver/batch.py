"""Solve many positions: small ones side by side, one thread each; hard ones alone, with all threads.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import Batch
>>> start = Position(parse_rules("othello,board=4x4"))
>>> with Batch(enumerate([start, start.play("b1")]), threads=2) as batch:
...     sorted((answer.key, str(answer.solution.score)) for answer in batch)
[(0, '-10 exact'), (1, '+10 exact')]
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from types import NoneType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from reversi._core import Position, Weights
from reversi._system.closing import ClosedAtEnd
from reversi._system.limits import check_memory, usable_cpus
from reversi.arguments import MAX_NODES, TEXT_TO_POSITION, check_count, check_seconds, check_type
from reversi.errors import ArgumentError, InputError
from reversi.solver.costs import FIRST_RATE, estimated_nodes, useful_hash_mb
from reversi.solver.jobs import Deadline, SolveWork, kept_solver
from reversi.solver.question import Question
from reversi.solver.settings import SearchSettings
from reversi.solver.solution import Solution, SolveProgress
from reversi.solver.solver import SHARED_FROM, Solver
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.work.threads import Threads
from reversi.work.workers import POLL_S, Workers

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection

_SMALL_NODES: Final = 20e6
"""The cost limit of a position that is solved beside others: about half a second of one thread."""
_AHEAD: Final = 3
"""Positions handed out per thread, so that none waits while answers are being written."""
READ_AHEAD: Final = 200_000  # positions that are read and sorted for a cluster
_MOST_SKIPPED: Final = 10_000
"""Positions that are counted after the total time: a fraction of a second's work."""

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Solved(Generic[K]):
    """One position of a batch, answered.

    Attributes:
        key: what came with the position.
        solution: the answer; as far as it was proved when a limit or `Batch.cancel` stopped it.
        threads: how many threads worked on it.
    """

    key: K
    solution: Solution
    threads: int


def is_small(position: Position, threads: int, question: Question | None = None) -> bool:
    """Return whether one thread solves a position beside others, rather than all ``threads`` together.

    The more threads there are, the more a position must cost to keep them all busy.
    """
    if threads == 1 or position.empties < SHARED_FROM:
        return True
    return estimated_nodes(position, question) <= _SMALL_NODES * max(1.0, threads / 2)


class Batch(ClosedAtEnd, Generic[K]):
    """Solves positions with several threads and gives the answers as they come, in no particular order.

    Iterate over it, or call `next` to do something else in between; both from one thread. ``async for`` leaves an
    event loop free meanwhile, and a task that is cancelled there ends the batch at once. The batch takes positions
    from the iterable when it needs them, in that thread. As a context manager it stops its threads at the end.

    Args:
        positions: pairs of a key, which comes back with the answer, and a position; of any rules.
        question: what is asked about each.
        hash_mb: size of the table in MB (2**20 bytes): all threads share it. On a cluster each worker process has
            one, smaller where all positions are easy.
        threads: how many threads work; the usable CPUs when not given. A cluster has its own.
        time_s: seconds for each position.
        nodes: positions to visit for each, as in `Solver.solve`; one thread solves each of them then.
        total_time_s: seconds for all; `skipped` counts the positions that are not begun by then, up to 10,000. The
            others stay in the iterable, and ``cut_short`` says so.
        evaluation: whether the learned evaluation helps, or weights of one's own for it; see `Solver`. The workers
            of a cluster have the weights of the package.
        cluster: solve on this cluster instead, one thread for each position; see `reversi.work.connect`.

    Attributes:
        question: what is asked about every position.
        answered: answers given so far.
        skipped: positions not begun within the total time, as far as they are counted.
        cut_short: whether there may be more of these.

    Raises:
        TableSizeError: the table does not fit in memory.
        InputError: a number is outside its limits.
        ArgumentError: the positions have another type; while iterating, what comes is not a pair with a position.
    """

    def __init__(
        self,
        positions: Iterable[tuple[K, Position]],
        question: Question | None = None,
        *,
        hash_mb: int = DEFAULT_BATCH_HASH_MB,
        threads: int | None = None,
        time_s: float | None = None,
        nodes: int | None = None,
        total_time_s: float | None = None,
        evaluation: bool | Weights = True,
        cluster: Connection | None = None,
    ) -> None:
        check_type("question", question, Question, NoneType)
        self.question: Question = question or Question()
        settings = SearchSettings(hash_mb, usable_cpus() if threads is None else threads, evaluation)
        check_seconds("time_s", time_s, optional=True)
        check_seconds("total_time_s", total_time_s, optional=True)
        check_count("nodes", nodes, MAX_NODES, optional=True)
        self.skipped: int = 0
        self.cut_short: bool = False
        self.answered: int = 0
        self._settings = settings if cluster is None else replace(settings, threads=1)
        self._time_s = time_s
        self._most_nodes = nodes
        self._deadline = None if total_time_s is None else Deadline(total_time_s)
        self._positions: Iterator[tuple[K, Position]] | None = iter(positions)
        self._held: tuple[tuple[K, int], Position] | None = None  # taken from the positions, but to be begun later
        self._workers: Workers[tuple[K, int], Solution]  # by the key of a position and its threads
        self._is_local = cluster is None
        if cluster is None:
            check_memory(hash_mb)
            self._workers = Threads(settings.threads, ahead=_AHEAD)
        else:
            from reversi.work.cluster.workers import ClusterWorkers

            if not isinstance(evaluation, bool):
                raise InputError("the workers of a cluster have the package's weights")
            self._workers = ClusterWorkers(
                cluster, "position", hash_mb=hash_mb, rate=FIRST_RATE, read_ahead=READ_AHEAD
            )
        self._solver: Solver | None = None
        self._cancelled = False
        self._nodes = 0

    # --- for the caller

    def __repr__(self) -> str:
        return f"<Batch {self.answered} answered, threads={self.threads}{' done' * self.is_done}>"

    @property
    def threads(self) -> int:
        """How many threads work."""
        return self._workers.threads

    @property
    def is_done(self) -> bool:
        """Whether all answers have been given."""
        return not self._workers.is_busy and self._held is None and self._positions is None

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all threads; those of a cluster report once a second."""
        return self._nodes + self._workers.amount

    @property
    def under_way(self) -> list[tuple[K, SolveProgress]]:
        """The positions that have been searched for a while, with the bounds so far."""
        return [(job.key[0], job.progress) for job in self._workers.under_way]

    def cancel(self) -> None:
        """Begin nothing more and stop what runs soon; its answers still come, as far as they were proved.

        A signal handler may call it.
        """
        self._cancelled = True

    def next(self, timeout_s: float | None = None) -> Solved[K] | None:
        """Return the next answer; ``None`` after ``timeout_s`` seconds without one, or when all have been given.

        Raises:
            TableSizeError: the machine, or a worker of the cluster, has not enough memory for the table.
            ClusterError: the connection to the scheduler is lost, or a worker has another version.
        """
        check_seconds("timeout_s", timeout_s, optional=True)
        give_up = math.inf if timeout_s is None else time.monotonic() + timeout_s
        while True:
            self._hand_out()
            job = self._workers.next(min(POLL_S, give_up - time.monotonic()))
            if job is None:
                if not self._workers.is_busy or time.monotonic() >= give_up:
                    return None
                continue
            try:
                solution = job.result()
            except BaseException:
                self.cancel()
                raise
            if solution is not None:
                self._nodes += solution.score.nodes
                self.answered += 1
                return Solved(job.key[0], solution, job.key[1])
            if not self._cancelled:
                self._skip()

    def __iter__(self) -> Iterator[Solved[K]]:
        while (answer := self.next()) is not None:
            yield answer
        if self._is_local and self.is_done:  # the threads have nothing left to do
            self._workers.close()

    async def __aiter__(self) -> AsyncIterator[Solved[K]]:
        import asyncio  # it takes long to load

        try:
            while not self.is_done:
                if (answer := self.next(0)) is not None:
                    yield answer
                    await asyncio.sleep(0)
                elif not self.is_done:
                    await self._workers.wait()
        except asyncio.CancelledError:
            self.close()
            raise
        if self._is_local:
            self._workers.close()

    @property
    def _is_open(self) -> bool:
        return self._workers.has_threads

    def close(self) -> None:
        """Stop all threads; answers not given yet are lost. The connection to a cluster stays."""
        self.cancel()
        self._positions = self._held = None
        self._workers.close()

    # --- handing positions out

    def _hand_out(self) -> None:
        """Give the workers their next positions; to threads many small ones, or a single hard one."""
        if self._cancelled or (self._deadline is not None and not self._deadline.left):
            self._workers.stop()
            self._leave_out()
        while self._workers.is_free and (held := self._held or self._pull()) is not None:
            self._held = held
            (_, threads), position = held
            running = self._workers.running if self._is_local else []
            if running and (threads > 1 or running[0].key[1] > 1):
                return
            cost = 0.0 if self._is_local else estimated_nodes(position, self.question)
            solver = self._solver_of(cost)
            limits = self._time_s, self._most_nodes, self._deadline
            work = SolveWork(position, self.question, solver, threads, *limits)
            self._held = None
            self._workers.send(held[0], work, cost)

    def _pull(self) -> tuple[tuple[K, int], Position] | None:
        """Return the next position with its key and its threads; ``None`` when there is none."""
        if self._positions is None:
            return None
        positions, self._positions = self._positions, None  # what has failed is not asked again
        try:
            pair = next(positions)
        except StopIteration:
            return None
        check_type("an item of the positions", pair, tuple, advice="a batch takes pairs of a key and a position")
        if len(pair) != 2:
            raise ArgumentError(f"a batch takes pairs of a key and a position, not a tuple of {len(pair)}")
        key, position = pair
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        self._positions = positions
        alone = not self._is_local or self._most_nodes is not None  # with one thread that limit is exact
        small = alone or is_small(position, self.threads, self.question)
        return (key, 1 if small else self.threads), position

    def _leave_out(self) -> None:
        """Begin nothing more; count what the total time leaves out, as far as that does not take long."""
        while not self._cancelled and (self._held or self._pull()) is not None:
            self._held = None
            self._skip()
        self._positions = self._held = None

    def _skip(self) -> None:
        self.skipped = min(self.skipped + 1, _MOST_SKIPPED)
        if self.skipped == _MOST_SKIPPED:
            self._positions = None
            self.cut_short = True

    def _solver_of(self, cost: float) -> Callable[[], Solver]:
        """Return what gives a worker its solver: the one solver of all threads, or one in its process."""
        if not self._is_local:
            return _kept(self._settings, useful_hash_mb(cost))
        if self._solver is None:
            self._solver = Solver.of(self._settings)
        solver = self._solver
        return lambda: solver


@functools.cache
def _kept(settings: SearchSettings, useful_mb: int) -> Callable[[], Solver]:
    """Return what gives a worker the solver of its process: one object for many positions travels once."""
    return functools.partial(kept_solver, settings, useful_mb)
