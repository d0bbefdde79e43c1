"""``reversi explore``, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command
from explorer_samples import make_database, positions
from files import new_file
from reversi import Move
from reversi.text import format_board


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("explore"))


def test_the_table(database: Path) -> None:
    done = run_command("explore", "f5d6c3d3c4", database, "--level", "6").ends(0, err="")
    head, titles, *rows = done.stdout.splitlines()
    assert head == f"Tiger: White to move; values heuristic, depth 4; 4 games in {database}"
    columns = ["move", "value", "book", "games", "Black", "draws", "White", "points", "score", "years", "line"]
    assert titles.split() == columns
    assert {row.split()[0] for row in rows} == {"f4", "b3", "b5", "f3", "g5", "g6"}
    f4 = next(row.split() for row in rows if row.startswith("f4"))
    assert (f4[3], f4[4:8]) == ("3", ["0", "0", "0", "–"])
    by_games = run_command("explore", "f5d6c3d3c4", database, "--level", "1", "--sort", "games").stdout
    assert [row.split()[0] for row in by_games.splitlines()[2:4]] == ["f4", "b3"]


GAMES = [
    '[Black "Ada"]\n[White "Bob"]\n[Date "1997"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n',
    '[Black "Bob"]\n[White "Ada"]\n[Date "1998"]\n\n1. e6 f4 2. c3 c4 3. d3 c2 20-44\n',
    '[Black "Cy"]\n[White "Ada"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 *\n',
]


@pytest.fixture(params=["games.pgn", "games.duckdb"])
def archive(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Three games as a file, and as a database."""
    games = new_file(tmp_path / "games.pgn", "\n".join(GAMES))
    path = tmp_path / str(request.param)
    if path != games:
        pytest.importorskip("duckdb", reason="the database needs DuckDB")
        assert run_command("db", "import", games, "--db", path).returncode == 0
    return path


def explored(*arguments: str | Path) -> list[dict[str, Any]]:
    done = run_command("explore", *arguments, "--no-values", "--json")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_games_alone(archive: Path) -> None:
    done = run_command("explore", "f5d6c3d3c4", archive, "--no-values", "--percent", "--min-games", "1")
    head, titles, *rows = done.stdout.splitlines()
    assert (head, done.stderr) == (
        f"Tiger: White to move; 3 games in {archive}",
        "reversi: 4 moves in fewer games left out (--min-games)\n",
    )
    assert titles.split() == [
        "move",
        "book",
        "games",
        "Black",
        "draws",
        "White",
        "points",
        "score",
        "years",
        "line",
    ]
    columns = [[row[:4].strip(), *row[10:].replace(" %", "%").split()] for row in rows]
    assert columns == [
        ["f4", "2", "66.7%", "100.0%", "0.0%", "0.0%", "0.0%", "-16.0", "1997"],
        ["b3", "1", "33.3%", "0.0%", "0.0%", "100.0%", "100.0%", "+24.0", "1998", "(Aubrey)"],
    ]


def test_the_moves_of_a_repertoire(tmp_path: Path) -> None:
    mine = new_file(tmp_path / "mine.pgn", "1. f5 d6 2. c3 *")
    line = ("explore", "f5d6", new_file(tmp_path / "games.pgn", GAMES[0]), "--no-values", "--repertoire", mine)
    head, _, *rows = run_command(*line).ends(0, err="").stdout.splitlines()
    assert head.endswith(f"; * in {mine}")
    assert [row.split()[0] for row in rows] == ["c3*", "c4", "c5", "c6", "c7"]
    (data,) = [json.loads(line) for line in run_command(*line, "--json").stdout.splitlines()]
    assert [move["move"] for move in data["moves"] if move["repertoire"]] == ["c3"]
    other = run_command("explore", "f5f4", *line[2:]).stdout.splitlines()
    assert "*" not in other[0] + other[2]
    run_command(*line[:-1], tmp_path / "none.pgn").ends(66, out="", says="none.pgn: no such file")


def test_people_of_a_rating() -> None:
    line = ("explore", "f5d6c3d3c4", "--no-values", "--people", "1400", "--sort", "people")
    head, names, *rows = run_command(*line).ends(0).stdout.splitlines()
    assert head.endswith("; people of rating 1400")
    assert names.split() == ["move", "book", "people", "line"]
    assert rows[0].split() == ["f4", "~+1", "96", "%"]
    moves = json.loads(run_command(*line, "--json").stdout)["moves"]
    assert sum(move["people"] for move in moves) == pytest.approx(1, abs=1e-3)
    run_command(*line, "--rules", "adjacent").ends(65, out="", says="the standard game, not adjacent")
    run_command("explore", "f5", "--sort", "people").ends(2, out="", says="--sort people: needs --people RATING")
    run_command("explore", "f5", "--people", "999").ends(2, out="", says="give at least 1000")


def test_the_games_as_json(archive: Path) -> None:
    (found,) = explored("f5d6c3d3c4", archive, "--percent", "--min-games", "2")
    (move,) = found.pop("moves")
    assert {key: found[key] for key in ("to_move", "opening", "archive", "games", "stopped", "rare")} == {
        "to_move": "O",
        "opening": "Tiger",
        "archive": [str(archive)],
        "games": 3,
        "stopped": None,
        "rare": 5,
    }
    assert (move["move"], move["engine"]) == ("f4", None)
    assert move["archive"] == {
        "games": 2,
        "black": 1,
        "draws": 0,
        "white": 0,
        "score": -16.0,
        "first": 1997,
        "last": 1997,
        "percent": {"games": 66.67, "black": 100.0, "draws": 0.0, "white": 0.0},
        "points": 0.0,
        "also": [],
    }


def test_conditions(archive: Path) -> None:
    for conditions, games in (
        (["--year", "1998"], 1),
        (["--year", "1998", "--year", "1997"], 2),
        (["--year", "1998", "--year", "1997", "--result", "black"], 1),
        (["--player", "cy"], 1),
        (["--player", "nobody"], 0),
    ):
        (found,) = explored("f5", archive, *conditions)
        assert (found["games"], sum(move["archive"]["games"] for move in found["moves"])) == (games, games)


def test_games_that_end_here_and_moves_that_are_the_same(archive: Path) -> None:
    (found,) = explored("f5d6c3d3c4f4", archive)
    assert (found["games"], found["stopped"]["games"], found["stopped"]["score"]) == (2, 2, 16.0)
    done = run_command("explore", "f5d6c3d3c4f4", archive, "--no-values")
    assert done.stdout.splitlines()[-1].split() == ["2", "1", "0", "0", "–", "+16.0", "1997", "stopped", "here"]
    (start,) = explored("-" * 27 + "OX------XO" + "-" * 27 + " X", archive)
    assert {move["move"]: (move["archive"]["games"], move["archive"]["also"]) for move in start["moves"]} == {
        move: (3, [each for each in ("d3", "c4", "f5", "e6") if each != move]) for move in ("d3", "c4", "f5", "e6")
    }


def test_several_archives_are_one(archive: Path) -> None:
    (one,), (two,) = explored("f5d6", archive), explored("f5d6", archive, archive)
    assert two["games"] == 2 * one["games"] == 6
    assert [move["archive"]["score"] for move in two["moves"]] == [
        move["archive"]["score"] for move in one["moves"]
    ]


def test_the_position_is_a_place_in_a_file(archive: Path) -> None:
    games = archive.parent / "games.pgn"
    assert run_command("record", "convert", games, archive.parent / "games.sgf").returncode == 0
    for place in (f"{games}#1@5", f"{archive.parent / 'games.sgf'}#2@5"):
        (found,) = explored(place, archive)
        assert (found["opening"], found["games"]) == ("Tiger", 3)
    assert run_command("explore", f"{games}#4", archive, "--no-values").returncode == 65


def test_archives_that_cannot_be_read(archive: Path, tmp_path: Path) -> None:
    """The rest is shown; each problem is reported once, whatever the number of positions."""
    broken = new_file(tmp_path / "broken.pgn", f"{GAMES[0]}\n1. f5 xyz 2. d6 *\n\n")
    positions = new_file(tmp_path / "positions.txt", "f5\nf5d6\n")
    arguments = ("explore", positions, archive, broken, tmp_path / "none.pgn", "--no-values", "--json")
    done = run_command(*arguments).ends(66)
    assert [json.loads(line)["games"] for line in done.stdout.splitlines()] == [4, 4]
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == [
        f"{broken}:game 2 (?–?):ply 2",
        "reversi",
    ]
    done = run_command("explore", "f5", "-", data=GAMES[0])
    assert (done.returncode, done.stderr) == (
        2,
        "reversi: PATH -: give the files of games by their names\n",
    )


def test_ten_positions_have_the_counts_of_the_library_and_values_of_hint(database: Path, tmp_path: Path) -> None:
    from reversi.games import Games

    boards = tmp_path / "positions.txt"
    boards.write_text("".join(f"{format_board(position)}\n" for position in positions()), encoding="utf-8")
    shown, hinted = (
        [json.loads(line) for line in run_command(*command, "--json").stdout.splitlines()]
        for command in (
            ("explore", boards, database, "--level", "8"),
            ("hint", boards, "--level", "8", "-n", "64"),
        )
    )
    assert len(shown) == len(hinted) == 10
    for position, table, hints in zip(positions(), shown, hinted, strict=True):
        counts = Games(database).explore(position)
        assert table["games"] == counts.games
        known = {move: tally for tally in counts.moves for move in (tally.move, *tally.also)}
        for row in table["moves"]:
            tally = known.get(Move.parse(row["move"]))
            for key in ("games", "black", "draws", "white"):
                assert row["archive"][key] == (0 if tally is None else getattr(tally, key))
        assert {row["move"]: row["engine"] for row in table["moves"]} == {
            each["move"]: {key: each[key] for key in ("score", "kind", "depth", "confidence", "pv")}
            for each in hints["moves"]
        }


def test_without_a_database(tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = run_command("explore", "f5", "--level", "1", "--json", environment=place).ends(0)
    assert "'reversi db import PATH...'" in done.stderr
    found = json.loads(done.stdout)
    assert (found["archive"], found["games"]) == (None, None)
    assert [row["archive"] for row in found["moves"]] == [None] * 3
    assert all(row["engine"] and row["book"] for row in found["moves"])


def test_the_environment_names_the_database(database: Path) -> None:
    done = run_command("explore", "f5", "--no-values", environment={"REVERSI_DB": str(database)})
    assert done.stdout.partition("\n")[0].endswith(f" games in {database}")


def test_a_finished_game_and_a_bad_position(database: Path, tmp_path: Path) -> None:
    over = new_file(tmp_path / "over.txt", "X" * 64 + " X\n")
    run_command("explore", over, database).ends(0, out="game over: Black wins 64-0 (by 64)\n")
    skipped = run_command("explore", "-" * 64 + " X ended", database, "--rules", "othello,optional-skip")
    assert (skipped.returncode, skipped.stdout) == (0, "game over, after two passes: draw 0-0\n")
    run_command("explore", "f5f5", database).ends(65)


def test_a_beginner_has_no_values(tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = run_command("explore", "f5", "--level", "beginner-2", environment=place).ends(2, out="")
    assert done.stderr == (
        "reversi: --level beginner-2: a level with a name has no values to show; give one from 1 to 60\n"
    )
