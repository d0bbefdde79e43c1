"""``reversi play`` in a real terminal: a game against level 1, by keys, as people would play it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from children import Child
from files import new_file
from patience import SOON_S
from reversi.records import parse_record, validate_record
from terminal_driver import TMUX, Terminal, over, play_to_the_end

pytestmark = [pytest.mark.slow, pytest.mark.skipif(TMUX is None, reason="tmux is not installed")]

COLORS = re.compile(r"\x1b\[[0-9;:]*(?:[34]8[;:]|[;\[]3[0-7]|[;\[]4[0-7]|[;\[]9[0-7]|[;\[]10[0-7])")


def game(*more: str) -> list[str]:
    return ["play", "--level", "1", "--seed", "1", *more]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (140, 45)])
@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}], ids=["colors", "NO_COLOR"])
def test_a_game_by_keys(width: int, height: int, environ: dict[str, str], tmp_path: Path) -> None:
    record = tmp_path / "game.pgn"
    with Terminal(
        *game("--save", str(record)), width=width, height=height, folder=tmp_path, **environ
    ) as terminal:
        last = play_to_the_end(terminal)
        colors = terminal.screen(colors=True)
        assert bool(COLORS.search(colors)) is not ("NO_COLOR" in environ)
        assert max(map(len, last.splitlines())) <= width
        terminal.press("q")
        assert terminal.status() == 0
    played = parse_record(record.read_text(encoding="utf-8"))
    assert validate_record(played).valid
    more, fewer = sorted(map(int, played.result.split("-")), reverse=True)
    assert f" {more}-{fewer}" in last
    assert len(played.moves) > 10


def test_resizing_and_a_terminal_that_is_too_small(tmp_path: Path) -> None:
    with Terminal(*game(), width=140, height=45, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "Black to move" in text)
        terminal.resize(80, 24)
        terminal.wait(lambda text: len(text.splitlines()) <= 24 and "Black to move" in text)
        terminal.resize(40, 10)
        terminal.wait(lambda text: "the full screen needs 52x14" in " ".join(text.split()))
        terminal.resize(80, 24)
        terminal.wait(lambda text: "Black to move" in text)
        terminal.press("Tab", "Enter")
        terminal.wait(lambda text: "ply 3" in text)
        terminal.press("C-c")
        assert terminal.status() == 130
        assert "Black to move" not in terminal.screen()


def test_a_terminal_that_is_too_small_gets_lines(tmp_path: Path) -> None:
    with Terminal(*game(), width=40, height=10, folder=tmp_path) as terminal:
        text = terminal.wait(lambda text: "Black>" in text, history=True)
        assert "the full screen needs 52x14; the game runs line by line" in " ".join(text.split())
        terminal.type("quit")
        assert terminal.status() == 0


def test_the_screen_is_refused_where_it_does_not_fit(tmp_path: Path) -> None:
    with Terminal(*game("--ui", "screen"), width=40, height=10, folder=tmp_path) as terminal:
        assert terminal.status() == 2
        assert "--ui line" in " ".join(terminal.screen().split())


def test_a_game_that_cannot_be_kept_is_not_called_kept(tmp_path: Path) -> None:
    state = new_file(tmp_path / "nowhere", "a file where the folder should be")
    with Terminal(*game("--state", str(state)), width=80, height=24, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "Black to move" in text)
        terminal.press("Tab", "Enter")
        terminal.wait(lambda text: "ply 3" in text and "Not saved: " in text)
        terminal.press("q")
        assert terminal.status() == 73
        assert "The game is not saved: " in " ".join(terminal.screen().split())


def test_the_theme_lasts(tmp_path: Path) -> None:
    for first, then in (("Black to move", "Red to move"), ("Red to move", "Blue to move")):
        folder = tmp_path / first
        folder.mkdir()
        state = str(tmp_path / "state")
        with Terminal(*game(), width=80, height=24, folder=folder, REVERSI_STATE=state) as terminal:
            terminal.wait(lambda text, first=first: first in text)  # type: ignore[misc]
            terminal.press("c")
            terminal.wait(lambda text, then=then: then in text)  # type: ignore[misc]
            terminal.press("q")
            assert terminal.status() == 0


def test_the_c_locale_gets_ascii(tmp_path: Path) -> None:
    with Terminal(*game(), width=80, height=24, folder=tmp_path, LC_ALL="C") as terminal:
        text = terminal.wait(lambda text: "Black to move" in text)
        assert text.isascii()
        assert "| O | X |" in text
        terminal.press("c", "c")
        terminal.press("t")
        text = terminal.wait(lambda text: "Tips for Black" in text)
        assert text.isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_killed_program_leaves_its_game(tmp_path: Path) -> None:
    with Terminal(*game(), width=80, height=24, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "Black to move" in text)
        terminal.press("Tab", "Enter")
        before = terminal.wait(lambda text: "ply 3" in text)
    tmp_again = tmp_path / "again"
    tmp_again.mkdir()
    state = str(tmp_path / "state")
    with Terminal("play", "--resume", width=80, height=24, folder=tmp_again, REVERSI_STATE=state) as terminal:
        after = terminal.wait(lambda text: "ply 3" in text)
        moves = re.compile(r"1\. \w\d +\w\d")
        assert moves.findall(after) == moves.findall(before)


def test_a_terminal_that_is_gone_without_a_signal_ends_the_program(tmp_path: Path) -> None:
    """As one that is not the program's own: nobody sends SIGHUP."""
    termios = pytest.importorskip("termios")
    outside, inside = os.openpty()
    termios.tcsetwinsize(inside, (24, 80))
    state = tmp_path / "state"
    environ = {**os.environ, "TERM": "xterm-256color", "REVERSI_STATE": str(state)}
    child = Child(
        [sys.executable, "-m", "reversi", *game()], stdin=inside, stdout=inside, stderr=inside, env=environ
    )
    os.close(inside)
    seen = b""
    while b"to move" not in seen:
        seen += os.read(outside, 65536)
    os.write(outside, b"f5\r")
    while b"f5, flips e5" not in seen:
        seen += os.read(outside, 65536)
    os.close(outside)
    assert child.wait(SOON_S) != 0
    (kept,) = (state / "games").iterdir()
    assert "f5" in kept.read_text(encoding="utf-8")


def test_a_dumb_terminal_gets_lines(tmp_path: Path) -> None:
    with Terminal(
        *game("--rules", "othello,board=6x6"), width=80, height=24, folder=tmp_path, TERM="dumb"
    ) as terminal:
        terminal.wait(lambda text: "Black>" in text)
        assert "\x1b" not in terminal.screen(colors=True)
        for turn in range(1, 40):
            terminal.type("moves")
            text = terminal.wait(more_prompts_than(2 * turn - 1), history=True)
            legal = text.rstrip().splitlines()[-2].split()
            terminal.type(legal[0])
            text = terminal.wait(more_prompts_than(2 * turn, or_result=True), history=True)
            if "Result:" in text:
                break
        else:
            raise AssertionError(text)
        assert not over(text)
        terminal.type("quit")
        assert terminal.status() == 0


def more_prompts_than(number: int, *, or_result: bool = False) -> Callable[[str], bool]:
    """A test for a dialogue that shows more than this number of prompts, or perhaps the result."""
    return lambda text: prompts(text) > number or (or_result and "Result:" in text)


def prompts(text: str) -> int:
    """How many prompts a dialogue shows."""
    return text.count("Black>")


def test_a_terminal_with_sixteen_colors_shows_discs_and_squares_apart(tmp_path: Path) -> None:
    """With the colors of its own that the theme names, also after c."""
    arguments = game("--theme", "safe")
    with Terminal(*arguments, width=80, height=24, folder=tmp_path, TERM="linux", COLORTERM="") as terminal:
        terminal.wait(lambda text: "Blue to move" in text)
        codes = set(re.findall(r"\d+", " ".join(re.findall(r"\x1b\[([\d;]*)m", terminal.screen(colors=True)))))
        assert {"47", "46"} <= codes  # gray and cyan squares
        assert {"34", "93"} <= codes  # blue and yellow discs
        terminal.press("c")
        terminal.wait(lambda text: "Colors: light" in text)
        codes = set(re.findall(r"\d+", " ".join(re.findall(r"\x1b\[([\d;]*)m", terminal.screen(colors=True)))))
        assert {"42", "46"} <= codes
        terminal.press("q")
        assert terminal.status() == 0
