"""The first lesson: what its steps say of their positions is so."""

import pytest

from reversi import Color, Solver
from reversi.engine.explaining import regions
from reversi.person.lesson import Lesson, LessonStep, first_lesson

STEPS = first_lesson()
BY_TITLE = {step.title: step for step in STEPS}
CORNERS = {"a1", "a8", "h1", "h8"}


def moves(step: LessonStep) -> list[str]:
    return [str(move) for move in step.position.legal_moves]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
def test_every_answer_is_judged(step: LessonStep) -> None:
    assert step.position.to_move is Color.BLACK
    assert set(step.right) <= set(moves(step))
    lesson = Lesson()
    lesson.at = STEPS.index(step)
    for move in moves(step):
        lesson.go(0)
        answer = lesson.answer(move)
        assert answer.right == (not step.right or move in step.right)
        assert answer.text
        assert "{" not in answer.text
        assert lesson.answered == answer.right
        assert (lesson.position == step.position) == (not answer.right)
    lesson.go(0)
    assert not lesson.answer("d4" if step.position["d4"] is not None else "a1").right
    assert lesson.answer(lesson.step.solution).right


def test_the_moves_that_flip_most() -> None:
    step = BY_TITLE["Flipping in several directions"]
    flips = {move: len(step.position.flips(move)) for move in moves(step)}
    assert flips.pop("e8") == 7
    assert max(flips.values()) < 7
    assert {(square.column > 4) - (square.column < 4) for square in step.position.flips("e8")} == {-1, 0}


def test_one_last_move_wins() -> None:
    step, solver = BY_TITLE["Counting"], Solver(1)
    assert step.position.empties == 2
    assert sorted(moves(step)) == ["b8", "e8"]
    assert solver.solve(step.position).score.value == 12
    end = step.position.play("e8")
    while not end.is_over:
        end = end.play(end.legal_moves[0])
    assert end.count.discs == "38-26"
    reply = step.position.play("b8")
    assert [str(move) for move in reply.legal_moves] == ["e8"]
    over = reply.play("e8")
    assert over.result is not None
    assert over.result.score < 0


def test_corners_are_taken_and_kept() -> None:
    step = BY_TITLE["Corners"]
    assert CORNERS & set(moves(step)) == {"h8"}
    step = BY_TITLE["The squares beside corners"]
    for move in moves(step):
        after = step.position.play(move)
        gives = bool(CORNERS & {str(reply) for reply in after.legal_moves})
        assert gives == (move not in step.right)
        if gives:
            assert move in {"b2", "b7", "g2", "g7"}


def test_the_mobility_of_white() -> None:
    step = BY_TITLE["Mobility"]
    left = {move: len(step.position.play(move).legal_moves) for move in moves(step)}
    assert left.pop("a6") == 3
    assert min(left.values()) >= 7


def test_the_odd_region_wins() -> None:
    step, solver = BY_TITLE["Parity"], Solver(1)
    found = {str(scored.move): scored.score.value for scored in solver.solve(step.position, multi=9).moves}
    assert found.pop("h7") > 0
    assert max(found.values()) < 0
    sizes = {move: next(r.bit_count() for r in regions(step.position) if r >> _index(move) & 1) for move in found}
    assert set(sizes.values()) == {4}


def _index(move: str) -> int:
    return 8 * (int(move[1]) - 1) + "abcdefgh".index(move[0])


def test_passing_is_the_only_move() -> None:
    step = BY_TITLE["Passing"]
    assert moves(step) == ["--"]
    lesson = Lesson()
    lesson.at = STEPS.index(step)
    lesson.go(0)
    assert lesson.answer("a1").text == "a1 flips nothing, and no other square does: pass."
    assert Lesson().answer("--").text == "You may not pass: you have a move that flips a disc."
    assert Lesson().answer("d4").text == "d4 is occupied; a disc goes on an empty square."


def test_steps_go_on_and_back() -> None:
    lesson = Lesson()
    assert not lesson.go(-1)
    for _ in STEPS[1:]:
        assert lesson.go(1)
    assert lesson.is_last
    assert not lesson.go(1)
