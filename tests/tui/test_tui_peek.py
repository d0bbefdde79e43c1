"""A recorded game beside the one on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual import events
from textual.widgets import Input

from files import new_file
from reversi import Game, Session
from reversi.tui.board_drawing import LEAST_SIZE
from reversi.tui.dialogs import Confirm
from reversi.tui.game_list import GameList
from reversi.tui.peek_screen import PeekScreen
from screen_driver import Driver, drive, driven, engine_plays_white, shown

CUP = '[Event "Cup"]\n[Black "Ada"]\n[White "Bob"]\n\n1. f5 f6 {steady} 2. e6 f4 *\n'


async def opened(driver: Driver, text: str) -> PeekScreen:
    """Open a file with the key o while a game is in progress."""
    await driver.press("o")
    driver.app.screen.query_one(Input).value = text
    await driver.press("enter")
    peek = driver.app.screen
    assert isinstance(peek, PeekScreen)
    return peek


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        pytest.param(LEAST_SIZE, "classic", marks=pytest.mark.thorough),
        ((80, 24), "classic"),
        pytest.param((80, 24), "ascii", marks=pytest.mark.thorough),
        ((120, 40), "ascii"),
    ],
)
def test_a_game_stands_beside_the_one_in_progress(size: tuple[int, int], theme: str, tmp_path: Path) -> None:
    path = new_file(tmp_path / "cup.pgn", CUP)

    async def script(driver: Driver) -> None:
        await driver.press("tab", "enter")
        await driver.answered()
        moves = driver.session.game.moves
        peek = await opened(driver, f"{path}#1@2")
        text = "\n".join(shown(driver.app))
        for part in ("Beside your game", "Ada - Bob", "Your game: Black to mo", "ply 2 of 4", "Note: steady"):
            assert part in text
        assert text.isascii() or theme != "ascii"
        assert peek.query_one("#own").region.height == (11 if size[1] >= 24 else 1)
        assert peek.query_one("#moves").region.height >= 3
        for key, plies in (("right", 3), ("r", 4), ("right", 4), ("left", 3), ("u", 2), ("home", 0), ("end", 4)):
            await driver.press(key)
            assert len(peek.session.game) == plies
            assert f"ply {plies} of 4" in "\n".join(shown(driver.app))
        await driver.press("escape")
        assert driver.app.screen is driver.screen
        assert driver.session.game.moves == moves

    drive(engine_plays_white(), script, size=size, theme=theme)
    assert path.read_text(encoding="utf-8") == CUP


@driven(lambda: Session(Game().play_all("f5")))
async def test_its_key_puts_it_on_the_board_after_a_question(driver: Driver, tmp_path: Path) -> None:
    await driver.press("colon", *"d6", "enter")
    path = new_file(tmp_path / "cup.pgn", CUP)
    for answer, moves in (("n", "f5 d6"), ("y", "f5 f6 e6")):
        await opened(driver, f"{path}@3")
        await driver.press("a")
        assert isinstance(driver.app.screen, Confirm)
        await driver.press(answer)
        assert " ".join(map(str, driver.session.game.moves)) == moves
    assert driver.session.state.places[0].path == path.resolve()
    await driver.press("o")  # nobody has continued it: the next one takes its place
    driver.app.screen.query_one(Input).value = f"{path}@1"
    await driver.press("enter")
    assert len(driver.session.game) == 1


@driven(engine_plays_white)
async def test_a_pasted_game_and_one_of_several_stand_beside_too(driver: Driver, tmp_path: Path) -> None:
    await driver.press("tab", "enter")
    await driver.answered()
    driver.app.post_message(events.Paste(CUP))
    await driver.wait(lambda: isinstance(driver.app.screen, PeekScreen))
    await driver.press("q")
    path = new_file(tmp_path / "two.pgn", f"{CUP}\n{CUP.replace('Ada', 'Eve')}")
    await driver.press("o")
    driver.app.screen.query_one(Input).value = str(path)
    await driver.press("enter")
    assert isinstance(driver.app.screen, GameList)
    await driver.press("down", "enter")
    assert "Eve - Bob" in shown(driver.app)[0]
    await driver.press("y", "m")
    assert driver.app.clipboard == "f5f6e6f4"


@driven(engine_plays_white)
async def test_what_is_wrong_with_a_game_is_said_in_the_box(driver: Driver, tmp_path: Path) -> None:
    path = new_file(tmp_path / "cup.pgn", CUP)
    await driver.press("tab", "enter")
    await driver.answered()
    await driver.press("o")
    for text, why in (
        (f"{path}@9", "ply 9 does not exist"),
        (f"{path}#2", "game"),
        ("1. f5 a1 *", "a1 is not allowed"),
    ):
        driver.app.screen.query_one(Input).value = text
        await driver.press("enter")
        assert why in "\n".join(shown(driver.app))


@driven(engine_plays_white)
async def test_the_game_on_the_board_goes_on(driver: Driver, tmp_path: Path) -> None:
    await driver.press("tab", "enter")
    await driver.answered()
    await opened(driver, str(new_file(tmp_path / "cup.pgn", CUP)))
    driver.session.play(driver.session.position.legal_moves[0])
    driver.screen.update()
    await driver.answered()
    assert len(driver.session.game) == 4
    await driver.press("escape")
    assert driver.app.screen is driver.screen
