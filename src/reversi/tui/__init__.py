"""The full-screen board: `run` plays a session on it, `train` asks exercises, and only these load Textual.

It needs the extra ``tui``: ``pip install "reversi-engine[tui]"``.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from reversi.errors import ReversiError
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.session import Session
from reversi.tui.preferences import Preferences
from reversi.tui.themes import THEMES, first_theme

if TYPE_CHECKING:
    from reversi.analysis.exercises.drill import Drill

MISSING: Final = 'the full-screen board needs Textual: pip install "reversi-engine[play]"'
"""The message where Textual is not installed."""


class ScreenError(ReversiError):
    """The full screen cannot be shown; the message says why."""


def check_theme(theme: str) -> None:
    """Refuse the name of no theme; "" is the default.

    Raises:
        ScreenError: the message names the themes.
    """
    if theme and theme not in THEMES:
        raise ScreenError(f"{theme!r} is not a theme; choose one of {', '.join(THEMES)}")


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


def run(
    session: Session,
    *,
    theme: str = "",
    preferences: Path | None = None,
    environ: Mapping[str, str] | None = None,
    unicode: bool = True,
    pace: float = 0.35,
    database: Path | None = None,
    show_evaluation: bool = False,
    results: HistoryKeeper | None = None,
) -> None:
    """Play a session on the full screen until the player leaves.

    Args:
        session: the session before `begin`; its keepers save it after every move.
        theme: the name of the first theme; by default the player's last choice, else one that suits the terminal.
        preferences: the file that keeps the player's choice of a theme, if any.
        environ: the environment, for ``NO_COLOR``, ``COLORTERM``, ``COLORFGBG`` and ``TERM``; empty by default.
        unicode: whether the terminal shows more than ASCII.
        pace: the minimum time of an engine's move in seconds, so that people can follow.
        database: the file of the database of games, for the explorer; ``None`` for none.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
        results: keeps the finished games in the personal history.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing, or the theme does not exist.
    """
    _run(
        session,
        theme,
        preferences,
        environ or {},
        unicode=unicode,
        pace=pace,
        database=database,
        show_evaluation=show_evaluation,
        results=results,
    )


def train(
    drill: Drill,
    *,
    theme: str = "",
    preferences: Path | None = None,
    environ: Mapping[str, str] | None = None,
    unicode: bool = True,
) -> None:
    """Ask exercises on the full screen until the last one, or until the player leaves.

    Args:
        drill: the exercises.
        theme: as for `run`.
        preferences: as for `run`.
        environ: as for `run`.
        unicode: as for `run`.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing, or the theme does not exist.
    """
    _run(Session(), theme, preferences, environ or {}, unicode=unicode, drill=drill)


def _run(
    session: Session,
    theme: str,
    preferences: Path | None,
    known: Mapping[str, str],
    *,
    unicode: bool,
    pace: float = 0.0,
    database: Path | None = None,
    show_evaluation: bool = False,
    results: HistoryKeeper | None = None,
    drill: Drill | None = None,
) -> None:
    check_theme(theme)
    try:
        from reversi.tui.app import ReversiApp
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in {"textual", "rich"}:
            raise
        raise ScreenError(MISSING) from None
    gc.freeze()  # what is loaded stays; to look through it for garbage takes longer than to draw
    no_color, colors = "NO_COLOR" in known, _has_colors(known)
    kept = Preferences(preferences)
    look = first_theme(
        theme or kept.theme,
        no_color=no_color,
        colors=colors,
        unicode=unicode,
        light=_is_light(known.get("COLORFGBG", "")),
    )
    app = ReversiApp(
        session,
        look,
        no_color=no_color,
        colors=colors,
        unicode=unicode,
        preferences=kept,
        pace=pace,
        database=database,
        show_evaluation=show_evaluation,
        results=results,
        drill=drill,
    )
    interrupted = app.run()
    if app.return_code:
        raise RuntimeError("the full screen failed; the lines above say where")
    if interrupted:
        raise KeyboardInterrupt


def run_lesson(
    *, preferences: Path | None = None, environ: Mapping[str, str] | None = None, unicode: bool = True
) -> None:
    """Go through the first lesson on the full screen until the player leaves.

    Args:
        preferences: as for `run`; it keeps the step of the lesson, too.
        environ: as for `run`.
        unicode: as for `run`.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C, or a signal came.
        ScreenError: Textual is missing.
    """
    try:
        from reversi.tui.lesson_screen import LessonApp
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in {"textual", "rich"}:
            raise
        raise ScreenError(MISSING) from None
    known = environ or {}
    kept = Preferences(preferences)
    no_color, colors = "NO_COLOR" in known, _has_colors(known)
    look = first_theme(
        kept.theme,
        no_color=no_color,
        colors=colors,
        unicode=unicode,
        light=_is_light(known.get("COLORFGBG", "")),
    )
    app = LessonApp(Session(), look, no_color=no_color, colors=colors, unicode=unicode, preferences=kept)
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
