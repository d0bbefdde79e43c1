"""Solutions against annotated scores."""

from __future__ import annotations

import pytest

from endings import random_ending
from reversi import Move, Solution, Solver
from reversi.solver.annotations import Comparison, check_solution

POSITION = random_ending(8, 2)
SOLVER = Solver(1)
EVERY = [(one.move, one.score.value) for one in SOLVER.solve(POSITION, all_moves=True).moves]
BEST = EVERY[0][1]


def changed(place: int, by: int) -> list[tuple[Move, int]]:
    return [(move, value + by * (place == number)) for number, (move, value) in enumerate(EVERY)]


def test_equal_scores() -> None:
    assert check_solution(SOLVER.solve(POSITION), EVERY) == Comparison(BEST, True)
    assert check_solution(SOLVER.solve(POSITION, all_moves=True), EVERY, all_moves=True) == Comparison(BEST, True)
    assert check_solution(SOLVER.solve(POSITION), [], BEST) == Comparison(BEST, True)
    assert check_solution(SOLVER.solve(POSITION), []) == Comparison(None, None)


def test_another_value() -> None:
    assert (
        check_solution(SOLVER.solve(POSITION), changed(0, 2)).reason == f"expected {BEST + 2:+d}, found {BEST:+d}"
    )
    assert check_solution(SOLVER.solve(POSITION), [], BEST - 2).ok is False


def test_scored_moves_are_compared() -> None:
    last = len(EVERY) - 1
    assert check_solution(SOLVER.solve(POSITION), changed(last, -2)).ok is True
    assert check_solution(SOLVER.solve(POSITION, all_moves=True), changed(last, -2), all_moves=True).ok is False
    two = SOLVER.solve(POSITION, multi=2)
    assert check_solution(two, EVERY).ok is True
    assert check_solution(two, EVERY[:1]).ok is True
    second = [move for move, _ in EVERY].index(two.moves[1].move)
    assert check_solution(two, changed(second, -2)).reason.startswith(f"{two.moves[1].move}: expected")


def test_who_wins_is_compared_and_no_more() -> None:
    solution = SOLVER.solve(POSITION, wld=True)
    sign = (BEST > 0) - (BEST < 0)
    assert sign
    assert check_solution(solution, EVERY) == Comparison(BEST, True)
    assert check_solution(solution, [(move, 64 * sign) for move, _ in EVERY]).ok is True
    assert check_solution(solution, [(move, 0) for move, _ in EVERY]).ok is False
    assert check_solution(solution, [(move, -2 * sign) for move, _ in EVERY]).ok is False


@pytest.mark.parametrize(("expected", "ok"), [(0, None), (64, None), (-64, None)])
def test_bounds_that_do_not_contradict(expected: int, ok: bool | None) -> None:
    deep = random_ending(44, 1)
    solution: Solution = SOLVER.solve(deep, time_s=0.02)
    assert not solution.is_exact
    assert check_solution(solution, [(move, expected) for move in deep.legal_moves]) == Comparison(expected, ok)
