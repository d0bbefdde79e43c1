"""Widgets of cells: the base of all of them, lines of text, and lines that scroll."""

from __future__ import annotations

import functools

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from reversi.tui.board_drawing import Cell, CellLines


@functools.lru_cache(maxsize=4096)
def _segment(cell: Cell) -> Segment:
    text, color, background, bold, reverse, dim = cell
    style = Style(color=color or None, bgcolor=background or None, bold=bold, reverse=reverse, dim=dim)
    return Segment(text, style)


class Drawn(Widget):
    """A widget of lines of cells; it draws them once for every change."""

    virtual_size: Reactive[Size] = Reactive(
        Size(0, 0), repaint=False
    )  # a new size draws by itself; Textual lays out again

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._strips: list[Strip] | None = None
        self._base = Style()

    def drawn(self) -> CellLines:
        """Return the lines to show; those that are missing are blank."""
        raise NotImplementedError

    def redraw(self, *, layout: bool = False) -> None:
        """Draw other lines."""
        self._strips = None
        self.refresh(layout=layout)

    def render_lines(self, crop: Region) -> list[Strip]:
        base = self.rich_style  # which takes longer to find than a line to draw
        if base != self._base:
            self._base, self._strips = base, None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = [Strip(map(_segment, line)).simplify().apply_style(self._base) for line in self.drawn()]
        width = self.size.width
        if y >= len(self._strips):
            return Strip.blank(width, self._base)
        return self._strips[y].adjust_cell_length(width, self._base)


class Lines(Drawn):
    """Lines of styled text, cut off at the end of the widget."""

    class Clicked(Message):
        """Somebody clicked at a place of the lines: column and line, from 0."""

        def __init__(self, lines: Lines, x: int, y: int) -> None:
            super().__init__()
            self.lines = lines
            self.x = x
            self.y = y

        @property
        def control(self) -> Lines:
            return self.lines

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: list[list[Cell]] = []

    def show(self, lines: list[list[Cell]]) -> None:
        if lines != self._lines:
            self._lines = lines
            self.redraw()

    @property
    def text(self) -> str:
        """The shown text, without styles."""
        return "\n".join("".join(cell.text for cell in line) for line in self._lines)

    def drawn(self) -> CellLines:
        return self._lines

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(self, event.x, event.y))


class Scrolled(Lines):
    """Lines that scroll; other lines than before show from their beginning, or from their end.

    Args:
        from_end: whether they show their end until somebody scrolls up.
    """

    def __init__(self, *, id: str | None = None, from_end: bool = False) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._from_end = from_end
        self._all: CellLines = []
        self._more: list[Cell] = []
        self._away = 0  # lines away from the beginning or the end

    def show_all(self, lines: CellLines, more: str = "") -> None:
        """Show as many lines as there is room for; ``more`` stands for the last one where others follow."""
        if lines != self._all:
            self._all = lines
            self._away = 0
        self._more = [Cell(more)] if more else []
        self._cut()

    def _cut(self) -> None:
        height = max(self.size.height, 1)
        last = max(len(self._all) - height, 0)
        self._away = min(max(self._away, 0), last)
        first = last - self._away if self._from_end else self._away
        shown = self._all[first : first + height]
        if self._more and first < last and height > 1:
            shown[-1] = self._more
        self.show(shown)

    def on_resize(self) -> None:
        self._cut()

    def page(self, pages: int) -> None:
        """Scroll down by pages, up for a number below zero; a line or two stay in sight."""
        self._scroll(pages * max(self.size.height - 1 - bool(self._more), 1))

    def _scroll(self, lines: int) -> None:
        self._away += -lines if self._from_end else lines
        self._cut()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up a little."""
        event.stop()
        self._scroll(-2)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll(2)
