"""A signal at the worst moment: the main thread waits, and the handler takes longer than the wait."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

needs_signals = pytest.mark.skipif(os.name == "nt", reason="a process cannot signal itself on this system")

_TOO_LATE_S = 60


@contextlib.contextmanager
def slow_signal(seconds: float, handler: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Within the block, a signal comes after 0.05 s; its handler calls ``handler`` and takes that long.

    A wait that would never end is an error after a minute.
    """
    came = 0

    def handle(*_: object) -> None:
        nonlocal came
        came += 1
        if came > 1:
            raise AssertionError("the wait does not end")
        handler()
        time.sleep(seconds)

    def send() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, handle)
    timers = [threading.Timer(after, send) for after in (0.05, _TOO_LATE_S)]
    try:
        for timer in timers:
            timer.start()
        yield
    finally:
        for timer in timers:
            timer.cancel()
            timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert came == 1
