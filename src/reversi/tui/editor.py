"""The position editor: put discs on the board, set the side to move, and play from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from reversi._core import Position
from reversi.color import Color
from reversi.errors import ReversiError
from reversi.game.game import Game
from reversi.records.replay import position_after
from reversi.tui.board_drawing import View
from reversi.tui.board_screen import BoardScreen, copies_of
from reversi.tui.board_widget import BoardWidget
from reversi.tui.keys import EDITOR_KEYS, Key, key_table
from reversi.tui.sentences import printable
from reversi.tui.themes import BoardTheme

if TYPE_CHECKING:
    from reversi.tui.explorer_screen import OpenedGame


class Editor(BoardScreen[Position]):
    """A board to set up; it returns the position, or ``None``.

    Args:
        position: the position to begin with; its rules stay.
        look: how the board looks.
        explorer: makes the explorer of a game.
        encoding: the encoding of files that are opened.
    """

    DEFAULT_CSS: ClassVar[str] = """
    Editor #keys { text-style: bold; }
    Editor #words { height: 2; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = EDITOR_KEYS

    def __init__(
        self,
        position: Position,
        look: BoardTheme,
        explorer: Callable[[Game, None], Screen[OpenedGame]] | None = None,
        encoding: str = "",
    ) -> None:
        super().__init__(position.rules.board, look)
        self._encoding = encoding
        self._explorer = explorer
        self._rules = position.rules
        self._black, self._white, self._to_move = position.black, position.white, position.to_move

    def compose_side(self) -> ComposeResult:
        text = "\n".join(f"{shown}: {meaning}" for shown, meaning in key_table(EDITOR_KEYS))
        yield Static(self.look.worded(text), markup=False)

    def compose_below(self) -> ComposeResult:
        """Yield the side to move, the discs, and why a position cannot be played."""
        yield Static("", id="words", markup=False)

    def on_mount(self) -> None:
        self.show_title("Set up a position")
        self.show_keys(EDITOR_KEYS)
        self.update()

    def update(self, failure: str = "") -> None:
        """Show the position; ``failure`` is why it cannot be played."""
        self.fit(self._rules.board)
        self.board.show(View(black=self._black, white=self._white))
        name = self.look.name_of(self._to_move)
        count = f"{self.look.names[0]} {self._black.bit_count()}, {self.look.names[1]} {self._white.bit_count()}"
        self.query_one("#words", Static).update(f"{name} to move. {count}.\n{failure}")

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self._cycle(message.square, back=message.other)

    def action_cycle(self) -> None:
        self._cycle(self.board.cursor)

    def _cycle(self, square: int, *, back: bool = False) -> None:
        now = "x" if self._black >> square & 1 else "o" if self._white >> square & 1 else "-"
        order = "-ox-" if back else "-xo-"
        self._put(square, order[order.index(now) + 1])

    def _put(self, square: int, what: str) -> None:
        bit = 1 << square
        self._black = self._black & ~bit | (bit if what == "x" else 0)
        self._white = self._white & ~bit | (bit if what == "o" else 0)
        self.update()

    def action_put(self, what: str) -> None:
        """Put or remove a disc at the cursor, and move to the next square."""
        board = self.board
        self._put(board.cursor, what)
        row, column = divmod(board.cursor, 8)
        if column + 1 < board.board.columns:
            board.move_cursor(0, 1)
        elif row + 1 < board.board.rows:
            board.move_cursor(1, -column)

    def action_turn(self) -> None:
        self._to_move = self._to_move.opponent
        self.update()

    def action_clear(self) -> None:
        self._black = self._white = 0
        self.update()

    def action_start(self) -> None:
        self._take(Position(self._rules))

    def _take(self, position: Position) -> None:
        self._rules = position.rules
        self._black, self._white, self._to_move = position.black, position.white, position.to_move
        self.update()

    def action_paste(self) -> None:
        from reversi.tui.dialogs import AskText

        ask = AskText("A board, a transcript, or FILE#3@20", "", self._paste)
        self.app.push_screen(ask)

    def pasted(self, text: str) -> None:
        try:
            self._paste(text)
        except (ReversiError, OSError, ValueError) as error:
            self.update(printable(f"{error}."))

    def _paste(self, text: str) -> str:
        from reversi.session.opening import given

        start, ply = given(text, self._encoding).start(self._rules)
        self._take(start if isinstance(start, Position) else position_after(start, ply))
        return ""

    def copies(self) -> dict[str, Callable[[], str]]:
        position = self._checked("copy")
        return {} if position is None else copies_of(Game(position))

    def say(self, text: str) -> None:
        self.update(text)

    def action_play(self) -> None:
        position = self._checked("play")
        if position is not None:
            self.dismiss(position)

    def action_explore(self) -> None:
        """Open the explorer for the position."""
        position = self._checked("explore")
        if position is not None and self._explorer is not None:
            self.app.push_screen(self._explorer(Game(position), None), self._opened)

    def _opened(self, opened: OpenedGame | None) -> None:
        if opened is not None:
            self._take(position_after(opened.record, opened.ply))

    def _checked(self, what: str) -> Position | None:
        """Return the position, ``None`` after saying why nobody can play or explore it."""
        try:
            position = Position.from_discs(self._black, self._white, self._to_move, self._rules)
        except ReversiError as error:
            self.update(printable(f"{error}."))
            return None
        if position.is_over:
            other = position.with_to_move(Color(self._to_move.opponent))
            why = "neither side has a legal move" if other.is_over else "the game is over"
            self.update(f"Cannot {what} from here: {why}.")
            return None
        return position

    def action_cancel(self) -> None:
        self.dismiss(None)
