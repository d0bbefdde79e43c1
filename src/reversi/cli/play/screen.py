"""Where ``reversi play`` shows the game: on the full screen, or line by line."""

from __future__ import annotations

import enum
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from reversi import tui
from reversi.cli.console import err, fail
from reversi.cli.line_reader import at_terminal
from reversi.cli.status import Status
from reversi.tui import MISSING, Terminal, why_not


class Ui(enum.Enum):
    AUTO = "auto"
    SCREEN = "screen"
    LINE = "line"


def ui_option(verb: str) -> Any:
    """Return the option of a command that does what the verb says."""
    return typer.Option(help=f"{verb} on the full screen or line by line; auto uses the full screen where it can.")


def use_screen(ui: Ui) -> bool:
    """Return whether to use the full screen; where a person expects it, a message says why not."""
    if ui is Ui.LINE or (ui is Ui.AUTO and not at_terminal()):
        return False
    from reversi.tui.board_drawing import too_small

    why = why_not(os.environ, sys.stdin, sys.stdout, sys.stderr)
    small = too_small(*shutil.get_terminal_size()) if not why else ""
    if (why or small) and ui is Ui.SCREEN:
        fail(Status.USAGE, f"--ui screen: {why or f'{small}; enlarge it, or play with --ui line'}")
    if why == MISSING or small:
        err(f"{why or small}; the game runs line by line")
    return not why and not small


def on_screen(show: Callable[[Terminal], None], preferences: Path, theme: str = "") -> None:
    """Show something on the full screen.

    Args:
        show: shows it, as `reversi.tui.run` does.
        preferences: the file that keeps what the player chooses.
        theme: the name of the first theme, "" for the one of the last session.
    """
    try:
        show(Terminal(os.environ, shows_unicode(os.environ, sys.stdout.encoding), preferences, theme))
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
    """
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    return "utf" in (encoding or "").lower() and locale not in {"C", "POSIX"}
