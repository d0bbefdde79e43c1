"""What the screens with a board share: a title, the board, a column beside it, words below, and the keys."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.screen import Screen

import reversi._regex as re
from reversi._core import SQUARES, Move, Position, Square
from reversi.errors import IllegalMoveError, InputError
from reversi.game.game import Game
from reversi.game.ply import Ply
from reversi.rules import BoardSize
from reversi.session.sentences import count_sentence, read_aloud
from reversi.session.writing import transcript_of
from reversi.text.boards import format_board
from reversi.text.transcripts import typed_moves
from reversi.text.widths import cut, width_of
from reversi.tui.board_drawing import LEAST_SIZE, Cell, View, too_small
from reversi.tui.board_widget import BoardWidget
from reversi.tui.keybar import KeyBar
from reversi.tui.keys import Key, key_lines, key_table
from reversi.tui.themes import BoardTheme
from reversi.tui.thinking import Question, Replied, settle
from reversi.tui.widgets import Lines, Scrolled

_SQUARE: Final = re.compile("[a-h][1-8]")
_BEGINS: Final = frozenset("abcdefgh12345678")
"""What is taken over into the line for moves."""
SIDE_WIDTH: Final = 34
"""Characters beside the board."""

T = TypeVar("T")


def copies_of(game: Game) -> dict[str, Callable[[], str]]:
    """Return what can be copied of a game up to now; moves alone do not say which discs a hand flipped."""
    copies: dict[str, Callable[[], str]] = {"position": partial(format_board, game.position)}
    return copies if game.has_hand_flips or not len(game) else copies | {"moves": partial(transcript_of, game)}


def last_placement(game: Game) -> Ply | None:
    """Return the latest placement of a game."""
    return next((ply for ply in reversed(game) if not ply.is_pass), None)


class BoardScreen(Screen[T]):
    """A screen with a board.

    Attributes:
        KEYS: the keys, which the bar below and the help show.
        BARS: the lines above and below the board.
        SIDE: the names of what is beside the board.
        BELOW: the names of what is below it.
        TAKEN_BACK: for letters that begin squares, the action that takes back what the letter alone does.
    """

    KEYS: ClassVar[tuple[Key, ...]] = ()
    BARS: ClassVar[int] = 4
    SIDE: ClassVar[tuple[str, ...]] = ()
    BELOW: ClassVar[tuple[str, ...]] = ()
    TAKEN_BACK: ClassVar[Mapping[str, str]] = {}

    DEFAULT_CSS: ClassVar[str] = """
    BoardScreen { layout: vertical; }
    BoardScreen > #title, BoardScreen > #keys { height: 1; background: $panel; }
    BoardScreen > #middle { height: 1fr; }
    BoardScreen #side { width: 1fr; padding: 0 1; }
    BoardScreen > #small { display: none; height: 1fr; padding: 1; }
    BoardScreen.small > * { display: none; }
    BoardScreen.small > #small { display: block; }
    """

    def __init_subclass__(cls, **options: bool) -> None:
        cls.BINDINGS = [Binding(keys, act, key.meaning, show=False) for key in cls.KEYS for keys, act in key.bound]
        super().__init_subclass__(**options)

    def __init__(self, size: BoardSize, look: BoardTheme) -> None:
        super().__init__()
        self.look = look
        self._board_size = size
        self._note = ""
        self._typed = ""  # the last two characters
        self._on_board: Position | None = None
        self._pointed: tuple[Lines, int] | None = None

    def on_mount(self) -> None:
        self.screen_layout_refresh_signal.subscribe(self, self._point)

    def compose(self) -> ComposeResult:
        yield Lines(id="title")
        with Horizontal(id="middle"):
            yield BoardWidget(self._board_size, self.look, id="board")
            with Vertical(id="side"):
                yield from self.compose_side()
        yield from self.compose_below()
        yield KeyBar(id="keys")
        yield Lines(id="small")

    def compose_side(self) -> ComposeResult:
        yield from (Lines(id=name) for name in self.SIDE)

    def compose_below(self) -> ComposeResult:
        yield from (Lines(id=name) for name in self.BELOW)

    def update(self) -> None: ...

    def close_down(self) -> None:
        """Stop what goes on behind the screen: the program ends."""

    def on_replied(self, message: Replied) -> None:
        """Use the answer to a question."""
        if isinstance(message.request, Question):
            settle(message)

    def on_resize(self) -> None:
        """Fit everything into the terminal's new size."""
        self.update()

    def fit(self, size: BoardSize | None = None) -> None:
        """Give the board the room that is left for it."""
        room = (max(self.size.width - SIDE_WIDTH, 20), max(self.size.height - self.BARS, 6))
        self.board.fit(size or self._board_size, self.look, *room)

    def fit_or_say(self, bars: int, way_out: str) -> bool:
        """Give the board its room; where the terminal is too small, show only that, and return false.

        Args:
            bars: the lines above and below the board.
            way_out: what to do beside enlarging the terminal.
        """
        width, height = self.size
        fits = width >= LEAST_SIZE[0] and height >= LEAST_SIZE[1]
        fits = fits and self.board.fit(self._board_size, self.look, width - SIDE_WIDTH, height - bars)
        self.set_class(not fits, "small")
        if not fits:
            text = f"{too_small(width, height)}; enlarge it, {way_out}.".capitalize()
            lines = textwrap.wrap(text, max(width - 2, 1))
            self.query_one("#small", Lines).show([[Cell(line)] for line in lines])
        return fits

    def action_cursor(self, rows: int, columns: int) -> None:
        self.board.move_cursor(rows, columns)

    @property
    def placements(self) -> int:
        """The bits of the squares that the cursor goes to from one legal move to the next."""
        return 0

    @property
    def words_beside(self) -> Sequence[str]:
        """The words beside the board that somebody needs who reads it in words."""
        return ()

    def action_next_move(self, step: int) -> None:
        """Move the cursor to the next legal placement, around the board, or to the previous one."""
        squares = [square.index for square in SQUARES if self.placements & square.bit][::step]
        later = (square for square in squares if (square - self.board.cursor) * step > 0)
        self.board.cursor = next(later, squares[0] if squares else self.board.cursor)

    def action_page(self, pages: int) -> None:
        """Scroll what scrolls beside the board."""
        self.query_one(Scrolled).page(pages)

    def action_help(self) -> None:
        self.read("Keys", key_lines(key_table(self.KEYS)))

    def on_key(self, event: events.Key) -> None:
        """Remember the key: with a digit after it, its letter was the first of a square."""
        self._typed = (self._typed + (event.character or " "))[-2:]

    async def action_type(self) -> None:
        """Ask for moves, and make them; what somebody has typed of a square stands there already."""
        from reversi.tui.dialogs import AskMoves

        is_square = _SQUARE.fullmatch(self._typed) is not None
        if is_square and (action := self.TAKEN_BACK.get(self._typed[0])):
            await self.run_action(action)
            self.say("")
        last = self._typed[-1:]
        typed, self._typed = self._typed if is_square else last if last in _BEGINS else "", ""

        def use(text: str) -> str:
            try:
                self.take(typed_moves(text))
            except IllegalMoveError as error:  # without the board, which the player sees
                raise InputError(f"{error.text}: {error.reason}") from None
            return ""

        self.app.push_screen(AskMoves(typed, use))

    def take(self, moves: Sequence[Move]) -> None:
        """Make moves that somebody types.

        Raises:
            ReversiError: they cannot be made; none of them is.
        """

    def action_say(self, line: str) -> None:
        """Say the square at the cursor and its row or column, or the discs, where notes stand."""
        position, name_of = self._on_board, self.look.name_of
        if position is None:
            return
        square = str(SQUARES[self.board.cursor])
        places = (square, square[line == "row"]) if line else ()
        said = [read_aloud(position, place, name_of) for place in places]
        self.say(" ".join(said or [count_sentence(position, name_of)]))

    def action_aloud(self) -> None:
        """Show what is asked, the board and the discs in words, and nothing beside them."""
        if (position := self._on_board) is not None:
            from reversi.tui.dialogs import Reading

            rows = read_aloud(position, "", self.look.name_of).split("\n")
            lines = [*filter(None, self.words_beside), *rows, count_sentence(position, self.look.name_of)]
            self.app.push_screen(Reading("In words", lines, whole=True))

    def point(self, widget: Lines, line: int) -> None:
        """Put the cursor of the terminal before a line: a screen reader reads there."""
        self._pointed = widget, line
        self._point()

    def _point(self, _: object = None) -> None:
        """Put the cursor of the terminal back where it belongs: the widgets may have moved."""
        if self.is_active and self._pointed is not None:
            widget, line = self._pointed
            self.app.cursor_position = widget.content_region.offset + Offset(0, line)

    def on_paste(self, event: events.Paste) -> None:
        self.pasted(event.text)

    def pasted(self, text: str) -> None:
        """Take what somebody pastes without a box."""
        self.say("The screen of the game opens what is pasted; Esc goes back there.")

    def action_copy(self) -> None:
        """Copy a text to the clipboard of the terminal: the one there is, or the one that somebody chooses."""
        from reversi.tui.dialogs import Choose

        copies = self.copies()

        def answer(what: str | None) -> None:
            if what is not None:
                self.app.copy_to_clipboard(copies[what]())
                self.say(f"Copied the {what}.")

        if len(copies) == 1:
            answer(next(iter(copies)))
        elif copies:
            self.app.push_screen(Choose("Copy", tuple(copies)), answer)

    def copies(self) -> dict[str, Callable[[], str]]:
        """Return what can be copied, each with what makes its text."""
        return {}

    def say(self, text: str) -> None:
        """Show a note in place of the one before."""
        self._note = text
        self.update()

    def action_leave(self) -> None:
        self.dismiss(None)

    @property
    def board(self) -> BoardWidget:
        return self.query_one("#board", BoardWidget)

    def show_board(
        self,
        position: Position,
        marks: int = 0,
        last: Move | Ply | None = None,
        labels: Iterable[tuple[Move, str]] = (),
        outlined: Sequence[Square] | None = None,
    ) -> None:
        """Show a position; a pass has no square for a mark or a label.

        Args:
            position: the position.
            marks: as in `View`.
            last: the latest turn.
            labels: short texts on the squares of moves.
            outlined: the discs to outline; by default those that the latest turn flipped.
        """
        self._on_board = position
        move = last.move if isinstance(last, Ply) else last
        if outlined is None:
            outlined = last.flips if isinstance(last, Ply) else ()
        square = -1 if move is None or move.is_pass else move.index
        texts = {move.index: text for move, text in labels if not move.is_pass}
        bits = sum(square.bit for square in outlined)
        self.board.show(View(position.black, position.white, marks, square, labels=texts, outlined=bits))

    @property
    def side_width(self) -> int:
        return max(self.size.width - self.board.layout_now.size[0] - 2, 10)

    def confirm(self, question: str, act: Callable[[], object]) -> None:
        """Do something if somebody says yes."""
        from reversi.tui.dialogs import Confirm

        def answer(sure: bool | None) -> None:
            if sure:
                act()

        self.app.push_screen(Confirm(question), answer)

    @staticmethod
    def open(widget: Lines, height: int) -> None:
        """Give a widget ``height`` lines, or hide it."""
        if widget.display != bool(height):
            widget.display = bool(height)
        if height and (widget.styles.height is None or widget.styles.height.value != height):
            widget.styles.height = height

    def read(self, heading: str, lines: Sequence[str]) -> None:
        """Show lines to read beside the board."""
        from reversi.tui.dialogs import Reading

        self.app.push_screen(Reading(heading, lines, lambda: self.board.layout_now.size[0]))

    def show_title(self, *parts: str) -> None:
        """Show as many parts as fit whole, the first ones; an empty one is none."""
        parts = tuple(filter(None, parts))
        while len(parts) > 1 and width_of(self.look.dash.join(parts)) >= self.size.width:
            parts = parts[:-1]
        text = cut(self.look.dash.join(parts), max(self.size.width - 1, 1), self.look.ellipsis)
        self.query_one("#title", Lines).show([[Cell(f" {text}", bold=True)]])

    def show_keys(self, keys: Iterable[Key]) -> None:
        self.query_one("#keys", KeyBar).show(keys, self.look.accent)
