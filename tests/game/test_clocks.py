from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from reversi.color import Color
from reversi.errors import GameError, InputError
from reversi.game.clocks import (
    ClockReading,
    ClockState,
    GameClock,
    TimeControl,
    format_controls,
    format_time,
    parse_controls,
    parse_time,
)
from time_source import TimeSource

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300", 300),
        ("5:00", 300),
        ("0:07", 7),
        ("1:05:00", 3900),
        ("90:00", 5400),
        ("2.5", 2.5),
        ("1:00.25", 60.25),
    ],
)
def test_parse_time(text: str, seconds: float) -> None:
    assert parse_time(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "x", "5:60", "1:60:00", "5:", ":30", "-5", "5:00:00:00", "1e3", "٣٠", "101:00:00", "5 00"]
)
def test_parse_time_refuses(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_time(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (300, "5:00"), (3599.5, "1:00:00"), (3900, "1:05:00")],
)
def test_format_time_rounds_up(seconds: float, text: str) -> None:
    assert format_time(seconds) == text


def test_format_time_with_hours() -> None:
    assert format_time(312, hours=True) == "0:05:12"


@given(st.integers(0, 360_000))
def test_whole_seconds_round_trip(seconds: int) -> None:
    assert parse_time(format_time(seconds)) == seconds
    assert parse_time(format_time(seconds, hours=True)) == seconds


@pytest.mark.parametrize(
    ("text", "main", "increment", "written"),
    [
        ("5:00+3", 300, 3, "5:00+3"),
        ("5:00", 300, 0, "5:00"),
        ("5+0", 300, 0, "5:00"),
        ("5", 300, 0, "5:00"),
        (" 2.5 +3", 150, 3, "2:30+3"),
        ("90", 5400, 0, "1:30:00"),
        ("0:05", 5, 0, "0:05"),
        (" 1:00:00+1:30 ", 3600, 90, "1:00:00+90"),
        ("0:00.5+0.1", 0.5, 0.1, "0:00.5+0.1"),
        ("1:02:03.025", 3723.025, 0, "1:02:03.025"),
    ],
)
def test_time_control(text: str, main: float, increment: float, written: str) -> None:
    control = TimeControl.parse(text)
    assert control == TimeControl(main, increment)
    assert str(control) == written
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "+3", "5:00+", "0", "6001", "0:00+5", "5:00+x", "5:00+3+3", "5:00+-1"])
def test_time_control_refuses(text: str) -> None:
    with pytest.raises(InputError, match="5:00\\+3"):
        TimeControl.parse(text)


def test_clock_runs_for_one_side_and_adds_the_increment() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(60, 5), source)
    assert clock.running is None
    clock.start(BLACK)
    source.now += 10
    assert (clock.time_left(BLACK), clock.time_left(WHITE)) == (50, 60)
    assert clock.press() == 55
    source.now += 100
    assert clock.time_left(BLACK) == 55
    clock.start(WHITE)
    assert clock.running is WHITE
    source.now += 1
    clock.stop()
    assert clock.time_left(WHITE) == 59
    with pytest.raises(GameError, match="no clock runs"):
        clock.press()


def test_clock_that_is_up_stays_up() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(60, 5), source)
    clock.start(WHITE)
    source.now += 59.5
    assert not clock.is_up(WHITE)
    source.now += 1
    assert clock.is_up(WHITE)
    assert not clock.is_up(BLACK)
    assert clock.press() == 0
    assert clock.is_up(WHITE)


def test_starting_the_other_clock_stops_the_first() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(60), source)
    clock.start(BLACK)
    source.now += 7
    clock.start(WHITE)
    source.now += 1
    assert (clock.time_left(BLACK), clock.time_left(WHITE)) == (53, 59)


def test_set() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(60), source)
    clock.start(BLACK)
    source.now += 7
    clock.set(BLACK, 33)
    assert clock.running is None
    source.now += 7
    assert clock.time_left(BLACK) == 33
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(GameError):
            clock.set(BLACK, wrong)


@pytest.mark.parametrize(
    ("text", "control", "written"),
    [
        ("5:00+3x30", TimeControl(300, 0, 30, 3), "5:00+3x30"),
        ("5:00 + 2 + 3 x 0:30", TimeControl(300, 2, 30, 3), "5:00+2+3x30"),
        ("5:00+3x30+2", TimeControl(300, 2, 30, 3), "5:00+2+3x30"),
        ("0:00+1x10", TimeControl(0, 0, 10, 1), "0:00+1x10"),
    ],
)
def test_byo_yomi_is_written(text: str, control: TimeControl, written: str) -> None:
    assert TimeControl.parse(text) == control
    assert str(control) == written
    assert TimeControl.parse(written) == control


@pytest.mark.parametrize("text", ["5:00+0x30", "5:00+3x", "5:00+3x0", "5:00+3x30+3x30", "0:00+5", "5:00+1000x1"])
def test_byo_yomi_refuses(text: str) -> None:
    with pytest.raises(InputError, match="5:00\\+3x30"):
        TimeControl.parse(text)


def test_controls_of_both_players() -> None:
    five, one = TimeControl(300, 3), TimeControl(60)
    for text, black, white in (
        ("5:00+3", five, five),
        ("5:00+3/1:00", five, one),
        ("5:00+3/-", five, None),
        ("-/1:00", None, one),
    ):
        controls = parse_controls(text)
        assert controls == {BLACK: black, WHITE: white}
        assert format_controls(controls) == text
    assert format_controls(parse_controls("5:00/5:00")) == "5:00"
    assert format_controls({BLACK: None, WHITE: None}) == ""
    assert parse_controls("-") == {BLACK: None, WHITE: None}
    for wrong in ("", "/", "5:00/", "1:00/2:00/3:00"):
        with pytest.raises(InputError):
            parse_controls(wrong)


def test_byo_yomi_periods_are_used_up() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(60, 0, 30, 3), source)
    clock.start(BLACK)
    source.now += 50
    assert clock.reading(BLACK) == ClockReading(10, 0, 30, 3)
    assert clock.text(BLACK) == "0:10"
    source.now += 20
    assert clock.time_left(BLACK) == 20
    assert clock.reading(BLACK) == ClockReading(0, 0, 20, 3)
    assert clock.text(BLACK) == "0:20 (3 periods)"
    assert clock.press() == 30
    assert clock.state(BLACK) == ClockState(0, 3)
    clock.start(BLACK)
    source.now += 70  # two periods and ten seconds
    assert (clock.time_left(BLACK), clock.periods(BLACK)) == (20, 1)
    clock.stop()
    source.now += 100
    assert clock.state(BLACK) == ClockState(0, 1, 10)
    clock.start(BLACK)
    source.now += 19
    assert clock.text(BLACK) == "0:01 (1 period)"
    assert clock.press() == 30
    clock.start(BLACK)
    source.now += 30
    assert clock.is_up(BLACK)
    assert clock.time_left(BLACK) == 0
    assert clock.press() == 0
    assert clock.is_up(BLACK)


def test_a_player_without_a_clock() -> None:
    source = TimeSource(1000.0)
    clock = GameClock(parse_controls("1:00/-"), source)
    clock.start(WHITE)
    source.now += 1e6
    assert not clock.is_up(WHITE)
    assert clock.reading(WHITE) is None
    assert clock.text(WHITE) == "-"
    clock.press()
    clock.set(WHITE, 5)
    assert clock.reading(WHITE) is None
    assert clock.time_left(BLACK) == 60


def test_restoring() -> None:
    clock = GameClock(TimeControl(60, 0, 30, 3), TimeSource(1000.0))
    clock.restore(BLACK, ClockState(0, 2, 5))
    assert clock.time_left(BLACK) == 25
    for wrong in (
        ClockState(-1),
        ClockState(0, 4),
        ClockState(0, -1),
        ClockState(0, 1, 31),
        ClockState(float("nan")),
    ):
        with pytest.raises(GameError):
            clock.restore(BLACK, wrong)
    assert clock.time_left(BLACK) == 25


def test_what_a_rounded_quotient_leaves_of_a_period_can_be_restored() -> None:
    source = TimeSource(1000.0)
    source.now = 0.0
    clock = GameClock(TimeControl(0, 0, 0.1, 60), source)
    clock.start(BLACK)
    source.now = math.nextafter(3.9, 0)
    assert clock.state(BLACK).used_s >= 0
    clock.restore(BLACK, clock.state(BLACK))


@given(st.floats(0.001, 60), st.integers(1, 999), st.integers(0, 1000), st.sampled_from([-math.inf, 0, math.inf]))
def test_every_state_can_be_restored(byo_yomi: float, periods: int, gone: int, towards: float) -> None:
    source = TimeSource(1000.0)
    source.now = 0.0
    clock = GameClock(TimeControl(0, 0, byo_yomi, periods), source)
    clock.start(BLACK)
    source.now = max(0.0, math.nextafter(gone * byo_yomi, towards) if towards else gone * byo_yomi)
    state = clock.state(BLACK)
    clock.restore(BLACK, state)
    assert clock.state(BLACK) == state
    assert 0 <= clock.time_left(BLACK) <= byo_yomi


@given(
    st.integers(0, 40),
    st.integers(0, 5),
    st.integers(1, 15),
    st.integers(0, 4),
    st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=12),
)
def test_the_clock_against_counting_seconds(
    main: int, increment: int, byo_yomi: int, periods: int, turns: list[tuple[int, bool]]
) -> None:
    """Second by second: main time first, then periods; a turn that ends begins its period anew."""
    if not main and not periods:
        main = 1
    source = TimeSource(1000.0)
    clock = GameClock(TimeControl(main, increment, byo_yomi if periods else 0, periods), source)
    left, rest, used = main, periods, 0
    for seconds, presses in turns:
        clock.start(BLACK)
        for _ in range(seconds):
            source.now += 1
            if left:
                left -= 1
            elif rest:
                used += 1
                if used == byo_yomi:
                    rest, used = rest - 1, 0
        up = not left and not rest
        assert clock.is_up(BLACK) == up
        assert clock.time_left(BLACK) == (0 if up else left or byo_yomi - used)
        if presses:
            clock.press()
            if not up:
                left, used = left + increment, 0
        else:
            clock.stop()
        assert clock.periods(BLACK) == rest
