"""``reversi book``: making a book in one go or several, showing it, merging, and engines that use it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from books import write_book
from children import Child
from command_line import ENVIRONMENT, Done, run_command, run_process
from files import new_file
from reversi import Position, parse_rules
from reversi._system.locks import beside
from reversi.openings import Book, BookEntry
from reversi.openings.book import book_key
from wthor_samples import jou, trn

GAMES = "f5d6c3d3c4\nf5d6c3d3c4\nf5f6e6f4\nd3c5f6f5e6\nf5d6c4\n"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return new_file(tmp_path / "games.txt", GAMES)


def make(games: Path, book: Path, *options: str) -> str:
    done = run_command("book", "make", games, "--output", book, "--games", "2", "--depth", "4", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_making_and_showing(games: Path, tmp_path: Path) -> None:
    book = tmp_path / "a.book"
    assert make(games, book) == f"{book}: {len(Book(book))} positions\n"
    story = (
        "made from 5 games: positions that at least 2 of them reach within 20 plies, searched 4 placements deep"
    )
    assert Book(book).notes.history == (story,)
    assert not Path(f"{book}.searches").exists()
    done = run_command("book", "show", "f5", "--book", book).ends(0)
    lines = done.stdout.splitlines()
    assert lines[0].endswith(" O")
    assert any(line.startswith("    d6  ") and " book, " in line and " 4 games" in line for line in lines)
    assert lines[-1].endswith("best move beside the book")
    shown = json.loads(run_command("book", "show", "f5", "--book", book, "--json").stdout)
    assert (shown["kind"], shown["games"], shown["index"]) == ("book", 5, 1)
    assert {"move": "d6", "kind": "book"}.items() <= next(
        choice for choice in shown["moves"] if choice["move"] == "d6"
    ).items()
    assert shown["score"] == max([choice["score"] for choice in shown["moves"]] + [shown["beside"]["score"]])


def test_a_game_counts_up_to_its_first_wrong_flip(tmp_path: Path) -> None:
    games, book = tmp_path / "flips.pgn", tmp_path / "a.book"
    games.write_text("1. f5 d6 {[%flips]} 2. c3 d3 *\n\n" * 2)
    make(games, book)
    assert [move.games for move in Book(book).moves(Position())] == [2] * 4
    assert Book(book).get(Position.from_moves("f5d6")) is None


def test_positions_outside_the_book(games: Path, tmp_path: Path) -> None:
    book = tmp_path / "a.book"
    make(games, book)
    assert run_command("book", "show", "f5f4", "--book", book).stdout.endswith("    not in the book\n")
    shown = json.loads(run_command("book", "show", "f5f4", "--book", book, "--json").stdout)
    assert (shown["score"], shown["kind"], shown["games"], shown["moves"], shown["beside"]) == (
        None,
        None,
        0,
        [],
        None,
    )
    run_command("book", "show", "nonsense", "--book", book).ends(66)


def test_the_built_in_book() -> None:
    shown = json.loads(run_command("book", "show", "f5", "--json").stdout)
    assert [choice["move"] for choice in shown["moves"]][-1] == "f4"


def test_merging(games: Path, tmp_path: Path) -> None:
    one, both = tmp_path / "one.book", tmp_path / "both.book"
    make(games, one)
    run_command("book", "merge", one, one, "--output", both).ends(0, out=f"{both}: {len(Book(one))} positions\n")
    assert run_command("book", "merge", one, "--output", both).returncode == 2
    done = run_command("book", "merge", one, one, "--output", both)
    assert (done.returncode, done.stderr) == (73, f"reversi: {both} exists; --force overwrites it\n")
    other = tmp_path / "misere.book"
    make(games, other, "--rules", "othello,misere")
    done = run_command("book", "merge", one, other, "--output", both, "--force").ends(65)
    assert "is a book for othello,misere" in done.stderr


def test_wrong_files(games: Path, tmp_path: Path) -> None:
    book = tmp_path / "a.book"
    run_command("book", "show", "f5", "--book", games).ends(
        65, says=f"reversi: {games}: not an opening book of ours; "
    )
    done = run_command("book", "show", "f5", "--book", tmp_path / "none.book")
    assert (done.returncode, done.stderr) == (66, f"reversi: {tmp_path / 'none.book'}: no such file\n")
    missing = tmp_path / "none.txt"
    run_command("book", "make", missing, "--output", book).ends(66, err=f"reversi: {missing}: no such file\n")
    done = run_command("book", "make", games, "--output", book, "--games", "9")
    assert (done.returncode, done.stderr) == (65, "no position was reached by 9 games; lower --games\n")
    Path(f"{book}.searches").write_text("my notes\n")
    done = run_command("book", "make", games, "--output", book, "--games", "2").ends(65)
    assert "holds no searches for a book" in done.stderr
    assert Path(f"{book}.searches").read_text() == "my notes\n"


def test_name_files_are_not_games_and_malformed_games_are_left_out(games: Path, tmp_path: Path) -> None:
    folder, book = tmp_path / "archive", tmp_path / "a.book"
    folder.mkdir()
    (folder / "WTH.JOU").write_bytes(jou())
    (folder / "WTH.TRN").write_bytes(trn())
    (folder / "games.txt").write_text(GAMES)
    make(folder, book)
    again = tmp_path / "b.book"
    make(games, again)
    assert book.read_bytes() == again.read_bytes()
    done = run_command("book", "make", folder / "WTH.JOU", "--output", tmp_path / "c.book").ends(65)
    assert done.stderr == f"reversi: {folder / 'WTH.JOU'}: only names of players and tournaments, not games\n"
    (folder / "games.txt").write_text(f"{GAMES}x9\n")
    done = run_command("book", "make", folder, "--output", tmp_path / "d.book", "--games", "2", "--depth", "4")
    assert (done.returncode, Book(tmp_path / "d.book").moves(Position())[0].games) == (1, 5)
    assert done.stderr.endswith("; left out\n")


@pytest.mark.thorough
def test_making_continues_after_an_interruption(games: Path, tmp_path: Path) -> None:
    whole, book, log = tmp_path / "whole.book", tmp_path / "a.book", tmp_path / "a.book.searches"
    options = ["book", "make", str(games), "--games", "1", "--depth", "14"]
    assert run_command(*options, "--output", whole).returncode == 0
    process = Child(
        [sys.executable, "-m", "reversi", *options, "--output", str(book)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    end = time.monotonic() + 60
    while process.poll() is None and not (log.exists() and log.read_text().count("\n") > 2):
        assert time.monotonic() < end
        time.sleep(0.005)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    if process.returncode:  # else it was quicker
        assert process.returncode == 130
        assert b"run it again to continue" in errors
        assert not book.exists()
        assert run_command(*options, "--output", book).returncode == 0
    assert book.read_bytes() == whole.read_bytes()
    assert not log.exists()


def test_two_runs_do_not_make_one_book(games: Path, tmp_path: Path) -> None:
    book = tmp_path / "a.book"
    with beside(book, wait_s=0.0):  # as another run
        done = run_command("book", "make", games, "--output", book, "--games", "2", "--depth", "4")
    reason = "another run changes this book; wait for it or name another file"
    assert (done.returncode, done.stderr) == (73, f"reversi: {book}: {reason}\n")
    assert list(tmp_path.iterdir()) == [games]
    make(games, book)
    assert sorted(tmp_path.iterdir()) == [book, games]


@pytest.mark.parametrize("threads", ["2", "5"])
def test_threads_make_the_same_book(threads: str, games: Path, tmp_path: Path) -> None:
    one, many = tmp_path / "one.book", tmp_path / "many.book"
    make(games, one)
    make(games, many, "--threads", threads)
    assert one.read_bytes() == many.read_bytes()


def test_hints_from_the_book() -> None:
    for option in ("", "--book standard", "--level=9 --book standard"):
        found = json.loads(run_command("hint", "f5", *option.split(), "--json").stdout)["moves"]
        assert {choice["kind"] for choice in found} == {"book"}
    found = json.loads(run_command("hint", "f5", "--level", "4", "--json").stdout)["moves"]
    assert {choice["kind"] for choice in found} == {"heuristic"}
    assert " book, " in run_command("hint", "f5").stdout
    assert " book, " not in run_command("hint", "f5", "--no-book").stdout


def small(path: Path, rules: str = "othello") -> Path:
    """Write a book that plays f5 and answers it with f4, as no other book does."""
    start = Position(parse_rules(rules))
    line = [start] if rules != "othello" else [start, start.play("f5"), start.play("f5").play("f4")]
    write_book(path, {book_key(position): BookEntry(0, 1) for position in line}, start.rules)
    return path


PLAY = ("play", "--ui", "line", "--quiet", "--white", "engine:8", "--seed", "1")
USERS = {  # commands that use a book, what they read, and what they write where the small book answers
    "play": ([*PLAY, "--state", "{folder}"], "f5\nmoves\nquit\n", "f4"),
    "hint": (["hint", "f5", "-n", "1"], "", "    f4  +0 book, even"),
    "explore": (["explore", "f5", "--no-values"], "", "f4     ~+0 "),
    "analyze": (["analyze", "f5f4e3d6", "--level", "1", "--exact-from", "0"], "", "f4"),
    "openings repertoire make": (
        ["openings", "repertoire", "make", "--color", "black", "--plies", "2", "--level", "1"],
        "",
        "1... f4 {[%eval +0 book]}",
    ),
    "openings review": (
        ["openings", "review", "{folder}/game.pgn", "--player", "Ada", "--level", "1"],
        "",
        "1 game: 1 inside to their end",
    ),
    "train openings": (
        [
            "train",
            "openings",
            "{folder}/game.pgn",
            "--color",
            "white",
            "--all",
            "--ui",
            "line",
            "--state",
            "{folder}",
        ],
        "f4\nquit\n",
        "f4   +0 book, even",
    ),
    "engine gtp": (["engine", "gtp", "--level", "1"], "play b f5\ngenmove w\nquit\n", "= f4"),
    "engine nboard": (["engine", "nboard", "--level", "1"], "nboard 2\nmove F5\nhint 1\nquit\n", "book F4"),
    "engine xboard": (["engine", "xboard", "--level", "1"], "new\nusermove P@f5\n", "move P@f4"),
    "engine json": (["engine", "json"], '{"id": 1, "ask": "hint", "position": "f5"}\n', '"kind":"book"'),
}


@pytest.mark.parametrize("command", USERS)
def test_a_book_of_ones_own(command: str, tmp_path: Path) -> None:
    words, data, wanted = USERS[command]
    arguments = [word.format(folder=tmp_path) for word in words]
    book = small(tmp_path / "mine.book")
    new_file(tmp_path / "game.pgn", '[Black "Bob"]\n[White "Ada"]\n\n1. f5 f4 *\n')

    def run(*options: str | Path) -> Done:
        return run_command(*arguments, *options, data=data)

    assert wanted in run("--book", book).stdout
    assert wanted in run("--book", book, "--book", "standard").stdout
    (tmp_path / "cut.book").write_bytes(book.read_bytes()[:-1])
    other = small(tmp_path / "other.book", "adjacent")
    for path, status, message in (
        (tmp_path / "none.book", 66, "no such file"),
        (tmp_path / "cut.book", 65, "damaged: "),
        (other, 65, ""),
    ):
        done = run("--book", path).ends(status, says=message)
        assert done.stderr.count("\n") == 1
        assert "adjacent" in done.stderr or path is not other
    run("--book", book, "--no-book").ends(2, says="--book and --no-book exclude each other")


def test_the_book_of_the_configuration(tmp_path: Path) -> None:
    small(tmp_path / "mine.book")
    config = tmp_path / "config.toml"
    environment = {"REVERSI_CONFIG": str(config)}

    def hint(*options: str) -> Done:
        return run_command("hint", "f5", "-n", "1", *options, environment=environment)

    for text, wanted in (
        ('book = "mine.book"\n', "    f4 "),
        ('book = ["mine.book", "standard"]\n', "    f4 "),
        ("book = []\n", " heuristic depth 18, "),
        ("", "    d6 "),
    ):
        config.write_text(text)
        assert wanted in hint().stdout
    config.write_text('book = "mine.book"\n')
    assert "\n    f4 " not in hint("--book", "standard").stdout
    assert " book, " not in hint("--no-book").stdout
    run_command("hint", "--rules", "adjacent", "-" * 64 + " X", environment=environment).ends(0)
    config.write_text('book = ["none.book"]\n')
    hint().ends(66, err=f"reversi: {tmp_path / 'none.book'}: no such file\n")
    config.write_text("book = 3\n")
    hint().ends(65, says='book must be a file or a list of files: book = ["mine.book", "standard"]')


def test_a_saved_game_keeps_its_books(tmp_path: Path) -> None:
    book, state = small(tmp_path / "mine.book"), ("--ui", "line", "--quiet", "--state", tmp_path)
    saved = tmp_path / "game.pgn"
    run_command("play", *state, "--white", "engine:1", "--book", book, "--save", saved, data="f5\nquit\n").ends(0)
    assert '[Book "mine.book"]' in saved.read_text()
    assert "f4" in saved.read_text()
    assert " book, " in run_command("play", *state, "--resume", data="undo\nhint\nf5\nquit\n").stdout
    book.unlink()
    done = run_command("play", *state, "--resume").ends(
        65, says=f"{book}: no such file; give --book FILE or --no-book"
    )
    assert done.stderr.count("\n") == 1
    run_command("play", *state, "--resume", "--no-book", data="quit\n").ends(0)
    run_command("play", *state, "--resume", data="quit\n").ends(0)  # the game has no book from then on


def test_what_is_known_of_a_book(games: Path, tmp_path: Path) -> None:
    book = tmp_path / "a.book"
    make(games, book)
    done = run_command("book", "info", book).ends(0, err="")
    assert done.stdout.startswith(f"{book}: an opening book for othello\n")
    assert "  heuristic, depth 4\n" in done.stdout
    assert "made from 5 games: positions that at least 2 of them reach within 20 plies" in done.stdout
    known = json.loads(run_command("book", "info", book, "--json").stdout)
    assert known["positions"] == len(Book(book))
    assert sum(each["positions"] for each in known["searches"]) == len(Book(book))
    assert known["history"] == list(Book(book).notes.history)
    assert (
        run_command("book", "info", "standard")
        .ends(0)
        .stdout.startswith("standard: an opening book for othello\n")
    )
    run_command("book", "info", games).ends(65, says="'reversi book convert' reads those of Edax and Egaroucid\n")


def test_playing_from_the_book(tmp_path: Path) -> None:
    def opening(seed: int, *options: str) -> str:
        """The opening against a level that chooses among good moves of the book."""
        played = run_command(
            *("play", "--white", "engine:3", "--ui", "line", "--seed", str(seed), "--state", tmp_path, "--quiet"),
            *("--show-evaluation", *options),
            data="f5\nmoves\nquit\n",
        )
        return played.stdout

    found = {opening(seed) for seed in range(6)}
    assert len(found) > 1
    assert all(" book, " in text for text in found)
    assert opening(1) == opening(1)
    assert " book, " not in opening(1, "--no-book")


def test_hints_and_analyses_in_a_game_follow_the_book_of_the_game(tmp_path: Path) -> None:
    def talk(*options: str, data: str = "f5\nd6\nhint\nanalyze 3\nquit\n") -> str:
        return run_command("play", "--ui", "line", "--state", tmp_path, "--quiet", *options, data=data).stdout

    assert " book, " in talk("--white", "human")
    assert " book, " in talk("--resume", data="hint\nquit\n")
    assert " book, " not in talk("--white", "human", "--no-book")
    assert " book, " not in talk("--resume", data="hint\nquit\n")


def test_an_engine_of_another_program_with_the_book() -> None:
    data = "nboard 2\nmove F5\nhint 3\n"
    assert "\nbook " in run_process("engine", "nboard", "--book", "standard", data=data).stdout
    assert "\nbook " not in run_process("engine", "nboard", "--level", "4", data=data).stdout


@pytest.mark.parametrize(
    "command", ["make standard -o", "merge standard -o", "convert standard", "prune standard -o"]
)
def test_a_new_book_has_another_name_than_the_built_in_one(command: str) -> None:
    run_command("book", *command.split(), "standard").ends(2, out="", says="give another name, or ./standard")


def test_converting(games: Path, tmp_path: Path) -> None:
    book, other, again = tmp_path / "a.book", tmp_path / "a.dat", tmp_path / "b.book"
    make(games, book)
    count = len(Book(book))
    done = run_command("book", "convert", book, other)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{other}: {count} positions\n", "")
    done = run_command("book", "convert", other, again)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{again}: {count} positions\n", "")
    assert [*map(Book(again).moves, Book(book).walk())] == [*map(Book(book).moves, Book(book).walk())]
    assert Book(again).notes.history == ("converted from a book of Edax",)
    run_command("book", "convert", "standard", tmp_path / "standard.dat").ends(
        0, out=f"{tmp_path}/standard.dat: 15080 positions\n"
    )
    assert run_command("book", "convert", other, again).returncode == 73
    assert "is a book of ours already" in run_command("book", "convert", book, tmp_path / "c.book").stderr
    assert "is a book of another program" in run_command("book", "convert", other, tmp_path / "c.dat").stderr
    assert run_command("book", "convert", tmp_path / "none.dat", again, "--force").returncode == 66
    (tmp_path / "cut.dat").write_bytes(other.read_bytes()[:-1])
    done = run_command("book", "convert", tmp_path / "cut.dat", tmp_path / "d.book")
    assert (done.returncode, (tmp_path / "d.book").exists()) == (65, False)
    assert done.stderr == f"reversi: {tmp_path / 'cut.dat'}: damaged: the file is cut off\n"
