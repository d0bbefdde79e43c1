"""``reversi solve``: exact values of positions."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Annotated

import typer

from reversi._core import ISA, Move
from reversi.checking import Check, check_solution
from reversi.cli.console import Outcome, command, fail, is_terminal_err, out, out_json, rules_option
from reversi.cli.pasted import Pasted, entries, read_input, to_move_option
from reversi.cli.status import Status
from reversi.errors import ResourceError
from reversi.resources import check_memory
from reversi.score import Kind, Score, format_score
from reversi.solver import Progress, Solution, SolveInterrupted, Solver
from reversi.text.json_fields import position_fields
from reversi.text.pasted import PositionEntry


def register(app: typer.Typer) -> None:
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
    check: Annotated[bool, typer.Option("--check", help="Compare with the annotated scores.")] = False,
    rules: Annotated[str, typer.Option(help="Rule set; see 'reversi rules list'.")] = "othello",
    to_move: Annotated[
        str,
        typer.Option("--to-move", metavar="black|white", help="The side to move where the text does not say it."),
    ] = "",
    limit_time: Annotated[
        float | None, typer.Option("--limit-time", min=0, help="Seconds for each position.")
    ] = None,
    total_time: Annotated[float | None, typer.Option("--total-time", min=0, help="Seconds for the run.")] = None,
    hash_mb: Annotated[int, typer.Option("--hash", min=1, help="Size of the table in MB.")] = 256,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per position.")] = False,
) -> None:
    """Solve positions exactly: value, best move, best line.

    Example: reversi solve endgames.obf

    Example: reversi solve endgames.obf --all-moves --check

    Example: reversi solve position.txt --rules adjacent --json
    """
    rule_set, side = rules_option(rules), to_move_option(to_move)
    solver = _solver(hash_mb)
    pasted = read_input(text)
    run = _Run(pasted, solver, all_moves, check, json, limit_time, total_time)
    run.all(entries(pasted, rule_set, side))
    run.finish()


def _solver(hash_mb: int) -> Solver:
    try:
        check_memory(hash_mb)
        return Solver(hash_mb)
    except (ResourceError, MemoryError) as error:
        fail(Status.USAGE, f"--hash {hash_mb}: {error}")


class _Run:
    """The positions of one input being solved, one after another."""

    def __init__(
        self,
        pasted: Pasted,
        solver: Solver,
        all_moves: bool,
        check: bool,
        json: bool,
        limit_time: float | None,
        total_time: float | None,
    ) -> None:
        self.pasted = pasted
        self.solver = solver
        self.all_moves = all_moves
        self.check = check
        self.json = json
        self.limit_time = limit_time
        self.end = None if total_time is None else time.monotonic() + total_time
        self.outcome = Outcome()
        self.solved = self.nodes = 0
        self.seconds = 0.0
        self.checked = self.right = self.bare = 0

    def all(self, found: Iterator[PositionEntry]) -> None:
        """Solve every entry; bad ones are reported in their places."""
        first_two = list(islice(found, 2))
        if not first_two:
            fail(Status.BAD_DATA, f"{self.pasted.name or 'the text'}: there is no position in it")
        self.single = len(first_two) == 1
        if not self.json and not self.single:
            out("   # empties  score              kind         nodes    time  best line")
        skipped = 0
        for entry in chain(first_two, found):
            if entry.position is None:
                self.outcome.add(Status.BAD_DATA, f"{self.pasted.place(entry.line)}: {entry.error}")
            elif self.end is not None and time.monotonic() >= self.end:
                skipped += 1
            else:
                self.one(entry)
        if skipped:
            self.outcome.add(Status.NO_RESULT, f"reversi: --total-time is over, {skipped} positions not attempted")

    def one(self, entry: PositionEntry) -> None:
        """Solve one entry and write its answer."""
        assert entry.position is not None
        try:
            solution = self.solver.solve(
                entry.position,
                all_moves=self.all_moves,
                time_limit=self._limit(),
                progress=self._progress(entry) if is_terminal_err() else None,
            )
        except SolveInterrupted as stop:
            _clear_progress()
            self.write(entry, stop.solution)
            raise
        _clear_progress()
        self.write(entry, solution)

    def _limit(self) -> float | None:
        left = None if self.end is None else max(0.0, self.end - time.monotonic())
        limits = [limit for limit in (self.limit_time, left) if limit is not None]
        return min(limits, default=None)

    def _progress(self, entry: PositionEntry) -> Callable[[Progress], None]:
        def show(now: Progress) -> None:
            best = f" {now.best}" if now.best else ""
            bounds = f"{format_score(now.lower)}..{format_score(now.upper)}{best}"
            sys.stderr.write(f"\r#{entry.index}: {bounds}, {now.nodes / 1e6:.0f} M nodes, {now.time_s:.0f} s ")
            sys.stderr.flush()

        return show

    def write(self, entry: PositionEntry, solution: Solution) -> None:
        """Write one answer, and count it."""
        self.solved += 1
        self.nodes += solution.score.nodes
        self.seconds += solution.score.time_s
        checked = Check(None, None)
        if self.check:
            checked = check_solution(solution, entry.annotated, entry.score, all_moves=self.all_moves)
        if self.json:
            out_json(_fields(entry, solution, checked if self.check else None))
        else:
            self._line(entry, solution)
            sys.stdout.flush()
        if not solution.is_exact:
            self.outcome.add(Status.NO_RESULT)
        if self.check:
            self.bare += checked.expected is None
            self.checked += checked.expected is not None
            self.right += checked.ok is True
            if checked.ok is False:
                place = self.pasted.place(entry.line)
                self.outcome.add(Status.FINDING, f"{place}: position {entry.index}: {checked.reason}")

    def _line(self, entry: PositionEntry, solution: Solution) -> None:
        score = solution.score
        value = f"{format_score(score.value)} ({score.ahead(solution.position.to_move)})"
        kind = str(score.kind)
        if score.kind is not Kind.EXACT:
            kind += f" {format_score(score.lower)}..{format_score(score.upper)}"
        line = " ".join(map(str, solution.pv))
        if self.single:
            out(f"{value} {kind}, {solution.position.empties} empty: {line}".rstrip(" :"))
        else:
            out(
                f"{entry.index:4d} {score.depth:7d}  {value:18} {kind:6} {score.nodes:11,d} {score.time_s:7.2f}  "
                f"{line}".rstrip()
            )
        if solution.moves:
            out("     " + " ".join(_move_text(scored.move, scored.score) for scored in solution.moves))

    def finish(self) -> None:
        """Write the sums, and end with the status of all."""
        if not self.json:
            if not self.single:
                out(f"{self.solved} positions, {self.nodes:,d} nodes, {self.seconds:.2f} s")
            if self.check:
                out(f"{self.checked} checked, {self.right} right, {self.bare} not annotated")
        if self.check and self.checked == 0 and self.solved:
            self.outcome.add(Status.BAD_DATA, "reversi: --check: nothing in the input is annotated with a score")
        self.outcome.finish()


def _move_text(move: Move, score: Score) -> str:
    sign = {Kind.LOWER: ">=", Kind.UPPER: "<="}.get(score.kind, "")
    return f"{move}:{sign}{format_score(score.value)}"


def _clear_progress() -> None:
    if is_terminal_err():
        sys.stderr.write("\r" + " " * 70 + "\r")
        sys.stderr.flush()


def _fields(entry: PositionEntry, solution: Solution, checked: Check | None) -> dict[str, object]:
    score = solution.score
    fields: dict[str, object] = {
        "index": entry.index,
        "line": entry.line,
        **position_fields(solution.position),
        "score": score.value,
        "kind": str(score.kind),
        "lower": score.lower,
        "upper": score.upper,
        "depth": score.depth,
        "confidence": score.confidence,
        "best": [str(move) for move in solution.best],
        "pv": [str(move) for move in solution.pv],
        "nodes": score.nodes,
        "time_s": round(score.time_s, 6),
        "threads": 1,
        "isa": ISA,
    }
    if solution.moves:
        fields["moves"] = [
            {
                "move": str(scored.move),
                "score": scored.score.value,
                "kind": str(scored.score.kind),
                "pv": [str(move) for move in scored.pv],
            }
            for scored in solution.moves
        ]
    if checked is not None:
        fields["expected"] = checked.expected
        fields["ok"] = checked.ok
    return fields
