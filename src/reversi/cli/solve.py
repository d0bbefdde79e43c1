"""``reversi solve``: exact values of positions."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from types import FrameType
from typing import Annotated, NamedTuple, NoReturn

import typer

from reversi._core import Position, Weights
from reversi._system.limits import usable_cpus
from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.evaluation import NoEval, OwnWeights, evaluation_option
from reversi.cli.outputs import ForceOption, Inputs, check_output
from reversi.cli.pasted import Pasted, entries, read_input, to_move_option
from reversi.cli.solve_output import HEADER, ProgressLine, moves_text, row_text, single_text
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.errors import ResourceError
from reversi.solver.annotations import Check, check_solution
from reversi.solver.batch import Answer, Batch, Question
from reversi.solver.results import Earlier, ResultsError, ResultsFile, solution_fields
from reversi.solver.solution import Solution
from reversi.text.decoding import excerpt
from reversi.text.pasted import PositionEntry

_WINDOW = re.compile(r"\s*([+-]?\d{1,3})\s*(?:\.\.|,|\s)\s*([+-]?\d{1,3})\s*", re.ASCII)


def register(app: Commands) -> None:
    """Add the command to ``app``."""
    app.command("solve")(_solve)


@command
def _solve(
    text: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="A board, an OBF line or a transcript; a file of them; - for standard input."
        ),
    ],
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Score every legal move.")] = False,
    multi: Annotated[
        int | None, typer.Option("--multi", metavar="N", min=1, help="Score the N best moves.")
    ] = None,
    wld: Annotated[bool, typer.Option("--wld", help="Only who wins: faster.")] = False,
    window: Annotated[
        str,
        typer.Option(
            metavar="A..B", help="Only values from A to B, for the side to move: faster. Others are bounds."
        ),
    ] = "",
    check: Annotated[bool, typer.Option("--check", help="Compare with the annotated scores.")] = False,
    rules: Annotated[str, typer.Option(help="Rule set; see 'reversi rules list'.")] = "othello",
    to_move: Annotated[
        str,
        typer.Option("--to-move", metavar="black|white", help="The side to move where the text does not say it."),
    ] = "",
    output: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write each result to FILE too, as a line of JSON, as soon as it is found.",
        ),
    ] = "",
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue the --output file of an earlier run: what it holds is not solved again."
        ),
    ] = False,
    force: ForceOption = False,
    limit_time: Annotated[
        float | None, typer.Option("--limit-time", min=0, help="Seconds for each position.")
    ] = None,
    total_time: Annotated[float | None, typer.Option("--total-time", min=0, help="Seconds for the run.")] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, show_default="usable CPUs", help="Threads, for the run as a whole."),
    ] = None,
    hash_mb: Annotated[int, typer.Option("--hash", min=1, help="Size of the table in MB, for the run.")] = 256,
    no_eval: NoEval = False,
    weights: OwnWeights = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object per position.")] = False,
) -> None:
    """Solve positions exactly: value, best move, best line.

    Small positions are solved beside each other, hard ones by all threads together. Standard output keeps the
    order of the input; the --output file is in the order of completion.

    Example: reversi solve endgames.obf

    Example: reversi solve endgames.obf --all-moves --check

    Example: reversi solve position.txt --rules adjacent --json

    Example: reversi solve thousands.obf --output results.jsonl --resume
    """
    if resume and not output:
        fail(Status.USAGE, "--resume: name the file to continue with --output")
    if resume and force:
        fail(Status.USAGE, "--resume and --force exclude each other")
    if output == "-":
        fail(Status.USAGE, "--output -: give the name of a file; --json writes to standard output")
    question = _question(all_moves, multi, wld, window)
    evaluation = evaluation_option(no_eval, weights)
    rule_set, side = rules_option(rules), to_move_option(to_move)
    pasted = read_input(text)
    run = _Run(pasted, question, check, json)
    if output:
        check_output(output, Inputs(pasted.name, weights), force=force or resume, else_="--resume continues it, ")
    found = run.first(entries(pasted, rule_set, side))
    if output:
        found = run.open_results(Path(output), resume, force, found, lambda: entries(pasted, rule_set, side))
    try:
        cpus = usable_cpus() if threads is None else threads
        run.all(found, _Limits(limit_time, total_time, cpus, hash_mb, evaluation.use))
    finally:
        run.close_results()
    run.finish()


def _question(all_moves: bool, multi: int | None, wld: bool, window: str) -> Question:
    asked = {"--all-moves": all_moves, "--multi": multi is not None, "--wld": wld, "--window": bool(window)}
    if sum(asked.values()) > 1:
        names = [name for name, given in asked.items() if given]
        fail(Status.USAGE, f"{' and '.join(names)} are different questions: ask one of them")
    bounds = None
    if window:
        match = _WINDOW.fullmatch(window)
        if match is None:
            fail(Status.USAGE, f"--window {excerpt(window)}: give two scores, as in -2..2")
        bounds = int(match[1]), int(match[2])
        if bounds[0] > bounds[1]:
            fail(Status.USAGE, f"--window {window}: the lower score comes first")
    return Question(all_moves, multi, wld, bounds)


class _Limits(NamedTuple):
    time: float | None
    total_time: float | None
    threads: int
    hash_mb: int
    evaluation: bool | Weights


class _Run:
    """The positions of one input being solved."""

    def __init__(self, pasted: Pasted, question: Question, check: bool, json: bool) -> None:
        self.pasted = pasted
        self.question = question
        self.check = check
        self.json = json
        self.outcome = StatusCollector()
        self.results: ResultsFile | None = None
        self.earlier = Earlier()
        self.single = self.header_shown = False
        self.solved = self.nodes = self.right = self.wrong = self.bare = self.unproved = 0
        self.seconds = 0.0
        self.progress = ProgressLine(None, pasted.text.count("\n") + 1)
        self.reading = False  # a question may be put to a person: Ctrl-C ends that at once
        self.order: deque[int] = deque()  # by index: begun, but not yet written to standard output
        self.answers: dict[int, tuple[Answer[PositionEntry], Check]] = {}  # by index

    # --- the input and the file of results

    def first(self, found: Iterator[PositionEntry]) -> Iterator[PositionEntry]:
        """The same entries, once it is known whether there are none, one or more."""
        first_two = list(islice(found, 2))
        if not first_two:
            fail(Status.BAD_DATA, f"{self.pasted.name or 'the text'}: there is no position in it")
        self.single = len(first_two) == 1
        return chain(first_two, found)

    def open_results(
        self,
        path: Path,
        resume: bool,
        overwrite: bool,
        found: Iterator[PositionEntry],
        read_again: Callable[[], Iterator[PositionEntry]],
    ) -> Iterator[PositionEntry]:
        """Open the file that results go to. The entries that are still to be solved are returned.

        To continue a file, the input is read twice: it may be long. What a person answers about it is kept.
        """
        if self.pasted.may_ask and resume:
            listed = list(found)
            found, read_again = iter(listed), lambda: iter(listed)
        count = 0

        def inputs() -> Iterator[tuple[int, Position]]:
            nonlocal count
            for entry in found:
                if entry.position is not None:
                    count += 1
                    yield entry.index, entry.position

        try:
            self.results = ResultsFile(
                path, self.question, checked=self.check, resume=resume, overwrite=overwrite, inputs=inputs()
            )
        except ResultsError as error:
            fail(Status.BAD_DATA, f"{error}; nothing was changed")
        except OSError as error:
            _cannot_write(path, error)
        if not resume:
            return found
        self.earlier = self.results.earlier
        done = self.results.done
        self.progress = ProgressLine(count - len(done), 1) if count else self.progress
        return (entry for entry in read_again() if entry.index not in done)

    def close_results(self) -> None:
        """Close the file of results, if there is one."""
        if self.results is not None:
            try:
                self.results.close()
            except OSError as error:
                _cannot_write(self.results.path, error)

    # --- solving

    def all(self, found: Iterator[PositionEntry], limits: _Limits) -> None:
        """Solve every entry; bad ones are reported in their places."""
        began = time.monotonic()
        try:
            with Batch(
                self._positions(found),
                self.question,
                hash_mb=limits.hash_mb,
                threads=limits.threads,
                time_limit=limits.time,
                total_time=limits.total_time,
                evaluation=limits.evaluation,
            ) as batch:
                interrupted = self._drain(batch)
        except ResourceError as error:
            fail(Status.USAGE, f"--hash {limits.hash_mb}: {error}")
        self.seconds = time.monotonic() - began
        if batch.skipped:
            count = f"{batch.skipped} or more" if batch.cut_short else f"{batch.skipped}"
            message = f"reversi: --total-time is over, {count} positions not attempted"
            self.outcome.add(Status.NO_RESULT, message)
        if interrupted:
            if self.results is not None:
                err(f"reversi: interrupted; --resume continues {self.results.path}")
            raise KeyboardInterrupt

    def _positions(self, found: Iterator[PositionEntry]) -> Iterator[tuple[PositionEntry, Position]]:
        while True:
            self.reading = True
            entry = next(found, None)
            self.reading = False
            if entry is None:
                return
            if entry.position is None:
                self.progress.clear()
                self.outcome.add(Status.BAD_DATA, f"{self.pasted.place(entry.line)}: {entry.error}")
            else:
                self.order.append(entry.index)
                yield entry, entry.position

    def _drain(self, batch: Batch[PositionEntry]) -> bool:
        """Take all answers; whether Ctrl-C or SIGTERM ended that early."""
        interrupted = False

        def stop(_number: int, _frame: FrameType | None) -> None:
            nonlocal interrupted
            if interrupted or self.reading:
                raise KeyboardInterrupt
            interrupted = True
            batch.cancel()

        with _signals(stop):
            while not batch.is_done:
                try:
                    answer = batch.next(0.1)
                except KeyboardInterrupt:
                    if interrupted:
                        raise
                    interrupted = True
                    batch.cancel()
                    continue
                if answer is not None:
                    self.take(answer)
                self.progress.show(batch)
            self.progress.clear()
            self._write_in_order(all_of_them=True)
        return interrupted

    def take(self, answer: Answer[PositionEntry]) -> None:
        """Count one answer, and write it: to the file of results now, to standard output in its turn."""
        entry, solution = answer.key, answer.solution
        self.solved += 1
        self.nodes += solution.score.nodes
        self.progress.done(entry)
        checked = Check(None, None)
        if self.check:
            checked = check_solution(solution, entry.annotated, entry.score, all_moves=self.question.all_moves)
            self.bare += checked.expected is None
            self.right += checked.ok is True
            self.wrong += checked.ok is False
            self.unproved += checked.expected is not None and checked.ok is None
        if not self.question.is_answered(solution):
            self.outcome.add(Status.NO_RESULT)
        if self.results is not None and _says_something(solution):
            try:
                self.results.write(self._fields(answer, checked))
            except OSError as error:
                _cannot_write(self.results.path, error)
        self.answers[entry.index] = answer, checked
        self._write_in_order()

    def _write_in_order(self, all_of_them: bool = False) -> None:
        while self.order and (all_of_them or self.order[0] in self.answers):
            known = self.answers.pop(self.order.popleft(), None)
            if known is not None:
                self._write(*known)

    def _write(self, answer: Answer[PositionEntry], checked: Check) -> None:
        entry, solution = answer.key, answer.solution
        self.progress.clear()
        if self.json:
            out_json(self._fields(answer, checked))
        else:
            if not self.single and not self.header_shown:
                out(HEADER)
                self.header_shown = True
            out(single_text(solution) if self.single else row_text(entry.index, solution))
            if solution.moves:
                out(moves_text(solution))
            sys.stdout.flush()
        if checked.ok is False:
            place = self.pasted.place(entry.line)
            self.outcome.add(Status.FINDING, f"{place}: position {entry.index}: {checked.reason}")

    def _fields(self, answer: Answer[PositionEntry], checked: Check) -> dict[str, object]:
        return solution_fields(
            answer.solution,
            self.question,
            index=answer.key.index,
            line=answer.key.line,
            threads=answer.threads,
            check=checked if self.check else None,
        )

    # --- the end

    def finish(self) -> None:
        """Write the sums, and end with the status of all."""
        earlier = self.earlier
        right, wrong, bare = self.right + earlier.right, self.wrong + earlier.wrong, self.bare + earlier.bare
        checked = right + wrong + self.unproved
        if not self.json:
            if earlier.count and self.results is not None:
                out(f"{earlier.count} positions were in {self.results.path} already")
            if not self.single:
                out(f"{self.solved} positions, {self.nodes:,d} nodes, {self.seconds:.2f} s")
            if self.check:
                out(f"{checked} checked, {right} right, {bare} not annotated")
        if self.check and earlier.wrong and self.results is not None:
            message = f"{self.results.path}: {earlier.wrong} earlier results are not those expected"
            self.outcome.add(Status.FINDING, message)
        if self.check and checked == 0 and self.solved + earlier.count:
            self.outcome.add(Status.BAD_DATA, "reversi: --check: nothing in the input is annotated with a score")
        self.outcome.finish()


def _says_something(solution: Solution) -> bool:
    """Whether anything at all was proved before a limit or an interrupt."""
    cells = solution.position.rules.board.cells
    return solution.score.lower > -cells or solution.score.upper < cells or solution.is_exact


@contextmanager
def _signals(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let ``handler`` have Ctrl-C and SIGTERM."""
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _cannot_write(path: Path, error: OSError) -> NoReturn:
    fail(Status.CANNOT_WRITE, f"{path}: cannot write: {error.strerror or error}")
