"""Whether the full screen can run, and what is said where it cannot. Textual need not be installed for this."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import re
import sys
from pathlib import Path
from typing import IO

import pytest
from rich.console import Console

from command_line import run_python
from reversi import tui
from reversi.cli.play.screen import shows_unicode
from reversi.session.session import Session
from reversi.tui.board_drawing import too_small
from reversi.tui.preferences import Preferences


class Stream(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def test_only_terminals_that_can_show_it() -> None:
    pytest.importorskip("textual", reason="the extra tui is not installed")
    terminal = Stream(True)
    assert tui.why_not({"TERM": "xterm-256color"}, terminal, terminal, terminal) == ""
    assert tui.why_not({}, terminal) == ""
    assert "must be a terminal" in tui.why_not({"TERM": "xterm"}, terminal, Stream(False))
    assert "must be a terminal" in tui.why_not({"TERM": "xterm"}, terminal, None)
    assert "dumb" in tui.why_not({"TERM": "dumb"}, terminal)
    closed = Stream(True)
    closed.close()
    assert "must be a terminal" in tui.why_not({"TERM": "xterm"}, closed)


def test_terminals_that_are_too_small() -> None:
    assert too_small(52, 14) == too_small(200, 60) == ""
    for size in ((51, 14), (52, 13), (40, 10)):
        assert too_small(*size) == f"the terminal has {size[0]}x{size[1]}, the full screen needs 52x14"


@pytest.mark.parametrize(
    ("environ", "encoding", "more_than_ascii"),
    [
        ({"LANG": "en_GB.UTF-8"}, "utf-8", True),
        ({}, "UTF-8", True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, "utf-8", True),
        ({"LC_ALL": "C"}, "utf-8", False),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, "utf-8", False),
        ({"LC_ALL": "", "LC_CTYPE": "C", "LANG": "en_GB.UTF-8"}, "utf-8", False),
        ({"LANG": "de_DE"}, "iso8859-1", False),
        ({}, None, False),
    ],
)
def test_locales_without_unicode(environ: dict[str, str], encoding: str | None, more_than_ascii: bool) -> None:
    assert shows_unicode(environ, encoding) is more_than_ascii


def test_an_unknown_theme_is_refused_with_those_that_exist() -> None:
    with pytest.raises(tui.ScreenError, match=r"'pink' is not a theme; choose one of classic, redgreen"):
        tui.run(Session(), tui.Terminal(theme="pink"))


def python(code: str) -> str:
    done = run_python("-c", code).ends(0)
    return done.stdout


def test_textual_is_loaded_only_to_run() -> None:
    code = "import sys, reversi.tui, reversi.tui.keys, reversi.tui.setup; print('textual' in sys.modules)"
    assert python(code) == "False\n"


def test_a_key_waits_for_a_short_frame() -> None:
    pytest.importorskip("textual")
    code = """
import os
os.environ.pop("TEXTUAL_FPS", None)
from reversi import tui
with tui._needing_textual():
    from textual.constants import MAX_FPS
print(MAX_FPS)
"""
    assert python(code) == f"{tui.FRAMES_PER_S}\n"


def test_without_textual_it_is_said_how_to_get_it() -> None:
    code = """
import sys
sys.modules["textual"] = None
from reversi import tui
from reversi.session.session import Session
try:
    tui.run(Session(), tui.Terminal())
except tui.ScreenError as error:
    print(error)
"""
    assert python(code) == f"{tui.MISSING}\n"
    assert 'pip install "reversi-engine[play]"' in tui.MISSING


@pytest.mark.parametrize(
    ("environ", "colors"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color"}, True),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-direct"}, False),
        ({"TERM": "xterm-direct", "COLORTERM": "truecolor"}, True),
        ({"TERM": "xterm"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "vt100"}, False),
        ({"WT_SESSION": "1"}, True),
    ],
)
def test_terminals_of_many_colors(environ: dict[str, str], colors: bool) -> None:
    """As many as Rich writes, whatever the terminal might show."""
    assert tui._has_colors(environ) is colors
    if "WT_SESSION" not in environ:  # Windows, where Rich asks the system
        console = Console(force_terminal=True, _environ=environ)
        assert (console.color_system in {"256", "truecolor"}) is colors


@pytest.mark.parametrize(("text", "light"), [("0;15", True), ("15;default;0", False), ("0;7", True), ("", False)])
def test_light_terminals(text: str, light: bool) -> None:
    assert tui._is_light(text) is light


def test_the_theme_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "state" / "screen.json"
    kept = Preferences(path)
    assert kept.theme == ""
    kept.keep("theme", "safe")
    kept.keep("theme", "redgreen")
    assert Preferences(path).theme == "redgreen"
    assert [file.name for file in path.parent.iterdir()] == ["screen.json"]
    for damaged in ("", "[]", '{"theme": 5}', '"theme"', "\xff", "[" * 100_000):
        path.write_text(damaged, encoding="latin-1")
        assert Preferences(path).theme == ""
    Preferences().keep("theme", "safe")
    assert Preferences().theme == ""


def test_a_theme_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    path = tmp_path / "state" / "screen.json"
    with pytest.raises(OSError, match=re.escape(f"{path}: cannot write: ")):
        Preferences(path).keep("theme", "safe")


class Gone(Stream):
    """A terminal that was closed."""

    def __init__(self) -> None:
        super().__init__(terminal=True)
        self.tried: list[str] = []

    def write(self, text: str) -> int:
        self.tried.append(text)
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_nobody_waits_for_a_terminal_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("textual")
    from textual.drivers._writer_thread import WriterThread

    from reversi.tui.app import ReversiApp
    from reversi.tui.lesson_screen import LessonScreen

    gone = Gone()
    monkeypatch.setattr(sys, "__stderr__", gone)
    monkeypatch.setattr(sys, "__stdout__", gone)
    app = ReversiApp(lambda look, looks, kept: LessonScreen(look, kept), "classic")

    async def file_of_driver() -> IO[str]:
        file: IO[str] = vars(app.driver_class(app))["_file"]
        return file

    writer = WriterThread(asyncio.run(file_of_driver()))
    writer.start()
    for text in ("first", "second"):
        writer.write(text)
    writer.stop()
    assert gone.tried == ["first", "second"]  # an error would have ended the thread
