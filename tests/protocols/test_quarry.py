"""Quarry, a GTP client from Debian, plays a whole game with ``reversi engine gtp`` on both sides."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from children import Child
from reversi import Game

GAMES = Path("/usr/games")  # where Debian has it, perhaps outside the path
QUARRY = shutil.which("quarry") or (str(GAMES / "quarry") if (GAMES / "quarry").exists() else None)
MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(QUARRY is None or bool(MISSING), reason="Quarry, Xvfb or xdotool is not installed"),
]

# where the buttons of "New Game" are, in a screen without a window manager
CLICKS = {
    "Quarry Control Center": [(100, 26)],
    "New Game": [(36, 137), (36, 234), (36, 335), (434, 422), (436, 422)],
}


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "Quarry did not get that far"
        time.sleep(0.2)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An empty screen, and a home where Quarry knows this engine alone."""
    log, script = tmp_path / "log", tmp_path / "engine"
    command = f"{sys.executable} -m reversi engine gtp --level 4"
    script.write_text(f"#!/bin/sh\nexec tee -a {log}.$$ | {command}\n")
    script.chmod(0o755)
    (tmp_path / ".quarry").write_text(
        f'[GTP Engine "A"]\nName = "reversi"\nCommand line = "{script}"\nSupported games = "Reversi"\n'
    )
    read, write = os.pipe()
    server = Child(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1100x850x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        number = os.read(read, 16).decode().strip()
        yield {**os.environ, "HOME": str(tmp_path), "DISPLAY": f":{number}", "LC_ALL": "C"}
    finally:
        os.close(read)
        server.terminate()
        server.wait(30)


def played(folder: Path) -> Game:
    """The game so far: Black's moves are those that Quarry sent to White's engine, and the other way round."""
    sent: dict[str, list[str]] = {"black": [], "white": []}
    for path in folder.glob("log.*"):
        for line in path.read_text().split("\n")[:-1]:
            if line.startswith("play "):
                _, color, move = line.split()
                sent[color].append(move.lower())
    game = Game()
    while not game.is_over:
        moves = sent[str(game.to_move).lower()]
        if game.must_pass:
            game.play("--")
        elif moves:
            game.play(moves.pop(0))
        else:
            break
    return game


def test_quarry_plays_a_game(screen: dict[str, str], tmp_path: Path) -> None:
    def windows(name: str) -> list[str]:
        done = subprocess.run(
            ["xdotool", "search", "--name", name], env=screen, capture_output=True, text=True, check=False
        )
        return done.stdout.split()

    def click(x: int, y: int) -> None:
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], env=screen, check=True)
        time.sleep(0.7)  # the dialog has no event to wait for

    assert QUARRY is not None
    quarry = Child([QUARRY], env=screen, cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        for name, places in CLICKS.items():
            wait_for(lambda name=name: windows(name))  # type: ignore[misc]
            time.sleep(1)
            for x, y in places:
                click(x, y)
        # the last move goes to nobody
        wait_for(lambda: played(tmp_path).position.empties <= 1, 120)
        if picture := os.environ.get("QUARRY_PICTURE"):
            time.sleep(2)
            subprocess.run(["import", "-window", "root", picture], env=screen, check=True)
    finally:
        quarry.terminate()
        quarry.wait(30)
    commands = "".join(path.read_text() for path in tmp_path.glob("log.*"))
    assert "set_game Othello\nboardsize 8\nclear_board\n" in commands
