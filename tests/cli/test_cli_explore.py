"""``reversi explore``, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_command
from explorer_samples import make_database, positions
from reversi.text import format_board


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    pytest.importorskip("numpy", reason="the database needs NumPy")
    return make_database(tmp_path_factory.mktemp("explore"))


def test_the_table(database: Path) -> None:
    done = run_command("explore", "f5d6c3d3c4", "--db", database, "--level", "6")
    assert (done.returncode, done.stderr) == (0, "")
    head, titles, *rows = done.stdout.splitlines()
    assert head == f"Tiger: White to move; values heuristic, depth 4; 4 games in {database}"
    columns = ["move", "value", "book", "games", "Black", "draws", "White", "points", "score", "years", "line"]
    assert titles.split() == columns
    assert {row.split()[0] for row in rows} == {"f4", "b3", "b5", "f3", "g5", "g6"}
    f4 = next(row.split() for row in rows if row.startswith("f4"))
    assert (f4[3], f4[4:8]) == ("3", ["0", "0", "0", "–"])
    by_games = run_command("explore", "f5d6c3d3c4", "--db", database, "--level", "1", "--sort", "games").stdout
    assert [row.split()[0] for row in by_games.splitlines()[2:4]] == ["f4", "b3"]


def test_ten_positions_have_the_counts_of_db_explore_and_values_of_hint(database: Path, tmp_path: Path) -> None:
    boards = tmp_path / "positions.txt"
    boards.write_text("".join(f"{format_board(position)}\n" for position in positions()), encoding="utf-8")
    explored, counted, hinted = (
        [json.loads(line) for line in run_command(*command, "--json").stdout.splitlines()]
        for command in (
            ("explore", boards, "--db", database, "--level", "8"),
            ("db", "explore", boards, "--db", database),
            ("hint", boards, "--level", "8", "-n", "64"),
        )
    )
    assert len(explored) == len(counted) == len(hinted) == 10
    for table, counts, hints in zip(explored, counted, hinted, strict=True):
        assert table["games"] == counts["games"]
        known = {move: each for each in counts["moves"] for move in (each["move"], *each["also"])}
        for row in table["moves"]:
            games = known.get(row["move"], {"games": 0, "black": 0, "draws": 0, "white": 0})
            for key in ("games", "black", "draws", "white"):
                assert row["database"][key] == games[key]
        engine = {row["move"]: row["engine"] for row in table["moves"]}
        assert engine == {
            each["move"]: {key: each[key] for key in ("score", "kind", "depth", "confidence", "pv")}
            for each in hints["moves"]
        }


def test_without_a_database(tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = run_command("explore", "f5", "--level", "1", "--json", environment=place)
    assert done.returncode == 0
    assert "'reversi db import PATH...'" in done.stderr
    found = json.loads(done.stdout)
    assert (found["database"], found["games"]) == (None, None)
    assert [row["database"] for row in found["moves"]] == [None] * 3
    assert all(row["engine"] and row["book"] for row in found["moves"])
    missing = run_command("explore", "f5", "--db", tmp_path / "no.duckdb")
    assert missing.returncode == 66
    assert missing.stderr.count("\n") == 1


def test_conditions(database: Path) -> None:
    done = run_command("explore", "f5d6c3d3c4", "--db", database, "--level", "1", "--player", "Cy", "--json")
    assert json.loads(done.stdout)["games"] == 2
    done = run_command("explore", "f5", "--db", database, "--level", "1", "--year", "1991", "--json")
    assert json.loads(done.stdout)["games"] == 1


def test_a_finished_game_and_a_bad_position(database: Path, tmp_path: Path) -> None:
    over = tmp_path / "over.txt"
    over.write_text("X" * 64 + " X\n", encoding="utf-8")
    done = run_command("explore", over, "--db", database)
    assert (done.returncode, done.stdout) == (0, "game over: Black wins 64-0 (by 64)\n")
    skipped = run_command("explore", "-" * 64 + " X ended", "--rules", "othello,optional-skip", "--db", database)
    assert (skipped.returncode, skipped.stdout) == (0, "game over, after two passes: draw 0-0\n")
    bad = run_command("explore", "f5f5", "--db", database)
    assert bad.returncode == 65


def test_a_beginner_has_no_values(tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = run_command("explore", "f5", "--level", "beginner-2", environment=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "reversi: --level beginner-2: a beginner has no values to show; give a level from 1 to 60\n"
    )
