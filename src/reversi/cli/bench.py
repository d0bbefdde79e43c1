"""``reversi bench``: the speed of this machine."""

from __future__ import annotations

import json as json_module
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import reversi._regex as re
from reversi._core import ISA, Position
from reversi.arguments import excerpt
from reversi.cli.console import StatusCollector, command, fail, out, out_json, read_bytes, rules_option
from reversi.cli.evaluation import Evaluation
from reversi.cli.inputs import entries, place_of, read_input
from reversi.cli.option_groups import Flag, needs
from reversi.cli.options import EncodingOption, HashOption, PositionThreadsOption, RulesOption, argument, option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.status import Status
from reversi.inputs.input import Input
from reversi.inputs.positions import PositionEntry
from reversi.score import format_score
from reversi.selfcheck.bench import (
    Measurement,
    Report,
    conditions,
    measure_perft,
    measure_solving,
    read_report,
    yardstick,
)
from reversi.solver.settings import SearchSettings
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.text.counting import counted
from reversi.text.decoding import decode_text

_RANGE = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?", re.ASCII)


@command(*needs("--force", "--json FILE"))
def solve(
    suite: Annotated[str, argument("SUITE", "A file of positions in OBF; - is standard input.")],
    problems: Annotated[str, option("LIST", "Solve only these positions of the file, for example 1-5,8.")] = "",
    rules: RulesOption = "othello",
    encoding: EncodingOption = "",
    threads: PositionThreadsOption = 1,
    hash_mb: HashOption = DEFAULT_BATCH_HASH_MB,
    repeat: Annotated[int, option("N", "Solve each position N times and show medians.", min=1)] = 1,
    *,
    evaluation: Evaluation,
    json: Annotated[
        str, option("FILE", "Write a report to FILE; - writes it to standard output instead of the table.")
    ] = "",
    compare: Annotated[str, option("OLD.json", "Compare nodes and times with an earlier report.")] = "",
    force: ForceOption = False,
) -> None:
    """Time the solver on a suite of positions.

    Each position gets a fresh table. The yardstick is 2.0 on a machine half as fast as that of the published
    figures: divide times by it to compare them.

    Example: reversi bench solve endgames.obf

    Example: reversi bench solve endgames.obf --problems 1-5 --repeat 5 --json new.json

    Example: reversi bench solve endgames.obf --compare old.json
    """
    wanted = _numbers(problems)
    rule_set = rules_option(rules)
    choice = evaluation.read()
    old = read_report(decode_text(read_bytes(compare), compare), compare) if compare else None
    given = read_input(suite, encoding)
    target = check_output(json, Inputs(given.path, compare, evaluation.weights), force=force) if json else None
    outcome = StatusCollector()
    positions = _selected(entries(given, rule_set, None), wanted, given, outcome)
    factor = yardstick(os.environ)
    settings = SearchSettings(hash_mb, threads, choice.use)
    under = conditions(settings, repeat=repeat, yardstick=factor, weights=choice.version)
    report = Report(Path(given.name or "given").name, under)
    table = None if json == "-" else _Table(report, old)
    try:
        for measured in measure_solving(positions, settings, repeat=repeat):
            report.problems.append(measured)
            if table is not None:
                table.row(measured)
            if measured.ok is False:
                expected, score = _score(measured.expected), _score(measured.score)
                text = f"position {measured.index}: expected {expected}, found {score}"
                outcome.add(Status.FINDING, f"{given.name or 'reversi'}: {text}")
    finally:  # Ctrl-C too
        if report.problems:
            if table is not None:
                table.sums()
            if json == "-":
                out_json(report.fields())
            elif json:
                write_pieces(target, [(json_module.dumps(report.fields(), indent=1) + "\n").encode()])
    if not report.problems and outcome.status is Status.DONE:
        what = f"position {problems} not found" if wanted else "contains no positions"
        fail(Status.BAD_DATA, f"{given.name or 'the text'}: {what}")
    outcome.finish()


def _score(value: int | None) -> str:
    return "nothing" if value is None else format_score(value)


def _numbers(text: str) -> list[range]:
    """Return the ranges of ``1-5,8``; none for all."""
    ranges = []
    for word in filter(None, text.replace(" ", "").split(",")):
        match = _RANGE.fullmatch(word)
        if match is None or not 0 < int(match[1]) <= int(match[2] or match[1]):
            fail(Status.USAGE, f"--problems {excerpt(text)}: give numbers and ranges, as in 1-5,8")
        ranges.append(range(int(match[1]), int(match[2] or match[1]) + 1))
    return ranges


def _selected(
    positions: Iterator[PositionEntry], wanted: list[range], given: Input, outcome: StatusCollector
) -> Iterator[PositionEntry]:
    for entry in positions:
        if wanted and not any(entry.index in numbers for numbers in wanted):
            continue
        if entry.error is not None:
            outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {entry.error}")
        yield entry


class _Table:
    def __init__(self, report: Report, old: Report | None) -> None:
        self.report = report
        self.old = old
        self.before = {} if old is None else {measured.key: measured for measured in old.problems}
        under = report.conditions
        out(f"{report.suite}: {_conditions(report)}")
        if old is not None:
            out(f"compared with {old.suite}: {_conditions(old)}")
        if under.repeat > 1:
            out(f"medians of {under.repeat} runs")
        head = f"{'#':>4} {'empties':>7} {'score':>6} {'ok':>3} {'nodes':>15} {'time s':>10} {'M nodes/s':>9}"
        out(head + (f" {'nodes':>7} {'time':>7}" if old is not None else ""))

    def row(self, measured: Measurement) -> None:
        ok = {True: "yes", False: "NO", None: "-"}[measured.ok]
        text = (
            f"{measured.index:4d} {measured.empties:7d} {format_score(measured.score):>6} {ok:>3}"
            f" {measured.nodes:15,d} {measured.time_s:10.3f} {measured.nodes_per_s / 1e6:9.1f}"
        )
        before = self.before.get(measured.key)
        if before is not None:
            text += f" {_ratio(measured.nodes, before.nodes)} {_ratio(measured.time_s, before.time_s)}"
        out(text)
        sys.stdout.flush()

    def sums(self) -> None:
        report = self.report
        rate = report.nodes / report.time_s / 1e6 if report.time_s else 0.0
        out(f" sum {'':7} {'':6} {'':3} {report.nodes:15,d} {report.time_s:10.3f} {rate:9.1f}{self._sum_ratios()}")
        if report.conditions.threads > 1:
            out(f"threads shared {report.splits:,d} nodes")
        factor = report.conditions.yardstick
        if factor:
            out(f"about {report.time_s / factor:.3f} s on a machine with yardstick 1.0")

    def _sum_ratios(self) -> str:
        if self.old is None:
            return ""
        pairs = self.report.matched(self.old)
        if not pairs:
            return "  (the reports have no position in common)"
        new, old = [measured for measured, _ in pairs], [measured for _, measured in pairs]
        nodes = _ratio(sum(measured.nodes for measured in new), sum(measured.nodes for measured in old))
        new_time, old_time = sum(measured.time_s for measured in new), sum(measured.time_s for measured in old)
        text = f" {nodes} {_ratio(new_time, old_time)}"
        factors = self.report.conditions.yardstick, self.old.conditions.yardstick
        if factors[0] and factors[1]:
            text += f"  (times by the yardstick: {_ratio(new_time / factors[0], old_time / factors[1]).strip()})"
        if len(pairs) < len(self.report.problems):
            text += f"  ({len(pairs)} positions in common)"
        return text


def _conditions(report: Report) -> str:
    under = report.conditions
    weights = f", weights {under.weights}" if under.weights else ", no evaluation"
    factor = "" if under.yardstick is None else f", yardstick {under.yardstick:.3f}"
    used = f"{under.isa}, {counted(under.threads, 'thread')}, hash {under.hash_mb} MB"
    return f"version {under.version}{weights}, {used}{factor}"


def _ratio(new: float, old: float) -> str:
    return f"{f'x{new / old:.3f}' if old else '-':>7}"


@command
def perft(
    depth: Annotated[int, option("PLIES", "Set the depth of the tree.", min=1, max=20)] = 11,
    rules: RulesOption = "othello",
    repeat: Annotated[int, option("N", "Count N times and show the best time.", min=1)] = 3,
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Time the move generator: leaves of the game tree per second.

    Example: reversi bench perft --depth 11
    """
    rule_set = rules_option(rules)
    factor = yardstick(os.environ)
    measured = measure_perft(Position(rule_set), depth, repeat)
    rate = measured.leaves / measured.time_s if measured.time_s else 0.0
    if json:
        out_json(
            {
                "rules": str(rule_set),
                "depth": depth,
                "leaves": measured.leaves,
                "time_s": measured.time_s,
                "leaves_per_s": round(rate),
                "isa": ISA,
                "yardstick": factor,
            }
        )
        return
    out(f"perft {depth}, {rule_set}, {ISA}, one thread, yardstick {factor:.3f}")
    out(f"{measured.leaves:,d} leaves, {measured.time_s:.3f} s, {rate / 1e6:.1f} M leaves/s")
