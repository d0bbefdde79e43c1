"""Benchmarks of the solver: what a report has, reading it back, comparing."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from endings import random_endings
from reversi import OTHELLO, Move, Position, ResourceError, Solver
from reversi._core import ISA
from reversi._version import __version__
from reversi.errors import InputError
from reversi.inputs.positions import PositionEntry
from reversi.selfcheck.bench import (
    Conditions,
    Measurement,
    Report,
    conditions,
    measure_perft,
    measure_solving,
    read_report,
    yardstick,
)
from reversi.solver import SearchSettings

POSITIONS = random_endings(10, 4)
UNDER = Conditions(__version__, "", ISA, 1, 1, 1, 1.0, "CPython", "here")


def entry(index: int, annotated: tuple[tuple[Move, int], ...] = ()) -> PositionEntry:
    return PositionEntry(index, index, "", POSITIONS[index - 1], annotated)


ENTRIES = [entry(1), PositionEntry(2, 2, "bad", error=InputError("bad")), entry(3)]


def report(*problems: Measurement) -> Report:
    return Report("suite.obf", UNDER, list(problems))


def measured(threads: int = 1, repeat: int = 1) -> list[Measurement]:
    return list(measure_solving(ENTRIES, SearchSettings(1, threads), repeat=repeat))


def test_every_position_with_its_value() -> None:
    found = measured()
    assert [one.index for one in found] == [1, 3]
    for one in found:
        position = POSITIONS[one.index - 1]
        assert one.board == position.cells
        assert (one.empties, one.score) == (10, Solver(1).solve(position).score.value)
        assert (one.expected, one.ok, one.splits) == (None, None, 0)
        assert one.nodes_each == [one.nodes]
        assert one.times_s == [one.time_s]
        assert one.nodes_per_s == pytest.approx(one.nodes / one.time_s)


def test_every_run_has_a_fresh_table() -> None:
    first = Solver(1).solve(POSITIONS[0]).score.nodes
    for one in (measured(repeat=3)[0], measured()[0]):
        assert set(one.nodes_each) == {first}
    assert len(measured(repeat=3)[0].times_s) == 3


def test_annotated_scores_are_compared() -> None:
    moves = tuple((move.move, move.score.value) for move in Solver(1).solve(POSITIONS[0], all_moves=True).moves)
    wrong = ((moves[0][0], moves[0][1] + 2), *moves[1:])
    found = list(measure_solving([entry(1, moves), entry(1, wrong)], SearchSettings(1, 2)))
    assert [(one.expected, one.ok) for one in found] == [(moves[0][1], True), (moves[0][1] + 2, False)]


def test_a_report_is_read_back() -> None:
    one = report(*measured(repeat=2))
    text = json.dumps(one.fields())
    assert read_report(text, "a") == one
    assert json.loads(text)["sum"] == {"nodes": one.nodes, "time_s": round(one.time_s, 6), "splits": 0}
    assert one.nodes == sum(problem.nodes for problem in one.problems)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "3", '{"suite": "a", "problems": []}', '{"problems": 3}'],
)
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"old\.json: not a report"):
        read_report(text, "old.json")


@pytest.mark.parametrize(
    "change", [{"problems": [3]}, {"problems": [{}]}, {"yardstick": "fast"}, {"problems": None}]
)
def test_damaged_reports_are_refused(change: dict[str, object]) -> None:
    fields = {**report(*measured()).fields(), **change}
    with pytest.raises(InputError, match="not a report"):
        read_report(json.dumps(fields), "old.json")


def test_positions_are_matched_wherever_they_are_in_the_suite() -> None:
    first, third = measured()
    old = report(replace(third, index=1, nodes=5), replace(first, rules="othello,misere"))
    assert report(first, third).matched(old) == [(third, old.problems[0])]


def test_conditions_say_what_ran() -> None:
    under = conditions(SearchSettings(3, 2), repeat=4, yardstick=1.5)
    assert (under.version, under.isa, under.threads, under.hash_mb, under.repeat) == (__version__, ISA, 2, 3, 4)
    assert under.yardstick == 1.5
    assert len(under.weights) == 12


def test_what_cannot_be_measured() -> None:
    with pytest.raises(ResourceError, match="does not fit"):
        next(measure_solving(ENTRIES, SearchSettings(1 << 30)))
    with pytest.raises(ValueError, match="at least 1"):
        next(measure_solving(ENTRIES, SearchSettings(1), repeat=0))


def test_perft() -> None:
    one = measure_perft(Position(OTHELLO), 6, 2)
    assert (one.depth, one.leaves) == (6, 8200)
    assert one.time_s > 0


def test_the_yardstick() -> None:
    assert 0.1 < yardstick(os.environ) < 1000


def test_a_yardstick_that_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with pytest.raises(ResourceError, match="cannot be run"):
        yardstick(os.environ)
