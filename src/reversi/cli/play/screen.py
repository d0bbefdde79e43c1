"""Where ``reversi play`` shows the game: on the full screen, or line by line."""

from __future__ import annotations

import enum
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from reversi import tui
from reversi.cli.console import err, fail
from reversi.cli.line_reader import at_terminal
from reversi.cli.status import Status
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.session import Session
from reversi.tui import MISSING, why_not
from reversi.tui.board_drawing import too_small


class Ui(enum.Enum):
    AUTO = "auto"
    SCREEN = "screen"
    LINE = "line"


def use_screen(ui: Ui) -> bool:
    """Return whether to use the full screen; where a person expects it, a message says why not."""
    if ui is Ui.LINE or (ui is Ui.AUTO and not at_terminal()):
        return False
    why = why_not(os.environ, sys.stdin, sys.stdout, sys.stderr)
    small = too_small(*shutil.get_terminal_size()) if not why else ""
    if (why or small) and ui is Ui.SCREEN:
        fail(Status.USAGE, f"--ui screen: {why or f'{small}; enlarge it, or play with --ui line'}")
    if why == MISSING or small:
        err(f"{why or small}; the game runs line by line")
    return not why and not small


def full_screen(
    session: Session,
    theme: str,
    preferences: Path,
    database: Path,
    results: HistoryKeeper,
    *,
    show_evaluation: bool,
) -> None:
    """Play on the full screen.

    Args:
        session: the session.
        theme: the name given to ``--theme``, "" without it.
        preferences: the file that keeps the theme for the next session.
        database: the file of the database of games, for the explorer.
        results: keeps the finished games in the personal history.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
    """
    try:
        unicode = shows_unicode(os.environ, sys.stdout.encoding)
        tui.run(
            session,
            theme=theme,
            preferences=preferences,
            environ=os.environ,
            unicode=unicode,
            database=database,
            results=results,
            show_evaluation=show_evaluation,
        )
    except tui.ScreenError as error:
        fail(Status.USAGE, str(error))


def check_theme(theme: str) -> None:
    """End the command if ``theme`` is the name of no theme; "" is the default."""
    try:
        tui.check_theme(theme)
    except tui.ScreenError as error:
        fail(Status.USAGE, str(error))


def shows_unicode(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Return whether the terminal shows more than ASCII.

    Python writes UTF-8 in the C locale too, so the encoding of a stream is not enough.

    Args:
        environ: the environment: ``LC_ALL``, ``LC_CTYPE``, ``LANG``; the first that is set counts.
        encoding: the encoding of standard output.
    """
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    return "utf" in (encoding or "").lower() and locale not in {"C", "POSIX"}
