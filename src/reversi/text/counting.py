"""Counts in words."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Return a number with its noun, as ``1 game`` and ``2 games``; ``grouped`` writes ``2,000 games``."""
    return f"{number:{',' if grouped else ''}d} {noun}{'' if number == 1 else 's'}"
