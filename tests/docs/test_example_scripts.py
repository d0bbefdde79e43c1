"""The scripts in examples/scripts are short, typed and do what they say."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run_program
from reversi import Position
from reversi.records import read_games
from reversi.text import format_board

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples" / "scripts").glob("*.py"))


def run(name: str, *arguments: str | Path) -> list[str]:
    """Run a script and return its lines."""
    with contextlib.chdir(ROOT):
        done = run_program(ROOT / "examples" / "scripts" / f"{name}.py", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def code_lines(source: str) -> int:
    """Count the lines that have code: blank ones, comments and docstrings do not count."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not is_text:
            # the lines of a compound statement count with its body
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            found.update(range(node.lineno, max(last, node.lineno) + 1))
    lines = source.splitlines()
    return sum(bool(lines[number - 1].strip()) for number in found)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_scripts_are_short_and_say_how_to_run_them(script: Path) -> None:
    source = script.read_text(encoding="utf-8")
    assert code_lines(source) < 15
    assert f"\npython examples/scripts/{script.name}" in (ast.get_docstring(ast.parse(source)) or "")


def test_the_table_names_every_script() -> None:
    table = (SCRIPTS[0].parent / "README.md").read_text(encoding="utf-8")
    assert {script.name for script in SCRIPTS} == {
        line.split("`")[1] for line in table.splitlines() if "| `" in line
    }


def test_every_script_has_a_test() -> None:
    tests = Path(__file__).read_text(encoding="utf-8")
    assert len(SCRIPTS) == 10
    assert [script.stem for script in SCRIPTS if f'run("{script.stem}"' not in tests] == []


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_scripts_are_strictly_typed() -> None:
    command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", *map(str, SCRIPTS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def test_play_game() -> None:
    lines = run("play_game")
    assert lines[0] == "  a b c d e f g h"
    assert lines[-2] == f"game over: {lines[-1]}"


def test_legal_moves() -> None:
    assert run("legal_moves")[-4:] == ["d3 flips d4", "c4 flips d4", "f5 flips e5", "e6 flips e5"]
    assert run("legal_moves", "f5d6c3")[-4:] == ["d3 flips d4", "f3 flips e4", "f4 flips e5", "g5 flips e5 f5"]


def test_iterate_games() -> None:
    lines = run("iterate_games")
    assert len(lines) == 2 * 5
    assert lines[:2] == ["greedy - random 45-19, 63 plies", "Black wins 45-19 (by 26)"]
    assert len(run("iterate_games", "examples/games.ggf", "examples/games.sgf")) == 2 * (3 + 5)


def test_find_position() -> None:
    assert run("find_position", "c4c3d3c5b5") == ["game 1, ply 5: greedy - random 45-19"]
    assert run("find_position", "c4c3d3c5b5") == run("find_position", "f5f6e6f4g4")  # the same, rotated
    assert run("find_position", "f5d6c3") == []


def test_solve_positions(tmp_path: Path) -> None:
    lines = run("solve_positions")
    assert sorted(int(line.split()[0]) for line in lines) == list(range(1, 13))
    assert "12 -4 exact, best a6" in lines
    suite = tmp_path / "suite.txt"
    position = Position.parse("OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X")
    suite.write_text(f"{format_board(position)}\n" * 120, encoding="utf-8")
    assert len(run("solve_positions", suite)) == 100


def test_analyze_game() -> None:
    lines = run("analyze_game", "examples/games.pgn", "6")
    assert all(line.startswith("ply ") for line in lines[:-2])
    assert "ply 53: Black h5 inaccuracy, best f4, loses 4 discs" in lines  # exact from 20 empty squares
    assert lines[-2].startswith("Black: mean loss 3.")


def test_evaluate_batch() -> None:
    pytest.importorskip("numpy")
    lines = run("evaluate_batch")
    assert [line.partition(":")[0] for line in lines] == [f"{empties} empty" for empties in range(50, -1, -10)]
    assert lines[-1] == "0 empty: mean error 0.0 discs"


def test_draw_position(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("draw_position", "f5d6c3", file) == []
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_self_play(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    assert run("self_play", "5", file) == []
    games = [entry.record for entry in read_games(file.read_text(encoding="utf-8"))]
    assert len({game.moves for game in games}) == 5
    assert all(game.result != "*" for game in games)


def test_own_bot() -> None:
    (line,) = run("own_bot")
    assert "wins" in line or "draw" in line
