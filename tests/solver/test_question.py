"""The question: one type and one validator for the solver, batches and runs."""

from __future__ import annotations

import pickle

import pytest

from endings import random_ending
from reversi import Batch, InputError, Question, Solver
from reversi.errors import ArgumentError, ReversiError
from reversi.solver.question import QuestionError

POSITION = random_ending(6, 1)


def test_two_questions_at_once_are_refused_alike() -> None:
    for names, arguments in (
        (("all_moves", "wld"), {"all_moves": True, "wld": True}),
        (("multi", "window"), {"multi": 2, "window": (1, 2)}),
    ):
        with pytest.raises(QuestionError) as caught:
            Question(**arguments)
        assert caught.value.names == names
        with pytest.raises(QuestionError) as again:
            Solver(1).solve(POSITION, **arguments)
        assert (
            str(again.value)
            == str(caught.value)
            == f"{' and '.join(names)} are different questions; ask one of them"
        )
        assert pickle.loads(pickle.dumps(caught.value)).names == names


@pytest.mark.parametrize(
    ("window", "error"),
    [((2, 1), InputError), ((1,), ArgumentError), ("12", ArgumentError), ((True, 2), ArgumentError)],
)
def test_a_wrong_window_is_refused_alike(window: tuple[int, int], error: type[ReversiError]) -> None:
    with pytest.raises(error) as caught:
        Question(window=window)
    with pytest.raises(error) as again:
        Solver(1).solve(POSITION, window=window)
    assert str(again.value) == str(caught.value)


@pytest.mark.parametrize(
    "question",
    [Question(), Question(all_moves=True), Question(multi=2), Question(wld=True), Question(window=(-2, 2))],
)
def test_solver_and_batch_answer_the_same_question(question: Question) -> None:
    solution = Solver(1).ask(POSITION, question)
    assert question.is_answered(solution)
    with Batch([(0, POSITION)], question, hash_mb=1, threads=1) as batch:
        (answer,) = batch
    assert answer.solution.best == solution.best
    assert (answer.solution.score.value, answer.solution.score.kind) == (solution.score.value, solution.score.kind)


@pytest.mark.parametrize(
    ("question", "count", "bounds"),
    [
        (Question(), None, (-65, 65)),
        (Question(all_moves=True), 128, (-65, 65)),
        (Question(multi=3), 3, (-65, 65)),
        (Question(wld=True), None, (-1, 1)),
        (Question(window=(-2, 2)), None, (-3, 3)),
        (Question(window=(100, 200)), None, (64, 65)),
        (Question(window=(-200, -100)), None, (-65, -64)),
    ],
)
def test_what_the_search_is_asked(question: Question, count: int | None, bounds: tuple[int, int]) -> None:
    assert (question.count(64), question.bounds(64)) == (count, bounds)
