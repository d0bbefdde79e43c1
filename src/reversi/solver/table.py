"""A table that several questions share."""

from __future__ import annotations

import contextlib

from reversi._core import Table
from reversi.rules import Rules
from reversi.solver.stopping import _tables

__all__ = ["SharedTable"]


class SharedTable:
    """A table for any number of questions at once, as long as their rules play alike; others wait.

    Args:
        hash_mb: its size in MB (2**20 bytes).

    Raises:
        ValueError: the size is not positive.
        MemoryError: the memory is not available.
    """

    def __init__(self, hash_mb: int) -> None:
        self.table = Table(hash_mb)
        _tables.add(self.table)

    def clear(self) -> None:
        """Forget everything. Waits for answers under way.

        Raises:
            BusyError: this thread is within a question that uses the table (its progress callback, for example).
        """
        with self.table.use(None) as table:
            table.clear()

    def use(self, rules: Rules) -> contextlib.AbstractContextManager[Table, None]:
        """Return the table, whose entries hold for one way to play: other rules wait for the answers under way.

        Raises:
            BusyError: this thread is within a question under other rules that uses the table.
        """
        return self.table.use(rules)
