"""A game on the full screen survives the death of its program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from reversi import Color
from reversi.session.saving import SessionFolder
from screen_driver import Driver, drive

PLAYED = """
import os, signal, sys
from pathlib import Path
from screen_driver import drive, engine_plays_white
from reversi.game.clocks import TimeControl
from reversi.session.saving import SessionFolder

session = engine_plays_white(controls=TimeControl(300))
session.keepers.append(SessionFolder(Path(sys.argv[1])))

async def script(driver):
    for _ in range(3):
        await driver.press("tab", "enter")
        await driver.answered()
    print(" ".join(map(str, session.game.moves)), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

drive(session, script, theme="safe")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_game_continues(tmp_path: Path) -> None:
    import reversi

    paths = [str(Path(__file__).parent.parent), str(Path(reversi.__file__).parent.parent)]
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    moves = done.stdout.split()
    assert len(moves) == 6

    sessions = SessionFolder(tmp_path)
    session = sessions.resume()
    assert [str(move) for move in session.game.moves] == moves
    assert session.clock is not None
    assert session.clock.remaining(Color.BLACK) < 300

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
    again = SessionFolder(tmp_path).resume()
    assert len(again.game) == 8
