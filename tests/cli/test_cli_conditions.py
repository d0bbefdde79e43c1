"""Conditions on games: every command that takes games takes all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_command
from reversi.games import Database

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")

GAMES = (
    '[Black "Ada"]\n[White "Bob"]\n[WthorTheoretical "30"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n',
    '[Black "Cy"]\n[White "Ada"]\n[WthorTheoretical "36"]\n\n1. f5 f6 2. e6 f4 3. e3 c5 33-31\n',
    '[Black "Bob"]\n[White "Cy"]\n\n1. f5 f4 2. e3 f6 3. d3 e2 20-44\n',
)
"""Game 1 is a Tiger, 2 and 3 are others."""

CONDITIONS = [
    (["--score", "..-1"], [3]),
    (["--score", "10..20", "--score", "2"], [1, 2]),
    (["--margin", "16.."], [1, 3]),
    (["--theory", "-4"], [1]),
    (["--theory-error", "6"], [2]),
    (["--outcome-changed"], [1]),
    (["--moves-contain", "d6 c3 d3"], [1]),
    (["--moves-contain", "e6f4e3", "--moves-contain", "e3f6d3"], [2, 3]),
    (["--pattern", "????????/????????/????????/????????/???XX???/?????O??"], [2]),
    (["--pattern", "?" * 64, "--player", "cy"], [2, 3]),
]


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The games as a file and as a database."""
    folder = tmp_path_factory.mktemp("games")
    file, database = folder / "games.pgn", folder / "games.duckdb"
    file.write_text("\n".join(GAMES))
    with Database(database, create=True) as made:
        made.add(file)
    return file, database


@pytest.mark.thorough
@pytest.mark.parametrize(("conditions", "games"), CONDITIONS, ids=lambda value: "".join(map(str, value)))
def test_every_command_takes_every_condition(
    paths: tuple[Path, Path], conditions: list[str], games: list[int], tmp_path: Path
) -> None:
    for path in paths:
        done = run_command("record", "filter", path, "--json", *conditions)
        assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == games
        done = run_command("record", "stats", path, "--json", *conditions)
        assert json.loads(done.stdout)["games"] == len(games)
        done = run_command("record", "convert", path, tmp_path / "out.pgn", "--force", *conditions)
        assert done.stderr == f"reversi: {tmp_path / 'out.pgn'}: {_of_three(len(games))} written\n"
        done = run_command("explore", "f5", path, "--no-values", "--json", *conditions)
        assert json.loads(done.stdout)["games"] == len(games)
        done = run_command("analyze", path, "--json", "--level", "1", "--exact-from", "0", *conditions)
        assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == games
        done = run_command(
            "train", "make", path, "--level", "1", "-o", tmp_path / "deck.json", "--force", *conditions
        )
        assert f" from {len(games)} game" in done.stderr


def _of_three(games: int) -> str:
    return "3 games" if games == 3 else f"{games} of 3 games"


def test_a_wrong_condition_names_its_option(paths: tuple[Path, Path]) -> None:
    for option, value, why in (
        ("--theory-error", "-1", "it is never negative; write 20, 10..20, 10.. or ..4"),
        ("--moves-contain", "f5,zz", "'zz' is not a move; write moves such as f5f6e6"),
        (
            "--pattern",
            "XX/X",
            "'XX/X' is not a pattern: write rows of one length, at most 8, of X, O, - (empty) and ? (any), with",
        ),
    ):
        done = run_command("record", "filter", paths[0], option, value)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"reversi: {option}: {why}")


def test_both_ways(paths: tuple[Path, Path]) -> None:
    for path in paths:
        for sort, games in (("score", [1, 2, 3]), ("score:asc", [3, 2, 1]), ("black:desc", [2, 3, 1])):
            done = run_command("record", "filter", path, "--json", "--sort", sort)
            assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == games
    done = run_command("record", "filter", paths[0], "--sort", "score:up")
    assert done.stderr.startswith("reversi: --sort: 'score:up' sorts no games; give one of year, event,")
    assert done.returncode == 2
