"""The code that runs on the workers: a batch of positions solved in one task, with a table that stays.

A worker process has one solver, whose table stays from task to task. A task ends early when its run is stopped
(`stop_run`), when the scheduler takes the task back, and when the client goes away, the same to the worker.
"""

from __future__ import annotations

import functools
import hashlib
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from reversi._core import Position
from reversi._version import __version__
from reversi.evaluation.weights import weights_version
from reversi.rules import parse_rules
from reversi.solver.question import Question
from reversi.solver.solution import Progress, Solution
from reversi.solver.solver import Solver
from reversi.solver.stopping import Cancel

__all__ = ["Fingerprint", "Order", "Report", "fingerprint", "solve_order", "stop_run"]

_SAY_S = 1.0  # between two reports of one task
_RULES = (
    "othello,board=4x4",
    "othello,board=6x4,start=parallel,misere,discs-only",
    "othello,board=4x4,optional-skip,full-board",
    "adjacent,board=4x4",
    "adjacent,board=4x4,optional-skip,no-moves",
    "othello,board=4x4,optional-capture,anywhere",
)


class Fingerprint(NamedTuple):
    """What a client and its workers must have in common.

    Attributes:
        package: the version of the package.
        weights: the checksum of the weights of the evaluation.
        rules: a checksum of how the rules play: numbers of games of a few moves under several rule sets.
    """

    package: str
    weights: str
    rules: str

    def difference(self, other: Fingerprint) -> str:
        """Return how another one differs, in words; empty where it does not."""
        parts = []
        if other.package != self.package:
            parts.append(f"version {other.package}, not {self.package}")
        if other.weights != self.weights:
            parts.append(f"weights {other.weights}, not {self.weights}")
        if other.rules != self.rules:
            parts.append("other rules")
        return ", ".join(parts)


@functools.cache
def fingerprint() -> Fingerprint:
    """Return the fingerprint of this process."""
    digest = hashlib.sha256()
    for text in _RULES:
        rules = parse_rules(text)
        digest.update(f"{rules!r} {Position(rules).perft(5)}\n".encode())
    return Fingerprint(__version__, weights_version(), digest.hexdigest()[:12])


@dataclass(frozen=True, slots=True)
class Order:
    """A task: positions to solve one after another.

    Attributes:
        run: the name of the run, which `stop_run` takes; also the topic of its events.
        number: the number of the task in the run.
        key: the name of the task, as Dask knows it.
        fingerprint: that of the client.
        question: what is asked about each position.
        hash_mb: size of the table of the worker process in MB.
        evaluation: whether the learned evaluation helps.
        time_limit: seconds for each position.
        positions: the positions with their numbers in the run.
    """

    run: str
    number: int
    key: str
    fingerprint: Fingerprint
    question: Question
    hash_mb: int
    evaluation: bool
    time_limit: float | None
    positions: tuple[tuple[int, Position], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What comes back.

    Attributes:
        worker: the address of the worker.
        fingerprint: that of the worker; where it differs, nothing was solved.
        answers: the numbers of the positions with their answers; positions that a stop left out are missing.
    """

    worker: str
    fingerprint: Fingerprint
    answers: tuple[tuple[int, Solution], ...]


_stopped: set[str] = set()
_lock = threading.Lock()
_solver: tuple[tuple[int, bool], Solver] | None = None


def stop_run(run: str) -> None:
    """End the tasks of a run that this process works on or will be given; they return what is proved."""
    _stopped.add(run)


def solve_order(order: Order) -> Report:
    """Solve the positions of an order, in a task of a worker.

    Raises:
        MemoryError: there is no memory for the table.
    """
    from distributed import get_worker

    worker = get_worker()
    mine = fingerprint()
    if mine != order.fingerprint:
        return Report(worker.address, mine, ())

    def is_stopped() -> bool:
        if order.run in _stopped:
            return True
        task = worker.state.tasks.get(order.key)
        return task is None or task.state in ("cancelled", "resumed")

    def say(fields: dict[str, Any]) -> None:
        worker.log_event(order.run, {"task": order.number, **fields})

    return Report(worker.address, mine, tuple(_solved(order, is_stopped, say)))


def _solved(
    order: Order, is_stopped: Callable[[], bool], say: Callable[[dict[str, Any]], None]
) -> list[tuple[int, Solution]]:
    """Answer an order until it is stopped; ``say`` is called about once a second."""
    answers: list[tuple[int, Solution]] = []
    solver = _kept_solver(order.hash_mb, order.evaluation)
    said = time.monotonic()
    nodes = 0
    for number, position in order.positions:
        if is_stopped():
            break
        stop = Cancel()

        def note(progress: Progress, stop: Cancel = stop, number: int = number, before: int = nodes) -> None:
            nonlocal said
            if is_stopped():
                stop.cancel()
            elif (now := time.monotonic()) - said >= _SAY_S:
                said = now
                best = "" if progress.best is None else str(progress.best)
                bounds = {"lower": progress.lower, "upper": progress.upper, "best": best}
                at_it = {"number": number, "time_s": progress.time_s, "nodes": progress.nodes}
                say({**at_it, **bounds, "before": before})

        solution = solver.ask(
            position, order.question, threads=1, time_limit=order.time_limit, cancel=stop, progress=note
        )
        nodes += solution.score.nodes
        answers.append((number, solution))
    return answers


def _kept_solver(hash_mb: int, evaluation: bool) -> Solver:
    """Return the solver of this process, with the table that earlier tasks filled."""
    global _solver  # noqa: PLW0603 - one table for each process
    with _lock:
        if _solver is None or _solver[0] != (hash_mb, evaluation):
            _solver = None  # two tables may be one too many
            _solver = (hash_mb, evaluation), Solver(hash_mb, 1, evaluation)
        return _solver[1]


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C to the client: in a terminal it reaches the workers of ``local``, too. Dask calls this."""
    del worker
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
