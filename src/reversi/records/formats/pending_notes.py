"""Notes that wait in lists until their line is read, so that many notes on a turn take linear time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reversi.records.record import Line, Node


class PendingNotes:
    """Comments, glyphs and variations on their way to their turns and lines."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, str], tuple[Node | Line, list[Any]]] = {}

    def add(self, target: Node | Line, name: str, values: Iterable[Any]) -> None:
        """Add values to those that a turn, or a line, has under a name (``comments``, say)."""
        waiting = self._waiting.get((id(target), name))
        if waiting is None:
            waiting = self._waiting[id(target), name] = (target, list(getattr(target, name)))
        waiting[1].extend(values)

    def settle(self) -> None:
        """Give all notes to their turns and lines."""
        for (_, name), (target, values) in self._waiting.items():
            setattr(target, name, tuple(values))
        self._waiting.clear()
