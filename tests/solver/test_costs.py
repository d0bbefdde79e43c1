"""Estimates of what positions cost, against the nodes of the solver."""

from __future__ import annotations

import math

from endings import random_ending
from reversi.solver import Question, Solver
from reversi.solver.costs import estimated_nodes, useful_hash_mb


def test_estimates_are_near_the_nodes() -> None:
    solver, squares, count = Solver(1), 0.0, 0
    for empties in (8, 10, 12, 14):
        for seed in range(10):
            position = random_ending(empties, seed)
            nodes = solver.solve(position).score.nodes
            squares += math.log2(max(nodes, 1) / estimated_nodes(position)) ** 2
            count += 1
    assert (squares / count) ** 0.5 < 2.0


def test_mobility_counts() -> None:
    positions = sorted((random_ending(14, seed) for seed in range(20)), key=lambda each: len(each.legal_moves))
    assert estimated_nodes(positions[0]) < estimated_nodes(positions[-1])


def test_other_questions_have_other_costs() -> None:
    position = random_ending(14, 0)
    usual = estimated_nodes(position)
    assert estimated_nodes(position, Question(wld=True)) < usual == estimated_nodes(position, Question())
    assert (
        usual < estimated_nodes(position, Question(multi=2)) < estimated_nodes(position, Question(all_moves=True))
    )


def test_a_larger_table_gains_nothing() -> None:
    assert [useful_hash_mb(nodes) for nodes in (0, 1e6, 3e6, 1e9)] == [16, 16, 64, 16384]
    position = random_ending(16, 3)
    size = useful_hash_mb(estimated_nodes(position))
    assert Solver(size).solve(position).score.nodes == Solver(8 * size).solve(position).score.nodes
