"""Searches with limits: what their scores may claim, and that what they leave in the table harms nobody."""

from __future__ import annotations

import random
import threading
import time

import pytest

from endings import random_ending
from patience import SOON_S
from reversi import GameError, Kind, Position, parse_rules
from reversi._core import EXACT_LEVEL, Move, Table, Task, Weights, evaluation_layout
from reversi.engine.engine import Engine
from reversi.engine.search import Estimate, Searcher, _Search, _Step, search
from reversi.errors import InputError
from reversi.evaluation.confidence import CAUTIONS, UNPRUNED, caution_for, confidence_of
from reversi.evaluation.weights import default_weights
from reversi.solver.search import ALL
from reversi.solver.solver import solve
from reversi.work.cancel import Cancel


def test_every_score_says_its_kind_depth_and_confidence():
    position = random_ending(17, 4)
    for confidence in (1, 73, 87, 95, 98, 99, 100):
        found = search(position, depth=6, confidence=confidence)
        assert (found.score.kind, found.score.depth, found.score.confidence) == (Kind.HEURISTIC, 6, None)
        assert (found.score.lower, found.score.upper) == (-64, 64)
        found = search(position, confidence=confidence)
        assert found.score.depth == position.empties
        if caution_for(confidence, 17) == UNPRUNED:
            assert found.score.kind is Kind.EXACT
            assert found.score.lower == found.score.value == found.score.upper
        else:
            assert found.score.kind is Kind.SELECTIVE
            assert confidence <= found.score.confidence < 100  # type: ignore[operator]
    assert search(position, confidence=100).score.kind is Kind.EXACT
    assert search(position).score.kind is Kind.EXACT
    for caution in range(CAUTIONS):
        found = search(position, caution=caution)
        assert (found.score.kind, found.score.confidence) == (Kind.SELECTIVE, confidence_of(caution, 17))


def test_confidences_grow_with_caution_and_fall_with_depth():
    for depth in range(15, 40):
        shares = [confidence_of(caution, depth) for caution in range(CAUTIONS)]
        assert shares == sorted(shares)
        assert all(1 <= share < 100 for share in shares)
        for share in range(1, 101):
            caution = caution_for(share, depth)
            assert confidence_of(caution, depth) >= share
            assert caution == 0 or confidence_of(min(caution, CAUTIONS) - 1, depth) < share
    for caution in range(CAUTIONS):
        shares = [confidence_of(caution, depth) for depth in range(15, 40)]
        assert shares == sorted(shares, reverse=True)
    assert confidence_of(UNPRUNED, 20) == confidence_of(EXACT_LEVEL, 20) == 100
    for wrong in (0, 101):
        with pytest.raises(ValueError, match="confidence"):
            caution_for(wrong, 20)


@pytest.mark.parametrize("rules", ["othello", "othello,misere", "adjacent,board=4x6", "othello,optional-skip"])
def test_several_moves(rules):
    position = random_ending(14, 3, parse_rules(rules))
    exact = {scored.move: scored.score.value for scored in solve(position, all_moves=True).moves}
    for count in (1, 2, 99):
        found = search(position, count=count)
        assert len(found.moves) == min(count, len(exact))
        assert [scored.score.value for scored in found.moves] == sorted(exact.values(), reverse=True)[:count]
        for scored in found.moves:
            assert scored.score.value == exact[scored.move]
            assert scored.pv[0] == scored.move
        shallow = search(position, count=count, depth=4)
        assert len({scored.move for scored in shallow.moves}) == min(count, len(exact))
        assert shallow.move == shallow.moves[0].move == shallow.pv[0]
        for scored in shallow.moves:
            assert scored.score.kind is Kind.HEURISTIC
            after = position
            for move in scored.pv:
                after = after.play(move)


def wrong_weights() -> Weights:
    """Weights that say nothing true."""
    stages, classes, _, _ = evaluation_layout()
    dice = random.Random(1)
    values = bytearray()
    for _ in range(stages * classes):
        values += dice.randint(-900, 900).to_bytes(2, "little", signed=True)
    return Weights.from_classes(bytes(values))


@pytest.mark.thorough
def test_selective_entries_never_answer_an_exact_question():
    liar = wrong_weights()
    for seed in range(6):
        position = random_ending(16 + seed % 3, seed)
        exact = solve(position).score.value
        searcher = Searcher(16)
        assert searcher.search(position, confidence=73, count=3).score.kind is Kind.SELECTIVE
        warm = searcher.solver.solve(position)
        assert (warm.score.kind, warm.score.value) == (Kind.EXACT, exact)
        # a table full of wrong values
        searcher = Searcher(16)
        with searcher.solver.shared.use(position.rules) as table:
            for caution in range(EXACT_LEVEL):
                Task(table, liar).value(position, -65, 65, 64, caution)
                Task(table, liar).value(position, -65, 65, 8, caution)
        misled = searcher.solver.solve(position)
        assert (misled.score.kind, misled.score.value) == (Kind.EXACT, exact)
        every = searcher.solver.solve(position, all_moves=True)
        assert every.score.value == exact


UNUSUAL = [
    "othello,optional-skip",
    "othello,optional-skip,board=6x6",
    "othello,misere,optional-skip,no-moves",
    "othello,optional-skip,full-board",
    "adjacent,optional-skip,board=4x4",
    "adjacent,board=4x6",
    "othello,misere",
    "othello,board=6x6,discs-only",
]


@pytest.mark.parametrize("rules", UNUSUAL)
def test_what_limited_searches_leave_answers_no_exact_question_under_other_rules(rules):
    for seed in range(6):
        position = random_ending(10, seed, parse_rules(rules))
        exact = {scored.move: scored.score.value for scored in solve(position, all_moves=True).moves}
        for threads in (1, 2):
            searcher = Searcher(4, threads)
            for depth in (2, 4, 7):
                searcher.search(position, depth=depth)
            warm = searcher.solver.solve(position, all_moves=True)
            assert {scored.move: scored.score.value for scored in warm.moves} == exact
            timed = Searcher(4, threads).search(position, time_s=30, count=3)
            assert timed.complete
            for scored in timed.moves:
                assert (scored.score.kind, scored.score.value) == (Kind.EXACT, exact[scored.move])


def test_cold_or_warm_with_one_thread_or_two():
    for seed in range(4):
        position = random_ending(17, seed)
        answers = set()
        for threads in (1, 2):
            searcher = Searcher(16, threads)
            for _ in range(2):
                hint = searcher.search(position, confidence=73, count=2)
                heuristic = searcher.search(position, depth=10)
                exact = searcher.search(position)
                answers.add((hint.score.kind, heuristic.score.kind, exact.score.kind, exact.score.value))
        assert len(answers) == 1
        assert answers.pop()[:3] == (Kind.SELECTIVE, Kind.HEURISTIC, Kind.EXACT)


def test_one_thread_and_a_fresh_table_repeat_themselves():
    position = random_ending(30, 1)
    first, second = (search(position, depth=10, count=2) for _ in range(2))
    assert [(m.move, m.score.value, m.pv) for m in first.moves] == [
        (m.move, m.score.value, m.pv) for m in second.moves
    ]
    assert first.nodes == second.nodes


def test_limits():
    began = time.perf_counter()
    found = search(Position(), time_s=0.3)
    assert time.perf_counter() - began < SOON_S
    assert not found.complete
    assert found.score.kind is Kind.HEURISTIC
    assert search(Position(), time_s=1e-9).moves[0].move in Position().legal_moves
    found = Searcher(16).search(Position(), depth=30, nodes=100_000)
    assert not found.complete
    assert found.score.depth < 30
    ending = random_ending(10, 1)
    found = search(ending, time_s=60)
    assert found.complete
    assert found.score.kind is Kind.EXACT


@pytest.mark.parametrize("rules", ["othello", "othello,board=6x6", "adjacent", "othello,optional-skip"])
@pytest.mark.parametrize("nodes", [1, 10, 310, 1000, 5000, 30_000])
def test_a_limit_in_nodes_is_exact(rules, nodes):
    position = Position(parse_rules(rules))
    for count in (1, 3):
        whole: list[Estimate] = []
        found = Searcher(1).search(position, nodes=nodes, count=count, progress=whole.append)
        assert (found.nodes, found.complete, len(found.moves)) == (nodes, False, count)
        assert all(scored.move in position.legal_moves for scored in found.moves)
        if whole:  # the answer is the last whole iteration's
            assert (found.score.value, found.score.depth) == (whole[-1].score.value, whole[-1].score.depth)
            assert found.move == whole[-1].move
            assert whole[-1].score.nodes <= nodes
        else:
            assert found.score.depth == 0
        for _ in range(9):
            again = Searcher(1).search(position, nodes=nodes, count=count)
            assert (again.nodes, str(again), again.pv) == (nodes, str(found), found.pv)


def test_enough_nodes_are_no_limit():
    for seed in range(4):
        position = random_ending(14, seed)
        needed = Searcher(1).search(position, nodes=10**9)
        assert (needed.complete, needed.score.kind) == (True, Kind.EXACT)
        assert Searcher(1).search(position, nodes=needed.nodes).complete
        less = Searcher(1).search(position, nodes=needed.nodes - 1)
        assert less.nodes == needed.nodes - 1 or less.complete  # the last nodes only lengthen the line
        assert Searcher(16, 2).search(position, nodes=10**9).score.value == needed.score.value


def test_an_engine_with_a_limit_in_nodes():
    engine = Engine(nodes=2000)
    position = random_ending(30, 1)
    assert repr(engine) == "<Engine nodes=2000 seed=0 threads=1>"
    chosen = engine.choose(position)
    assert all(Engine(nodes=2000).choose(position).move == chosen.move for _ in range(9))
    assert all(scored.score.nodes <= 2000 for scored in engine.hint(position))
    assert Engine(depth=1, nodes=10**6).choose(position).score.depth == 1
    exact = Engine(nodes=10**7, exact=True).choose(random_ending(12, 1))
    assert exact.score.kind is Kind.EXACT
    with pytest.raises(InputError, match="level and nodes are different limits"):
        Engine(5, nodes=100)


def test_cancelling_and_progress():
    cancel = Cancel()
    seen = []

    def progress(found):
        seen.append(found.score.depth)
        if found.score.depth >= 8:
            cancel.cancel()

    began = time.perf_counter()
    found = Searcher(16).search(Position(), cancel=cancel, progress=progress)
    assert time.perf_counter() - began < SOON_S
    assert cancel.cancelled
    assert not found.complete
    assert found.score.depth >= 8
    assert seen == sorted(seen)
    # what was cancelled stays so
    again = Searcher(16).search(Position(), cancel=cancel)
    assert not again.complete
    solution = Searcher(16).solver.solve(random_ending(24, 1), cancel=cancel)
    assert not solution.is_exact


def test_searches_at_once_do_not_disturb_each_other():
    searcher = Searcher(32)
    positions = [random_ending(15, seed) for seed in range(6)]
    values = [solve(position).score.value for position in positions]
    answers: dict[int, int] = {}

    def work(number):
        searcher.search(positions[number], depth=8)
        answers[number] = searcher.search(positions[number]).score.value

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[number] for number in range(6)] == values


def test_sorting_the_moves_costs_less_than_the_search_they_are_sorted_for():
    for seed in range(3):
        position = random_ending(36, seed)
        order = Task(Table(1), default_weights())
        order.ordered_moves(position)
        assert search(position, depth=10).nodes < order.nodes
        cheap = Task(Table(1), default_weights())
        assert set(cheap.ordered_moves(position, 2)) == set(position.legal_moves)
        assert cheap.nodes <= len(position.legal_moves)


class StoppedTask:
    """A task whose first root search finds ``first`` and whose second one is stopped after finding ``second``."""

    nodes = 0
    is_spent = False

    def __init__(self, first: Move, second: Move | None) -> None:
        self.answers = [(2, first, 2), (None, second, 6)]
        self.best: Move | None = None
        self.best_value: int | None = None

    def begin(self, position):
        self.best = self.best_value = None

    def root(self, position, moves, alpha, beta, depth, level):
        value, self.best, self.best_value = self.answers.pop(0)
        return value

    def remembered(self, position):
        return None


def test_a_better_move_of_an_unfinished_iteration_is_the_answer():
    position = Position()
    first, second = position.legal_moves[0], position.legal_moves[2]
    for found, move, value, depth in ((second, second, 6, 4), (first, first, 2, 2), (None, first, 2, 2)):
        steps = iter((_Step(2, 0), _Step(4, 0)))
        under_way = _Search(position, StoppedTask(first, found), steps, 1, time.perf_counter())  # type: ignore[arg-type]
        under_way.run()
        assert not under_way.finished
        assert under_way.found is not None
        (answer,) = under_way.found.moves
        assert (answer.move, answer.score.value, answer.score.depth) == (move, value, depth)
        assert (answer.score.kind, answer.score.confidence) == (Kind.HEURISTIC, None)
        assert under_way.found.score == answer.score


def test_an_iteration_that_cannot_get_far_does_not_begin():
    task = Task(Table(1), default_weights())
    under_way = _Search(Position(), task, iter(()), 1, time.perf_counter(), time_s=1000.0)
    assert under_way._goes_on(_Step(8, 0), 100.0, 4)
    assert not under_way._goes_on(_Step(8, 0), 1001.0, 4)
    assert not under_way._goes_on(_Step(ALL, 0), 600.0, 4)


def test_what_is_decided_is_exact():
    # a wipe-out: Black takes the last white disc
    wipe = Position.from_discs(0b1, 0b10)
    for depth in (1, 4, 62):
        found = search(wipe, depth=depth, caution=0)
        assert str(found.score) == "+64 exact"
        assert (found.score.lower, found.score.upper, found.score.confidence) == (64, 64, 100)
    assert str(Engine(5).choose(wipe).score) == "+64 exact"
    assert [str(choice.score) for choice in Engine(1).hint(wipe)] == ["+64 exact"]
    last = Position.from_discs((1 << 62) - 2, 1 | 1 << 62)  # h8 alone is empty
    for position in (last, *(random_ending(n, 3) for n in (4, 11, 15))):
        exact = solve(position).score.value
        for caution in range(CAUTIONS):
            found = search(position, caution=caution)
            assert (found.score.kind, found.score.value) == (Kind.EXACT, exact)
        timed = search(position, time_s=60, caution=0)
        assert (timed.score.kind, timed.score.value) == (Kind.EXACT, exact)


def test_a_move_that_ends_the_game_has_the_score_of_the_solver():
    passed = Position(parse_rules("othello,optional-skip,board=4x4")).play("b1").play("--")
    assert passed.play("--").is_over
    found = Searcher(1).search(passed, depth=2, among=["--"]).competing
    assert found == next(each.score for each in solve(passed, all_moves=True).moves if each.move.is_pass)


def test_wrong_questions():
    over = Position.from_discs(0b11, 0)
    with pytest.raises(GameError, match="over"):
        search(over)
    wrong_ones = (
        {"count": 0},
        {"depth": 0},
        {"confidence": 0},
        {"confidence": 101},
        {"caution": 7},
        {"caution": -1},
    )
    for wrong in (*wrong_ones, {"confidence": 73, "caution": 1}):
        with pytest.raises(ValueError, match=r"must be|confidence"):
            search(Position(), **wrong)  # type: ignore[arg-type]


def test_a_search_that_would_not_end_asks_for_a_limit():
    for position in (Position(), random_ending(31, 1)):
        with pytest.raises(InputError, match=r"empty squares .* takes too long; give depth, time_s, soft_s"):
            search(position)
        with pytest.raises(InputError, match="takes too long"):
            search(position, confidence=73, count=2)
        assert search(position, time_s=0.05).moves[0].move in position.legal_moves
        assert search(position, depth=1).moves[0].move in position.legal_moves


def test_a_solution_that_was_stopped_gives_a_likely_value_and_says_so():
    position = random_ending(34, 1)
    stopped = Searcher(16).solver.solve(position, time_s=0.5)
    assert stopped.score.kind in {Kind.HEURISTIC, Kind.SELECTIVE}
    assert (stopped.score.lower, stopped.score.upper) == (-64, 64)
    assert (stopped.score.kind is Kind.HEURISTIC) == (stopped.score.confidence is None)
    assert not stopped.is_exact
    # a question about a window or about who wins is answered by proofs alone
    for question in ({"wld": True}, {"window": (-2, 2)}):
        stopped = Searcher(16).solver.solve(position, time_s=0.2, **question)
        assert stopped.score.kind in {Kind.LOWER, Kind.UPPER, Kind.WLD, Kind.EXACT}


@pytest.mark.parametrize("options", [{"depth": 4}, {"depth": 3, "count": 5}, {"nodes": 50}, {"confidence": 73}])
def test_an_estimate_as_json(options: dict[str, int]) -> None:
    found = search(random_ending(17, 4), **options)  # type: ignore[arg-type]
    again = Estimate.from_json(found.to_json())
    assert again == found
    assert (again.competing, again.nodes, again.time_s) == (found.competing, found.nodes, found.time_s)
    assert Estimate.from_json(found.fields()) == found
    for name in ("competing", "moves", "complete"):
        fields = found.fields()
        del fields[name]
        with pytest.raises(InputError):
            Estimate.from_json(fields)
