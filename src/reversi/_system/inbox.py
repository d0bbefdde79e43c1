"""What other threads hand to one thread, which waits for it no longer than it says."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """Things that other threads put in and one thread takes out, in that order.

    It takes the place of ``queue.SimpleQueue``, whose ``get`` waits for ever when a signal comes shortly before
    the end of its timeout: Python goes on for the time that is left, and a negative one means without end. The
    handler has run, and nobody looks at what it noted. A wait for a lock minds that.
    """

    def __init__(self) -> None:
        self.heard: Callable[[], object] = lambda: None  #: called after a thing was put in, by that thread
        self._things: deque[T] = deque()
        self._news = threading.Lock()  # held until there is a new thing
        self._news.acquire()

    def __len__(self) -> int:
        return len(self._things)

    def put(self, thing: T) -> None:
        """Put a thing in, from any thread."""
        self._things.append(thing)
        with contextlib.suppress(RuntimeError):  # there is news already
            self._news.release()
        self.heard()

    def take(self, timeout_s: float = 0.0) -> T | None:
        """Take the next thing out; ``None`` after ``timeout_s`` seconds without one."""
        give_up = time.monotonic() + timeout_s
        while not self._things and self._news.acquire(timeout=max(0.0, give_up - time.monotonic())):
            pass  # news of a thing that was taken already
        return self._things.popleft() if self._things else None
