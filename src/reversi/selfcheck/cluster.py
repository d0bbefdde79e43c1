"""Checks of the workers of a cluster: what would keep them from a run, and what makes them slow.

Every worker is asked alone, so that one that does not answer keeps nobody back. A worker with the versions of this
process solves a position, at the same time as all others.
"""

from __future__ import annotations

import platform
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, Final

from reversi._core import ISA, USABLE_ISAS, Position
from reversi._system.limits import usable_cpus, usable_memory_mb
from reversi.evaluation.weights import evaluate
from reversi.solver.solver import Solver
from reversi.text.boards import parse_board
from reversi.text.counting import counted
from reversi.work.cluster.connection import Connection, fault
from reversi.work.cluster.versions import Fingerprint, fingerprint

_TIMEOUT_S: Final = 30.0
_TABLE_MB: Final = 16  # of the position that workers solve
_POSITION: Final = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"  # FFO #40
_VALUE: Final = 38
_SHARE_S: Final = 0.1
_CLOCK_S: Final = 5.0  # between two clocks that count as equal
_SLOW: Final = 0.5  # of the speed of the fastest worker
_SHARED: Final = 0.8  # of a CPU, for a worker that has one to itself
_USED: Final = 0.8  # of a machine's memory, for tables


@dataclass(frozen=True, slots=True)
class WorkerDiagnosis:
    """What a worker says of itself.

    Attributes:
        address: its address.
        threads: its threads, each of which does one job.
        memory_limit_mb: where Dask ends the worker, in MB; 0 for nowhere.
        host: the name of its machine; this and what follows is empty or ``None`` for a worker that cannot say it.
        package: the version of the package.
        weights: the checksum of its weights.
        python: the version of its interpreter.
        dask: the version of Dask's ``distributed``.
        isa: the build of the compiled code that it uses.
        isas: the builds that it can use, best first.
        cpus: CPUs that the worker's process may use.
        memory_mb: memory that it may use, in MB.
        nodes_per_s: positions that one of its threads searches in a second while all workers search.
        cpu_share: the part of a CPU that this thread had.
        clock_s: seconds that its clock is ahead of this machine's; 0 where the answer took longer than that.
        problems: what keeps it from a run.
        hints: what makes it slow or fail later.
    """

    address: str
    threads: int
    memory_limit_mb: int
    host: str = ""
    package: str = ""
    weights: str = ""
    python: str = ""
    dask: str = ""
    isa: str = ""
    isas: tuple[str, ...] = ()
    cpus: int | None = None
    memory_mb: int | None = None
    nodes_per_s: float | None = None
    cpu_share: float | None = None
    clock_s: float = 0.0
    problems: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing keeps it from a run."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class ClusterDiagnosis:
    """The result of all checks of a cluster.

    Attributes:
        address: the address, as the caller wrote it.
        scheduler: the address of the scheduler.
        workers: its workers, by address.
        hash_mb: the largest table for each thread of every worker that fits in the memory of its machine; ``None``
            when no worker says how much that is.
        hints: what concerns several workers, or all.
    """

    address: str
    scheduler: str
    workers: tuple[WorkerDiagnosis, ...]
    hash_mb: int | None
    hints: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether there are workers, and nothing keeps one from a run."""
        return bool(self.workers) and all(worker.is_sound for worker in self.workers)


def diagnose_cluster(connection: Connection, *, timeout_s: float = _TIMEOUT_S) -> ClusterDiagnosis:
    """Ask all workers of a cluster, in a few seconds.

    Args:
        connection: the cluster; `reversi.work.connect` with ``check=False`` connects to one with other versions.
        timeout_s: seconds to wait for a worker, twice.

    Raises:
        WeightsError: this process has no weights.
        ClusterError: the connection to the scheduler is lost.
    """
    mine, infos = fingerprint(), connection.workers()
    theirs = connection.ask_each(fingerprint, timeout_s=timeout_s)
    equal = [address for address, answer in theirs.items() if answer == mine]
    before = time.time()
    said = connection.ask_each(examine, workers=equal, timeout_s=timeout_s)
    after = time.time()
    workers = []
    for address in sorted(theirs):
        info = infos.get(address, {})
        worker = WorkerDiagnosis(address, int(info.get("nthreads", 0)), int(info.get("memory_limit") or 0) >> 20)
        if isinstance(found := theirs[address], Fingerprint):
            worker = replace(worker, package=found.package, weights=found.weights)
        if problem := fault(found, mine):
            worker = replace(worker, problems=(problem,))
        elif isinstance(answer := said[address], Mapping):
            worker = _examined(worker, answer, before, after)
        else:
            worker = replace(worker, problems=(fault(answer, mine),))
        workers.append(worker)
    workers = list(_with_hints(workers))
    scheduler = connection.client.scheduler.address
    hints = tuple(_common_hints(scheduler, workers))
    return ClusterDiagnosis(connection.address, scheduler, tuple(workers), _largest_table(workers), hints)


def examine() -> dict[str, Any]:
    """Return what a worker knows of its machine, and how fast it searches; Dask calls this on the worker."""
    position = parse_board(_POSITION)
    evaluate(position)  # which reads the weights
    began = time.perf_counter()
    score = Solver(_TABLE_MB).solve(position).score
    seconds = time.perf_counter() - began
    return {
        "host": platform.node(),
        "python": platform.python_version(),
        "dask": version("distributed"),
        "isa": ISA,
        "isas": tuple(USABLE_ISAS),
        "cpus": usable_cpus(),
        "memory_mb": usable_memory_mb(),
        "value": score.value,
        "nodes_per_s": score.nodes / seconds,
        "cpu_share": _cpu_share(),
        "clock": time.time(),
    }


def _cpu_share() -> float:
    """Return the part of a CPU that this thread gets for a moment."""
    position, began, used = Position(), time.perf_counter(), time.thread_time()
    while (seconds := time.perf_counter() - began) < _SHARE_S:
        position.perft(8)
    return (time.thread_time() - used) / seconds


def _examined(worker: WorkerDiagnosis, answer: Mapping[str, Any], before: float, after: float) -> WorkerDiagnosis:
    """Return the worker with its answer, and with the problem that the answer shows."""
    said = dict(answer)
    value, clock = said.pop("value"), said.pop("clock")
    ahead_s = clock - after if clock > after else min(0.0, clock - before)
    wrong = f"finds {value:+d} for a position of {_VALUE:+d}; run 'reversi doctor' there"
    problems = () if value == _VALUE else (wrong,)
    return replace(worker, **said, clock_s=round(ahead_s, 1), problems=problems)


# --- what makes workers slow, or fail later


def _with_hints(workers: Sequence[WorkerDiagnosis]) -> Iterator[WorkerDiagnosis]:
    python, dask = platform.python_version(), version("distributed")
    fastest = max((worker.nodes_per_s or 0.0 for worker in workers), default=0.0)
    for worker in workers:
        hints = []
        if worker.memory_limit_mb and worker.memory_limit_mb != worker.memory_mb:
            limit = f"{worker.memory_limit_mb:,} MB"
            hints.append(f"Dask ends it at {limit}, its table included; start it with --memory-limit 0")
        elif worker.memory_limit_mb:
            hints.append("Dask pauses it when its table is large; start it with --memory-limit 0")
        if worker.nodes_per_s is not None and worker.nodes_per_s < _SLOW * fastest:
            hints.append(f"{fastest / worker.nodes_per_s:.1f} times as slow as the fastest")
        if worker.cpu_share is not None and worker.cpu_share < _SHARED:
            hints.append(f"a thread has {worker.cpu_share:.0%} of a CPU: its machine does something else, too")
        if abs(worker.clock_s) > _CLOCK_S:
            direction = "ahead of" if worker.clock_s > 0 else "behind"
            hints.append(f"its clock is {abs(worker.clock_s):,.0f} s {direction} this one; certificates go by it")
        if worker.python and worker.python.split(".")[:2] != python.split(".")[:2]:
            hints.append(f"Python {worker.python}, not {python}")
        if worker.dask and worker.dask != dask:
            hints.append(f"Dask {worker.dask}, not {dask}")
        yield replace(worker, hints=tuple(hints))


def _common_hints(scheduler: str, workers: Sequence[WorkerDiagnosis]) -> Iterator[str]:
    if scheduler.startswith("tcp://"):
        yield "no TLS: everyone who reaches these ports can run programs there"
    for host, here in _by_host(workers).items():
        threads, cpus = sum(worker.threads for worker in here), max(worker.cpus or 0 for worker in here)
        if threads > cpus:
            yield f"{host}: {threads} threads of workers on {counted(cpus, 'CPU')}"
    builds = Counter(worker.isa for worker in workers if worker.isa)
    if len(builds) > 1:
        found = ", ".join(f"{isa} on {count}" for isa, count in sorted(builds.items()))
        yield f"workers use several builds ({found}): equal values, other speeds"


def _largest_table(workers: Sequence[WorkerDiagnosis]) -> int | None:
    """Return the size of the table that every thread of every worker can have, in MB."""
    sizes = []
    for here in _by_host(workers).values():
        memory = min((worker.memory_mb for worker in here if worker.memory_mb is not None), default=None)
        threads = sum(worker.threads for worker in here)
        if memory is not None and threads:
            sizes.append(int(_USED * memory / threads))
    limits = [
        int(_USED * worker.memory_limit_mb / worker.threads)
        for worker in workers
        if worker.memory_limit_mb and worker.threads
    ]
    return min([*sizes, *limits], default=None)


def _by_host(workers: Sequence[WorkerDiagnosis]) -> dict[str, list[WorkerDiagnosis]]:
    hosts: dict[str, list[WorkerDiagnosis]] = defaultdict(list)
    for worker in workers:
        if worker.host:
            hosts[worker.host].append(worker)
    return hosts
