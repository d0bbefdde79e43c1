"""The dialog for a new game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from reversi.color import Color
from reversi.errors import RulesError
from reversi.rules import describe, parse_rules
from reversi.session.session import Flipping, Session
from reversi.tui.dialogs import Box
from reversi.tui.fields import Choice, PasteLine, row
from reversi.tui.keybar import KeyBar
from reversi.tui.keys import Key
from reversi.tui.sentences import printable
from reversi.tui.setup import (
    BALANCED,
    RULE_SETS,
    Setup,
    book_text,
    clock_text,
    format_strength,
    opening_names,
    read_setup,
)
from reversi.tui.themes import THEMES

_OWN = "own"
_KEYS = (
    Key("f5", "start", "F5", "begin the game", "or Enter: begin the game"),
    Key("escape", "cancel", "Esc", "return to the present game", "cancel"),
)


class NewGame(Box[Setup]):
    """Asks for the choices of a new game, and returns them, or ``None``.

    Args:
        session: the session; its present choices come first.
    """

    DEFAULT_CSS: ClassVar[str] = """
    NewGame > .frame { width: 78; }
    NewGame VerticalScroll { height: auto; scrollbar-size: 0 0; }
    NewGame .row { height: 1; }
    NewGame .name { width: 10; }
    NewGame .row Input { width: 1fr; }
    NewGame .short, NewGame .row .short { width: 18; }
    NewGame #about { min-height: 4; }
    NewGame .after { width: 1fr; text-style: dim; padding: 0 1; }
    NewGame KeyBar { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "start", show=False),
        Binding("enter", "start", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(self, session: Session, theme: str, themes: Sequence[str] = tuple(THEMES)) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._themes = tuple(themes)

    def compose(self) -> ComposeResult:
        session = self._session
        rules = str(session.rules)
        engines = [side for side in session.sides.values() if side.level is not None]
        strength = format_strength(engines[0]) if engines else "5"
        yes_no = [("no", ""), ("yes", "yes")]
        with Vertical(classes="frame"):
            yield Static("New game (arrows: fields and choices)", classes="heading", markup=False)
            with VerticalScroll(can_focus=False):
                yield from self._choice(
                    "Rules", "preset", [*RULE_SETS, ("as written below", _OWN)], _OWN, width=""
                )
                yield from self._line("", "rules", rules)
                yield Static("", id="about", classes="advice", markup=False)
                for color, name in zip(Color, THEMES[self._theme].names, strict=True):
                    value = "" if session.sides[color].is_engine else "yes"
                    people = [("the engine", ""), ("a person", "yes")]
                    after = "moves first" if color is Color.BLACK else ""
                    yield from self._choice(name, color.name.lower(), people, value, after)
                yield from self._line("Name", "name", self._name_of_person(), "for records and history")
                yield from self._line("Engine", "strength", strength, "auto, 1-60, 2 s, beginner-1, people-1400")
                yield from self._line("Clock", "clock", clock_text(session), "as 5:00+3 or 5:00+3x30")
                opening = PasteLine(
                    placeholder=f"none; {BALANCED}, name, moves, board, FILE#3@20",
                    suggester=SuggestFromList([BALANCED, *opening_names()], case_sensitive=False),
                    id="opening",
                )
                yield from row("Opening", opening)
                book = Input(book_text(session), placeholder="none; standard, or FILE, FILE", id="book")
                yield from row("Book", book)
                themes = [(f"{name}: {THEMES[name].title}", name) for name in self._themes]
                yield from self._choice("Colors", "theme", themes, self._theme, width="")
                manual = "yes" if session.flipping is Flipping.MANUAL else ""
                yield from self._choice("By hand", "manual", yes_no, manual, "the players flip the discs")
                takebacks = "yes" if session.takebacks else ""
                yield from self._choice("Undo", "takebacks", yes_no, takebacks, "moves may be taken back")
                allowed = "yes" if session.help_allowed else ""
                after = "hints and explorer with a clock"
                yield from self._choice("Help", "help", yes_no, allowed, after)
                yield Static("", classes="failure", markup=False)
            yield KeyBar(id="keys")

    def _name_of_person(self) -> str:
        people = [side for side in self._session.sides.values() if not side.is_engine]
        return people[0].name if people else ""

    @staticmethod
    def _choice(
        name: str,
        field: str,
        options: Sequence[tuple[str, str]],
        value: str,
        after: str = "",
        width: str = "short",
    ) -> ComposeResult:
        yield from row(name, Choice(options, value, id=field, classes=width), after)

    @staticmethod
    def _line(name: str, field: str, value: str, after: str = "") -> ComposeResult:
        line = Input(value, id=field, classes="short" if after else "", select_on_focus=False)
        yield from row(name, line, after)

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(_KEYS, "")
        self._say_rules(self._text("rules"))

    def on_resize(self) -> None:
        """Leave room for the frame, the heading and the keys."""
        self.query_one(VerticalScroll).styles.max_height = max(self.size.height - 4, 1)

    @on(Choice.Changed, "#preset")
    def use_preset(self, event: Choice.Changed) -> None:
        """Write the chosen rule set into the line below."""
        if event.choice.value != _OWN:
            line = self.query_one("#rules", Input)
            line.value = event.choice.value
            line.cursor_position = len(line.value)

    @on(Input.Changed, "#rules")
    def rules_changed(self, event: Input.Changed) -> None:
        self._say_rules(event.value)

    def _say_rules(self, text: str) -> None:
        try:
            said = describe(parse_rules(text or "othello"))
        except RulesError as error:
            said = printable(str(error))
        self.query_one("#about", Static).update(said)
        named = {rules for _, rules in RULE_SETS}
        self.query_one("#preset", Choice).take(text if text in named else _OWN)

    def on_input_submitted(self) -> None:
        """Enter in a line begins the game."""
        self.action_start()

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value

    def _value(self, name: str) -> str:
        return self.query_one(f"#{name}", Choice).value

    def action_start(self) -> None:
        self.finish(
            lambda: read_setup(
                rules=self._text("rules"),
                black=bool(self._value("black")),
                white=bool(self._value("white")),
                strength=self._text("strength"),
                clock=self._text("clock"),
                opening=self.query_one(PasteLine).whole,
                manual=bool(self._value("manual")),
                takebacks=bool(self._value("takebacks")),
                theme=self._value("theme"),
                name=self._text("name"),
                help_allowed=bool(self._value("help")),
                encoding=self._session.encoding,
                book=None if (book := self._text("book")) == book_text(self._session) else book,
            )
        )
