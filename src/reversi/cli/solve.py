"""``reversi solve``: exact values of positions."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Annotated

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.cli.cluster import Cluster
from reversi.cli.console import (
    StatusCollector,
    cancelled_by_signals,
    command,
    fail,
    handled_signals,
    named_options,
    out,
    out_json,
)
from reversi.cli.evaluation import Evaluation
from reversi.cli.inputs import PositionInput, may_ask, place_of
from reversi.cli.option_groups import Flag, excludes, needs, needs_name, one_of
from reversi.cli.options import HashOption, NodesOption, RunThreadsOption, TotalTimeOption, option, seconds_option
from reversi.cli.outputs import Inputs
from reversi.cli.progress import ProgressLine
from reversi.cli.results import Results
from reversi.cli.solve_output import HEADER, moves_text, progress_text, row_text, single_text
from reversi.cli.status import Status
from reversi.inputs.positions import PositionEntry
from reversi.solver.question import Question
from reversi.solver.run import SolvedEntry, SolveRun
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

_WINDOW = re.compile(r"\s*([+-]?\d{1,3})\s*(?:\.\.|,|\s)\s*([+-]?\d{1,3})\s*", re.ASCII)


@command(
    *one_of("--all-moves", "--multi", "--wld", "--window", why="they are different questions"),
    *needs("--force", "--output FILE"),
    *needs_name("--output", why="--json writes to standard output"),
    *excludes("--cluster", "--threads", why="the workers have their own threads"),
    *excludes("--cluster", "--weights", why="the workers have the package's weights"),
)
def solve(
    positions: PositionInput,
    all_moves: Annotated[bool, Flag("Score every legal move.")] = False,
    multi: Annotated[int | None, option("N", "Score the N best moves.", min=1)] = None,
    wld: Annotated[bool, Flag("Find only win, draw or loss; this is faster.")] = False,
    window: Annotated[
        str,
        option("A..B", "Find values from A to B for the side to move, and bounds for all others; this is faster."),
    ] = "",
    check: Annotated[bool, Flag("Compare the results with the annotated scores.")] = False,
    *,
    results: Results,
    limit_time: Annotated[
        float | None, option("SECONDS", "Limit the time per position.", min=0, callback=seconds_option)
    ] = None,
    total_time: TotalTimeOption = None,
    nodes: NodesOption = None,
    threads: RunThreadsOption = None,
    hash_mb: HashOption = DEFAULT_BATCH_HASH_MB,
    evaluation: Evaluation,
    cluster: Cluster,
    json: Annotated[bool, Flag("Write one JSON object per position.")] = False,
) -> None:
    """Solve positions exactly: value, best move, best line.

    Threads solve small positions side by side, and hard ones together. Standard output keeps the order of the
    input; the --output file has the order of completion.

    Example: reversi solve endgames.obf

    Example: reversi solve endgames.obf --all-moves --check

    Example: reversi solve position.txt --rules adjacent --json

    Example: reversi solve thousands.obf --output results.jsonl --resume

    Example: reversi solve thousands.obf --cluster local:4 --output results.jsonl
    """
    question = _question(all_moves, multi, wld, window)
    choice = evaluation.read()
    results.check(Inputs(positions.given.path, evaluation.weights))
    cancel = Cancel()
    source = _Source(positions, cancel, keep=results.resume)
    shown = _Shown(positions, json=json, single=source.is_single)
    with (
        results.written(),
        cluster.connection() as connection,
        SolveRun(
            source.entries,
            question,
            check=check,
            output=results.output or None,
            resume=results.resume,
            overwrite=results.force,
            hash_mb=hash_mb,
            threads=threads,
            time_s=limit_time,
            total_time_s=total_time,
            nodes=nodes,
            evaluation=choice.use,
            cancel=cancel,
            on_unreadable=shown.unreadable,
            poll=shown.progress,
            cluster=connection,
        ) as run,
        cancelled_by_signals(cancel),
    ):
        for solved in run:
            shown.write(solved)
    shown.skipped(run)
    if cancel.cancelled:
        fail(Status.INTERRUPTED, results.interrupted)
    shown.sums(run, results.output)
    shown.outcome.finish()


def _question(all_moves: bool, multi: int | None, wld: bool, window: str) -> Question:
    bounds = None
    if window:
        match = _WINDOW.fullmatch(window)
        if match is None:
            fail(Status.USAGE, f"--window {excerpt(window)}: give two scores, as in -2..2")
        bounds = int(match[1]), int(match[2])
    with named_options():
        return Question(all_moves, multi, wld, bounds)


class _Source:
    """The positions of one input: whether there are none, one or more; a run may read them twice.

    A person answers each question about the input once: with ``keep`` these answers are kept for the second time.
    """

    def __init__(self, positions: PositionInput, cancel: Cancel, *, keep: bool) -> None:
        entries = positions.entries()
        first = list(islice(entries, 2))
        if not first:
            positions.fail_empty()
        self.is_single = len(first) == 1
        self._may_ask = may_ask(positions.given)
        self._cancel = cancel
        self._read: Callable[[], Iterable[PositionEntry]] = positions.entries
        self._begun: Iterable[PositionEntry] | None = chain(first, entries)
        if keep and self._may_ask:
            listed = list(self._begun)
            self._begun, self._read = None, lambda: listed

    def entries(self) -> Iterable[PositionEntry]:
        """Return the positions, from the first one on."""
        positions, self._begun = self._begun or self._read(), None
        return self._interruptible(iter(positions)) if self._may_ask else positions

    def _interruptible(self, positions: Iterator[PositionEntry]) -> Iterator[PositionEntry]:
        """Cancel when a person answers a question with Ctrl-C, which the terminal waits for."""
        while True:
            try:
                with handled_signals():
                    entry = next(positions, None)
            except KeyboardInterrupt:
                self._cancel.cancel()
                return
            if entry is None:
                return
            yield entry


class _Shown:
    """What the command has written of a run: results in order, messages, progress; and the exit status."""

    def __init__(self, positions: PositionInput, *, json: bool, single: bool) -> None:
        self.outcome = StatusCollector(complete=json)
        self._positions = positions
        self._json = json
        self._single = single
        self._header_shown = False
        self._began = time.monotonic()
        text = "" if positions.given.has_board_rows else positions.given.text
        self._lines = text.count("\n") + 1 if text else math.inf
        self._line = ProgressLine()

    def unreadable(self, entry: PositionEntry) -> None:
        """Report an entry without a position."""
        self._positions.report(entry, self.outcome)

    def progress(self, run: SolveRun) -> None:
        """Draw the progress line."""
        seconds = max(time.monotonic() - self._began, 1e-3)
        share = run.batch.answered / run.total if run.total else run.last_line / self._lines
        self._line.show(lambda: progress_text(run, seconds), share if run.batch.answered else None)

    def write(self, solved: SolvedEntry) -> None:
        """Write a result."""
        entry, solution = solved.entry, solved.solution
        if self._json:
            out_json(solved.fields())
        else:
            if not self._single and not self._header_shown:
                out(HEADER)
                self._header_shown = True
            out(single_text(solution) if self._single else row_text(entry.index, solution))
            if solution.moves:
                out(moves_text(solution))
            sys.stdout.flush()
        if not solved.is_answered:
            self.outcome.add(Status.NO_RESULT)
        if solved.comparison is not None and solved.comparison.ok is False:
            place = place_of(self._positions.given, entry.line)
            self.outcome.add(Status.FINDING, f"{place}: position {entry.index}: {solved.comparison.reason}")

    def skipped(self, run: SolveRun) -> None:
        """Report the positions that the total time leaves out."""
        if run.batch.skipped:
            count = f"{run.batch.skipped} or more" if run.batch.cut_short else f"{run.batch.skipped}"
            self.outcome.add(Status.NO_RESULT, f"reversi: --total-time is over, {count} positions not attempted")

    def sums(self, run: SolveRun, output: str) -> None:
        """Write the sums."""
        tally, earlier = run.tally, run.earlier
        right, bare = tally.right + earlier.right, tally.bare + earlier.bare
        checked = right + tally.wrong + earlier.wrong + tally.unproved
        if not self._json:
            if earlier.count:
                were = "1 position was" if earlier.count == 1 else f"{earlier.count} positions were"
                out(f"{were} in {output} already")
            if not self._single:
                out(f"{tally.solved} positions, {tally.nodes:,d} nodes, {run.time_s:.2f} s")
            if run.check:
                out(f"{checked} checked, {right} right, {bare} not annotated")
        if run.check and earlier.wrong:
            self.outcome.add(
                Status.FINDING,
                f"{output}: {counted(earlier.wrong, 'earlier result')} with another score than expected",
            )
        if run.check and checked == 0 and tally.solved + earlier.count:
            self.outcome.add(Status.BAD_DATA, "reversi: --check: nothing in the input is annotated with a score")
