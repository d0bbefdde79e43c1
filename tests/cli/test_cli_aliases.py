"""Aliases of players, similar names, and openings as tags, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_command
from files import new_file

GAMES = """[White "Oh J."]
[Black "Aleksandr Petrov"]
[Date "1997.05.01"]

1. f5 d6 2. c3 d3 3. c4 *

[White "Kim"]
[Black "Alexandr Petrov"]
[Date "1998.05.01"]

1. f5 f6 *
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    (tmp_path / "names.txt").write_text("Oh J. = Oh, Joung-Mok\nAleksandr Petrov = Alexandr Petrov\n", "utf-8")
    return tmp_path


def test_records(folder: Path) -> None:
    games, names = folder / "games.pgn", folder / "names.txt"
    done = run_command("record", "filter", games, "--player", "joung", "--aliases", names, "--opening-tags")
    assert done.returncode == 0
    assert '[White "Oh, Joung-Mok"]' in done.stdout
    assert '[Opening "Tiger"]\n[OpeningCode "f5d6c3d3c4"]' in done.stdout
    assert "Kim" not in done.stdout
    merged = run_command("record", "merge", games, "--aliases", names).stdout
    converted = run_command("record", "convert", games, "-", "--to", "pgn", "--aliases", names).stdout
    assert merged == converted
    assert merged.count('[Black "Alexandr Petrov"]') == 2
    assert "Opening" not in merged
    plain = run_command("record", "merge", games).stdout
    assert plain.count("Aleksandr") == 1
    wrong = new_file(folder / "wrong.txt", "Oh J.\n")
    done = run_command("record", "merge", games, "--aliases", wrong)
    assert (done.returncode, done.stderr) == (65, f"reversi: {wrong}: line 1: 'Oh J.': write Alias = Name\n")
    assert run_command("record", "merge", games, "--aliases", folder / "none.txt").returncode == 66
    wrong.write_bytes(b"\0\1")
    done = run_command("record", "merge", games, "--aliases", wrong)
    assert (done.returncode, done.stderr) == (65, f"reversi: --aliases: {wrong}: binary data, not text\n")


def test_aliases_of_a_database(folder: Path) -> None:
    pytest.importorskip("duckdb")
    db, names = folder / "a.duckdb", folder / "names.txt"
    run_command("db", "import", folder / "games.pgn", "--db", db)
    done = run_command("db", "aliases", names, "--db", db, "--dry-run")
    assert done.stdout == "2 names of players and 0 names of events: 1 game would be renamed\n"
    done = run_command("db", "aliases", names, "--db", db, "--json")
    assert json.loads(done.stdout) == {"players": 2, "events": 0, "games": 1, "repeated": 0, "dry_run": False}
    assert "Oh, Joung-Mok" in run_command("db", "players", "list", "--db", db).stdout
    done = run_command("db", "aliases", folder / "none.txt", "--db", db)
    assert (done.returncode, done.stderr) == (66, f"reversi: {folder / 'none.txt'}: no such file\n")


def test_databases(folder: Path) -> None:
    pytest.importorskip("duckdb")
    games, names = folder / "games.pgn", folder / "names.txt"
    db, other = folder / "a.duckdb", folder / "b.duckdb"
    run_command("db", "import", games, "--db", db)
    found = run_command("record", "filter", db, "--player", "alexandr", "--aliases", names, "--json").stdout
    assert [json.loads(line)["black"] for line in found.splitlines()] == ["Alexandr Petrov"] * 2
    explored = [
        json.loads(run_command("explore", "f5", db, "--player", "joung", "--no-values", "--json", *more).stdout)
        for more in ((), ("--aliases", names))
    ]
    assert [one["games"] for one in explored] == [0, 1]
    (line,) = run_command("db", "players", "list", "--similar", "--json", "--db", db).stdout.splitlines()
    assert json.loads(line) == {
        "name": "Aleksandr Petrov",
        "other": "Alexandr Petrov",
        "games": 1,
        "other_games": 1,
        "likeness": "sound",
    }
    assert run_command("db", "players", "list", "--similar", "--twins", "--db", db).returncode == 2
    written = run_command("record", "filter", db, "--opening-tags").stdout
    assert '[OpeningCode "f5d6c3d3c4"]' in written
    assert run_command("record", "filter", db, "--list", "--opening-tags").returncode == 2
    run_command("db", "import", games, "--db", other, "--aliases", names)
    listed = run_command("db", "players", "list", "--db", other, "--json").stdout
    assert {json.loads(line)["name"] for line in listed.splitlines()} == {
        "Alexandr Petrov",
        "Oh, Joung-Mok",
        "Kim",
    }
    assert "0 added" in run_command("db", "import", games, "--db", other, "--aliases", names).stdout


def test_one_player_of_an_analysis_and_of_exercises(folder: Path) -> None:
    games, names, results = folder / "games.pgn", folder / "names.txt", folder / "a.jsonl"
    analyze = ("analyze", games, "--level", "1", "--exact-from", "0")
    given = ("--player", "alexandr", "--aliases", names)
    done = run_command(*analyze, *given, "--json")
    assert [json.loads(line)["tags"]["Black"] for line in done.stdout.splitlines()] == [
        "Aleksandr Petrov",
        "Alexandr Petrov",
    ]
    assert len(run_command(*analyze, *given[:2], "--json").stdout.splitlines()) == 1
    assert run_command(*analyze, "--output", results).returncode == 0
    summary = json.loads(run_command("analyze", "--summary", results, "--json", *given).stdout)
    assert [(player["name"], player["games"]) for player in summary["players"]] == [("Alexandr Petrov", 2)]
    plain = json.loads(run_command("analyze", "--summary", results, "--json").stdout)
    assert len(plain["players"]) == 4
    makes = ("train", "make", games, "--player", "joung", "--level", "1", "-o", "-")
    assert run_command(*makes, "--aliases", folder / "none.txt").returncode == 66
    made = run_command(*makes, "--aliases", names)
    assert (
        made.returncode
        == run_command("train", "make", games, "--player", "oh", "--level", "1", "-o", "-").returncode
    )


def test_a_database_keeps_its_aliases(folder: Path) -> None:
    pytest.importorskip("duckdb")
    db, names, games = folder / "a.duckdb", folder / "names.txt", folder / "games.pgn"
    run_command("db", "import", games, "--db", db).ends(0)
    run_command("db", "aliases", "--db", db).ends(0, out="")
    names.write_text("Oh J. = Oh, Joung-Mok\n[events]\nCup = Open\n", encoding="utf-8")
    run_command("db", "aliases", names, "--db", db).ends(0)
    run_command("db", "players", "merge", "Alexandr Petrov", "Aleksandr Petrov", "--db", db).ends(0)
    listed = "Aleksandr Petrov = Alexandr Petrov\nOh J. = Oh, Joung-Mok\n[events]\nCup = Open\n"
    run_command("db", "aliases", "--db", db).ends(0, out=listed)
    lines = run_command("db", "aliases", "--db", db, "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines][2] == {"alias": "Cup", "name": "Open", "event": True}
    run_command("db", "import", games, "--db", db).ends(0, prints="0 added")  # under the old names
    games.write_text(GAMES.replace("1997", "2007").replace("1998", "2008"), encoding="utf-8")
    run_command("db", "import", games, "--db", db).ends(0, prints="2 added")
    query = "select distinct black from games"
    run_command("db", "sql", query, "--csv", "--db", db).ends(0, out="black\nAlexandr Petrov\n")
