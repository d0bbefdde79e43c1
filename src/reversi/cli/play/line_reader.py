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
from reversi.cli.play.dialogue import TimeUpError
from reversi.cli.play.words import WORDS, find_word
from reversi.rules import NAMED_RULES, RULE_WORDS
from reversi.session.session import Session

__all__ = ["at_terminal", "candidates", "line_reader"]

_LONGEST_LINE: Final = 4096
_HISTORY: Final = 1000


def at_terminal() -> bool:
    """Whether input and output are a terminal."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty() and sys.stdout.isatty()


@contextlib.contextmanager
def line_reader(session: Session, history: Path | None) -> Iterator[Callable[[str], str | None]]:
    """Return the function that reads the next line: with a prompt at a terminal, silently from a pipe.

    At a terminal it raises `TimeUpError` when the running clock runs out, where the system has timers.

    Args:
        session: the session, for completion and the clock.
        history: the file of the history of lines, if any.
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
    with _editing(session, history):
        yield lambda prompt: _ask(prompt, session)


def _read_line(stream: TextIO) -> str | None:
    """Read one line, cut at the length of the longest command."""
    sys.stdout.flush()
    line = rest = stream.readline(_LONGEST_LINE)
    while rest and not rest.endswith("\n"):
        rest = stream.readline(_LONGEST_LINE)
    return line.removeprefix("\ufeff") if line else None


def _ask(prompt: str, session: Session) -> str | None:
    sys.stdout.flush()
    try:
        with _alarm(session):
            return input(prompt)
    except EOFError:
        out()
        return None
    except (KeyboardInterrupt, TimeUpError):
        out()
        raise


@contextlib.contextmanager
def _alarm(session: Session) -> Iterator[None]:
    """Interrupt the wait for a line when the running clock runs out."""
    seconds = _seconds_left(session)
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


def _seconds_left(session: Session) -> float | None:
    """Return the seconds until the running flag falls, byo-yomi included; ``None`` if it never falls."""
    clock = session.clock
    running = None if clock is None else clock.running
    reading = None if clock is None or running is None else clock.reading(running)
    if clock is None or running is None or reading is None:
        return None
    control = clock.controls[running]
    if not reading.periods or control is None:
        return reading.main_s
    return reading.main_s + reading.byo_yomi_s + (reading.periods - 1) * control.byo_yomi


@contextlib.contextmanager
def _editing(session: Session, history: Path | None) -> Iterator[None]:
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
            matches[:] = candidates(session, readline.get_line_buffer()[: readline.get_endidx()])
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


def candidates(session: Session, line: str) -> list[str]:
    """Return the completions of the last word of a line.

    The first word may be a command or a legal move; later words depend on the command.
    """
    before, _, text = line.rpartition(" ")
    words = before.split()
    moves = [str(move) for move in session.position.legal_moves]
    if not words:
        every = [*moves, *(word.name for word in WORDS)]
    else:
        word = find_word(words[0])
        every = [] if word is None else _arguments(word.name, session, moves, text)
    return [word for word in every if word.startswith(text.lower()) or word.startswith(text)]


def _arguments(name: str, session: Session, moves: list[str], text: str) -> list[str]:
    if name in ("explain", "play"):
        return moves
    if name == "flip":
        position, last = session.position, session.game.last
        taken = position.black | position.white
        placed = None if last is None else last.move
        return ["all", *(str(square) for square in _squares(taken) if str(square) != str(placed))]
    if name == "new":
        head, comma, _ = text.rpartition(",")
        return [*(() if comma else NAMED_RULES), *(head + comma + word for word in RULE_WORDS)]
    if name in ("open", "save"):
        folder, _, _ = text.rpartition("/")
        with contextlib.suppress(OSError, ValueError):
            names = sorted(Path(folder or ("/" if text.startswith("/") else ".")).iterdir())
            prefix = f"{folder}/" if "/" in text else ""
            return [f"{prefix}{path.name}{'/' if path.is_dir() else ''}" for path in names]
    return []


def _squares(bits: int) -> Iterator[str]:
    from reversi._core import SQUARES

    return (str(square) for square in SQUARES if square.bit & bits)
