"""Browsing games on the full screen: completed paths, the games of a file, those of a database."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input, Static

from explorer_samples import OPENINGS, archive, make_database, whole_game
from patience import SOON_S
from record_samples import saved
from reversi import Game, Session
from reversi.games.database.database import Database
from reversi.games.selection import Selection
from reversi.tui.dialogs import AskFile
from reversi.tui.game_list import AskFilter, GameList
from reversi.tui.paths import complete_path
from screen_driver import Driver, drive, driven, resized, shown

pytestmark = pytest.mark.thorough  # each test starts an application


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("games-1.pgn", "games-2.pgn", ".hidden.pgn"):
        saved(tmp_path / name, *archive())
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def typed(driver: Driver, text: str) -> None:
    line = driver.app.screen.query_one(Input)
    line.value = text
    line.cursor_position = len(text)
    await driver.pilot.pause()


@pytest.mark.parametrize(
    ("text", "completed", "names"),
    [
        ("ga", "games-", ["games-1.pgn", "games-2.pgn"]),
        ("games-1", "games-1.pgn", ["games-1.pgn"]),
        ("o", "other/", ["other/"]),
        ("./ga", "./games-", ["games-1.pgn", "games-2.pgn"]),
        (".h", ".hidden.pgn", [".hidden.pgn"]),
        ("x", "x", []),
        ("no/such/", "no/such/", []),
        ("a\0b", "a\0b", []),
        ("", "", ["games-1.pgn", "games-2.pgn", "other/"]),
    ],
)
def test_paths_are_completed(text: str, completed: str, names: list[str], folder: Path) -> None:
    assert complete_path(text) == (completed, names)


@driven(Session)
async def test_tab_completes_and_a_file_lists_its_games(driver: Driver, folder: Path) -> None:
    await driver.press("o")
    ask = driver.app.screen
    assert isinstance(ask, AskFile)
    await driver.press("g", "tab")
    assert ask.query_one(Input).value == "games-"
    assert "games-1.pgn  games-2.pgn" in str(ask.query_one(".failure", Static).render())
    await resized(driver.pilot)
    await driver.press("1", "tab", "enter")
    assert isinstance(driver.app.screen, GameList)
    await resized(driver.pilot)
    lines = shown(driver.app)
    assert any("games-1.pgn: 6 games" in line for line in lines)
    assert any("1991" in line and "Bob - Ada" in line and "Tiger" in line for line in lines)
    assert any(str(whole_game().outcome.text) in line and "Ada - Bob" in line for line in lines)  # type: ignore[union-attr]
    await driver.press("down", "down", "up", "enter")
    assert driver.app.screen is driver.screen
    assert driver.session.game.moves == Game().play_all(OPENINGS[0]).moves
    assert driver.session.state.names == {"Black": "Bob", "White": "Ada"}


@driven(Session)
async def test_a_game_is_chosen_by_mouse_and_found_by_words(driver: Driver, folder: Path) -> None:
    await driver.press("o")
    await typed(driver, "games-1.pgn")
    await driver.press("enter", *"cy 1995")
    assert sum(" - " in line for line in shown(driver.app)) == 1
    assert await driver.pilot.click("#list", offset=(8, 0))
    await driver.pilot.pause()
    assert driver.session.game.moves == Game().play_all(OPENINGS[4]).moves
    await driver.press("o")
    await typed(driver, "games-1.pgn")
    await driver.press("enter", *"nobody", "enter")
    assert isinstance(driver.app.screen, GameList)
    assert any("No game has these words" in line for line in shown(driver.app))
    await driver.press("escape")
    assert driver.app.screen is driver.screen


@driven(Session)
async def test_accents_make_no_difference_to_words(driver: Driver, tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(
        '[Black "Åsa"]\n[White "Ødegård"]\n\n1. f5 *\n\n[Black "Ada"]\n[White "Bob"]\n\n1. f5 *\n',
        encoding="utf-8",
    )
    await driver.press("o")
    await typed(driver, str(file))
    await driver.press("enter", *"ødegard asa")
    assert [line for line in shown(driver.app) if " - " in line and "Åsa - Ødegård" in line]
    assert sum(" - " in line for line in shown(driver.app)) == 1


@driven(Session)
async def test_a_place_opens_at_once_and_errors_stay_in_the_box(driver: Driver, folder: Path) -> None:
    await driver.press("o")
    await typed(driver, "games-1.pgn#2@3")
    await driver.press("enter")
    assert len(driver.session.game) == 3
    await driver.press("o")
    await typed(driver, "no-such-file.pgn")
    await driver.press("enter")
    assert isinstance(driver.app.screen, AskFile)
    assert "no such file" in str(driver.app.screen.query_one(".failure", Static).render())


@driven(Session)
async def test_a_damaged_game_is_listed_and_says_what_is_wrong(driver: Driver, folder: Path) -> None:
    (folder / "bad.pgn").write_text('1. f5 d6 *\n\n[Black "Eve"]\n\n1. f5 zz *\n', encoding="utf-8")
    await driver.press("o")
    await typed(driver, "bad.pgn")
    await driver.press("enter")
    assert any("Eve" in line and "damaged" in line for line in shown(driver.app))
    await driver.press("down", "enter")
    assert "zz" in driver.words or "Bad.pgn" in driver.words or "game 2" in driver.words


def test_the_games_of_a_database_with_conditions(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    pytest.importorskip("numpy", reason="the database needs NumPy")
    database = make_database(tmp_path)

    async def script(driver: Driver) -> None:
        await driver.press("o", "f2")
        ask = driver.app.screen
        assert isinstance(ask, AskFilter)
        ask.query_one("#player", Input).value = "ada / cy"
        ask.query_one("#opening", Input).value = "tiger"
        await resized(driver.pilot)
        await driver.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, GameList))
        assert any("2 games, player ada / cy, opening tiger" in line for line in shown(driver.app))
        await resized(driver.pilot)
        await driver.press("escape")
        assert isinstance(driver.app.screen, AskFilter)  # back to the conditions
        assert driver.app.screen.query_one("#opening", Input).value == "tiger"
        await driver.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, GameList))
        await driver.press("down", "enter")
        assert driver.session.game.moves == Game().play_all(OPENINGS[4]).moves

    drive(Session(), script, database=database)


def test_the_screen_answers_while_the_database_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    pytest.importorskip("numpy", reason="the database needs NumPy")
    database = make_database(tmp_path)
    asked, go_on = threading.Event(), threading.Event()
    count = Database.count

    def slow(self: Database, selection: Selection) -> int:
        asked.set()
        assert go_on.wait(SOON_S)
        return count(self, selection)

    monkeypatch.setattr(Database, "count", slow)

    async def script(driver: Driver) -> None:
        await driver.press("o", "f2", "enter")
        await driver.wait(asked.is_set)
        assert "Looking for games" in driver.words
        await resized(driver.pilot)
        await driver.go_to("f5")
        await driver.press("enter")
        assert driver.session.game.moves == Game().play_all("f5").moves
        go_on.set()
        await driver.wait(lambda: isinstance(driver.app.screen, GameList))
        await driver.press("escape", "escape")
        assert driver.app.screen is driver.screen

    drive(Session(), script, database=database)


def test_without_a_database_it_tells_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("o", "f2")
        assert driver.app.screen is driver.screen
        assert "reversi db import" in driver.words
        assert "duckdb" not in driver.words

    async def named(driver: Driver) -> None:
        await driver.press("o", "f2")
        assert driver.words.lstrip().endswith(
            "'no.duckdb' does not exist; reversi db import PATH... makes it from your game files."
        )

    drive(Session(), named, database=Path("no.duckdb"), database_named=True, size=(160, 30))
    drive(Session(), script, size=(120, 30))
    drive(Session(), script, database=tmp_path / "no.duckdb", size=(160, 30))
    (tmp_path / "no.duckdb").write_text("nothing")

    async def damaged(driver: Driver) -> None:
        monkeypatch.setitem(sys.modules, "duckdb", None)
        await driver.press("o", "f2", "enter")
        await driver.wait(lambda: "pip install" in driver.words)

    drive(Session(), damaged, database=tmp_path / "no.duckdb", size=(160, 30))
