"""Solving all positions of an input, in its order, with a file of results that a later run continues.

>>> from reversi.solver import SolveRun
>>> from reversi import read_positions
>>> text = "-XXXXXXOXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX- O"
>>> with SolveRun(lambda: read_positions(text)) as run:
...     [(solved.entry.line, str(solved.solution.score)) for solved in run]
[(1, '-22 exact')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from reversi._core import Position, Weights
from reversi.arguments import FilePath, check_type
from reversi.errors import ArgumentError
from reversi.inputs.positions import PositionEntry
from reversi.solver.annotations import Comparison, check_solution
from reversi.solver.batch import Batch, Solved
from reversi.solver.question import Question
from reversi.solver.results import Earlier, ResultsFile, solution_fields
from reversi.solver.solution import Solution
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.work.cancel import Cancel
from reversi.work.run import ResumableRun, naming

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection


@dataclass(frozen=True, slots=True)
class SolvedEntry:
    """One position of a run, solved.

    Attributes:
        entry: the position as the input has it.
        solution: the answer; as far as it was proved when a limit or a cancel stopped it.
        question: what was asked.
        threads: how many threads worked on it.
        comparison: how the answer compares with the annotated scores: ``expected``, the best of them, ``ok``, and
            ``reason``, what differs; ``None`` when the run does not check.
    """

    entry: PositionEntry
    solution: Solution
    question: Question
    threads: int
    comparison: Comparison | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the solution answers the whole question."""
        return self.question.is_answered(self.solution)

    def fields(self) -> dict[str, object]:
        """Return the result as JSON values: the object of ``reversi solve --json``."""
        answer = solution_fields(self.solution, self.question, threads=self.threads, check=self.comparison)
        return {"index": self.entry.index, "line": self.entry.line, **answer}


@dataclass(slots=True)
class SolveTally:
    """What a run has counted so far.

    Attributes:
        solved: positions that this run has searched, also those whose answer a limit or a cancel cut short, even
            to nothing proved; `SolvedEntry.is_answered` says whether the whole question is answered.
        nodes: positions visited for them.
        right: answers that agree with the annotated scores.
        wrong: answers that do not.
        unproved: answers with a bound that does not contradict the annotated scores.
        bare: positions without annotated scores.
    """

    solved: int = 0
    nodes: int = 0
    right: int = 0
    wrong: int = 0
    unproved: int = 0
    bare: int = 0


class SolveRun(ResumableRun[SolvedEntry]):
    """Solves the positions of an input; iterate over it once for the results, in the order of the input.

    Small positions are solved beside each other, hard ones by all threads together. A file of results gets every
    result as soon as it is found. The file is closed at the end of a ``with`` statement.

    Args:
        entries: returns the positions of the input, as `reversi.inputs.read_positions` gives them. A run that
            resumes calls it twice: a long input is not held in memory.
        question: what is asked about every position.
        check: compare every answer with the annotated scores of its position.
        output: the file of results, one line of JSON for each.
        resume: continue the file; the run skips the positions that it holds answers of.
        overwrite: drop what the file holds.
        hash_mb: size of the table in MB (2**20 bytes): all threads share it.
        threads: how many threads work; the usable CPUs when not given.
        time_s: seconds for each position.
        nodes: positions to visit for each, as in `Solver.solve`.
        total_time_s: seconds for all.
        evaluation: whether the learned evaluation helps, or weights of one's own for it; see `Solver`.
        cancel: stops the run from another thread or a signal handler; what was proved is still given.
        on_unreadable: called with each entry that has no position, when it is read.
        poll: called with the run a few times a second, from the thread that iterates.
        cluster: solve on this cluster instead; see `Batch`.

    Attributes:
        question: what is asked about every position.
        check: whether every answer is compared.
        batch: what solves them: how many are answered and skipped, and what is under way.
        tally: a `SolveTally` of the results so far.
        earlier: what the continued file held: ``count`` results, and how many are ``right``, ``wrong`` and
            ``bare`` (without annotated scores).
        total: positions left to solve; ``None`` unless the run has counted them to resume.
        last_line: the furthest line of the input with an answer.
        time_s: wall-clock seconds of the whole run, once it has ended.

    Raises:
        FileExistsError: the file holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: the file cannot be continued; it is left as it was.
        OSError: the file cannot be written, here or while solving; ``filename`` names it.
        TableSizeError: the table does not fit in memory.
        InputError: a number is outside its limits, or ``resume`` excludes another argument.
    """

    def __init__(
        self,
        entries: Callable[[], Iterable[PositionEntry]],
        question: Question | None = None,
        *,
        check: bool = False,
        output: FilePath | None = None,
        resume: bool = False,
        overwrite: bool = False,
        hash_mb: int = DEFAULT_BATCH_HASH_MB,
        threads: int | None = None,
        time_s: float | None = None,
        nodes: int | None = None,
        total_time_s: float | None = None,
        evaluation: bool | Weights = True,
        cancel: Cancel | None = None,
        on_unreadable: Callable[[PositionEntry], None] | None = None,
        poll: Callable[[SolveRun], None] | None = None,
        cluster: Connection | None = None,
    ) -> None:
        if not callable(entries):
            given = type(entries).__name__
            raise ArgumentError(
                f"entries must be a function, not {given}; lambda: read_positions(path) reads a file"
            )
        check_type("question", question, Question, NoneType)
        super().__init__(output, resume=resume, overwrite=overwrite, cancel=cancel, poll=poll)
        self.question: Question = question or Question()
        self.check = check
        self.tally: SolveTally = SolveTally()
        self.earlier: Earlier = Earlier()
        self.total: int | None = None
        self.last_line: int = 0
        self._entries = entries
        self._on_unreadable = on_unreadable
        # checks the numbers before the file is touched
        self.batch: Batch[PositionEntry] = Batch(
            self._positions(),
            self.question,
            hash_mb=hash_mb,
            threads=threads,
            time_s=time_s,
            nodes=nodes,
            total_time_s=total_time_s,
            evaluation=evaluation,
            cluster=cluster,
        )
        if output is not None:
            self._open_results(Path(output), resume, overwrite)

    def _advance(self, timeout_s: float) -> bool:
        if self._cancel.cancelled:
            self.batch.cancel()
        answer = self.batch.next(timeout_s)
        if answer is not None:
            self._take(answer)
        return not self.batch.is_done

    def _stop(self) -> None:
        self.batch.close()

    # --- the file of results

    def _open_results(self, path: Path, resume: bool, overwrite: bool) -> None:
        count = 0

        def inputs() -> Iterator[tuple[int, Position]]:
            nonlocal count
            for entry in self._entries():
                if entry.position is not None:
                    count += 1
                    yield entry.index, entry.position

        with naming(path):
            results = ResultsFile(
                path, self.question, checked=self.check, resume=resume, overwrite=overwrite, inputs=inputs()
            )
        self._results = results
        self.earlier = results.earlier
        if count:
            self.total = count - len(results.done)

    # --- the positions and their answers

    def _positions(self) -> Iterator[tuple[PositionEntry, Position]]:
        done = self.done
        for entry in self._entries():
            if entry.position is None:
                if self._on_unreadable is not None:
                    self._on_unreadable(entry)
            elif entry.index not in done:
                self._order.append(entry.index)
                yield entry, entry.position

    def _take(self, answer: Solved[PositionEntry]) -> None:
        """Count an answer, and keep it; the file gets it when anything is proved."""
        entry, solution, tally = answer.key, answer.solution, self.tally
        tally.solved += 1
        tally.nodes += solution.score.nodes
        self.last_line = max(self.last_line, entry.line)
        compared = None
        if self.check:
            compared = check_solution(solution, entry.annotated, entry.score, all_moves=self.question.all_moves)
            tally.bare += compared.expected is None
            tally.right += compared.ok is True
            tally.wrong += compared.ok is False
            tally.unproved += compared.expected is not None and compared.ok is None
        solved = SolvedEntry(entry, solution, self.question, answer.threads, compared)
        self._keep(entry.index, solved, write=_has_proof(solution))


def _has_proof(solution: Solution) -> bool:
    """Return whether anything at all was proved before a limit or a cancel."""
    cells = solution.position.rules.board.cells
    return solution.score.lower > -cells or solution.score.upper < cells or solution.is_exact
