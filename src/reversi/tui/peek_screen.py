"""A recorded game beside the one on the board: stepping through it while that one goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual.app import ComposeResult

from reversi.session.session import Session
from reversi.text.widths import cut
from reversi.tui.board_drawing import Cell, Layout, View, draw
from reversi.tui.board_screen import BoardScreen, copies_of, last_placement
from reversi.tui.keys import PEEK_KEYS, Key
from reversi.tui.panel import move_lines, player_lines
from reversi.tui.sentences import latest_notes, status_text
from reversi.tui.themes import BoardTheme
from reversi.tui.widgets import Lines, Scrolled

_LEAST_MOVES: Final = 3  # lines of moves that stay beside the small board


class PeekScreen(BoardScreen[int]):
    """The game to look at; it returns the ply at which to put it on the board, or ``None``.

    Args:
        session: a session of its own with the game.
        own: the session of the game on the board, which stands small beside it.
    """

    DEFAULT_CSS: ClassVar[str] = """
    PeekScreen #players { height: 3; }
    PeekScreen #moves { height: 1fr; }
    PeekScreen #words { height: 2; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = PEEK_KEYS
    SIDE: ClassVar[tuple[str, ...]] = ("own", "players")
    BELOW: ClassVar[tuple[str, ...]] = ("words",)

    def __init__(self, session: Session, own: Session, look: BoardTheme) -> None:
        super().__init__(session.rules.board, look)
        self.session = session
        self.own = own

    def compose_side(self) -> ComposeResult:
        yield from super().compose_side()
        yield Scrolled(id="moves", from_end=True)

    def on_mount(self) -> None:
        self.board.cursor_shown = False
        self.set_interval(0.2, self._show_own)  # the engine may move there
        self.update()

    def update(self) -> None:
        if not self.is_mounted or not self.fit_or_say(self.BARS, "or press Esc to go back to your game"):
            return
        session, side, width = self.session, self.side_width, max(self.size.width - 2, 10)
        names = " - ".join(session.state.names.values())
        self.show_title("Beside your game", *filter(None, [names, session.tags.get("Event", "?").strip("?")]))
        self.show_board(session.position, 0, last_placement(session.game))
        self.query_one("#players", Lines).show(player_lines(session, self.look, side))
        moves = [[Cell(line)] for line in move_lines(session.game, side)]
        self.query_one("#moves", Scrolled).show_all(moves)
        note = session.note
        said = latest_notes([self._note or (f"Note: {note}" if note else "")], width, 1)
        status = Cell(status_text(session, self.look)[:width], self.look.accent, bold=True)
        words = self.query_one("#words", Lines)
        words.show([[status], *([Cell(line)] for line in said)])
        self.point(words, bool(said))
        self._show_own()
        self.show_keys(PEEK_KEYS)

    def _show_own(self) -> None:
        """Show the game on the board, small, where there is room, and whose turn it is there."""
        position, last = self.own.position, last_placement(self.own.game)
        board = Layout(self.own.rules.board, 2, 1, turned=self.look.turned, mirrored=self.look.mirrored)
        lines = [[Cell(cut(f"Your game: {status_text(self.own, self.look)}", self.side_width), bold=True)]]
        if self.size.height - self.BARS >= board.size[1] + 5 + _LEAST_MOVES:
            square = -1 if last is None else last.move.index
            flips = 0 if last is None else sum(flip.bit for flip in last.flips)
            view = View(position.black, position.white, last=square, outlined=flips)
            lines += [*draw(view, board, self.look), [Cell("")]]
        widget = self.query_one("#own", Lines)
        self.open(widget, len(lines))
        widget.show(lines)

    def action_step(self, step: int) -> None:
        """Step through the game; by 60 plies and more to its ends."""
        self._note = ""
        act = self.session.undo if step < 0 else self.session.redo
        turns = min(abs(step), self.session.can_undo if step < 0 else self.session.can_redo)
        if turns:
            act(turns)
        self.update()

    def action_take(self) -> None:
        self.dismiss(len(self.session.game))

    def copies(self) -> dict[str, Callable[[], str]]:
        return copies_of(self.session.game)
