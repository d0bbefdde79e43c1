"""The Textual application around a game."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme

from reversi.analysis.exercises.drill import Drill
from reversi.session.history import HistoryKeeper
from reversi.session.session import Session
from reversi.tui.play_screen import PlayScreen
from reversi.tui.preferences import Preferences
from reversi.tui.themes import THEMES, BoardTheme, shown_themes

__all__ = ["ReversiApp"]


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
        self._first_theme = THEMES[theme]
        self._themes = shown_themes(no_color=no_color, unicode=unicode)
        self._preferences = preferences or Preferences()
        self._pace = pace
        self._database = database
        self._drill = drill
        self._show_evaluation = show_evaluation
        self._results = results
        for look in THEMES.values():
            self.register_theme(_textual_theme(look))
        self.theme = f"reversi-{theme}"

    def get_default_screen(self) -> Screen[None]:
        if self._drill is not None:
            from reversi.tui.exercise_screen import ExerciseScreen

            return ExerciseScreen(self._drill, self._first_theme)
        return PlayScreen(
            self.session,
            self._first_theme,
            themes=self._themes,
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
