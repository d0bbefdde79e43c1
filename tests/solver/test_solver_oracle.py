"""The exact solver against brute force: a small sample of ``fuzz_solver.py`` under every one of its rule sets."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fuzz_consistency
import fuzz_solver
import oracle
from brute_force import BruteForce
from command_line import run_python
from endings import random_endings
from fuzz_solver import check, passes_exist, rule_sets, run, wanted
from reversi import parse_rules
from reversi._core import ISA, USABLE_ISAS, alpha_beta
from reversi.solver.solver import Solver, solve
from rule_sets import position_of, variant_of

RULE_SETS = rule_sets()


def test_the_rule_sets_are_different_ways_to_play():
    assert len(RULE_SETS) == len(set(RULE_SETS)) == 9 * 4 + 9 * 4
    for number, one in enumerate(RULE_SETS):
        assert not any(one.same_play(other) for other in RULE_SETS[:number])


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_solver_agrees_with_brute_force(rules):
    counts = run(rules, seed=7, games=10, larger=-2)
    assert counts.games >= 10
    assert not counts.mismatches, "\n".join(counts.mismatches)
    assert not passes_exist(rules)[1] or counts.forced_line >= wanted(10)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_solver_agrees_with_brute_force_on_larger_endgames(rules):
    counts = run(rules, seed=8, games=40, larger=0)
    assert not counts.mismatches, "\n".join(counts.mismatches)


@pytest.mark.parametrize("rules", [one for one in RULE_SETS if one.board == (6, 4)] + RULE_SETS[:1], ids=str)
def test_larger_endgames_are_consistent(rules):
    checked, mismatches = fuzz_consistency.run(rules, seed=3, games=4)
    assert checked == 4
    assert not mismatches, "\n".join(mismatches)


@pytest.mark.parametrize(
    "text",
    [
        "othello,board=6x6",
        "othello,board=6x8",
        "othello,board=8x4,misere",
        "othello,board=4x8,discs-only",
        "adjacent",
        "adjacent,anywhere",
        "adjacent,board=6x4",
        "adjacent,board=6x6,misere",
        "adjacent,board=8x6,discs-only",
    ],
)
def test_solver_agrees_with_alpha_beta_where_boards_and_placements_have_code_of_their_own(text):
    rules, solver = parse_rules(text), Solver(1)
    for empties in (7, 8, 9):
        for position in random_endings(empties, 4, rules):
            value = solver.solve(position).score.value
            assert value == alpha_beta(position, -100, 100)[0]
            for alpha in (value - 2, value):
                assert (solver.solve(position, window=(alpha, alpha + 1)).score.lower > alpha) == (value > alpha)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_more_larger_endgames_are_consistent(rules):
    checked, mismatches = fuzz_consistency.run(rules, seed=4, games=8)
    assert checked == 8
    assert not mismatches, "\n".join(mismatches)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # section 2 of the specification; the brute force's own values for these are in test_oracle.py
        ("othello,board=4x4", -10),
        ("othello,board=4x4,discs-only", -8),
        ("othello,optional-skip,board=4x4", 0),
        ("adjacent,mandatory-capture,optional-skip,board=4x4", 10),
        ("othello,board=4x4,misere", 4),
    ],
)
def test_the_whole_game_on_the_smallest_board(text, value):
    rules = parse_rules(text)
    table = oracle.initial(variant_of(rules))
    solution = solve(position_of(table, rules))
    assert solution.score.value == value
    brute = BruteForce(table.variant)
    for move in solution.pv:
        table = brute.children(table)[str(move)]
    assert oracle.is_over(table)
    assert oracle.final_score(table, oracle.BLACK) == value


@pytest.mark.parametrize(
    ("text", "cells", "to_move"),
    [
        # whatever the mover does, the other side ends with every square
        ("othello", "-OXXXXXX" + "-" * 56, "O"),
        ("othello,optional-skip,full-board,board=4x6", "-O-XXX-OXXXXXXXXXXXXXXXX", "O"),
        ("othello,board=4x6", "XX-O--XXOOOOXOOO--XOOX--", "O"),
        ("othello,board=6x4", "---OX-OOOXX--OXX-XOO-XXO", "X"),
    ],
)
def test_a_lost_position_has_a_best_move_too(text, cells, to_move):
    rules = parse_rules(text)
    table = oracle.Table(variant_of(rules), cells, to_move)
    brute = BruteForce(table.variant)
    assert brute.value(table) == -rules.board.cells
    wrong, _ = check(table, rules, brute)
    assert wrong == []


def test_a_wrong_answer_would_be_found(monkeypatch):
    """The harness itself: an off-by-two solver does not get through."""

    def wrong(position, **options):
        right = solve(position, **options)
        score = right.score
        return type(right)(
            right.position,
            replace(score, value=score.value + 2, lower=score.lower + 2, upper=score.upper + 2),
            right.best,
            right.pv,
            right.moves,
        )

    monkeypatch.setattr(fuzz_solver, "solve", wrong)
    counts = run(parse_rules("othello,board=4x6"), seed=1, games=3, larger=-4)
    assert len(counts.mismatches) == 3
    assert "tests/fuzz/fuzz_solver.py --rules 'othello,board=4x6' --board '" in counts.mismatches[0]


def test_command_line(capsys):
    assert fuzz_solver.main(["--rules", "adjacent,board=4x6", "--games", "3", "--seed", "5"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == fuzz_solver.HEADER
    assert printed[1].split()[:2] == ["adjacent,board=4x6", "3"]
    assert printed[-1].startswith("1 rule sets, 3 endgames")
    board = "XOXOXOXO--OOXXXXOOOOXX-X O"
    assert fuzz_solver.main(["--rules", "othello,board=4x6", "--board", board]) == 0
    assert capsys.readouterr().out.startswith("agrees; line: ")


@pytest.mark.thorough
@pytest.mark.parametrize("isa", [isa for isa in USABLE_ISAS if isa != ISA])
def test_solver_agrees_with_brute_force_on_other_instruction_sets(isa):
    program = Path(fuzz_solver.__file__)
    for rules in ("othello", "adjacent,optional-skip,board=4x6"):
        run_python(
            str(program),
            "--rules",
            rules,
            "--games",
            "20",
            env={
                **os.environ,
                "REVERSI_ISA": isa,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
        ).ends(0, err="")
