"""Counts in words."""

from __future__ import annotations


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Return a number with its noun: ``1 ply``, ``2 plies``, ``2 games``; ``grouped`` writes ``2,000 games``."""
    several = "plies" if noun == "ply" else f"{noun}s"
    return f"{number:{',' if grouped else ''}d} {noun if number == 1 else several}"


def years_between(first: int | None, last: int | None) -> str:
    """Return the years from one to another, in words; empty while unknown."""
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"
