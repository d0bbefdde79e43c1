"""Hold signals back while something is done that must not be left in the middle."""

from __future__ import annotations

import contextlib
import signal

TYPE_CHECKING = False  # as typing has it, which takes longer to load than all the rest here
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Final

SIGNALS: Final[tuple[signal.Signals, ...]] = (signal.SIGINT, signal.SIGTERM)
"""Both end a command, with the same status."""


def catchable() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command: not Ctrl-C where the shell ignores it, as after ``&``."""
    return SIGNALS if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN else (signal.SIGTERM,)


class SignalsHeld:
    """A block that keeps signals back: they come at its end. Outside the main thread, none come anyway."""

    def __enter__(self) -> None:
        self._came: list[int] = []
        self._before: dict[signal.Signals, Any] = {}
        with contextlib.suppress(ValueError):  # another thread
            for number in catchable():
                self._before[number] = signal.signal(number, self._keep)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._came:
            signal.raise_signal(self._came[0])

    def _keep(self, number: int, frame: FrameType | None) -> None:
        self._came.append(number)
