"""The game clock: main time, increment and byo-yomi per player, over a time source that can be replaced.

A time control is written ``5:00+3``, or ``5+3`` as on chess clocks: five minutes, and three more seconds after
every placement or pass. A bare main time is in minutes; a bare increment or byo-yomi period is in seconds.
Japanese byo-yomi is written ``5:00+3x30``: after the five minutes the player has three periods of thirty seconds;
a turn that ends within a period leaves the period whole, a longer turn uses it up. ``5:00+2+3x30`` combines both.
``5:00+3/2:00`` gives the players different times, Black's first; ``-`` is an untimed player.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import reversi._regex as re
from reversi.arguments import COLORS, check_type, excerpt
from reversi.color import Color
from reversi.errors import GameError, InputError
from reversi.text.counting import counted

_LONGEST: Final = 100 * 3600
_MOST_PERIODS: Final = 999
_PERIODS = re.compile(r"\s*([0-9]{1,4})\s*[x×*]\s*(.+)")
_MINUTES = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?")
_TIME = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:\.(\d{1,3}))?")


def parse_time(text: str) -> float:
    """Read a time in seconds from ``SECONDS``, ``MINUTES:SECONDS`` or ``HOURS:MINUTES:SECONDS``.

    Seconds may have up to three decimals; beside a larger unit, minutes and seconds stay below 60.

    Raises:
        InputError: the text is not a time, or is longer than 100 hours.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or not text.isascii():
        raise InputError(f"{excerpt(text)} is not a time; write it as in 0:30, 5:00 or 1:05:00")
    hours, minutes, seconds = (int(match[unit] or 0) for unit in (1, 2, 3))
    if (match[2] and seconds > 59) or (match[1] and minutes > 59):
        raise InputError(f"{excerpt(text)} is not a time: minutes and seconds beside a larger unit stay below 60")
    total = hours * 3600 + minutes * 60 + float(f"{seconds}.{match[4] or 0}")
    if total > _LONGEST:
        raise InputError(f"{excerpt(text)} is longer than 100 hours")
    return total


def format_time(seconds: float, *, hours: bool = False) -> str:
    """Return a time as ``5:00``, or ``1:05:00`` from an hour on (always with ``hours``), in whole seconds.

    Fractions are rounded up, so that ``0:00`` means that no time is left.
    """
    whole = math.ceil(seconds)
    minutes, rest = divmod(whole, 60)
    if hours or minutes >= 60:
        return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}"


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The reading of a player's clock, from which an engine plans its time.

    Attributes:
        main_s: seconds of main time left.
        increment_s: seconds added after every turn.
        byo_yomi_s: seconds of a byo-yomi period, or the rest of the running one; 0 without byo-yomi.
        periods: byo-yomi periods left, the running one included.
    """

    main_s: float
    increment_s: float
    byo_yomi_s: float = 0.0
    periods: int = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that a player has.

    Attributes:
        main_s: seconds at the start, above zero unless there is byo-yomi.
        increment_s: seconds added after each ply.
        byo_yomi_s: seconds of each byo-yomi period.
        periods: byo-yomi periods after the main time, 0 for none.

    Raises:
        InputError: a time or a number of periods is out of range.
    """

    main_s: float
    increment_s: float = 0.0
    byo_yomi_s: float = 0.0
    periods: int = 0

    def __post_init__(self) -> None:
        for name in ("main_s", "increment_s", "byo_yomi_s", "periods"):
            check_type(name, getattr(self, name), int, float)
        if not (0 < self.main_s <= _LONGEST or (self.main_s == 0 and self.periods)):
            raise InputError(f"main time must be above 0 and at most 100 hours, not {self.main_s:g} s")
        if not 0 <= self.increment_s <= _LONGEST:
            raise InputError(f"increment must be between 0 and 100 hours, not {self.increment_s:g} s")
        if not 0 <= self.periods <= _MOST_PERIODS:
            raise InputError(f"byo-yomi must have 1 to {_MOST_PERIODS} periods, not {self.periods}")
        if self.periods and not 0 < self.byo_yomi_s <= _LONGEST:
            raise InputError(f"byo-yomi period must be above 0 and at most 100 hours, not {self.byo_yomi_s:g} s")
        if not self.periods and self.byo_yomi_s:
            raise InputError("byo-yomi needs its number of periods")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``5:00+3``: a main time, then an increment, byo-yomi as ``3x30``, or both.

        A time is ``SECONDS``, ``MINUTES:SECONDS`` or ``HOURS:MINUTES:SECONDS``; a bare main time is in minutes.

        Raises:
            InputError: the text is not a time control.
        """
        check_type("text", text, str)
        main, *more = text.strip().split("+")
        try:
            increment, byo_yomi, periods = None, 0.0, 0
            for part in more:
                if match := _PERIODS.fullmatch(part):
                    if periods:
                        raise InputError("byo-yomi is given twice")
                    periods, byo_yomi = int(match[1]), parse_time(match[2])
                    if not periods:
                        raise InputError(f"{excerpt(part)} must have at least one period")
                elif increment is not None:
                    raise InputError("the increment is given twice")
                else:
                    increment = parse_time(part)
            return cls(_main_time(main), increment or 0.0, byo_yomi, periods)
        except InputError as error:
            raise InputError(
                f"time control {excerpt(text)}: {error}; write it as in 5:00+3 or 5:00+3x30"
            ) from None

    def __str__(self) -> str:
        text = _exact(self.main_s)
        if self.increment_s:
            text += f"+{_plain(self.increment_s)}"
        if self.periods:
            text += f"+{self.periods}x{_plain(self.byo_yomi_s)}"
        return text


Controls = Mapping[Color, TimeControl | None]
"""The time of each player; ``None`` for an untimed player."""


def parse_controls(text: str) -> dict[Color, TimeControl | None]:
    """Read the time of both players: one for both, or Black's and White's as ``5:00+3/2:00``; ``-`` is untimed.

    Raises:
        InputError: the text is neither one time control nor two.
    """
    check_type("text", text, str)
    sides = text.split("/")
    if len(sides) > 2:
        raise InputError(
            f"time control {excerpt(text)} has {len(sides)} parts;"
            " write one for both players, or two as in 5:00+3/2:00"
        )
    black, white = (None if side.strip() == "-" else TimeControl.parse(side) for side in (sides[0], sides[-1]))
    return {Color.BLACK: black, Color.WHITE: white}


def format_controls(controls: Controls) -> str:
    """Return the shortest text that `parse_controls` reads; "" for an untimed game."""
    black, white = (str(controls[color] or "-") for color in Color)
    if black == white:
        return "" if black == "-" else black
    return f"{black}/{white}"


def _main_time(text: str) -> float:
    """Return a main time: a bare number is in minutes, ``5`` is ``5:00``."""
    bare = _MINUTES.fullmatch(text.strip())
    if bare is None:
        return parse_time(text)
    seconds = float(text) * 60
    if seconds > _LONGEST:
        raise InputError(f"{excerpt(text)} minutes are longer than 100 hours")
    return seconds


def _exact(seconds: float) -> str:
    """``5:00``, with decimals where the seconds have some: ``0:00.5``."""
    whole = int(seconds)
    decimals = f"{seconds - whole:.3f}".rstrip("0")[1:]
    return format_time(whole) + decimals.rstrip(".")


def _plain(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


class ClockState(NamedTuple):
    """The state of a stopped clock.

    Attributes:
        main_s: seconds of main time left.
        periods: byo-yomi periods left, the running one included.
        used_s: used seconds of the running period.
    """

    main_s: float
    periods: int = 0
    used_s: float = 0.0


_UNTIMED: Final = ClockState(math.inf)


class GameClock:
    """The clocks of both players. At most one runs at a time.

    Args:
        control: the time of each player, or the times of both (`parse_controls`).
        now: a source of seconds that never runs backwards.
    """

    def __init__(self, control: TimeControl | Controls, now: Callable[[], float] = time.monotonic) -> None:
        check_type("control", control, TimeControl, Mapping, advice="parse_controls reads text")
        self.controls: dict[Color, TimeControl | None] = (
            dict.fromkeys(Color, control) if isinstance(control, TimeControl) else dict(control)
        )
        """The time control of each player, ``None`` for one without a clock."""
        self._now = now
        self._states = {color: _full(self.controls[color]) for color in Color}
        self._running: Color | None = None
        self._since = 0.0

    @property
    def running(self) -> Color | None:
        """Whose clock runs, or ``None``."""
        return self._running

    def state(self, color: Color) -> ClockState:
        """Return the state of the clock of ``color`` now."""
        check_type("color", color, Color, advice=COLORS)
        state, control = self._states[color], self.controls[color]
        if color is not self._running or control is None:
            return state
        elapsed = self._now() - self._since
        if elapsed < state.main_s:
            return state._replace(main_s=state.main_s - elapsed)
        over = state.used_s + elapsed - state.main_s
        gone = min(int(over / control.byo_yomi_s), state.periods) if state.periods else 0
        left = state.periods - gone
        used = over - gone * control.byo_yomi_s if left else 0.0
        return ClockState(0.0, left, min(max(0.0, used), control.byo_yomi_s))  # quotient and product are rounded

    def time_left(self, color: Color) -> float:
        """Return the seconds on the clock of ``color`` now, never below zero.

        That is the main time, and after it the rest of the byo-yomi period; infinity for an untimed player.
        """
        state, control = self.state(color), self.controls[color]
        if state.main_s or control is None or not state.periods:
            return max(state.main_s, 0.0)
        return control.byo_yomi_s - state.used_s

    def periods(self, color: Color) -> int:
        """Return the byo-yomi periods that ``color`` has left, the running one included."""
        return self.state(color).periods

    def is_up(self, color: Color) -> bool:
        """Return whether ``color`` has no time left."""
        state = self.state(color)
        return state.main_s <= 0 and not state.periods

    def reading(self, color: Color) -> ClockReading | None:
        """Return the reading of the clock of ``color``, for an engine; ``None`` for an untimed player."""
        state, control = self.state(color), self.controls[color]
        if control is None:
            return None
        return ClockReading(
            state.main_s, control.increment_s, max(control.byo_yomi_s - state.used_s, 0.0), state.periods
        )

    def text(self, color: Color) -> str:
        """Return the clock of ``color`` for people: ``4:32``, in byo-yomi ``0:27 (2 periods)``, ``-`` untimed."""
        state, control = self.state(color), self.controls[color]
        if control is None:
            return "-"
        shown = format_time(self.time_left(color))
        if state.main_s or not control.periods:
            return shown
        return f"{shown} ({counted(state.periods, 'period')})"

    def start(self, color: Color) -> None:
        """Start the clock of ``color``; the other one stops, without its increment."""
        check_type("color", color, Color, advice=COLORS)
        self.stop()
        self._running, self._since = color, self._now()

    def stop(self) -> None:
        """Stop the running clock and take off the used time."""
        if self._running is not None:
            self._states[self._running] = self.state(self._running)
            self._running = None

    def press(self) -> float:
        """End the turn of the player whose clock runs: stop it and add the increment.

        Return the seconds that the player has left, the increment included. A byo-yomi period in use is whole
        again. A player without time left gets no increment.

        Raises:
            GameError: no clock runs.
        """
        if self._running is None:
            raise GameError("no clock runs")
        color = self._running
        self.stop()
        control = self.controls[color]
        if control is not None and not self.is_up(color):
            state = self._states[color]
            self._states[color] = ClockState(state.main_s + control.increment_s, state.periods)
        return self.time_left(color)

    def set(self, color: Color, main_s: float) -> None:
        """Set the main time of ``color`` to ``main_s`` seconds, with all byo-yomi periods; both clocks stop.

        This does nothing for an untimed player.

        Raises:
            GameError: ``main_s`` is negative or not finite.
        """
        check_type("color", color, Color, advice=COLORS)
        check_type("main_s", main_s, int, float)
        self.restore(color, ClockState(main_s, _full(self.controls[color]).periods))

    def restore(self, color: Color, state: ClockState) -> None:
        """Restore an earlier state of the clock of ``color``, as after taking back a move; both clocks stop.

        Raises:
            GameError: the clock cannot have this state.
        """
        check_type("color", color, Color, advice=COLORS)
        check_type("state", state, ClockState)
        self.stop()
        control = self.controls[color]
        if control is None:
            return
        if not (math.isfinite(state.main_s) and state.main_s >= 0):
            raise GameError(f"clock must be a finite number of seconds from 0 up, not {state.main_s}")
        if not 0 <= state.periods <= control.periods or not 0 <= state.used_s <= control.byo_yomi_s:
            raise GameError(
                f"a clock of {control} cannot have {state.periods} periods and {state.used_s} s of one used"
            )
        self._states[color] = state


def _full(control: TimeControl | None) -> ClockState:
    return _UNTIMED if control is None else ClockState(float(control.main_s), control.periods)
