"""Measuring the solver and perft, so that figures of other days, builds and machines can be compared.

Nodes come first: with one thread and a fresh table they depend on the version alone. Times mean something only
beside a machine, so a report carries the factor of a yardstick: perft 10 by the portable build, in a process of
its own, relative to the machine that the project's published figures were measured on. It is our own code, but the
part of it that every other build is checked against, so it seldom changes; where a C compiler is installed, the
frozen program ``benchmarks/yardstick.c`` measures the same.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from reversi._core import ISA, Position
from reversi._system.children import run_python
from reversi._system.limits import check_memory
from reversi._system.plain_json import loads
from reversi._version import __version__
from reversi.errors import InputError, ResourceError
from reversi.evaluation.weights import WeightsError, weights_version
from reversi.inputs.positions import PositionEntry
from reversi.solver.annotations import check_solution
from reversi.solver.settings import SearchSettings
from reversi.solver.solver import Solver
from reversi.text.position_json import position_fields

YARDSTICK_REFERENCE_S: Final = 0.060
"""Seconds of the yardstick where its factor is 1.0: two cores of an AMD Zen 5, gcc 12."""
_YARDSTICK: Final = """
import time
from reversi import Position
start, best = Position(), 1e9
for _ in range(9):
    began = time.perf_counter()
    start.perft(10)
    best = min(best, time.perf_counter() - began)
print(best)
"""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One position, solved with a fresh table.

    Attributes:
        index: number in the suite, from 1.
        board: its cells.
        to_move: the side to move, X or O.
        after_pass: whether the ply before was a pass.
        rules: the rule set.
        empties: empty squares.
        score: the value found.
        expected: the annotated score, ``None`` without one.
        ok: whether they agree, and the best move is one annotated so; ``None`` when nothing is annotated.
        nodes: the median of the runs.
        time_s: the median of the runs.
        nodes_each: of each run.
        times_s: of each run.
        splits: nodes that threads shared, in all runs.
    """

    index: int
    board: str
    to_move: str
    after_pass: bool
    rules: str
    empties: int
    score: int
    expected: int | None
    ok: bool | None
    nodes: int
    time_s: float
    nodes_each: list[int]
    times_s: list[float]
    splits: int

    @property
    def nodes_per_s(self) -> float:
        """Nodes per second."""
        return self.nodes / self.time_s if self.time_s else 0.0

    @property
    def key(self) -> tuple[object, ...]:
        """The fields that distinguish positions."""
        return self.board, self.to_move, self.after_pass, self.rules


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a measurement.

    Attributes:
        version: of this package.
        weights: checksum of the evaluation's weights, empty without.
        isa: build of the compiled code.
        threads: threads for each position.
        hash_mb: size of the table in MB.
        repeat: runs of each position.
        yardstick: the machine's factor; above 1.0 it is slower than the reference. ``None`` when not measured.
        python: interpreter and version.
        platform: operating system and kind of machine.
    """

    version: str
    weights: str
    isa: str
    threads: int
    hash_mb: int
    repeat: int
    yardstick: float | None
    python: str
    platform: str


@dataclass(frozen=True, slots=True)
class Report:
    """A benchmark of the solver, as it is written and read as JSON.

    Attributes:
        suite: name of the suite.
        conditions: under which it ran.
        problems: each position.
    """

    suite: str
    conditions: Conditions
    problems: list[Measurement] = field(default_factory=list)

    @property
    def nodes(self) -> int:
        """The sum of the medians."""
        return sum(measured.nodes for measured in self.problems)

    @property
    def time_s(self) -> float:
        """The sum of the medians."""
        return sum(measured.time_s for measured in self.problems)

    @property
    def splits(self) -> int:
        """Nodes that threads shared, in all runs."""
        return sum(measured.splits for measured in self.problems)

    def fields(self) -> dict[str, object]:
        """Return the report as JSON values; `read_report` reads them."""
        return {
            "suite": self.suite,
            **asdict(self.conditions),
            "problems": [asdict(measured) for measured in self.problems],
            "sum": {"nodes": self.nodes, "time_s": round(self.time_s, 6), "splits": self.splits},
        }

    def matched(self, old: Report) -> list[tuple[Measurement, Measurement]]:
        """Return the positions that both reports have: (here, there)."""
        there = {measured.key: measured for measured in old.problems}
        return [(measured, there[measured.key]) for measured in self.problems if measured.key in there]


def conditions(
    settings: SearchSettings, *, repeat: int, yardstick: float | None, weights: str | None = None
) -> Conditions:
    """Return the conditions of a run that begins now; ``weights`` is the checksum of those in use, empty without,
    and ``None`` for those of the package.
    """
    if weights is None:
        try:
            weights = weights_version()
        except WeightsError:
            weights = ""
    return Conditions(
        version=__version__,
        weights=weights,
        isa=ISA,
        threads=settings.threads,
        hash_mb=settings.hash_mb,
        repeat=repeat,
        yardstick=yardstick,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
    )


def measure_solving(
    entries: Iterable[PositionEntry], settings: SearchSettings, *, repeat: int = 1
) -> Iterator[Measurement]:
    """Solve each position ``repeat`` times, each time with a fresh table, and give the medians.

    Entries without a position are skipped.

    Raises:
        ResourceError: the table does not fit in memory.
        ValueError: ``repeat`` is not positive.
    """
    if repeat < 1:
        raise ValueError("at least 1 run")
    check_memory(settings.hash_mb)
    solver = Solver.of(settings)
    for entry in entries:
        if entry.position is not None:
            yield _measured(entry, entry.position, solver, repeat)


def _measured(entry: PositionEntry, position: Position, solver: Solver, repeat: int) -> Measurement:
    nodes, times = [], []
    splits = solver.splits
    for _ in range(repeat):
        solver.clear()
        began = time.perf_counter()
        solution = solver.solve(position)
        times.append(time.perf_counter() - began)
        nodes.append(solution.score.nodes)
    check = check_solution(solution, entry.annotated, entry.score)
    fields: dict[str, Any] = position_fields(position)
    fields.pop("ended", None)  # nothing is measured there
    return Measurement(
        index=entry.index,
        **fields,
        score=solution.score.value,
        expected=check.expected,
        ok=check.ok,
        nodes=int(statistics.median(nodes)),
        time_s=round(statistics.median(times), 6),
        nodes_each=nodes,
        times_s=[round(time_s, 6) for time_s in times],
        splits=solver.splits - splits,
    )


def read_report(text: str, name: str) -> Report:
    """Return a report from JSON, as `Report.fields` gives it; unknown fields are ignored.

    Raises:
        InputError: it is something else; ``name`` says which file.
    """
    try:
        fields = loads(text)
        conditions = {one: fields[one] for one in Conditions.__dataclass_fields__}
        problems = [
            Measurement(**{one: problem[one] for one in Measurement.__dataclass_fields__})
            for problem in fields["problems"]
        ]
        report = Report(str(fields["suite"]), Conditions(**conditions), problems)
        _ = report.nodes + report.time_s + (report.conditions.yardstick or 1.0), {one.key for one in problems}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError(f"{name}: not a report of reversi bench solve") from None
    return report


@dataclass(frozen=True, slots=True)
class PerftTime:
    """One count of leaves.

    Attributes:
        depth: plies.
        leaves: their number.
        time_s: the best of the runs.
    """

    depth: int
    leaves: int
    time_s: float


def measure_perft(start: Position, depth: int, repeat: int) -> PerftTime:
    """Count leaves ``repeat`` times."""
    best = float("inf")
    for _ in range(max(1, repeat)):
        began = time.perf_counter()
        leaves = start.perft(depth)
        best = min(best, time.perf_counter() - began)
    return PerftTime(depth, leaves, round(best, 6))


def yardstick(environment: Mapping[str, str]) -> float:
    """Return how much slower this machine is than the one with factor 1.0; the best of nine runs, about a second.

    Args:
        environment: the environment variables of this process, for the one it starts.

    Raises:
        ResourceError: no process could be started.
    """
    try:
        child = run_python(_YARDSTICK, {**environment, "REVERSI_ISA": "portable"}, 300)
        child.check_returncode()
        return round(float(child.stdout) / YARDSTICK_REFERENCE_S, 3)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise ResourceError(f"the yardstick cannot be run: {error}") from None
