"""Batches: every position answered once, whatever the threads; limits, cancelling, memory."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from endings import random_ending, random_endings
from patience import SOON_S
from reversi import OTHELLO, Kind, Position, ResourceError, Solution, Solver, parse_rules
from reversi._core import Weights
from reversi.solver import batch as module
from reversi.solver.batch import Batch, is_small
from reversi.solver.costs import estimated_nodes
from reversi.solver.question import Question

ADJACENT = parse_rules("adjacent")
DEEP = random_ending(40, 1)
SMALL = [*random_endings(6, 10), *random_endings(12, 10)]


def solved(position: Position, question: Question | None = None) -> Solution:
    asked = question or Question()
    return Solver(8).solve(
        position, all_moves=asked.all_moves, multi=asked.multi, wld=asked.wld, window=asked.window
    )


def values(solution: Solution) -> tuple[int, Kind, dict[str, int]]:
    return (
        solution.score.value,
        solution.score.kind,
        {str(move.move): move.score.value for move in solution.moves},
    )


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("question", [Question(), Question(all_moves=True)], ids=str)
def test_every_position_is_answered_once(threads: int, question: Question) -> None:
    with Batch(enumerate(SMALL), question, hash_mb=8, threads=threads) as batch:
        answers = list(batch)
        assert batch.is_done
        assert (batch.answered, batch.skipped) == (len(SMALL), 0)
        assert batch.nodes == sum(answer.solution.score.nodes for answer in answers)
    assert sorted(answer.key for answer in answers) == list(range(len(SMALL)))
    for answer in answers:
        assert answer.threads == 1
        assert answer.solution.position == SMALL[answer.key]
        assert values(answer.solution) == values(solved(SMALL[answer.key], question))


def test_one_thread_keeps_the_order() -> None:
    with Batch(enumerate(SMALL), hash_mb=8, threads=1) as batch:
        assert [answer.key for answer in batch] == list(range(len(SMALL)))


def test_duplicates_and_other_rules_in_between() -> None:
    small_board = parse_rules("othello,board=4x4")
    positions = [SMALL[0], Position(small_board), SMALL[0], random_ending(7, 1, ADJACENT), SMALL[0]]
    with Batch(enumerate(positions), hash_mb=1, threads=2) as batch:
        scores = {answer.key: answer.solution.score.value for answer in batch}
    assert scores == {number: solved(position).score.value for number, position in enumerate(positions)}


def test_hard_positions_are_solved_alone_by_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[Position] = []
    beside: list[tuple[int, int, int]] = []  # threads of a solver, empties, positions solved at the same time
    lock = threading.Lock()

    class Watched(Solver):
        def ask(self, position: Position, question: Question, **options: object) -> Solution:
            with lock:
                running.append(position)
                beside.append((int(str(options["threads"])), position.empties, len(running)))
            try:
                return super().ask(position, question, **options)  # type: ignore[arg-type]
            finally:
                with lock:
                    running.remove(position)

    monkeypatch.setattr(module, "Solver", Watched)
    monkeypatch.setattr(module, "_SMALL_NODES", estimated_nodes(random_ending(13, 0)))
    positions = [pos for pair in zip(SMALL, random_endings(16, len(SMALL)), strict=True) for pos in pair][:14]
    with Batch(enumerate(positions), hash_mb=8, threads=2) as batch:
        answers = {answer.key: answer for answer in batch}
    assert all(together == 1 for threads, _, together in beside if threads == 2)
    assert {threads for threads, empties, _ in beside if empties == 16} == {2}
    assert {threads for threads, empties, _ in beside if empties < 16} == {1}
    for number, position in enumerate(positions):
        assert answers[number].threads == (2 if position.empties == 16 else 1)
        assert answers[number].solution.score.value == solved(position).score.value


def test_there_is_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    class Counted(Solver):
        def __init__(self, hash_mb: int, threads: int, evaluation: bool | Weights) -> None:
            sizes.append(hash_mb)
            super().__init__(hash_mb, threads, evaluation)

    monkeypatch.setattr(module, "Solver", Counted)
    monkeypatch.setattr(module, "_SMALL_NODES", estimated_nodes(random_ending(15, 0)))
    mixed = [random_ending(empties, number) for number in range(4) for empties in (8, 8, 16)]
    with Batch(enumerate(mixed), hash_mb=3, threads=2) as batch:
        assert sorted(answer.threads for answer in batch) == [1] * 8 + [2] * 4
    assert sizes == [3]


def test_small_and_hard() -> None:
    def small(text: str, empties: int, threads: int = 2) -> bool:
        return is_small(random_ending(empties, 1, parse_rules(text)), threads)

    assert small("othello", 20)
    assert small("othello", 22)
    assert not small("othello", 26)
    assert small("othello", 26, threads=1)
    assert small("othello", 24, threads=16)
    assert small("adjacent,optional-skip", 15)
    assert small("adjacent", 14)
    assert not small("adjacent", 18)
    assert not small("othello,optional-skip", 22)
    position = random_ending(22, 1)
    assert not is_small(position, 2, Question(all_moves=True))
    assert estimated_nodes(position) < estimated_nodes(random_ending(23, 1))


def test_positions_are_taken_when_they_are_needed() -> None:
    taken = 0

    def positions() -> Iterator[tuple[int, Position]]:
        nonlocal taken
        for taken in range(1, 1001):
            yield taken, SMALL[0]

    with Batch(positions(), hash_mb=1, threads=2) as batch:
        for _ in range(5):
            assert batch.next() is not None
        assert taken < 30
    assert taken < 30


def test_what_the_positions_raise_comes_through_and_the_rest_is_still_answered() -> None:
    def positions() -> Iterator[tuple[int, Position]]:
        yield 1, SMALL[0]
        raise KeyError("no more")

    with Batch(positions(), hash_mb=1, threads=2) as batch:
        with pytest.raises(KeyError, match="no more"):
            batch.next()
        assert [answer.key for answer in batch] == [1]
        assert batch.is_done


def test_errors_of_the_threads_come_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Solver, position: Position, question: Question, **_: object) -> Solution:
        raise ZeroDivisionError

    monkeypatch.setattr(Solver, "ask", fail)
    with Batch(enumerate(SMALL), hash_mb=1, threads=2) as batch, pytest.raises(ZeroDivisionError):
        batch.next()


# --- limits and cancelling


def test_the_time_limit_holds_for_each_position() -> None:
    began = time.monotonic()
    with Batch([("deep", DEEP), ("small", SMALL[0])], hash_mb=1, threads=2, time_s=0.2) as batch:
        answers = {answer.key: answer.solution for answer in batch}
    assert time.monotonic() - began < SOON_S
    assert not Question().is_answered(answers["deep"])
    assert answers["deep"].score.kind is not Kind.EXACT
    assert Question().is_answered(answers["small"])


def test_after_the_total_time_nothing_is_begun() -> None:
    with Batch(enumerate([DEEP, *SMALL]), hash_mb=1, threads=2, total_time_s=0.2) as batch:
        assert [answer.key for answer in batch] == [0]
        assert batch.skipped == len(SMALL)
    with Batch(enumerate(SMALL), hash_mb=1, threads=2, total_time_s=0) as batch:
        assert list(batch) == []
        assert batch.skipped == len(SMALL)


def test_after_the_total_time_positions_without_end_are_not_all_counted() -> None:
    endless = itertools.repeat(SMALL[0])
    with Batch(enumerate(endless), hash_mb=1, threads=2, total_time_s=0) as batch:
        assert list(batch) == []
        assert batch.is_done
        assert (batch.skipped, batch.cut_short) == (10_000, True)
    with Batch(enumerate(SMALL), hash_mb=1, threads=2, total_time_s=0) as batch:
        assert list(batch) == []
        assert (batch.skipped, batch.cut_short) == (len(SMALL), False)


@pytest.mark.parametrize("positions", [[DEEP] * 3, [random_ending(20, 3)] * 40], ids=["hard", "small"])
def test_cancelling_gives_what_was_proved(positions: list[Position]) -> None:
    with Batch(enumerate(positions), hash_mb=1, threads=2) as batch:
        assert batch.next(0) is None
        time.sleep(0.2)
        batch.cancel()
        began = time.monotonic()
        left = list(batch)
        assert time.monotonic() - began < SOON_S
        assert batch.is_done
        assert batch.skipped == 0
    assert 1 <= len(left) < len(positions)


def test_waiting_for_an_answer_ends_in_time() -> None:
    with Batch([(1, DEEP)], hash_mb=1, threads=2) as batch:
        began = time.monotonic()
        while not batch.under_way:
            assert batch.next(0.05) is None
            assert time.monotonic() - began < SOON_S
        key, progress = batch.under_way[0]
        assert (key, progress.lower) == (1, -64)
        assert batch.nodes >= progress.nodes > 0
        assert not batch.is_done


def test_closing_ends_all_threads() -> None:
    before = threading.active_count()
    batch = Batch(enumerate([DEEP, *SMALL]), hash_mb=1, threads=4)
    assert batch.next(0.1) is None
    began = time.monotonic()
    batch.close()
    assert time.monotonic() - began < SOON_S
    assert threading.active_count() == before
    batch.close()
    assert batch.next() is None


# --- wrong arguments


def test_a_table_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ResourceError, match="does not fit"):
        Batch([], hash_mb=1 << 30)


@pytest.mark.parametrize("options", [{"threads": 0}, {"hash_mb": 0}, {"threads": -1}])
def test_numbers_must_be_positive(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="whole number"):
        Batch([], **options)  # type: ignore[arg-type]


def test_no_positions() -> None:
    batch: Batch[int] = Batch([])
    with batch:
        assert batch.next() is None
        assert batch.is_done


# --- questions


@pytest.mark.parametrize(
    "wrong",
    [
        {"all_moves": True, "wld": True},
        {"multi": 2, "window": (-1, 1)},
        {"multi": 0},
        {"window": (3, 2)},
    ],
    ids=str,
)
def test_wrong_questions(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each says what is wrong in its own words
        Question(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        Question(),
        Question(all_moves=True),
        Question(multi=1),
        Question(multi=3),
        Question(multi=60),
        Question(wld=True),
        Question(window=(-4, 4)),
        Question(window=(10, 10)),
    ],
    ids=str,
)
def test_questions_are_answered(question: Question) -> None:
    positions = [*random_endings(9, 12), *random_endings(16, 2)]
    with Batch(enumerate(positions), question, hash_mb=8, threads=2) as batch:
        answers = list(batch)
    assert len(answers) == len(positions)
    for answer in answers:
        assert question.is_answered(answer.solution)
        exact = solved(positions[answer.key]).score.value
        score = answer.solution.score
        assert score.lower <= exact <= score.upper
        if question.wld:
            assert (score.value > 0, score.value < 0) == (exact > 0, exact < 0)
        elif question.window is not None:
            inside = question.window[0] <= exact <= question.window[1]
            assert (score.lower == score.upper) is inside or not inside
        else:
            assert score.value == exact


def test_what_was_stopped_is_not_answered() -> None:
    for question in (Question(), Question(all_moves=True), Question(multi=2), Question(wld=True)):
        with Batch([(0, DEEP)], question, hash_mb=1, threads=1, time_s=0.05) as batch:
            answer = batch.next()
        assert answer is not None
        assert not question.is_answered(answer.solution)


def test_a_finished_game_is_answered() -> None:
    over = Position.from_discs(1, 0, rules=OTHELLO)
    for question in (Question(), Question(all_moves=True), Question(multi=2), Question(wld=True)):
        with Batch([(0, over)], question, hash_mb=1) as batch:
            answer = batch.next()
        assert answer is not None
        assert question.is_answered(answer.solution)
        assert answer.solution.best == ()
