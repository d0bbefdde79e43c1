"""The full-screen board: `run` plays a session on it, `train` asks exercises, and only these load Textual.

It needs the extra ``tui``: ``pip install "reversi-engine[tui]"``.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from reversi.arguments import excerpt
from reversi.errors import ReversiError
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.session import Session
from reversi.tui.preferences import Preferences

if TYPE_CHECKING:
    from textual.screen import Screen

    from reversi.analysis.exercises.drill import Drill
    from reversi.games.repertoire import Repertoire
    from reversi.person.lesson import LessonStep
    from reversi.tui.themes import BoardTheme

MISSING: Final = 'the full-screen board needs Textual: pip install "reversi-engine[play]"'
"""The message where Textual is not installed."""

PACE: Final = 0.35
"""The minimum time of an engine's move in seconds, so that people can follow."""


FRAMES_PER_S: Final = 120
"""How often Textual draws at most; at its own 60 a key often waits longer for its frame than drawing takes."""


class ScreenError(ReversiError):
    """The full screen cannot be shown; the message says why."""


def check_theme(theme: str) -> None:
    """Refuse the name of no theme; "" is the default.

    Raises:
        ScreenError: the message names the themes.
    """
    if not theme:
        return
    from reversi.tui.themes import THEMES

    if theme not in THEMES:
        raise ScreenError(f"{excerpt(theme)} is not a theme; choose one of {', '.join(THEMES)}")


def why_not(environ: Mapping[str, str], *streams: TextIO | None) -> str:
    """Return why the full screen cannot be shown here, "" if it can.

    Args:
        environ: the environment: ``TERM``.
        streams: standard input, output and error, each of which must be a terminal.
    """
    for stream in streams:
        if stream is None or stream.closed or not stream.isatty():
            return "input and output must be a terminal"
    if environ.get("TERM", "") in {"dumb", "unknown"}:
        return f"the terminal is {environ['TERM']}"
    from importlib.util import find_spec

    return "" if find_spec("textual") is not None else MISSING


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where the full screen is shown.

    Attributes:
        environ: the environment, for ``NO_COLOR``, ``COLORTERM``, ``COLORFGBG`` and ``TERM``.
        preferences: the file that keeps what the player chooses, if any.
        theme: the name of the first theme; by default the player's last choice, else one that suits the terminal.
    """

    environ: Mapping[str, str] = field(default_factory=dict)
    unicode: bool = True
    preferences: Path | None = None
    theme: str = ""


def run(
    session: Session,
    terminal: Terminal,
    *,
    pace: float = PACE,
    database: Path | None = None,
    database_named: bool = False,
    repertoire: Repertoire | None = None,
    show_evaluation: bool = False,
    results: HistoryKeeper | None = None,
    view: str = "",
) -> None:
    """Play a session on the full screen until the player leaves.

    Args:
        session: the session before `begin`; its keepers save it after every move.
        pace: the minimum time of an engine's move in seconds, so that people can follow; not in timed games.
        database: the file of the database of games, for the explorer; ``None`` for none.
        database_named: whether somebody named that file: where it is missing, messages say which it is.
        repertoire: the moves that the explorer marks; ``None`` for none.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
        results: keeps the finished games in the personal history.
        view: what is in front at first: the board (""), the review of a finished game, or the explorer.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing, or the theme does not exist.
    """
    check_theme(terminal.theme)
    with _needing_textual():
        from reversi.tui.play_screen import PlayScreen
    screen = partial(
        PlayScreen,
        session,
        pace=pace,
        database=database,
        database_named=database_named,
        repertoire=repertoire,
        show_evaluation=show_evaluation,
        results=results,
        view=view,
    )
    _show(terminal, screen)


def train(drill: Drill, terminal: Terminal) -> None:
    """Ask exercises on the full screen until the last one, or until the player leaves.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing.
    """
    with _needing_textual():
        from reversi.tui.exercise_screen import ExerciseScreen
    _show(terminal, lambda look, looks, kept: ExerciseScreen(drill, look))


def run_lesson(terminal: Terminal, steps: tuple[LessonStep, ...] = ()) -> None:
    """Go through a lesson on the full screen until the player leaves; the first one keeps its step.

    Args:
        steps: the steps; by default those of the first lesson.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing.
    """
    with _needing_textual():
        from reversi.tui.lesson_screen import LessonScreen
    _show(terminal, lambda look, looks, kept: LessonScreen(look, kept, steps))


@contextlib.contextmanager
def _needing_textual() -> Iterator[None]:
    os.environ.setdefault("TEXTUAL_FPS", str(FRAMES_PER_S))  # which Textual reads when it is loaded
    try:
        yield
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in {"textual", "rich"}:
            raise
        raise ScreenError(MISSING) from None


def _show(
    terminal: Terminal, screen: Callable[[BoardTheme, Mapping[str, BoardTheme], Preferences], Screen[None]]
) -> None:
    from reversi.tui.app import ReversiApp
    from reversi.tui.themes import first_theme

    gc.freeze()  # what is loaded stays; to look through it for garbage takes longer than to draw
    environ, kept = terminal.environ, Preferences(terminal.preferences)
    no_color, colors = "NO_COLOR" in environ, _has_colors(environ)
    look = first_theme(
        terminal.theme or kept.theme,
        no_color=no_color,
        colors=colors,
        unicode=terminal.unicode,
        light=_is_light(environ.get("COLORFGBG", "")),
    )
    app = ReversiApp(screen, look, no_color=no_color, colors=colors, unicode=terminal.unicode, preferences=kept)
    interrupted = app.run()
    if app.return_code:
        raise RuntimeError("the full screen failed; the lines above say where")
    if interrupted:
        raise KeyboardInterrupt


def _has_colors(environ: Mapping[str, str]) -> bool:
    """Return whether the screen gets more than sixteen colors: whether Rich, which writes them, knows of more."""
    if environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"} or "WT_SESSION" in environ:
        return True
    return environ.get("TERM", "xterm-256color").strip().lower().rpartition("-")[2] in {"256color", "kitty"}


def _is_light(text: str) -> bool:
    """Return whether ``COLORFGBG`` (as in ``0;15``), which some terminals set, means a light background."""
    return text.rpartition(";")[2] in {"7", "15"}
