"""How the engine spreads its time."""

from __future__ import annotations

from hypothesis import given, strategies as st

from reversi.engine.timing import allowance
from reversi.game.clocks import ClockReading

TIMES = st.floats(0, 7200)


@given(TIMES, st.floats(0, 60), st.floats(0, 60), st.integers(0, 5), st.integers(1, 60))
def test_no_allowance_is_more_than_the_clock_shows(main, increment, period, periods, empties):
    allowed = allowance(ClockReading(main, increment, period, periods), empties)
    assert 0 <= allowed.soft_s <= allowed.hard_s
    assert allowed.hard_s <= max(main, main + period if periods else 0)
    if not periods:
        assert allowed.hard_s < main or allowed.hard_s == 0


def test_time_is_spread_over_the_game():
    left, spent = 300.0, []
    for empties in range(60, 0, -2):
        allowed = allowance(ClockReading(left, 0), empties)
        left -= allowed.soft_s
        spent.append(allowed.soft_s)
    assert 0 < left < 30
    assert max(spent[:20]) < 4 * min(spent[:20])


def test_an_increment_and_a_byo_yomi_period_are_used():
    assert allowance(ClockReading(20, 5), 40).soft_s > allowance(ClockReading(20, 0), 40).soft_s + 3
    assert 6 < allowance(ClockReading(0, 0, 10, 1), 40).hard_s < 10
    assert allowance(ClockReading(0, 0, 10, 0), 40).hard_s == 0
