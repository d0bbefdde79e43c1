"""A clock for tests."""

from __future__ import annotations


class TimeSource:
    """A time source that stands still until it is moved on."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
