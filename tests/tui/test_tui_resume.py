"""A game on the full screen survives the death of its program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from reversi import Color
from reversi.game.clocks import TimeControl
from reversi.session.saving import SessionFolder
from screen_driver import Driver, drive, engine_plays_white


def test_a_killed_game_continues(tmp_path: Path) -> None:
    """What is in the folder while a game is played is what a kill leaves there."""
    first = engine_plays_white(controls=TimeControl(300))
    first.keepers.append(SessionFolder(tmp_path / "games"))

    async def played(driver: Driver) -> None:
        for _ in range(3):
            await driver.press("tab", "enter")
            await driver.answered()
        shutil.copytree(tmp_path / "games", tmp_path / "killed")

    drive(first, played, theme="safe")
    moves = [str(move) for move in first.game.moves]
    assert len(moves) == 6

    sessions = SessionFolder(tmp_path / "killed")
    session = sessions.resume()
    assert [str(move) for move in session.game.moves] == moves
    assert session.clock is not None
    assert session.clock.time_left(Color.BLACK) < 300

    async def script(driver: Driver) -> None:
        assert f"{moves[-2]}   {moves[-1]}" in driver.text("moves")
        assert session.engine_to_move is False
        await driver.press("u")
        assert len(session.game) == 4
        await driver.press("r")
        await driver.press("tab", "enter")
        await driver.answered()
        assert len(session.game) == 8

    drive(session, script)
    sessions.close()
    again = SessionFolder(tmp_path / "killed").resume()
    assert len(again.game) == 8
