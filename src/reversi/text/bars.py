"""Bars of characters, for graphs in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
"""How full a character is, from below."""


def sparkline(values: Iterable[float], reach: float) -> str:
    """Return a graph of one line: a bar for each value, of which ``reach`` fills a character."""
    return "".join(EIGHTHS[max(bar(value, reach or 1, 1, 0), 1)] for value in values)


def bar(value: float, reach: float, rows: int, row: int, parts: int = 8) -> int:
    """Return how many parts of a row a bar fills; a value above 0 is seen.

    Args:
        value: the height of the bar; at 0 and below there is none.
        reach: the value that fills all rows.
        rows: how many rows there are.
        row: which one, 0 beside the middle line.
        parts: how many parts a row has.
    """
    filled = round(parts * rows * value / reach) - parts * row
    return 0 if value <= 0 else min(max(filled, row == 0), parts)
