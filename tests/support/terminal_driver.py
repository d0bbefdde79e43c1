"""A real terminal for tests: tmux without its user's settings, keys in, screens out."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import reversi
from patience import SOON_S

TMUX = shutil.which("tmux")


class Terminal:
    """One program in a tmux of its own.

    Args:
        arguments: those of the ``reversi`` command.
        width: columns.
        height: rows.
        folder: where the program keeps its games, and tmux its socket.
        environ: further variables; ``TERM`` is what tmux says unless it is here.
    """

    def __init__(self, *arguments: str, width: int, height: int, folder: Path, **environ: str) -> None:
        assert TMUX is not None
        self._socket = str(folder / "tmux")
        self._status = folder / "status"
        variables = {
            "PYTHONPATH": str(Path(reversi.__file__).parent.parent),
            "REVERSI_STATE": str(folder / "state"),
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            **environ,
        }
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        program = shlex.join([sys.executable, "-m", "reversi", *arguments])
        # a parent that has loaded readline gives COLUMNS and LINES to its children, which then believe these
        program = f"env -u NO_COLOR -u COLUMNS -u LINES {settings} {program}"
        shell = f"{program}; echo $? > {shlex.quote(str(self._status))}; sleep 600"
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(width), "-y", str(height), shell)

    def _tmux(self, *arguments: str) -> str:
        assert TMUX is not None
        environ = {name: value for name, value in os.environ.items() if name not in {"TMUX", "NO_COLOR"}}
        done = subprocess.run(
            [TMUX, "-u", "-S", self._socket, *arguments],
            env=environ,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=SOON_S,
        )
        return done.stdout

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")

    def press(self, *keys: str) -> None:
        """Press keys, as tmux calls them."""
        self._tmux("send-keys", *keys)

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        self._tmux("send-keys", "-l", line)
        self._tmux("send-keys", "Enter")

    def resize(self, width: int, height: int) -> None:
        """Make the terminal larger or smaller."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def screen(self, *, colors: bool = False, history: bool = False) -> str:
        """What is on the screen, if wanted with colors as escape sequences and with what has scrolled away."""
        return self._tmux("capture-pane", "-p", *(["-e"] if colors else []), *(["-S", "-2000"] if history else []))

    def wait(self, until: Callable[[str], bool], *, history: bool = False) -> str:
        """Wait until the screen is so, and return it."""
        deadline = time.monotonic() + SOON_S
        while not until(text := self.screen(history=history)):
            assert time.monotonic() < deadline, text
            time.sleep(0.03)
        return text

    def status(self) -> int:
        """Wait for the end of the program; its exit status."""
        deadline = time.monotonic() + SOON_S
        while not self._status.exists() or not (text := self._status.read_text()):
            assert time.monotonic() < deadline, self.screen()
            time.sleep(0.03)
        return int(text)


def play_to_the_end(terminal: Terminal) -> str:
    """Play a game on the full screen, always the next legal square; the last screen."""
    before = terminal.wait(lambda text: "Black to move" in text)
    for _ in range(70):
        terminal.press("Tab", "Enter")
        played = moves_line(before)
        text = terminal.wait(
            lambda text, played=played: over(text) or ("Black to move" in text and moves_line(text) != played)  # type: ignore[misc]
        )
        if over(text):
            return text
        before = text
    raise AssertionError(before)


def over(text: str) -> bool:
    """Whether a screen says that the game has ended."""
    return "a reviews it" in text


def moves_line(text: str) -> str:
    """The line of a screen that numbers the move."""
    return text.splitlines()[0]
