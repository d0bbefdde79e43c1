"""The input of a dialogue: a prompt with completion and history at a terminal, else a pipe."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from reversi.cli.console import out

_LONGEST_LINE: Final = 4096
_HISTORY: Final = 1000


class TimeUpError(Exception):
    """The time to answer ran out while the dialogue waited for a line."""


def _no_limit() -> float | None:
    return None


def at_terminal() -> bool:
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty() and sys.stdout.isatty()


@contextlib.contextmanager
def line_reader(
    complete: Callable[[str], list[str]],
    history: Path | None,
    seconds_left: Callable[[], float | None] = _no_limit,
) -> Iterator[Callable[[str], str | None]]:
    """Return the function that reads the next line: with a prompt at a terminal, silently from a pipe.

    At a terminal it raises `TimeUpError` when the time to answer runs out, where the system has timers.

    Args:
        complete: returns the completions of the last word of a line.
        history: the file of the history of lines, if any.
        seconds_left: returns the seconds for the next line; `None` for any number.
    """
    stream = sys.stdin
    if stream is None or stream.closed:
        yield lambda prompt: None
        return
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="surrogateescape")  # as in the names of files
    if isinstance(sys.stdout, io.TextIOWrapper):  # answers may name what was typed
        sys.stdout.reconfigure(errors="backslashreplace")
    if not at_terminal():
        yield lambda prompt: _read_line(stream)
        return
    with _editing(complete, history):
        yield lambda prompt: _ask(prompt, seconds_left())


def _read_line(stream: TextIO) -> str | None:
    """Read one line, cut at the length of the longest command."""
    sys.stdout.flush()
    line = rest = stream.readline(_LONGEST_LINE)
    while rest and not rest.endswith("\n"):
        rest = stream.readline(_LONGEST_LINE)
    return line.removeprefix("\ufeff") if line else None


def _ask(prompt: str, seconds: float | None) -> str | None:
    sys.stdout.flush()
    try:
        with _alarm(seconds):
            return input(prompt)
    except EOFError:
        out()
        return None
    except (KeyboardInterrupt, TimeUpError):
        out()
        raise


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt the wait for a line after some seconds."""
    if sys.platform == "win32" or seconds is None:  # without timers, the next line reveals the fallen flag
        yield
        return
    if seconds <= 0:
        raise TimeUpError

    def time_up(_number: int, _frame: FrameType | None) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, time_up)
    signal.setitimer(signal.ITIMER_REAL, seconds + 0.005)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _editing(complete_line: Callable[[str], list[str]], history: Path | None) -> Iterator[None]:
    """Line editing, completion and history where the system has readline."""
    if sys.platform == "win32":  # its console has line editing and a history of its own
        yield
        return
    try:
        import readline
    except ImportError:
        yield
        return

    matches: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            matches[:] = complete_line(readline.get_line_buffer()[: readline.get_endidx()])
        return matches[state] if state < len(matches) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    uses_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if uses_libedit else "tab: complete")
    if history is not None:
        with contextlib.suppress(OSError):
            readline.read_history_file(history)
    try:
        yield
    finally:
        readline.set_completer(None)
        if history is not None:
            readline.set_history_length(_HISTORY)
            with contextlib.suppress(OSError):
                history.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                readline.write_history_file(history)
