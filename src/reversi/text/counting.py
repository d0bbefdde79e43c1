"""Counts in words."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as ``1 game`` and ``2 games``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
