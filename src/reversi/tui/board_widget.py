"""The board as a widget: it shows a `View`, keeps a cursor, and reports the chosen square."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from reversi.rules import BoardSize
from reversi.tui.board_drawing import CellLines, Layout, View, best_layout, draw
from reversi.tui.themes import DEFAULT, THEMES, BoardTheme
from reversi.tui.widgets import Drawn


class BoardWidget(Drawn):
    """The board, as large as fits into the room given to `fit`."""

    DEFAULT_CSS: ClassVar[str] = "BoardWidget { width: auto; height: auto; }"

    cursor: reactive[int] = reactive(0)
    """The square of the cursor."""

    class Chosen(Message):
        """The player chose a square by click or by key.

        Attributes:
            other: whether the player clicked with the other mouse button.
        """

        def __init__(self, square: int, other: bool = False) -> None:
            super().__init__()
            self.square = square
            self.other = other

    def __init__(self, board: BoardSize, theme: BoardTheme = THEMES[DEFAULT], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._layout_now = Layout(board, 4, 2)
        self._view = View()
        self._theme = theme
        self.cursor_shown: bool = True

    # --- showing

    @property
    def board(self) -> BoardSize:
        return self._layout_now.board

    @property
    def layout_now(self) -> Layout:
        return self._layout_now

    def show(self, view: View) -> None:
        """Show another view; the widget's cursor replaces the view's own."""
        if view != self._view:
            self._view = view
            self.redraw()

    def fit(self, board: BoardSize, theme: BoardTheme, width: int, height: int) -> bool:
        """Take a board, a theme and the largest drawing that fits; return whether one fits."""
        layout = best_layout(board, theme.drawing, width, height)
        if layout is None:
            return False
        layout = replace(layout, turned=theme.turned, mirrored=theme.mirrored)
        if (layout, theme) != (self._layout_now, self._theme):
            if layout.board != self._layout_now.board:
                self.cursor = self._clamped(*divmod(self.cursor, 8), layout.board)
            resized = layout.size != self._layout_now.size  # other colors need no layout of the screen
            self._layout_now, self._theme = layout, theme
            self.redraw(layout=resized)
        return True

    @staticmethod
    def _clamped(row: int, column: int, board: BoardSize) -> int:
        return 8 * min(max(row, 0), board.rows - 1) + min(max(column, 0), board.columns - 1)

    def watch_cursor(self) -> None:
        self.redraw()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._layout_now.size[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._layout_now.size[1]

    def drawn(self) -> CellLines:
        view = replace(self._view, cursor=self.cursor if self.cursor_shown else -1)
        return draw(view, self._layout_now, self._theme)

    # --- the cursor and the mouse

    def move_cursor(self, rows: int, columns: int) -> None:
        row, column = divmod(self._layout_now.seen_at(self.cursor), 8)
        self.cursor_shown = True
        self.cursor = self._layout_now.seen_at(self._clamped(row + rows, column + columns, self.board))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        square = self._layout_now.square_at(event.x, event.y)
        if square is not None:
            self.cursor = square
            self.post_message(self.Chosen(square, other=event.button == 3))
