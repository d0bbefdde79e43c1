"""How the engine spreads its time."""

from __future__ import annotations

import functools

from hypothesis import example, given, strategies as st

from patience import SOON_S
from reversi import Estimate, Position, Random, parse_rules
from reversi.engine import search
from reversi.engine.engine import Engine
from reversi.engine.search import Searcher
from reversi.engine.timing import RESERVE, allowance
from reversi.game.clocks import ClockReading
from reversi.inputs.input import parse_position

TIMES = st.floats(0, 7200)
ADJACENT = parse_rules("adjacent")


@functools.cache
def game(rules: str = "othello") -> dict[int, Position]:
    """The positions of a game that fills the board, by empty squares."""
    for seed in range(100):
        position, random, found = Position(parse_rules(rules)), Random(seed), {}
        while not position.is_over:
            found[position.empties] = position
            position = position.play(position.legal_moves.choice(random))
        if len(found) == 60:
            return found
    raise AssertionError("no game fills the board")


@given(TIMES, st.floats(0, 60), st.floats(0, 60), st.integers(0, 5), st.integers(1, 60), st.floats(1e3, 1e9))
@example(1.0, 10.0, 0.0, 0, 60, 1e7)
@example(7200.0, 0.0, 0.0, 0, 60, 1e3)
def test_no_allowance_is_more_than_the_clock_shows(main, increment, period, periods, empties, nodes_per_s):
    allowed = allowance(ClockReading(main, increment, period, periods), game()[empties], nodes_per_s)
    assert 0 <= allowed.soft_s <= allowed.hard_s
    assert allowed.hard_s <= max(main, main + period if periods else 0)
    if not periods:
        assert allowed.hard_s <= max(main - RESERVE, 0)


def test_the_plan_leaves_most_of_the_time_to_the_last_moves_that_are_not_solved():
    """About as much as strong programs have left: half at 36 empty squares, a fifth at 27."""
    for main, increment in ((40.0, 0.3), (6.0, 0.05), (5.0, 0.0)):
        left, at = main, {}
        for empties in range(52, 26, -2):
            at[empties] = left
            left += increment - 0.7 * allowance(ClockReading(left, increment), game()[empties]).soft_s
        assert 0.4 * main < at[36] < 0.7 * main
        assert 0.15 * main < at[28] < 0.5 * main


def test_moves_are_worth_more_near_the_end():
    early, late = (allowance(ClockReading(60, 0), game()[empties]).soft_s for empties in (50, 32))
    assert late > 1.5 * early


def test_a_position_that_can_be_solved_gets_what_is_left():
    solved = allowance(ClockReading(40, 0), game()[22])
    assert solved.soft_s > 25
    assert solved.soft_s <= solved.hard_s < 40
    assert allowance(ClockReading(40, 0), game()[32]).soft_s < 20


def test_a_faster_engine_solves_earlier():
    reading = ClockReading(10, 0)
    slow, fast = (allowance(reading, game()[28], nodes_per_s).soft_s for nodes_per_s in (1e6, 1e8))
    assert slow < 4 < fast


def test_rules_with_larger_trees_are_solved_later():
    reading = ClockReading(10, 0)
    assert allowance(reading, game("adjacent")[20]).soft_s < 5 < allowance(reading, game()[20]).soft_s


def test_an_increment_and_a_byo_yomi_period_are_used():
    at_40 = game()[40]
    assert allowance(ClockReading(20, 5), at_40).soft_s > allowance(ClockReading(20, 0), at_40).soft_s + 3
    assert allowance(ClockReading(1, 30), at_40).hard_s <= 0.75
    assert 6 < allowance(ClockReading(0, 0, 10, 1), at_40).hard_s < 10
    assert allowance(ClockReading(0, 0, 10, 0), at_40).hard_s == 0


def test_an_only_move_takes_no_time():
    answer = Searcher(1).search(game()[40], time_s=100.0, soft_s=50.0, among=[game()[40].legal_moves[0]])
    assert answer.score.depth == 1


CLEAR = parse_position("----------OOO-----OOX------OOXO----XXXXX---XXO-X-OOO-XOX-XO----O X")


def found(position: Position, soft_s: float | None = 1000.0, count: int = 1) -> Estimate:
    return Searcher(16).search(position, count=count, time_s=2000.0, soft_s=soft_s, nodes=100_000)


def test_a_clear_move_ends_the_search(monkeypatch):
    """d8 is 19 discs better than the second-best move, however deep one looks."""
    monkeypatch.setattr(search, "_CLEAR_AFTER", 0.0)
    clear = found(CLEAR)
    assert (str(clear.move), clear.score.depth, clear.complete) == ("d8", 5, False)
    assert found(game()[40]).score.depth > 7
    assert found(CLEAR, count=2).score.depth > 7  # the second-best move is asked for
    assert found(CLEAR, soft_s=None).score.depth > 7  # no clock


def test_a_clear_move_is_not_looked_at_before_its_time():
    assert found(CLEAR).score.depth > 7


def test_a_proof_that_would_end_too_late_is_not_begun():
    answer = Searcher(16).search(game()[34], time_s=100.0, soft_s=0.5)
    assert not answer.is_exact
    assert answer.time_s < SOON_S


def test_the_speed_of_the_engine_is_measured():
    engine = Engine(time_s=0.1)
    before = engine._nodes_per_s
    engine.choose(game()[40])
    assert engine._nodes_per_s != before
