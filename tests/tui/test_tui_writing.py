"""Writing by keys: a note at a ply, and the game as a page, a transcript or a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input

from files import new_file
from reversi import Game
from reversi.person.game_review import GameReview
from reversi.session.opening import given, open_given
from reversi.session.session import Session
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.dialogs import AskNote, AskText
from screen_driver import Driver, drive, driven, shown

SIZES = [(80, 24), (120, 40)]


async def fill(driver: Driver, text: str) -> None:
    """Put a text into the line of a box in place of what it has, and confirm."""
    driver.app.screen.query_one(Input).value = text
    await driver.press("enter")


def first_lines(driver: Driver) -> str:
    return "\n".join(shown(driver.app))


@pytest.mark.parametrize("size", SIZES)
@driven(lambda: Session(Game().play_all("f5d6")))
async def test_a_note_is_kept_at_its_ply(driver: Driver, size: tuple[int, int]) -> None:
    await driver.press("semicolon")
    assert isinstance(driver.app.screen, AskNote)
    assert "At ply 2, White d6: a mark (! ? !! ?? !? ?!)" in first_lines(driver)
    await driver.press(*"?? too soon", "enter")
    assert driver.session.note == "?? too soon"
    assert "At ply 2, White d6: noted; s saves the game to a file." in driver.words
    await driver.press("a")  # a paused game shows its notes
    assert "Note: ?? too soon" in driver.words
    await driver.press("u")
    assert "Note:" not in driver.words
    await driver.press("semicolon")
    await fill(driver, "! good")
    await driver.press("r", "semicolon")
    assert driver.app.screen.query_one(Input).value == "?? too soon"
    await fill(driver, "")
    assert str(driver.session.record()).endswith("1. f5 $1 {good} 1... d6 *\n")
    await driver.press("semicolon", "escape")
    assert driver.app.screen is driver.screen


@driven(Session)
async def test_a_mark_needs_a_move(driver: Driver) -> None:
    await driver.press("semicolon")
    await fill(driver, "??")
    assert "?? marks a move; none was played yet" in first_lines(driver)
    await fill(driver, "a start")
    assert driver.session.note == "a start"


@pytest.mark.parametrize("size", SIZES)
def test_the_game_is_written_beside_its_file(tmp_path: Path, size: tuple[int, int]) -> None:
    path = new_file(tmp_path / "cup.pgn", "1. f5 d6 2. c3 {third} *\n")
    session = Session()
    open_given(session, given(str(path)))

    async def script(driver: Driver) -> None:
        for key, suffix, begins in (("r", ".html", "<!doctype"), ("t", ".txt", "f5d6c3\n"), ("p", ".svg", "<svg")):
            await driver.press("W")
            assert "r report   t transcript   p picture" in first_lines(driver)
            await driver.press(key)
            assert isinstance(driver.app.screen, AskText)
            written = path.with_suffix(suffix)
            assert driver.app.screen.query_one(Input).value == str(written)
            await driver.press("enter")
            assert driver.app.screen is driver.screen
            assert "Wrote the " in driver.words
            assert written.read_text(encoding="utf-8").startswith(begins)
            await driver.press("W", key)
            await fill(driver, str(written))
            assert "exists already" in first_lines(driver)
            await driver.press("escape")
        await driver.press("W")
        assert "Esc cancels" in first_lines(driver)
        await driver.press("escape")
        assert driver.app.screen is driver.screen

    drive(session, script, size=size)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".html", ".pgn", ".svg", ".txt"]


@driven(lambda: Session(Game().play_all("e6f4e3d6g4f6c4b3c6c5d7e7b5b6d3a4a5a6"), hint_level=4))
async def test_a_report_has_what_the_review_has_found(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def report(name: str) -> str:
        await driver.press("W", "r")
        await fill(driver, str(tmp_path / name))
        assert "Wrote the report" in driver.words
        return (tmp_path / name).read_text(encoding="utf-8")

    assert "mean loss" not in (await report("before.html")).lower()
    driver.session.resign()
    await driver.press("a")
    review = driver.app.screen
    assert isinstance(review, AnalysisScreen)
    await driver.wait(lambda: review.analysis is not None and review.analysis.complete)
    await driver.press("escape")
    monkeypatch.setattr(GameReview, "analyze", None)  # nothing is searched
    assert "mean loss" in (await report("after.html")).lower()
