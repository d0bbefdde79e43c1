"""``reversi prove``: the value of a position with its proof, and lists of tasks."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from reversi._core import Position
from reversi._system.limits import check_memory, usable_cpus
from reversi.cli.cluster import Cluster
from reversi.cli.console import (
    Exit,
    cancelled_after,
    cancelled_by_signals,
    command,
    err,
    fail,
    handled_signals,
    out,
    out_json,
)
from reversi.cli.inputs import PositionInput, place_of
from reversi.cli.option_groups import Flag, excludes, needs, needs_name, other_files
from reversi.cli.options import HashOption, RunThreadsOption, TotalTimeOption, argument, option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.status import Status
from reversi.inputs.input import Input
from reversi.rules import Rules
from reversi.score import format_score
from reversi.solver.proofs.certificate import Certificate, ProofStopped, certificate_lines
from reversi.solver.proofs.store import ProofStore, StoreWriteError
from reversi.solver.question import Question
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.text.boards import format_board
from reversi.text.counting import counted
from reversi.text.position_json import position_fields
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.solver.proofs.prover import Proved, Prover, ProverProgress
    from reversi.solver.proofs.tasks import ProofTask
    from reversi.solver.solver import Solver


_LEAF_EMPTIES: Final = 10
_SORTING_MB: Final = 16
"""The table of the process that divides the work of a cluster."""


@dataclass(frozen=True)
class _Input(PositionInput):
    text: Annotated[
        str,
        argument(
            "INPUT",
            "A position as for 'reversi solve', or a task list: a CSV file with the columns"
            " obf,count,score,alpha,beta.",
        ),
    ]


@command(
    *needs("--force", "--proof FILE"),
    *needs_name("--store"),
    *other_files("--store", "--proof"),
    *needs("--leaf-empties", "--proof"),
    *needs("--frontier-empties", "--store", "--cluster"),
    *excludes("--json", "--proof -", why="both write to standard output"),
    *excludes("--cluster", "--threads", why="the workers have their own threads"),
)
def prove(
    positions: _Input,
    proof: Annotated[str, option("FILE", "Write the certificate to FILE.")] = "",
    store: Annotated[
        str, option("FILE", "Keep the proved results in FILE, an SQLite database, and continue from there.")
    ] = "",
    wld: Annotated[bool, Flag("Prove only win, draw or loss; the certificate is smaller.")] = False,
    leaf_empties: Annotated[
        int | None,
        option(
            "N",
            "End the certificate at positions with N empty squares, which the solver alone proves.",
            min=0,
            max=60,
            show_default=str(_LEAF_EMPTIES),
        ),
    ] = None,
    frontier_empties: Annotated[
        int | None,
        option(
            "N",
            "With --store or --cluster: give positions with N empty squares to the threads or workers.",
            min=0,
            max=60,
            show_default="13 to 28, by the rules",
        ),
    ] = None,
    force: ForceOption = False,
    total_time: TotalTimeOption = None,
    threads: RunThreadsOption = None,
    hash_mb: HashOption = DEFAULT_BATCH_HASH_MB,
    *,
    cluster: Cluster,
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Prove the value of one position, and write a certificate that others can check.

    With --store or --cluster, threads or workers solve the positions of a frontier. With --store, the same command
    continues after an interruption. For a task list, the command writes the list with the proved bounds in the
    columns alpha and beta. 'reversi proof check' checks a certificate without the solver.

    Example: reversi prove position.txt --proof position.proof

    Example: reversi prove position.txt --wld --store position.sqlite --cluster local:4

    Example: reversi prove tasks.csv --store tasks.sqlite
    """
    given = positions.given
    if is_list := _is_task_list(given):
        for option, value in (("proof", proof), ("wld", wld), ("to-move", positions.to_move)):
            if value:
                fail(Status.USAGE, f"--{option} is for one position, not for a task list")
        if given.place.game is not None or given.place.ply is not None:
            fail(Status.USAGE, f"{positions.text}: a task list has no games; name the file alone")
    elif not (proof or store or cluster):
        fail(Status.USAGE, "name a certificate with --proof (- is standard output), or a store with --store")
    target = check_output(proof, Inputs(given.path, store), force=force) if proof else None
    cancel = Cancel()
    run = _Run(cluster, threads, hash_mb, frontier_empties, Path(store) if store else None, cancel, json)
    tasks = _tasks(given, positions.rule_set) if is_list else []
    try:
        with cancelled_by_signals(cancel), cancelled_after(cancel, total_time) as over:
            if is_list:
                run.answer_list(tasks, positions.rule_set)
                return
            position = _position(positions)
            leaves = _LEAF_EMPTIES if leaf_empties is None else leaf_empties
            certificate = run.prove(position, wld=wld, proof=proof, leaf_empties=leaves)
    except StoreWriteError as error:
        fail(Status.CANNOT_WRITE, str(error))
    except ProofStopped:
        continues = f"; the same command continues {store}" if store else ""
        if over.is_set():
            fail(Status.NO_RESULT, f"--total-time is over before the proof is complete{continues}")
        fail(Status.INTERRUPTED, continues and f"interrupted{continues}")
    if certificate is not None:
        write_pieces(target, certificate_lines(certificate))
    run.show(certificate, proof)


@dataclass
class _Run:
    cluster: Cluster
    threads: int | None
    hash_mb: int
    frontier: int | None
    store: Path | None
    cancel: Cancel
    json: bool

    def __post_init__(self) -> None:
        self._line = ProgressLine()
        self._began = time.perf_counter()
        self._claim: Position | None = None
        self._bounds = 0, 0
        self._counts: dict[str, int] = {}

    def prove(self, position: Position, *, wld: bool, proof: str, leaf_empties: int) -> Certificate | None:
        """Prove one position; return the certificate if one is wanted."""
        from reversi.solver.proofs.making import collect, prove

        self._claim = position
        question = Question(wld=wld)
        if self.store is None and not self.cluster:
            certificate = prove(
                position,
                question,
                leaf_empties=leaf_empties,
                solver=self._solver(),
                cancel=self.cancel,
                progress=self._show_statements,
            )
            self._bounds = certificate.lower, certificate.upper
            return certificate
        with self._prover(str(position.rules), format_board(position.canonical())) as (prover, solver):
            proved = prover.prove(position, question)
            self._bounds = proved.lower, proved.upper
            self._counts = {"jobs": prover.store.count("jobs"), "nodes": prover.store.count("nodes")}
            if not proof:
                return None
            return collect(
                proved,
                leaf_empties=leaf_empties,
                solver=solver or self._solver(),
                store=prover.store,
                cancel=self.cancel,
                progress=self._show_statements,
            )

    def answer_list(self, tasks: list[ProofTask], rules: Rules) -> None:
        """Answer a task list, in its order."""
        from reversi.solver.proofs.tasks import HEADER, tasks_subject

        waiting: dict[int, Proved] = {}
        shown = 0
        with self._prover(str(rules), tasks_subject(tasks)) as (prover, _):
            if not self.json:
                out(",".join(HEADER))
            goals = ((number, task.position, task.question) for number, task in enumerate(tasks))
            for number, proved in prover.prove_all(goals):
                waiting[number] = proved
                while shown in waiting:
                    self._write(tasks[shown], waiting.pop(shown))
                    shown += 1

    def _write(self, task: ProofTask, proved: Proved) -> None:
        from reversi.solver.proofs.tasks import answer_fields, answer_line

        if self.json:
            out_json({**answer_fields(task, proved), "line": task.line})
        else:
            out(answer_line(task, proved))

    @contextlib.contextmanager
    def _prover(self, rules: str, subject: str) -> Iterator[tuple[Prover, Solver | None]]:
        """Start the workers and open the store; also return the solver of this process if it is a large one."""
        from reversi.solver.proofs.prover import Prover
        from reversi.solver.solver import Solver

        with contextlib.ExitStack() as stack:
            with handled_signals():  # nothing is proved yet, and an address may not answer for seconds
                connection = stack.enter_context(self.cluster.connection())
            large = self._solver() if connection is None else None
            if connection is not None:
                connection.check_table(self.hash_mb)
            # last, so that no file begins where the rest does not start
            store: ProofStore = stack.enter_context(ProofStore(self.store, rules, subject))
            prover = Prover(
                large or Solver(_SORTING_MB),
                store,
                cluster=connection,
                hash_mb=self.hash_mb,
                frontier_empties=self.frontier,
                cancel=self.cancel,
                progress=self._show_progress,
            )
            with prover:
                yield prover, large

    def _solver(self) -> Solver:
        from reversi.solver.solver import Solver

        check_memory(self.hash_mb)
        return Solver(self.hash_mb, usable_cpus() if self.threads is None else self.threads)

    # --- what a person sees

    def _show_statements(self, done: int, waiting: int) -> None:
        self._line.show(lambda: f"{done:,d} statements, {waiting:,d} positions wait")

    def _show_progress(self, now: ProverProgress) -> None:
        def text() -> str:
            finished = f"{now.finished:,d} finished, " if now.finished else ""
            bounds = f"{format_score(now.lower)}..{format_score(now.upper)}"
            return (
                f"{finished}{bounds}, {now.jobs:,d} jobs done, {now.running} run, {now.nodes / 1e6:,.0f} M nodes"
            )

        self._line.show(text)

    def show(self, certificate: Certificate | None, proof: str) -> None:
        if proof == "-" or self._claim is None:
            return
        seconds = time.perf_counter() - self._began
        fields: dict[str, object] = {"lower": self._bounds[0], "upper": self._bounds[1], **self._counts}
        parts = []
        if self._counts:
            parts.append(
                ", ".join(counted(self._counts[f"{noun}s"], noun, grouped=True) for noun in ("job", "node"))
            )
        if certificate is not None:
            count = len(certificate.statements)
            leaves = sum(statement.leaf for statement in certificate.statements)
            parts.append(f"{counted(count, 'statement', grouped=True)}, {leaves:,d} of them leaves")
            fields = {"proof": proof, **fields, "statements": count, "leaves": leaves}
        if self.json:
            out_json({**position_fields(self._claim), **fields, "time_s": round(seconds, 6)})
        else:
            out(claim_text(self._claim))
            out(f"{bounds_text(*self._bounds)}: {'; '.join(parts)}")


def _is_task_list(given: Input) -> bool:
    from reversi.solver.proofs.tasks import HEADER

    return given.text.lstrip("\ufeff").split("\n", 1)[0].strip() == ",".join(HEADER)


def _tasks(given: Input, rules: Rules) -> list[ProofTask]:
    from reversi.solver.proofs.tasks import read_tasks

    name = given.name or "the text"
    tasks = list(read_tasks(io.StringIO(given.text), name, rules))
    if not tasks:
        fail(Status.BAD_DATA, f"{name} contains no task")
    return tasks


def _position(given: PositionInput) -> Position:
    entries = list(given.entries())
    if len(entries) != 1:
        what = "no position" if not entries else f"{len(entries)} positions"
        fail(Status.BAD_DATA, f"{given.name} contains {what}; prove takes one, or a task list")
    (entry,) = entries
    if entry.position is None:
        err(f"{place_of(given.given, entry.line)}: {entry.error}")
        raise Exit(Status.BAD_DATA)
    return entry.position


def claim_text(position: Position) -> str:
    return f"{format_board(position)}, {position.rules}"


def bounds_text(lower: int, upper: int) -> str:
    """Return what bounds say about a value, for the side to move."""
    if lower == upper:
        return f"{format_score(lower)} exact"
    return f"{format_score(lower)} to {format_score(upper)}"
