"""Small widgets: lines of cells, and a list of moves that scrolls."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from reversi.tui.board_drawing import Cell
from reversi.tui.board_widget import styled


class Lines(Widget):
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
            self.refresh()

    @property
    def text(self) -> str:
        """The shown text, without styles."""
        return "\n".join("".join(cell.text for cell in line) for line in self._lines)

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(self, event.x, event.y))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        strip = Strip([styled(cell) for cell in self._lines[y]]).apply_style(self.rich_style)
        return strip.adjust_cell_length(width, self.rich_style)


class MoveList(Lines):
    """Lines that scroll; they show their end until the player scrolls up."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._all: list[str] = []
        self._up = 0

    def show_moves(self, lines: list[str]) -> None:
        """Show these lines; changed lines show from their end."""
        if lines != self._all:
            self._all = lines
            self._up = 0
        self._cut()

    def _cut(self) -> None:
        height = max(self.size.height, 1)
        self._up = min(max(self._up, 0), max(len(self._all) - height, 0))
        end = len(self._all) - self._up
        self.show([[Cell(line)] for line in self._all[max(end - height, 0) : end]])

    def on_resize(self) -> None:
        self._cut()

    def page(self, pages: int) -> None:
        """Scroll up by pages, down for a number below zero."""
        self._up += pages * max(self.size.height - 1, 1)
        self._cut()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up a little."""
        event.stop()
        self._up += 2
        self._cut()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._up -= 2
        self._cut()
