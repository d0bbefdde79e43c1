"""Solving a position as the work of a job, on this machine or another one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from reversi._core import Position
from reversi.errors import TableSizeError
from reversi.solver.question import Question
from reversi.solver.settings import SearchSettings
from reversi.solver.solution import Solution, SolveProgress
from reversi.solver.solver import Solver
from reversi.work.jobs import Job

_kept: Solver | None = None
_lock = threading.Lock()


def kept_solver(settings: SearchSettings, useful_mb: int | None = None) -> Solver:
    """Return the solver of this process, with the table that earlier jobs filled, or a new one.

    Args:
        settings: what it works with; its table has this size at most.
        useful_mb: size of the table in MB (2**20 bytes) beyond which the search gains nothing; any if not given.

    Raises:
        TableSizeError: there is no memory for the table.
    """
    global _kept  # noqa: PLW0603 - one table for each process
    most = settings.hash_mb
    wanted = replace(settings, hash_mb=most if useful_mb is None else min(useful_mb, most))
    with _lock:
        if _kept is None or not (
            wanted.hash_mb <= _kept.settings.hash_mb <= most
            and replace(wanted, hash_mb=_kept.settings.hash_mb) == _kept.settings
        ):
            _kept = None  # two tables may be one too many
            try:
                _kept = Solver.of(wanted)
            except MemoryError:
                raise TableSizeError(f"the workers have no memory for a table of {wanted.hash_mb} MB") from None
        return _kept


class Deadline:
    """A moment. In another process it is as far away as it was when it was sent.

    Args:
        seconds: from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then, not below 0."""
        return max(0.0, self._at - time.monotonic())

    def __reduce__(self) -> tuple[type[Deadline], tuple[float]]:
        return Deadline, (self.left,)


@dataclass(frozen=True)  # without slots it is pickled faster
class SolveWork:
    """Solving a position.

    Attributes:
        position: the position.
        question: what to find about it.
        solver: returns the solver of the process; see `kept_solver`.
        threads: how many threads search it.
        time_s: seconds for it.
        nodes: positions to visit for it.
        deadline: when all positions have to be done.
    """

    position: Position
    question: Question
    solver: Callable[[], Solver]
    threads: int = 1
    time_s: float | None = None
    nodes: int | None = None
    deadline: Deadline | None = None

    def do(self, job: Job[Any, Any], /) -> Solution | None:
        """Solve it; a cancel ends that with what is proved. ``None`` after the deadline."""
        limits = [self.time_s, None if self.deadline is None else self.deadline.left]
        limit = min((each for each in limits if each is not None), default=None)
        if self.deadline is not None and not self.deadline.left:
            return None

        def note(progress: SolveProgress) -> None:
            job.note(progress.nodes, progress)

        solution = self.solver().ask(
            self.position,
            self.question,
            threads=self.threads,
            time_s=limit,
            nodes=self.nodes,
            cancel=job.cancel,
            progress=note,
        )
        job.note(solution.score.nodes)
        return solution
