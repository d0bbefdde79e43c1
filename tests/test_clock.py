from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversi.clock import GameClock, TimeControl, format_time, parse_time
from reversi.color import Color
from reversi.errors import GameError, InputError

BLACK, WHITE = Color.BLACK, Color.WHITE


class Source:
    """A time source that stands still until told to move on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


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
        ("300+0", 300, 0, "5:00"),
        (" 1:00:00+1:30 ", 3600, 90, "1:00:00+90"),
        ("0.5+0.1", 0.5, 0.1, "0.5+0.1"),
    ],
)
def test_time_control(text: str, main: float, increment: float, written: str) -> None:
    control = TimeControl.parse(text)
    assert control == TimeControl(main, increment)
    assert str(control) == written
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "+3", "5:00+", "0", "0:00+5", "5:00+x", "5:00+3+3", "5:00+-1"])
def test_time_control_refuses(text: str) -> None:
    with pytest.raises(InputError, match="5:00\\+3"):
        TimeControl.parse(text)


def test_clock_runs_for_one_side_and_adds_the_increment() -> None:
    source = Source()
    clock = GameClock(TimeControl(60, 5), source)
    assert clock.running is None
    clock.start(BLACK)
    source.now += 10
    assert (clock.remaining(BLACK), clock.remaining(WHITE)) == (50, 60)
    assert clock.press() == 55
    source.now += 100
    assert clock.remaining(BLACK) == 55
    clock.start(WHITE)
    assert clock.running is WHITE
    source.now += 1
    clock.stop()
    assert clock.remaining(WHITE) == 59
    with pytest.raises(GameError, match="no clock runs"):
        clock.press()


def test_clock_that_is_up_stays_up() -> None:
    source = Source()
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
    source = Source()
    clock = GameClock(TimeControl(60), source)
    clock.start(BLACK)
    source.now += 7
    clock.start(WHITE)
    source.now += 1
    assert (clock.remaining(BLACK), clock.remaining(WHITE)) == (53, 59)


def test_set() -> None:
    source = Source()
    clock = GameClock(TimeControl(60), source)
    clock.start(BLACK)
    source.now += 7
    clock.set(BLACK, 33)
    assert clock.running is None
    source.now += 7
    assert clock.remaining(BLACK) == 33
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(GameError):
            clock.set(BLACK, wrong)
