"""Lists of games to choose from, and the conditions on those of a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from reversi.games.conditions import parse_selection
from reversi.games.names import folded
from reversi.games.selection import Selection
from reversi.records.entry import Entry
from reversi.records.facts import opening_of
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.tui.board_drawing import Cell
from reversi.tui.dialogs import Box
from reversi.tui.fields import row
from reversi.tui.sentences import printable
from reversi.tui.widgets import Lines

_MEANINGS = {
    "player": "words of a name; two names with / between them for a pairing",
    "black": "words of the name of the player who moves first",
    "white": "words of the name of the other player",
    "event": "words of the event",
    "year": "1997, 1990-1999, 1990- or -1999",
    "result": "black, white, draw, decided, undecided, ...",
    "opening": "a name, moves or a board",
}


def entry_lines(entries: Sequence[Entry]) -> list[str]:
    """Return one line per game of a file, as `record_lines` does; it says which are damaged."""
    return [_record_line(entry.record, damaged=bool(entry.findings)) for entry in entries]


def record_lines(records: Sequence[Record]) -> list[str]:
    """Return one line per game: year, result, players, opening, event."""
    return [_record_line(record) for record in records]


def _record_line(record: Record, *, damaged: bool = False) -> str:
    event = record.tags["Event"]
    about = [event] if event not in ("?", "") else []
    if damaged:
        about.insert(0, "damaged")
    elif record.rules != OTHELLO:
        about.insert(0, str(record.rules))
    elif (named := opening_of(record)) is not None:
        about.insert(0, str(named.opening))
    year = record.tags["Date"][:4].replace("?", "") or "????"
    players = f"{record.black} - {record.white}"
    return printable(f"{year:>4}  {record.result:>7}  {players:<38}  {', '.join(about)}".rstrip())


class GameList(Box[int]):
    """A list to choose from by keys, mouse and words; it returns the number of a line from 0, or ``None``."""

    DEFAULT_CSS: ClassVar[str] = """
    GameList > .frame { width: 100%; height: 100%; }
    GameList #find { width: 100%; }
    GameList #list { width: 100%; height: 1fr; }
    GameList #end { width: 100%; height: 1; text-style: dim; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
        Binding("ctrl+home", "move(-1000000)", show=False, priority=True),
        Binding("ctrl+end", "move(1000000)", show=False, priority=True),
        Binding("enter", "choose", show=False, priority=True),
    ]

    def __init__(self, heading: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._heading = heading
        self._lines = tuple(lines)
        self._shown = list(range(len(self._lines)))  # the numbers of the lines with the words
        self._at = 0
        self._first = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="frame"):
            yield Static(self._heading, classes="heading", markup=False)
            yield Input(placeholder="words to find", id="find", select_on_focus=False)
            yield Lines(id="list")
            yield Static("", id="end", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    @on(Input.Changed)
    def find(self, event: Input.Changed) -> None:
        """Show the lines with all of the words."""
        words = folded(event.value).split()
        self._shown = [
            number for number, line in enumerate(self._lines) if all(word in folded(line) for word in words)
        ]
        self._at = 0
        self._show()

    def _show(self) -> None:
        widget = self.query_one("#list", Lines)
        height = max(widget.size.height, 1)
        self._first = max(min(self._at - height // 2, len(self._shown) - height), 0)
        pointer = self.look.pointer
        lines = []
        for at, number in enumerate(self._shown[self._first : self._first + height], self._first):
            here = at == self._at
            lines.append([Cell(f"{pointer if here else ' '} {self._lines[number]}", bold=here)])
        widget.show(lines or [[Cell("  No game has these words.")]])
        place = f"{self._at + 1} of {len(self._shown)}" if self._shown else "0"
        self.query_one("#end", Static).update(f"{place}   arrows and Enter or a click choose, Esc closes")

    def action_move(self, step: int) -> None:
        self._at = min(max(self._at + step, 0), max(len(self._shown) - 1, 0))
        self._show()

    def action_page(self, pages: int) -> None:
        self.action_move(pages * max(self.query_one("#list", Lines).size.height - 1, 1))

    @on(Lines.Clicked, "#list")
    def clicked(self, message: Lines.Clicked) -> None:
        """Choose a line."""
        at = self._first + message.y
        if at < len(self._shown):
            self.dismiss(self._shown[at])

    def action_choose(self) -> None:
        if self._shown:
            self.dismiss(self._shown[self._at])


def selection_of(asked: Mapping[str, str], rules: Rules = OTHELLO) -> Selection:
    """Return the selection that the lines of `AskFilter` ask for.

    Raises:
        SelectionError: a line cannot be understood.
    """
    names = [name.strip() for name in asked.get("player", "").split("/") if name.strip()]
    return parse_selection({name: [text] for name, text in asked.items()} | {"player": names}, rules)


def words_of(asked: Mapping[str, str]) -> str:
    """Return the lines of `AskFilter` as a sentence has them."""
    return ", ".join(f"{name} {text}" for name, text in asked.items())


class AskFilter(Box[dict[str, str]]):
    """Asks for conditions on games, a text each.

    Args:
        rules: the rules of the opening.
    """

    DEFAULT_CSS: ClassVar[str] = """
    AskFilter > .frame { width: 78; }
    AskFilter .row { height: 1; }
    AskFilter .name { width: 9; }
    AskFilter .row Input { width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "app.focus_next", show=False),
        Binding("up,shift+tab", "app.focus_previous", show=False),
    ]

    def __init__(self, now: Mapping[str, str], rules: Rules = OTHELLO) -> None:
        super().__init__()
        self._now = now
        self._rules = rules

    def compose(self) -> ComposeResult:
        """Yield a line per condition, and room for an error."""
        with Vertical(classes="frame"):
            yield Static("Which games count", classes="heading", markup=False)
            for name, meaning in _MEANINGS.items():
                line = Input(self._now.get(name, ""), placeholder=meaning, id=name, select_on_focus=False)
                yield from row(self.look.worded(name.capitalize()), line)
            yield Static("", classes="failure", markup=False)
            yield Static("Enter confirms, Esc cancels; empty: any", classes="advice", markup=False)

    def on_input_submitted(self) -> None:
        """Enter in a line confirms all of them."""
        lines = {name: self.query_one(f"#{name}", Input).value.strip() for name in _MEANINGS}
        asked = {name: text for name, text in lines.items() if text}

        def checked() -> dict[str, str]:
            selection_of(asked, self._rules)
            return asked

        self.finish(checked)
