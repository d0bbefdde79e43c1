"""Files that the program wrote earlier open and continue; tests/written/README.md says what they are."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from command_line import Done, run_command

WRITTEN = Path(__file__).parent / "written"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, as the current folder."""
    folder = tmp_path / "written"
    shutil.copytree(WRITTEN, folder)
    monkeypatch.chdir(folder)
    return folder


def ran(*arguments: str, data: str = "") -> Done:
    done = run_command(*arguments, data=data)
    assert done.returncode == 0, done.stderr
    return done


def objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_results_of_solve_continue(files: Path) -> None:
    before = objects(files / "results.jsonl")
    done = ran("solve", "endgames.obf", "--threads", "1", "--output", "results.jsonl", "--resume")
    assert "2 positions were in results.jsonl already" in done.stdout
    after = objects(files / "results.jsonl")
    assert after[:2] == before
    assert [(one["index"], one["score"], one["nodes"]) for one in after[2:]] == [(3, -10, 3303), (4, -20, 1178)]


def test_analyses_continue_and_are_summarized(files: Path) -> None:
    before = objects(files / "analyses.jsonl")
    options = ("--level", "2", "--exact-from", "8", "--output", "analyses.jsonl", "--resume")
    done = ran("analyze", "games.pgn", *options)
    assert "2 games analyzed, 1 game before" in done.stderr
    after = objects(files / "analyses.jsonl")
    assert after[0] == before[0]
    assert sorted(one["game"] for one in after) == [1, 2, 3]
    summary = json.loads(ran("analyze", "--summary", "analyses.jsonl", "--json").stdout)
    assert [(player["name"], player["games"]) for player in summary["players"]] == [("greedy", 3), ("random", 3)]


@pytest.mark.parametrize("version", ["1.2.1", "2.0.0"])
def test_a_database_knows_its_games(files: Path, version: str) -> None:
    """DuckDB reads what it wrote earlier; a file of DuckDB 2 it reads from version 2 on."""
    duckdb = pytest.importorskip("duckdb")
    if Version(duckdb.__version__) < Version(version):
        pytest.skip(f"DuckDB {duckdb.__version__} does not read files that DuckDB {version} wrote")
    database = files / "games.duckdb"
    database.write_bytes(gzip.decompress((files / f"games.duckdb-{version}.gz").read_bytes()))
    done = ran("db", "import", "games.pgn", "--db", "games.duckdb")
    assert "0 added to games.duckdb, 3 already there" in done.stdout
    games = ran("db", "games", "--db", "games.duckdb", "--json").stdout.splitlines()
    assert [json.loads(game)["score"] for game in games] == [26, -28, 28]
    moves = json.loads(ran("db", "explore", "c4c3", "--db", "games.duckdb", "--json").stdout)["moves"]
    assert [(one["move"], one["games"]) for one in moves] == [("d3", 2)]


def test_a_book_is_read(files: Path) -> None:
    done = ran("book", "show", "f5", "--book", "small.book", "--json")
    assert [(one["move"], one["score"]) for one in json.loads(done.stdout)["moves"]] == [("f6", -1)]


def test_searches_for_a_book_that_depend_on_each_other_begin_again(files: Path) -> None:
    making = ("book", "make", "games.pgn", "--games", "1", "--plies", "30", "--depth", "24", "-o", "half.book")
    done = run_command(*making)
    assert done.returncode == 65
    assert "half.book.searches: holds searches of another version" in done.stderr
    assert "remove it to start again" in done.stderr
    (files / "half.book.searches").unlink()
    assert "57 positions" in ran(*making).stdout


def test_a_certificate_is_checked(files: Path) -> None:
    done = ran("proof", "check", "position.proof")
    assert "+28 exact" in done.stdout
    assert "22 of 22 leaves solved again" in done.stdout


def test_a_proof_continues_in_its_store(files: Path) -> None:
    with sqlite3.connect(files / "position.sqlite") as store:
        (proved,) = store.execute("select count(*) from bounds").fetchone()
    assert proved > 0
    options = ("--frontier-empties", "13", "--threads", "1", "--store", "position.sqlite")
    done = ran("prove", "harder.obf", *options)
    assert "+38 exact" in done.stdout
    with sqlite3.connect(files / "position.sqlite") as store:
        assert store.execute("select count(*) from bounds").fetchone()[0] > proved


def test_a_match_continues(files: Path) -> None:
    before = (files / "match.pgn").read_text(encoding="utf-8")
    done = ran(
        "match", "1", "2", "--games", "4", "--adjudicate", "20", "--save", "match.pgn", "--resume", "--json"
    )
    after = (files / "match.pgn").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert after.count("[Event ") == 4
    assert sum(json.loads(done.stdout)["pairings"][0]["pairs"]) == 2


@pytest.mark.parametrize(
    ("name", "words", "ply"),
    [("timed", "f4\nquit\n", "4. White: f4"), ("flips", "flip all\ndone\nd6\nquit\n", "d6")],
)
def test_a_saved_game_continues(files: Path, name: str, words: str, ply: str) -> None:
    done = ran("play", "--quiet", "--resume", f"{name}.sitting", data=words)
    assert ply in done.stdout
    assert "Unfinished" in done.stdout
    assert not (files / f"{name}.sitting").exists()
    assert '"reversi session": 1' in (files / f"{name}.session").read_text(encoding="utf-8")


def test_the_folder_of_saved_games_has_earlier_ones(files: Path) -> None:
    games = files / "state" / "games"
    games.mkdir(parents=True)
    shutil.move(files / "timed.sitting", games / "2026-01-01.sitting")
    done = ran("play", "--quiet", "--resume", "--state", "state", data="f4\nquit\n")
    assert "4. White: f4" in done.stdout
    assert [path.name for path in games.iterdir()] == ["2026-01-01.session"]


def test_exercises_keep_their_progress(files: Path) -> None:
    training = files / "state" / "training"
    training.mkdir(parents=True)
    for name in ("exercises.json", "progress.json"):
        shutil.move(files / name, training)
    assert "1 answer, 1 right" in ran("train", "stats", "--state", "state").stdout
    done = ran("train", "--state", "state", data="quit\n")
    assert "Exercise 1 of" in done.stdout
