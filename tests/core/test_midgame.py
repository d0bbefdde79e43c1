"""Searches that end before the game does, against plain statements of what they compute."""

from __future__ import annotations

import pytest

from plain_evaluation import plain_search
from random_games import random_walk
from reversi import Position, Random, parse_rules
from reversi._core import EXACT_LEVEL, Table, Task
from reversi.evaluation.weights import default_weights

RULES = [
    "othello,board=6x6",
    "othello,misere",
    "othello,optional-skip",
    "othello,optional-skip,full-board,board=4x6",
    "adjacent,board=4x6",
    "adjacent,misere,board=6x4",
    "adjacent,optional-skip,board=4x4",
    "adjacent,mandatory-capture,optional-skip",
    "othello,optional-capture,discs-only,board=4x4",
]
FULL = EXACT_LEVEL - 1  # no pruning


def positions(rules: str, count: int):
    for seed in range(count):
        start = Position(parse_rules(rules))
        yield random_walk(start, 3 * seed % (start.rules.board.cells - 8), Random(seed), ends=False)


@pytest.mark.parametrize("rules", RULES)
def test_the_plain_evaluation_and_its_search(rules):
    compared = 0
    for position in positions(rules, 20):
        for depth in range(3 if position.rules.mandatory_capture else 2):
            if depth < position.empties and not (depth == 0 and position.state.value != "fresh"):
                value = Task(Table(1)).value(position, -65, 65, depth)
                assert value == plain_search(position, depth), (position, depth)
                compared += 1
    assert compared > 20


def test_the_standard_game_without_weights_uses_the_plain_evaluation():
    for position in positions("othello", 12):
        for depth in range(3):
            if depth < position.empties:
                assert Task(Table(1)).value(position, -65, 65, depth) == plain_search(position, depth)


def test_without_pruning_the_learned_search_is_the_plain_one_in_whole_discs():
    weights = default_weights()
    for position in positions("othello", 20):
        for depth in range(6):
            if depth < position.empties:
                value = Task(Table(1), weights).value(position, -65, 65, depth, FULL)
                precise = weights.search(position, depth, Table(1)) / 128
                assert abs(value - precise) <= 0.5, (position, depth)  # type: ignore[operator]


def test_what_a_shallow_search_leaves_in_the_table_proves_nothing():
    weights = default_weights()
    for position in positions("othello", 20):
        if position.empties > 12:
            continue
        table = Table(1)
        exact = Task(Table(1), weights).value(position, -65, 65)
        for level in range(FULL + 1):
            for depth in range(position.empties + 1):
                Task(table, weights).value(position, -65, 65, depth, level)
        assert Task(table, weights).value(position, -65, 65) == exact


def test_the_move_that_a_search_found_best_is_remembered():
    task = Task(Table(1), default_weights())
    assert task.remembered(Position()) is None
    task.value(Position(), -65, 65, 5, 0)
    move = task.remembered(Position())
    assert move is not None
    assert Position().is_legal(move)
