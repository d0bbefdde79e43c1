"""The Textual application around a game."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections import deque
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme

from reversi.analysis.exercises.drill import Drill
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.session import Session
from reversi.tui.play_screen import PlayScreen
from reversi.tui.preferences import Preferences
from reversi.tui.themes import SIXTEEN, THEMES, BoardTheme, shown_themes

_PATIENCE_S: Final = 5.0
"""How long a key waits for the one before; only a call that is lost on its way takes so long."""


def _textual_theme(theme: BoardTheme) -> Theme:
    """Return the colors of bars, boxes and text that go with a board."""
    name = f"reversi-{theme.name}"
    if theme.colorless:
        return Theme(
            name=name,
            ansi=True,
            primary="ansi_default",
            secondary="ansi_default",
            warning="ansi_default",
            error="ansi_default",
            success="ansi_default",
            accent="ansi_default",
            foreground="ansi_default",
            background="ansi_default",
            surface="ansi_default",
            panel="ansi_default",
            boost="ansi_default",
            variables=BUILTIN_THEMES["ansi-dark"].variables,
        )
    return Theme(
        name=name,
        primary=theme.accent,
        secondary=theme.squares[0],
        accent=theme.accent,
        warning=theme.accent,
        error=theme.last,
        success=theme.mark,
        foreground=theme.text,
        background=theme.background,
        surface=theme.panel,
        panel=theme.panel,
        dark=theme.dark,
    )


class ReversiApp(App[bool]):
    """The full-screen board; it returns whether Ctrl-C or a signal ended it.

    Args:
        session: the session; the application begins it, and pauses it at the end.
        theme: the name of the first theme.
        no_color: whether to use only the terminal's own colors.
        colors: whether the terminal shows more than sixteen colors.
        unicode: whether the terminal shows more than ASCII.
        preferences: keeps the player's choice of a theme.
        pace: the minimum time of an engine's move in seconds.
        database: the file of the database of games, for the explorer; ``None`` for none.
        drill: exercises to ask instead of the session, which has no part then.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
        results: keeps the finished games in the personal history.
    """

    TITLE = "Reversi"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        # before everything that has the focus, in dialogs and the editor too
        Binding("ctrl+c", "interrupt", "leave with exit status 130", show=False, priority=True)
    ]
    CSS = "BoardScreen { background: $background; color: $foreground; }"  # boxes leave the board visible

    def __init__(
        self,
        session: Session,
        theme: str,
        *,
        no_color: bool = False,
        colors: bool = True,
        unicode: bool = True,
        preferences: Preferences | None = None,
        pace: float = 0.35,
        database: Path | None = None,
        show_evaluation: bool = False,
        results: HistoryKeeper | None = None,
        drill: Drill | None = None,
    ) -> None:
        # set from the start: Textual's treatment of colors under NO_COLOR depends on it
        super().__init__(ansi_color=True if no_color else None)
        self.session = session
        looks = THEMES if colors else SIXTEEN
        self._first_theme = looks[theme]
        self._looks = shown_themes(no_color=no_color, colors=colors, unicode=unicode)
        self._preferences = preferences or Preferences()
        self._pace = pace
        self._database = database
        self._drill = drill
        self._show_evaluation = show_evaluation
        self._results = results
        self._keys: deque[events.Key | events.Paste] = deque()  # the first one is on its way
        self._sent_at = 0.0
        for look in looks.values():
            self.register_theme(_textual_theme(look))
        self.theme = f"reversi-{theme}"

    def get_default_screen(self) -> Screen[None]:
        if self._drill is not None:
            from reversi.tui.exercise_screen import ExerciseScreen

            return ExerciseScreen(self._drill, self._first_theme)
        return PlayScreen(
            self.session,
            self._first_theme,
            looks=self._looks,
            keep_theme=self._preferences.keep_theme,
            pace=self._pace,
            database=self._database,
            show_evaluation=self._show_evaluation,
            results=self._results,
            keep_name=self._preferences.keep_name,
        )

    def on_mount(self) -> None:
        """Leave in an orderly way on a signal."""
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(NotImplementedError):  # on Windows; Textual reads Ctrl-C as a key there
                    loop.add_signal_handler(number, self.exit, True)

    async def on_event(self, event: events.Event) -> None:
        """Hand on one key after the other: the next one only when the one before has done its work.

        A field takes a letter at once, but the application runs the action of any other key, after the key has
        gone up to it from the widget with the focus: the next letter would overtake it.
        """
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        if self._keys and time.monotonic() - self._sent_at > _PATIENCE_S:
            self._keys.popleft()
        self._keys.append(event)
        if self._keys[0] is event:
            await self._send_key()

    async def _send_key(self) -> None:
        """Hand on the first key, and let a call follow it on its way."""
        event, target = self._keys[0], self.focused or self.screen
        self._sent_at = time.monotonic()
        await super().on_event(event)
        self._follow(event, target if event.is_forwarded else None)

    def _follow(self, event: events.Key | events.Paste, node: DOMNode | None) -> None:
        """Go up from widget to widget behind a key; each reads its messages in their order."""
        if node is None or node is self:
            self.call_later(self._finish_key, event)
        elif not node.call_later(self._follow, event, node.parent):  # it is closed by now
            self._follow(event, node.parent)

    async def _finish_key(self, event: events.Key | events.Paste) -> None:
        if self._keys and self._keys[0] is event:
            self._keys.popleft()
            if self._keys:
                await self._send_key()

    async def action_quit(self) -> None:
        """Leave, also by Textual's own key."""
        self.exit(False)

    def action_interrupt(self) -> None:
        self.exit(True)

    def exit(self, result: bool | None = None, *args: Any, **kwargs: Any) -> None:
        """Leave: stop the engine and the clocks, and save the game."""
        with contextlib.suppress(KeyError):  # before there is a screen
            for screen in self.screen_stack:
                if isinstance(screen, PlayScreen):
                    screen.close_down()
        super().exit(result, *args, **kwargs)
