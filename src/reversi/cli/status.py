"""Exit statuses, and how several of them become one."""

from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """What the process exits with."""

    DONE = 0
    FINDING = 1
    USAGE = 2
    NO_RESULT = 3
    BAD_DATA = 65
    NO_INPUT = 66
    CANNOT_WRITE = 73
    INTERRUPTED = 130


_PRECEDENCE = (
    Status.INTERRUPTED,
    Status.USAGE,
    Status.CANNOT_WRITE,
    Status.NO_INPUT,
    Status.BAD_DATA,
    Status.NO_RESULT,
    Status.FINDING,
    Status.DONE,
)


def worst(*statuses: Status) -> Status:
    """Of several statuses, the one the process exits with; ``DONE`` for none."""
    return min(statuses, key=_PRECEDENCE.index, default=Status.DONE)
