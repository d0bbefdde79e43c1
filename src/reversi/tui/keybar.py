"""The bar at the bottom: the most useful keys, which can be clicked too."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events

from reversi.tui.board_drawing import Cell, CellLines
from reversi.tui.keys import Key
from reversi.tui.widgets import Drawn


class KeyBar(Drawn):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._keys: tuple[Key, ...] = ()
        self._accent = ""

    def show(self, keys: Iterable[Key], accent: str) -> None:
        keys = tuple(key for key in keys if key.label)
        if (keys, accent) != (self._keys, self._accent):
            self._keys, self._accent = keys, accent
            self.redraw()

    def _placed(self) -> list[tuple[int, int, Key]]:
        """Return where each key begins and ends; the help and the last one, which leaves, are always there."""
        placed, x = [], 1
        first = [key for key in self._keys if key.action == "help" or key is self._keys[-1]]
        room = self.size.width - sum(2 + self._width(key) for key in first)
        for key in self._keys:
            room += 2 + self._width(key) if key in first else 0
            end = x + self._width(key)
            if end <= room:
                placed.append((x, end, key))
                x = end + 2
        return placed

    @staticmethod
    def _width(key: Key) -> int:
        return len(_key(key)) + 1 + len(key.label)

    def on_resize(self) -> None:
        self.redraw()

    def drawn(self) -> CellLines:
        cells, at = [Cell("")], 0
        for begin, end, key in self._placed():
            cells.append(Cell(" " * (begin - at)))
            cells.append(Cell(_key(key), self._accent, bold=True))
            cells.append(Cell(f" {key.label}"))
            at = end
        return [cells]

    async def on_click(self, event: events.Click) -> None:
        for begin, end, key in self._placed():
            if begin <= event.x < end:
                await self.screen.run_action(key.bound[0][1])


def _key(key: Key) -> str:
    """Return the first of the keys that are shown."""
    return key.shown.split()[0].rstrip(",")
