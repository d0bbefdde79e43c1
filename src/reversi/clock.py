"""The game clock: main time and increment per player, over a time source that can be replaced.

A time control is written ``5:00+3``: five minutes each, three seconds more after every placement or pass.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from reversi.color import Color
from reversi.errors import GameError, InputError

__all__ = ["GameClock", "TimeControl", "format_time", "parse_time"]

_LONGEST = 100 * 3600
_TIME = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:\.(\d{1,3}))?")


def parse_time(text: str) -> float:
    """Read a time in seconds from ``SECONDS``, ``MINUTES:SECONDS`` or ``HOURS:MINUTES:SECONDS``.

    Seconds may have up to three decimals; beside a larger unit, minutes and seconds stay below 60.

    Raises:
        InputError: the text is no such time, or longer than 100 hours.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or not text.isascii():
        raise InputError(f"{text!r} is not a time; write 300, 5:00 or 1:05:00")
    hours, minutes, seconds = (int(match[unit] or 0) for unit in (1, 2, 3))
    if (match[2] and seconds > 59) or (match[1] and minutes > 59):
        raise InputError(f"{text!r} is not a time: minutes and seconds beside a larger unit stay below 60")
    total = hours * 3600 + minutes * 60 + float(f"{seconds}.{match[4] or 0}")
    if total > _LONGEST:
        raise InputError(f"{text!r} is longer than 100 hours")
    return total


def format_time(seconds: float, *, hours: bool = False) -> str:
    """A time as ``5:00``, or ``1:05:00`` from an hour on (always so with ``hours``), rounded up to whole seconds.

    Rounding up means that ``0:00`` is shown only when no time is left.
    """
    whole = math.ceil(seconds)
    minutes, rest = divmod(whole, 60)
    if hours or minutes >= 60:
        return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player has.

    Attributes:
        main: seconds at the start, above zero.
        increment: seconds added after each ply.

    Raises:
        InputError: a time that cannot be.
    """

    main: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.main <= _LONGEST:
            raise InputError(f"no main time of {self.main} seconds: it is above 0 and at most 100 hours")
        if not 0 <= self.increment <= _LONGEST:
            raise InputError(f"no increment of {self.increment} seconds: it is from 0 to 100 hours")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``5:00+3``: a main time (:func:`parse_time`) and, after ``+``, an increment.

        Raises:
            InputError: the text is no time control.
        """
        main, plus, increment = text.strip().partition("+")
        try:
            return cls(parse_time(main), parse_time(increment) if plus else 0.0)
        except InputError as error:
            raise InputError(f"time control {text!r}: {error}; write it as in 5:00+3") from None

    def __str__(self) -> str:
        main = _exact(self.main)
        return f"{main}+{_plain(self.increment)}" if self.increment else main


def _exact(seconds: float) -> str:
    """``5:00`` for whole seconds, plain seconds with their decimals otherwise."""
    return format_time(seconds) if seconds == int(seconds) else _plain(seconds)


def _plain(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


class GameClock:
    """The clocks of both players. One runs at a time, or none.

    Args:
        control: the time each player has.
        now: a source of seconds that never runs backwards.
    """

    def __init__(self, control: TimeControl, now: Callable[[], float] = time.monotonic) -> None:
        self.control = control
        self._now = now
        self._left = dict.fromkeys(Color, float(control.main))
        self._running: Color | None = None
        self._since = 0.0

    @property
    def running(self) -> Color | None:
        """Whose clock runs, or ``None``."""
        return self._running

    def remaining(self, color: Color) -> float:
        """The seconds ``color`` has left now, never below zero."""
        left = self._left[color]
        if color is self._running:
            left -= self._now() - self._since
        return max(left, 0.0)

    def is_up(self, color: Color) -> bool:
        """Whether ``color`` has no time left."""
        return self.remaining(color) <= 0

    def start(self, color: Color) -> None:
        """Let the clock of ``color`` run; another one that ran is stopped, without its increment."""
        self.stop()
        self._running, self._since = color, self._now()

    def stop(self) -> None:
        """Stop whichever clock runs; the time used is taken off."""
        if self._running is not None:
            self._left[self._running] = self.remaining(self._running)
            self._running = None

    def press(self) -> float:
        """End the turn of the player whose clock runs: stop it, add the increment, return what it shows.

        A player whose time was up gets no increment.

        Raises:
            GameError: no clock runs.
        """
        if self._running is None:
            raise GameError("no clock runs")
        color = self._running
        self.stop()
        if self._left[color] > 0:
            self._left[color] += self.control.increment
        return self._left[color]

    def set(self, color: Color, seconds: float) -> None:
        """Put the clock of ``color`` to ``seconds``, as after taking back a move; both clocks stop.

        Raises:
            GameError: not a time a clock can show.
        """
        if not (math.isfinite(seconds) and seconds >= 0):
            raise GameError(f"no clock shows {seconds} seconds")
        self.stop()
        self._left[color] = seconds
