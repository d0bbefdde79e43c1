"""Small boxes over the board: a text to read, a question, a line of text to enter."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input, Static

import reversi._regex as re
from reversi.errors import ReversiError
from reversi.tui.fields import PasteLine
from reversi.tui.paths import complete_path
from reversi.tui.sentences import printable
from reversi.tui.themes import DEFAULT, THEMES, BoardTheme, Drawing

_NAMES = 12
"""Names of files shown at once."""
_FRAME = 4
"""Columns of a frame and the blanks beside its text."""
_COLUMN = re.compile(r"[-+] | *\S.*? {2,}(?=\S)")
"""The first column of a line that has two; the sign of a reason is one."""
_NARROWEST = 24
"""Columns below which a text beside the board is no longer readable: it covers the board then."""


class Box(ModalScreen[ScreenResultType]):
    """The base of the boxes: a frame in the middle of the screen, in ASCII where the theme is."""

    DEFAULT_CSS: ClassVar[str] = """
    Box { align: center middle; background: $background 60%; }
    Box.colorless { background: transparent; }
    Box > .frame {
        width: auto; max-width: 100%; height: auto; max-height: 100%;
        padding: 0 1; border: round $accent; background: $surface; color: $foreground;
    }
    Box.ascii > .frame { border: ascii $accent; }
    Box .heading { text-style: bold; width: auto; max-width: 100%; }
    Box .failure { color: $error; text-style: bold; width: 100%; height: auto; }
    Box .advice { text-style: dim; width: 100%; height: auto; }
    Box Input { border: none; height: 1; padding: 0; background: $background; }
    Box Input:focus { border: none; background: $boost; text-style: bold; }
    Box.colorless Input { text-style: underline; }
    Box.colorless Input > .input--cursor { text-style: reverse; }
    Box.colorless Choice:focus { text-style: reverse; }
    Box.colorless Button:focus { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("ctrl+c", "cancel", show=False, priority=True),
    ]

    def on_mount(self) -> None:
        self.set_class(self.look.colorless, "colorless")
        self.set_class(self.look.drawing is Drawing.ASCII, "ascii")
        self.screen_layout_refresh_signal.subscribe(self, self._point)

    def on_descendant_focus(self) -> None:
        self._point()

    def _point(self, _: object = None) -> None:
        """Put the cursor of the terminal in the line to write, else before the choice or the text to read."""
        if self.is_current:
            place = self.focused or (self.query(".place") or self.query(".heading")).first()
            offset = place.cursor_screen_offset if isinstance(place, Input) else place.region.offset
            self.app.cursor_position = offset

    @property
    def look(self) -> BoardTheme:
        """The theme of the board below; of its colors the widgets take care."""
        return THEMES.get(self.app.theme.removeprefix("reversi-"), THEMES[DEFAULT])

    def finish(self, make: Callable[[], ScreenResultType]) -> None:
        """Close the box with what is made; where that is refused, show why, so that the player can correct it."""
        try:
            made = make()
        except (ReversiError, OSError, ValueError) as error:
            failure = self.query_one(".failure", Static)
            failure.update(printable(str(error)))
            failure.scroll_visible(animate=False)
        else:
            self.dismiss(made)

    def action_cancel(self) -> None:
        self.dismiss(None)


class Reading(Box[None]):
    """Lines to read, beside the board, which stays visible; Escape, Enter, q or the key that opened them closes.

    Args:
        lines: the lines; long ones wrap, those of two columns with blanks between them within the second one.
        beside: returns the columns at the left that the box leaves free; the screen below may change them.
        whole: cover the lines whole: who reads them line by line with a screen reader hears nothing else.
    """

    DEFAULT_CSS: ClassVar[str] = """
    Reading { align: right top; background: transparent; }
    Reading VerticalScroll { width: auto; max-width: 100%; height: auto; scrollbar-size: 0 0; }
    Reading .text { width: auto; max-width: 100%; }
    Reading.whole > .frame { width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q,space,question_mark,f1,w,i,H", "cancel", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(
        self,
        heading: str,
        lines: Sequence[str],
        beside: Callable[[], int] = lambda: 0,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(classes="whole" if whole else None)
        self._heading = heading
        self._lines = tuple(lines)
        self._beside = beside

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines."""
        self._lines = tuple(lines)
        self._fit()

    def compose(self) -> ComposeResult:
        with Vertical(classes="frame"):
            yield Static(f"{self._heading} (Esc closes, the arrows scroll)", classes="heading", markup=False)
            with VerticalScroll(can_focus=False, classes="place"):
                yield Static("\n".join(self._lines), classes="text", markup=False)

    def on_resize(self) -> None:
        self.query_one(VerticalScroll).styles.max_height = max(self.size.height - 3, 1)
        self.call_after_refresh(self._fit)  # the board below takes its new size first

    def _fit(self) -> None:
        room = self.size.width - self._beside()
        room = room if room >= _NARROWEST else self.size.width
        self.query_one(".frame").styles.max_width = room
        wrapped = (_wrapped(line, max(room - _FRAME, 10)) for line in self._lines)
        self.query_one(".text", Static).update("\n".join(wrapped))

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _wrapped(line: str, width: int) -> str:
    column = _COLUMN.match(line)
    indent = column.end() if column is not None and 2 * column.end() <= width else 0
    return textwrap.fill(line, width, subsequent_indent=" " * indent, drop_whitespace=True) or ""


class Confirm(Box[bool]):
    """A question to answer with y or n."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", show=False),
        Binding("n,q", "answer(False)", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="frame"):
            yield Static(self._question, classes="heading", markup=False)
            yield Static("y yes   n no", classes="heading", markup=False)

    def action_answer(self, sure: bool) -> None:
        self.dismiss(sure)


class Choose(Box[str]):
    """Asks which of several things; the first letter of each chooses it."""

    def __init__(self, heading: str, names: Sequence[str]) -> None:
        super().__init__()
        self._heading = heading
        self._names = names

    def compose(self) -> ComposeResult:
        with Vertical(classes="frame"):
            yield Static(self._heading, classes="heading", markup=False)
            names = "   ".join(f"{name[0]} {name}" for name in self._names)
            yield Static(f"{names}   Esc cancels", classes="heading", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Take a letter."""
        if event.key in ("escape", "ctrl+c"):
            return
        event.stop()  # the screen behind has the same letters
        name = next((name for name in self._names if name[0] == event.key), None)
        if name is not None:
            self.dismiss(name)


class AskText(Box[str]):
    """A line of text to enter; after an error the box shows why, and the player can correct it.

    Args:
        use: uses the text, and returns a sentence for the player or raises the reason why not.
    """

    DEFAULT_CSS: ClassVar[str] = "AskText > .frame { width: 90%; max-width: 90; }"

    def __init__(self, heading: str, text: str, use: Callable[[str], str]) -> None:
        super().__init__()
        self._heading = heading
        self._text = text
        self._use = use

    def compose(self) -> ComposeResult:
        """Yield the heading, the line, and room for an error."""
        with Vertical(classes="frame"):
            yield Static(self._heading, markup=False)
            yield PasteLine(self._text, id="text", select_on_focus=False)
            yield Static("", classes="failure", markup=False)
            yield Static(self.advice, classes="advice", markup=False)

    advice = "Enter confirms, Esc cancels"
    may_be_empty = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = self.query_one(PasteLine).whole.strip()
        if text or self.may_be_empty:
            self.finish(lambda: self._use(text))


class AskNote(AskText):
    """A line for a mark and a comment; an empty one removes both."""

    advice = "Enter keeps the note, an empty line removes it, Esc cancels"
    may_be_empty = True


class AskMoves(AskText):
    """A line below the board for squares and moves; before a first digit there is room for its letter."""

    DEFAULT_CSS: ClassVar[str] = """AskMoves { align: center bottom; background: transparent; }"""

    def __init__(self, typed: str, use: Callable[[str], str]) -> None:
        super().__init__("A square as in f5, or moves as in f5d6", typed, use)

    def on_mount(self) -> None:
        if self._text.isdigit():
            self.query_one(PasteLine).cursor_position = 0


class AskFile(AskText):
    """A line for the name of a file, which Tab completes, or for pasted text; F2 asks for the database instead.

    It returns the sentence of ``use``, or `AskFile.DATABASE`.
    """

    DATABASE = "\0database"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False, priority=True),
        Binding("f2", "database", show=False, priority=True),
    ]
    advice = "Tab completes a path, F2 lists the games of the database, Enter confirms, Esc cancels"

    def action_complete(self) -> None:
        """Complete the path as far as it is certain, and show what follows."""
        line = self.query_one(PasteLine)
        text, names = complete_path(line.value)
        line.value = text
        line.cursor_position = len(text)
        more = f" ... {len(names)} in all" if len(names) > _NAMES else ""
        shown = "  ".join(names[:_NAMES]) if len(names) > 1 else "" if names else "No file begins so."
        self.query_one(".failure", Static).update(printable(shown + more))

    def action_database(self) -> None:
        self.dismiss(self.DATABASE)
