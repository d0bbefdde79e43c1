"""Ending what runs, from any thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


class Cancel:
    """Ends the questions it was given to, from any thread or a signal handler, at once and for good.

    >>> from reversi import Cancel
    >>> cancel = Cancel()
    >>> cancel.cancel()
    >>> cancel.cancelled
    True
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal handler may interrupt its holder and cancel
        self._calls: list[Callable[[], None]] = []
        self._cancelled = False

    def __repr__(self) -> str:
        return f"<Cancel, {'cancelled' if self._cancelled else 'not cancelled'}>"

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Stop the questions that run; later questions with this object stop at once."""
        with self._lock:
            self._cancelled = True
            calls = list(self._calls)
        for call in calls:
            call()

    @contextlib.contextmanager
    def ends(self, call: Callable[[], None]) -> Iterator[None]:
        """For a ``with`` statement: within its block, cancelling makes this call, at once if it came before."""
        with self._lock:
            self._calls.append(call)
            cancelled = self._cancelled
        if cancelled:
            call()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(call)
