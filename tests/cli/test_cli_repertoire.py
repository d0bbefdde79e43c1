"""``reversi openings repertoire``, run as a user runs it."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from command_line import run_command
from files import new_file
from reversi import Color
from reversi.games import Repertoire

run = functools.partial(run_command, "openings", "repertoire")
EMPTY = '[Repertoire "Black"]\n\n'


def test_a_repertoire_is_made_and_has_no_problem(tmp_path: Path) -> None:
    file = tmp_path / "mine.pgn"
    made = run("make", "--color", "black", "--at", "Tiger", "--plies", "10", "--output", file)
    assert made.ends(0, err="").stdout.startswith(f"{file}: 7 lines, 13 ")
    mine = Repertoire.read(file)
    assert (mine.color, mine.begins[0].empties) == (Color.BLACK, 55)
    assert f" {len(list(mine.questions()))} positions of yours, " in made.stdout
    checked = run("check", file).ends(0, err="").stdout
    assert checked == made.stdout.removeprefix(f"{file}: ").replace(
        f"'reversi train openings {file}' asks them", "0 problems"
    )
    run("make", "--color", "black", "--output", file).ends(73, out="", says="--force overwrites it")


def test_every_format_with_variations_holds_it(tmp_path: Path) -> None:
    moves = ("make", "--color", "white", "--at", "f5d6", "--plies", "5")
    text = run(*moves).ends(0, says="reversi: ").stdout
    sgf = tmp_path / "mine.sgf"
    run(*moves, "-o", sgf).ends(0, err="")
    one, other = Repertoire.read(new_file(tmp_path / "mine.pgn", text)), Repertoire.read(sgf)
    assert [one.moves(position) for position in one.walk()] == [other.moves(position) for position in other.walk()]
    run(*moves, "-o", tmp_path / "mine.wtb").ends(2, out="", says="wthor has no variations; give a name with .pgn")


def test_games_say_what_opponents_play(tmp_path: Path) -> None:
    games = new_file(tmp_path / "games.txt", "f5d6c3d3c4f4c5b4\n" * 30 + "f5d6c3d3c4b5b4\n" * 3 + "f5f6e6\n")
    wanted = ("make", games, "--color", "black", "--at", "Tiger", "--plies", "6", "--error", "0", "--level", "2")
    made = run(*wanted).ends(0, says=f"reversi: 33 games of {games}")
    assert "30 games" in made.stdout
    assert "b5 {[%eval -1 book] 3 games}" in made.stdout.replace("\n", " ")
    assert "b5" not in run(*wanted, "--share", "10").stdout
    assert "b5" not in run(*wanted, "--tag", "Event=none").ends(0, says="0 games of").stdout


def test_problems_are_findings(tmp_path: Path) -> None:
    file = new_file(tmp_path / "mine.pgn", EMPTY + "1. f5 d6 2. c3 *\n")
    done = run("check", file).ends(1, err="")
    problem = "no answer to f6 (35994 games, 34%, +0 by the book)"
    assert done.stdout == f"{file}: after f5: {problem}\n1 line, 2 positions of yours, 1 to learn; 1 problem\n"
    found, summary = map(json.loads, run("check", file, "--json").ends(1, err="").stdout.splitlines())
    assert found == {
        "file": str(file),
        "path": ["f5"],
        "code": "missing",
        "move": "f6",
        "games": 35994,
        "loss": None,
        "message": problem,
    }
    assert summary == {"summary": {"lines": 1, "positions": 2, "hard": 1, "problems": 1}}
    assert run("check", "-", data=file.read_text()).ends(1).stdout.startswith("standard input: after f5: ")


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["make"], 2, "missing option '--color'"),
        (["make", "--color", "red"], 2, "--color 'red': give black or white"),
        (["make", "--color", ""], 2, "--color: give black or white"),
        (["make", "--color", "black", "--at", "Tigr"], 66, "no opening is called 'Tigr'; did you mean Tiger?"),
        (["make", "--color", "black", "--at", "f5a1"], 65, "a1 is not allowed: flips nothing"),
        (["make", "-", "--color", "black"], 2, "PATH -: give the files of games by their names"),
        (["make", "--color", "white", "--rules", "othello,board=6x6"], 65, "opponents play at the start"),
        (["make", "--color", "black", "--at", "f5d6c3", "--plies", "3"], 2, "3 discs are placed where it begins"),
        (["make", "--color", "black", "--no-book"], 65, "opponents play at the start"),
        (["check", "f5d6"], 65, "it does not say whose moves it teaches; give --color black or"),
        (["check", EMPTY + "1. f5 *", "--color", "white"], 65, "it is a repertoire for Black, not for White"),
        (["check", EMPTY + "1. f5 d6 (1... a1) *"], 65, "game 1: ply 2: a1 is not allowed"),
        (["check", '[RepertoireAt "Tiger"]\n\n1. f5 *', "--color", "black"], 65, "does not reach Tiger"),
        (["check", '[RepertoireAt "f5x"]\n\n1. f5 *', "--color", "black"], 65, "the tag RepertoireAt: "),
        (["check", "nope.pgn"], 66, "nope.pgn: no such file"),
    ],
)
def test_what_cannot_be(words: list[str], status: int, says: str) -> None:
    done = run(*words).ends(status, out="", says=says)
    assert done.stderr.count("\n") == 1


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    wanted = ("make", tmp_path / "none", "--color", "black", "--at", "Tiger", "--plies", "6")
    assert "Repertoire" in run(*wanted).ends(66, says="none: no such file").stdout
