"""The built-in deck: 1,000 exercises whose values, difficulties and themes are right."""

from __future__ import annotations

from collections import Counter

import pytest

from reversi import Kind
from reversi.analysis.exercises import Exercise, ExerciseTheme, Judge
from reversi.analysis.exercises.deck import standard_deck
from reversi.analysis.exercises.ratings import CLASSES
from reversi.analysis.exercises.themes import is_only_move
from reversi.solver import Solver


def check(exercises: tuple[Exercise, ...]) -> None:
    """Solve all moves anew, and judge the exercises again."""
    solver, judge = Solver(), Judge()
    for exercise in exercises:
        solution = solver.solve(exercise.position, all_moves=True)
        assert {one.move: one.score.value for one in solution.moves} == {
            one.move: one.score.value for one in exercise.moves
        }
        assert exercise.difficulty == judge.difficulty(exercise.position, exercise.answers)


def test_it_has_a_thousand_exercises_with_one_right_answer() -> None:
    deck = standard_deck()
    assert len({exercise.id for exercise in deck}) == 1000
    for exercise in deck:
        assert exercise.score.kind is Kind.EXACT
        assert exercise.position.empties <= 16
        assert len(exercise.answers) == 1
        assert is_only_move(exercise.position, exercise.moves)
        assert exercise.played is None
        assert str(exercise.origin) == "built-in"


def test_it_has_every_difficulty_and_every_theme() -> None:
    deck = standard_deck()
    classes = Counter(exercise.difficulty_class for exercise in deck)
    assert set(classes) == set(CLASSES)
    assert min(classes.values()) >= 150
    themes = Counter(exercise.theme for exercise in deck)
    assert set(themes) == set(ExerciseTheme) - {ExerciseTheme.OTHER}


def test_some_are_right_by_the_solver() -> None:
    check(standard_deck()[::25])


@pytest.mark.thorough
def test_all_are_right_by_the_solver() -> None:
    check(standard_deck())
