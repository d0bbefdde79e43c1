"""``reversi openings review``, run as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from command_line import Done, run_command
from files import new_file

MINE = '[Repertoire "Black"]\n\n1. f5 d6 (1... f6 2. e6 f4) 2. c3 d3 (2... g5) 3. c4 *\n'
LINES = ("1. f5 d6 2. c5 f4", "1. f5 f4 2. e3", "1. f5 d6 2. c3 d3 3. c4 f4", "1. f5 d6 2. c7 f4")
GAMES = "\n".join(f'[Black "Ada"]\n[White "Bob"]\n\n{line} 40-24\n' for line in LINES)
WHITE = '\n[Black "Bob"]\n[White "Ada"]\n\n1. f5 d6 2. c3 d3 *\n'

SUMMARY = """\
4 games: 2 left by the player, 1 by the opponent, 1 past the end of the repertoire

Openings
opening        games  wins  draws  losses  points     rate   lead  left  loss/game  opponent left  loss/game
Mouse              1     1      0       0       1  100.0 %  +16.0     0       0.00              1       6.00
Perpendicular      1     1      0       0       1  100.0 %  +16.0     1       8.00              0       0.00
Rabbit             1     1      0       0       1  100.0 %  +16.0     1       1.00              0       0.00
Tiger              1     1      0       0       1  100.0 %  +16.0     0       0.00              0       0.00

Departures, with what to play next time
moves  left      games  loss  next  value  kind  opening        wins  draws  losses   lead
f5d6   player        2  4.50  c3       -1  book  Perpendicular     2      0       0  +16.0
f5f4   opponent      1  6.00  e3       +5  book  Parallel          1      0       0  +16.0

Games
game         ply  left      move  known  best   loss  kind  opponent  year  color  opening        lead
games.pgn#4    3  player    c7    c3     c3 c4     8  book  Bob             Black  Perpendicular   +16
games.pgn#1    3  player    c5    c3     c3 c4     1  book  Bob             Black  Rabbit          +16
games.pgn#2    2  opponent  f4    d6 f6  d6        6  book  Bob             Black  Mouse           +16
games.pgn#3    6  end       f4                              Bob             Black  Tiger           +16
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    new_file(tmp_path / "games.pgn", GAMES + WHITE)
    new_file(tmp_path / "mine.pgn", MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def review(*arguments: str | Path) -> Done:
    return run_command("openings", "review", "games.pgn", "--player", "ada", *arguments)


@pytest.mark.usefixtures("folder")
def test_a_repertoire() -> None:
    done = review("--repertoire", "mine.pgn")
    done.ends(0, out=SUMMARY, err="reversi: 1 game with the other color left out\n")
    short = review("--repertoire", "mine.pgn", "--table", "departures", "--top", "1").stdout
    assert short.splitlines()[2].split() == SUMMARY.splitlines()[11].split()
    assert short.splitlines()[3:] == ["… and 1 more (--top 0)"]


@pytest.mark.usefixtures("folder")
def test_the_book_and_both_colors(folder: Path) -> None:
    assert review().ends(0, err="").stdout.startswith("5 games: 1 left by the player, 1 by the opponent, ")
    new_file(folder / "white.pgn", '[Repertoire "White"]\n\n1. f5 d6 2. c3 f4 *\n')
    both = review("--repertoire", "mine.pgn", "--repertoire", "white.pgn", "--json").ends(0, err="")
    games = json.loads(both.stdout.splitlines()[2])["rows"]
    assert [(row["game"], row["color"]) for row in games if row["left"] == "player"] == [
        ("games.pgn#4", "Black"),
        ("games.pgn#1", "Black"),
        ("games.pgn#5", "White"),
    ]


@pytest.mark.usefixtures("folder")
def test_a_repertoire_without_a_color() -> None:
    """It needs the color; without a player, whoever has the color is meant."""
    line = ("openings", "review", "games.pgn", "--repertoire", "f5d6c3")
    run_command(*line).ends(65, says="it does not say whose moves it teaches; give --color black or")
    done = run_command(*line, "--color", "black", "--table", "games").ends(0, err="")
    assert re.search("games.pgn#5 .* Ada ", done.stdout)


@pytest.mark.usefixtures("folder")
def test_the_same_values_in_all_forms(folder: Path) -> None:
    """Text, CSV, JSON and a page say the same; the page has the games, too."""
    given = ("--repertoire", "mine.pgn", "--table", "openings")
    (data,) = [json.loads(line) for line in review(*given, "--json").stdout.splitlines()]
    rows = list(csv.DictReader(io.StringIO(review(*given, "--csv").stdout)))
    assert data["table"] == "openings"
    assert [{name: str(value) for name, value in row.items()} for row in data["rows"]] == rows
    for name in ("table.csv", "table.json"):
        assert review(*given, "--output", name).ends(0).stdout == ""
        assert (folder / name).read_text() == review(*given, f"--{name[6:]}").stdout
    review("--repertoire", "mine.pgn", "--output", "page.html").ends(0)
    page = (folder / "page.html").read_text()
    assert "<title>ada, 4 games: 2 left by the player, 1 by the opponent" in page
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings[:3] == ["Openings", "Departures, with what to play next time", "Games"]
    first = re.search(r'<th scope="row">f5d6</th>(.*?)</tr>', page)
    assert first is not None
    assert re.findall(r"<td>(.*?)</td>", first[1])[2:6] == ["4.50", "c3", "-1", "book"]
    assert "Not c3, as in the repertoire: 8 discs lost." in page


def test_exercises_go_into_the_deck_of_train(folder: Path) -> None:
    state = ("--state", folder / "state")
    done = review("--exercises", "--table", "games", *state)
    done.ends(0, err="reversi: 1 exercise from 5 games, 1 of them new; 'reversi train' asks them\n")
    assert "1 exercise from 5 games, 0 of them new" in review("--exercises", *state).stderr
    listed = run_command("train", "list", *state).ends(0).stdout
    assert "Ada – Bob, games.pgn#4, ply 3" in listed
    assert json.loads(run_command("train", "list", "--json", *state).ends(0).stdout)["played"] == "c7"


def test_the_school_asks_the_moves_that_were_missed(folder: Path) -> None:
    pytest.importorskip("fsrs", reason="training needs fsrs")
    state = ("--state", folder / "state")
    given = ("--repertoire", "mine.pgn", "--exercises", "--table", "games", *state)
    said = "1 move of the repertoire missed, {} of them new; 'reversi train openings' asks them\n"
    assert review(*given).ends(0).stderr.endswith(said.format(1))
    new_file(folder / "other.pgn", MINE.replace("(2... g5)", "(2... f4 3. f6)"))  # its other positions are new
    done = run_command("train", "openings", "other.pgn", "--ui", "line", *state, data="c3\nquit\n").ends(0)
    assert "line 1, Perpendicular, f5 d6." in done.stdout
    assert "\nRight.\n" in done.stdout
    assert review(*given).ends(0).stderr.endswith(said.format(0))  # what was trained since stays


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("games.pgn",), 2, "whose openings are reviewed is not clear; give --player NAME once"),
        (("games.pgn", "--player", "ada", "--player", "bob"), 2, "give --player NAME once"),
        (("games.pgn", "--player", "zoe"), 65, "no game of 'zoe' to review"),
        (("none.pgn", "--player", "ada"), 66, "none.pgn: no such file"),
        (("games.pgn", "--player", "ada", "--repertoire", "none.pgn"), 66, "none.pgn: no such file"),
        (
            ("games.pgn", "--player", "ada", "--repertoire", "mine.pgn", "--repertoire", "mine.pgn"),
            2,
            "--repertoire mine.pgn: another one is for Black, too; give one of them",
        ),
        (("games.pgn", "--player", "ada", "--repertoire", "bad.pgn"), 65, "bad.pgn:3: game 1: ply 2: a1 is not"),
        (("games.pgn", "--player", "ada", "--color", "black"), 2, "--color needs --repertoire"),
        (
            ("games.pgn", "--repertoire", "mine.pgn", "--color", "red"),
            2,
            "--color 'red': give black or white (X",
        ),
        (("games.pgn", "--player", "ada", "--min-loss", "3"), 2, "--min-loss needs --exercises"),
        (("games.pgn", "--player", "ada", "-o", "games.pgn"), 73, "games.pgn is also an input"),
        (("games.pgn", "--player", "ada", "--repertoire", "mine.pgn", "-o", "mine.pgn"), 73, "is also an input"),
        (("games.pgn", "--player", "ada", "--repertoire", "mine.pgn#1", "-o", "mine.pgn"), 73, "is also an input"),
        (("games.pgn#1", "--player", "ada", "-o", "games.pgn", "--force"), 73, "is also an input"),
        (("games.pgn", "--player", "ada", "--no-book"), 2, "nothing to compare with; give --repertoire FILE"),
        (("games.pgn", "--player", "ada", "-o", "old.html"), 73, "old.html exists; --force overwrites it"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    new_file(folder / "bad.pgn", '[Repertoire "Black"]\n\n1. f5 a1 *\n')
    new_file(folder / "old.html", "old")
    run_command("openings", "review", *arguments).ends(status, out="", says=says)
    assert (folder / "old.html").read_text() == "old"
