"""The bots of docs/service.md play a game, both the same; its numbers are those of the service."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ENVIRONMENT
from reversi import Engine, Game
from reversi.protocols.serving import DEFAULT_QUEUE, MAX_LINE

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
COMMAND = '["reversi", "engine", "json"]'
NODE = shutil.which("node")


def code(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


def run(program: list[str], path: Path) -> str:
    done = subprocess.run(
        [*program, path], capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def game() -> str:
    """What the bots print."""
    played, engine = Game(), Engine(8)
    while not played.is_over:
        played.play(engine.hint(played.position, 1)[0].move)
    return f"{''.join(map(str, played.moves))} {played.position.count.discs}\n"


@pytest.mark.thorough
def test_the_bot_in_python(tmp_path: Path) -> None:
    text = code("python")
    assert len([line for line in text.splitlines() if line]) <= 10
    assert COMMAND in text
    bot = tmp_path / "bot.py"
    bot.write_text(text.replace(COMMAND, json.dumps([sys.executable, "-m", "reversi", "engine", "json"])))
    assert run([sys.executable], bot) == game()


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_bot_in_javascript(tmp_path: Path) -> None:
    text, command = code("js"), 'spawn("reversi", ["engine", "json"]'
    assert command in text
    bot = tmp_path / "bot.mjs"
    words = json.dumps(["-m", "reversi", "engine", "json"])
    bot.write_text(text.replace(command, f"spawn({json.dumps(sys.executable)}, {words}"))
    assert NODE is not None
    assert run([NODE], bot) == game()


def test_the_numbers() -> None:
    assert f"{MAX_LINE:,} bytes" in PAGE
    assert f"{DEFAULT_QUEUE:,} by default" in PAGE
