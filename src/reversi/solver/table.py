"""The tables that questions share, and the sizes of tables for every use."""

from __future__ import annotations

from typing import Final

from reversi._core import Table
from reversi.solver.stopping import _tables

# sizes in MB (2**20 bytes)
DEFAULT_HASH_MB: Final = 64
"""The table of a `Solver` or a `Searcher`, which answers one position after another."""

DEFAULT_BATCH_HASH_MB: Final = 256
"""The tables of a `Batch`, of a proof in pieces, and of the commands that solve."""

TIMED_HASH_MB: Final = 128
"""The largest table of an engine whose time is limited; quick games take less."""

ANALYSIS_HASH_MB: Final = 32
"""The table of an `Analyzer`."""

SEARCH_HASH_MB: Final = 16
"""The table of an engine without a clock, of grading, and of a search for an opening book: it is cleared often."""

SMALL_HASH_MB: Final = 1
"""The same for levels that look a few placements ahead."""


def level_hash_mb(level: int) -> int:
    """Return the size in MB of the table that one search of a level needs; it is cleared before each of them."""
    return TIMED_HASH_MB if level > 20 else SEARCH_HASH_MB if level > 9 else SMALL_HASH_MB


def shared_table(hash_mb: int) -> Table:
    """Return a table for any number of questions at once (`Table.use`), which a fork does not leave in use.

    Args:
        hash_mb: its size in MB (2**20 bytes).

    Raises:
        InputError: the size is not positive.
        TableSizeError: the memory is not available.
    """
    table = Table(hash_mb)
    _tables.add(table)
    return table
