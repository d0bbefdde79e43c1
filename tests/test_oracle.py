"""The oracle held against the checked values of the specification, and the quicker brute force against it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings

import brute_force
import oracle
from brute_force import BruteForce
from oracle import Variant
from rule_sets import SMALL_SIZES, endgames, pairs, rules, table_of


@pytest.mark.parametrize("module", [oracle, brute_force])
def test_shares_nothing_with_the_package(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert imported <= {"__future__", "dataclasses", "functools", "oracle"}


@pytest.mark.parametrize(
    ("variant", "leaves"),
    [
        (Variant(), [1, 4, 12, 56, 244, 1396]),
        (Variant(rows=6, columns=6), [1, 4, 12, 56, 244, 1364]),
        (Variant(rows=4, columns=4), [1, 4, 12, 44, 128, 424, 1256, 3624]),
        (Variant(start="parallel"), [1, 4, 14, 68, 292, 1690]),
        (Variant(False, True, ending="full-board"), [1, 12, 176, 3008]),
        (Variant(False, True, True, "full-board"), [1, 13, 200, 3548]),
        (Variant(True, True, False, "full-board"), [1, 4, 12, 56, 244]),
        (Variant(True, True, True, "full-board"), [1, 5, 20, 96, 448, 2584]),
        (Variant(optional_skip=True), [1, 5, 21, 101, 469, 2673]),
        (Variant(False, ending="full-board"), [1, 60, 3540]),
    ],
)
def test_perft_of_the_specification(variant, leaves):
    assert [oracle.perft(oracle.initial(variant), depth) for depth in range(len(leaves))] == leaves


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variant", "value"),
    [
        (Variant(rows=4, columns=4), -10),
        (Variant(rows=4, columns=4, empties_to_winner=False), -8),
        (Variant(rows=4, columns=4, misere=True), 4),
        pytest.param(Variant(rows=4, columns=4, optional_skip=True), 0, marks=pytest.mark.slow),
        pytest.param(Variant(True, True, True, "full-board", 4, 4), 10, marks=pytest.mark.slow),
    ],
)
def test_solved_boards_of_the_specification(variant, value):
    assert BruteForce(variant).value(oracle.initial(variant)) == value


@given(pairs(rules(boards=SMALL_SIZES)))
@settings(max_examples=50)
def test_quick_moves_are_the_moves(pair):
    children = BruteForce(pair.table.variant).children(pair.table)
    assert list(children) == oracle.legal_moves(pair.table)
    for move, after in children.items():
        assert after == oracle.play(pair.table, move)


@given(endgames(max_empties=3))
@settings(max_examples=60)
def test_quick_values_are_the_values(position):
    table = table_of(position)
    memo: dict[oracle.Table, int] = {}
    brute = BruteForce(table.variant)
    assert brute.value(table) == oracle.value(table, memo)
    values = brute.move_values(table)
    assert values == oracle.move_values(table, memo)
    assert list(values) == oracle.legal_moves(table)
    assert oracle.best_moves(table, memo) == [move for move in values if values[move] == brute.value(table)]
    end = table
    for move in brute.best_line(table):
        end = oracle.play(end, move)
    assert oracle.is_over(end)
    assert oracle.final_score(end, table.to_move) == brute.value(table)


def test_values_need_no_memo():
    table = oracle.Table(Variant(rows=4, columns=4), "XXXOXOOXOXXX-OO-", "X")
    assert oracle.value(table) == oracle.value(table, {}) == BruteForce(table.variant).value(table)
    assert oracle.best_moves(table) == oracle.best_moves(table, {})


def test_scores():
    """Section 2: 13-0 is 64-0 with the empties to the winner, half each in a tie; misere reverses the sign."""
    wiped = "X" * 13 + "-" * 51
    tie = "XXOO" + "-" * 60
    for variant, cells, black in (
        (Variant(), wiped, 64),
        (Variant(empties_to_winner=False), wiped, 13),
        (Variant(misere=True), wiped, -64),
        (Variant(misere=True, empties_to_winner=False), wiped, -13),
        (Variant(), tie, 0),
        (Variant(misere=True), tie, 0),
        (Variant(), wiped.replace("X", "O"), -64),
    ):
        table = oracle.Table(variant, cells, oracle.BLACK)
        assert oracle.final_score(table, oracle.BLACK) == black
        assert oracle.final_score(table, oracle.WHITE) == -black


def test_two_passes():
    no_moves = oracle.initial(Variant(optional_skip=True))
    once = oracle.play(no_moves, oracle.PASS)
    assert once.state == oracle.AFTER_PASS
    assert oracle.PASS in oracle.legal_moves(once)
    twice = oracle.play(once, oracle.PASS)
    assert twice.state == oracle.ENDED
    assert oracle.is_over(twice)
    assert oracle.legal_moves(twice) == []
    assert oracle.play(once, "e3").state == oracle.FRESH

    full_board = oracle.play(oracle.initial(Variant(optional_skip=True, ending="full-board")), oracle.PASS)
    assert full_board.state == oracle.AFTER_PASS
    assert oracle.PASS not in oracle.legal_moves(full_board)
    with pytest.raises(ValueError, match="not legal"):
        oracle.play(full_board, oracle.PASS)


@pytest.mark.parametrize("ending", ["no-moves", "full-board"])
def test_forced_pass_after_a_skip(ending):
    # Black to move can take a White disc, White can never move: there is no Black disc beside an edge to close.
    table = oracle.Table(Variant(optional_skip=True, ending=ending, rows=4, columns=4), "XO-" + "-" * 13, "X")
    assert oracle.legal_moves(table) == ["c1", oracle.PASS]
    skipped = oracle.play(table, oracle.PASS)
    assert oracle.legal_moves(skipped) == [oracle.PASS]
    back = oracle.play(skipped, oracle.PASS)
    if ending == "no-moves":  # the second of two passes ends the game, forced or not
        assert back.state == oracle.ENDED
        assert oracle.is_over(back)
    else:  # a forced pass is always allowed, and may not be answered by a skip
        assert back.state == oracle.AFTER_PASS
        assert oracle.legal_moves(back) == ["c1"]
