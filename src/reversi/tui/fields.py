"""Fields of a dialog that need one line and only ASCII: a choice, and a line to paste into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static

from reversi.tui.sentences import printable


class Choice(Widget, can_focus=True):
    """One of several options: the arrow keys, Space or a click select the next one."""

    DEFAULT_CSS: ClassVar[str] = """
    Choice { height: 1; width: 1fr; }
    Choice:focus { text-style: bold; color: $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", show=False),
        Binding("left,h", "step(-1)", show=False),
    ]
    at: reactive[int] = reactive(0)

    class Changed(Message):
        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> Choice:
            return self.choice

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        value: str,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._options = tuple(options)
        self.set_reactive(Choice.at, self._place_of(value))

    def _place_of(self, value: str) -> int:
        return next((at for at, (_, meant) in enumerate(self._options) if meant == value), 0)

    @property
    def value(self) -> str:
        return self._options[self.at][1]

    def take(self, value: str) -> None:
        """Select an option without a message; an unknown value changes nothing."""
        self.at = next((at for at, (_, meant) in enumerate(self._options) if meant == value), self.at)

    def render(self) -> Content:
        return Content(f"< {self._options[self.at][0]} >")

    def action_step(self, step: int) -> None:
        self.at = (self.at + step) % len(self._options)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """Select the next option, on the left arrow the previous one."""
        self.action_step(-1 if event.x < 2 else 1)


def row(name: str, widget: Widget, after: str = "") -> ComposeResult:
    """Yield a line of a dialog: what it is for, its field, and what there is to know about it."""
    with Horizontal(classes="row"):
        yield Static(name, classes="name", markup=False)
        yield widget
        if after:
            yield Static(after, classes="after", markup=False)


class PasteLine(Input):
    """A line of text; it shows pasted lines as one, and keeps them until the player changes the text."""

    _pasted: tuple[str, str] = ("", "")

    @property
    def whole(self) -> str:
        """The text, with its lines if it was pasted."""
        shown, pasted = self._pasted
        return pasted if pasted and self.value == shown else self.value

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        lines = event.text.strip("\r\n").splitlines()
        before = self.value
        self.insert_text_at_cursor(printable(" / ".join(line.strip() for line in lines)))
        if len(lines) > 1 and not before:
            self._pasted = (self.value, "\n".join(lines))
