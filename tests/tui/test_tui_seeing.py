"""What the full screen shows of a game on request, and what it keeps of that for the next session."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from reversi import Game, parse_rules
from reversi.session.session import Flipping, Session
from reversi.tui.board_drawing import LEAST_SIZE
from reversi.tui.preferences import Preferences
from screen_driver import Driver, app_of, drive, driven, engine_plays_white

SIZES = [(80, 24), (120, 40)]


def outlined(driver: Driver) -> str:
    """The squares with an outline."""
    bits = driver.screen.board._view.outlined
    return " ".join(f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in range(64) if bits >> square & 1)


@pytest.mark.parametrize("size", [LEAST_SIZE, *SIZES])
def test_flipped_discs_are_outlined_until_the_next_move_and_counted(size: tuple[int, int]) -> None:
    async def script(driver: Driver) -> None:
        assert outlined(driver) == ""
        await driver.click("f5")
        assert outlined(driver) == "e5"
        assert "Black f5, flips e5; White to move." in driver.words
        await driver.click("f6")
        await driver.click("e6")
        assert outlined(driver) == "e5"
        await driver.click("f4")
        assert outlined(driver) == "e4 f5"
        assert "White f4, flips 2: " in driver.words
        await driver.press("u")
        assert outlined(driver) == "e5"

    drive(Session(), script, size=size)


def test_the_outline_stays_over_a_forced_pass() -> None:
    game = Game(parse_rules("othello,board=4x4"))
    game.play_all(["c4", "b4", "a3", "d2"])

    async def script(driver: Driver) -> None:
        await driver.click("a4")
        assert str(driver.session.game[-1].move) == "--"
        assert outlined(driver) == " ".join(map(str, driver.session.game[-2].flips))

    drive(Session(game), script)


@driven(lambda: Session(flipping=Flipping.MANUAL))
async def test_discs_flipped_by_hand_are_outlined(driver: Driver) -> None:
    await driver.click("f5")
    assert outlined(driver) == ""
    assert "flips" not in driver.words.partition("\n")[2]
    await driver.click("e5")
    await driver.click("d4")
    assert outlined(driver) == "d4 e5"
    await driver.press("d")
    assert outlined(driver) == "d4 e5"


@pytest.mark.parametrize("size", SIZES)
def test_the_cursor_shows_what_a_move_would_flip(size: tuple[int, int]) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("tab", "enter")  # d3 or another first legal square
        await driver.answered()
        before = outlined(driver)
        await driver.press("f")
        assert "The cursor shows what a move there would flip." in driver.words
        square = driver.session.position.legal_moves[0]
        await driver.go_to(str(square))
        await driver.pilot.pause()
        flips = driver.session.position.flips(square)
        assert outlined(driver) == " ".join(map(str, flips))
        assert f"{square} would flip {len(flips)} disc" in driver.words
        await driver.go_to("a1")  # not legal: the last move again
        await driver.pilot.pause()
        assert outlined(driver) == before
        assert "would flip 1 disc" not in driver.words.partition("\n")[0]
        await driver.go_to(str(square))
        await driver.press("f")
        assert outlined(driver) == before
        assert "would flip 1 disc" not in driver.words.partition("\n")[0]

    drive(engine_plays_white(), script, size=size)


def test_what_is_shown_is_kept_for_the_next_session(tmp_path: Path) -> None:
    async def main(*keys: str) -> tuple[bool, bool, bool]:
        app = app_of(Session(), preferences=Preferences(tmp_path / "screen.json"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen = Driver(app, pilot).screen
            begins = screen.marks_shown, screen.flips_shown, screen.show_evaluation
            await pilot.press(*keys)
            await pilot.pause()
            app.exit(False)
        return begins

    assert asyncio.run(main("m", "f", "v")) == (True, False, False)
    assert asyncio.run(main("m")) == (False, True, True)
    assert asyncio.run(main()) == (True, True, True)
