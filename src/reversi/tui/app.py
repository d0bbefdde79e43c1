"""The Textual application around a game."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import IO, Any, ClassVar, Final

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme

from reversi.tui.board_screen import BoardScreen
from reversi.tui.preferences import Preferences
from reversi.tui.themes import SIXTEEN, THEMES, BoardTheme, shown_themes

_LOOK_S: Final = 1.0
"""How often to look whether the terminal is still there: no signal says so where the program was not its own."""
_PATIENCE_S: Final = 5.0
"""How long a key waits for the one before it; a call takes that long only when it gets lost."""


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


class LastingFile:
    """A terminal to write to; when it is gone, what is written is lost.

    Textual writes in a thread, which an error would end; the program would then wait for it for ever.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()


class ReversiApp(App[bool]):
    """The full screen; it returns whether Ctrl-C or a signal ended it.

    Args:
        first: makes the first screen from its theme, the themes to choose from, and the preferences.
        no_color: whether to use only the terminal's own colors.
        colors: whether the terminal shows more than sixteen colors.
    """

    TITLE: str | None = "Reversi"
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        # before everything that has the focus, in dialogs and the editor too
        Binding("ctrl+c", "interrupt", "leave with exit status 130", show=False, priority=True)
    ]
    CSS: ClassVar[str] = (
        "BoardScreen { background: $background; color: $foreground; }"  # boxes leave the board visible
    )

    def __init__(
        self,
        first: Callable[[BoardTheme, Mapping[str, BoardTheme], Preferences], Screen[None]],
        theme: str,
        *,
        no_color: bool = False,
        colors: bool = True,
        unicode: bool = True,
        preferences: Preferences | None = None,
    ) -> None:
        # set from the start: Textual's treatment of colors under NO_COLOR depends on it
        super().__init__(ansi_color=True if no_color else None)
        looks = THEMES if colors else SIXTEEN
        shown = shown_themes(no_color=no_color, colors=colors, unicode=unicode)
        kept = preferences or Preferences()
        self._first = partial(first, looks[theme].seen(kept.view), shown, kept)
        self._keys: deque[events.Key | events.Paste] = deque()  # the first one is on its way
        self._sent_at = 0.0
        for look in looks.values():
            self.register_theme(_textual_theme(look))
        self.theme = f"reversi-{theme}"

    def get_default_screen(self) -> Screen[None]:
        return self._first()

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver, with a file that outlives the terminal."""
        base = super().get_driver_class()

        class Lasting(base):  # type: ignore[misc, valid-type]
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                if (file := vars(self).get("_file")) is not None:
                    self._file = LastingFile(file)

        return Lasting

    def on_mount(self) -> None:
        """Leave in an orderly way on a signal, and when the terminal is gone without one."""
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(NotImplementedError):  # on Windows; Textual reads Ctrl-C as a key there
                    loop.add_signal_handler(number, self.exit, True)
        if not self.is_headless and sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(_LOOK_S, self._leave_without_terminal)

    def _leave_without_terminal(self) -> None:
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            self.exit(True)

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
                if isinstance(screen, BoardScreen):
                    screen.close_down()
        super().exit(result, *args, **kwargs)
