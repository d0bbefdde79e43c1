"""``reversi book grow`` and ``prune``, and the journal that ``play`` and ``match`` write games to."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from books import checked_values
from command_line import run_command
from files import new_file
from reversi import Position, open_records
from reversi._system.locks import beside
from reversi.engine.book_log import BookLog
from reversi.openings import Book, default_book
from reversi.openings.book import book_key
from reversi.openings.journal import add_to_journal, drop_from_journal, journal_mark, journal_of

GAMES = "f5d6c3d3c4\nf5d6c3d3c4\nf5f6e6f4\nd3c5f6f5e6\nf5d6c4\n"
FINISHED = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6"
START = Position()
TWO_PEOPLE = ("--black", "human", "--white", "human", "--ui", "line")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "my.book"
    games = new_file(tmp_path / "games.txt", GAMES)
    run_command("book", "make", games, "--output", path, "--games", "2", "--depth", "4").ends(0, err="")
    return path


def grow(book: Path, *options: str | Path, status: int = 0, err: str | None = "") -> str:
    return run_command("book", "grow", book, *options).ends(status, err=err).stdout


def test_growing_along_good_moves(book: Path) -> None:
    before = len(Book(book))
    said = grow(book, "--error", "2", "--plies", "7")
    after = len(checked_values(book))
    assert re.fullmatch(rf"{book}: {after} positions, {after - before} of them new; [1-9]\d* searched\n", said)
    assert after > before
    assert not Path(f"{book}.searches").exists()
    history = Book(book).notes.history
    story = "grew from the start to 7 placements by moves that lose at most 2 discs each and 4 together"
    assert history[1:] == (f"{story}, searched 4 placements deep",)
    data = book.read_bytes()
    assert grow(book, "--error", "2", "--plies", "7").endswith(", 0 of them new; 0 searched\n")
    assert book.read_bytes() == data


@pytest.mark.parametrize("where", ["Tiger", "f5d6c3d3c4", "{file}", "{file}#2@5"])
def test_growing_from_a_line_adds_the_line(where: str, tmp_path: Path) -> None:
    games = new_file(tmp_path / "lines.txt", "f5d6c3d3c4\nf5d6c3d3c4f4f6\n")
    path = tmp_path / "new.book"
    run_command("book", "make", new_file(tmp_path / "one.txt", "f5\n"), "-o", path, "--games", "1", "--depth", "3")
    grow(path, "--at", where.replace("{file}", str(games)), "--plies", "6", "--error", "0")
    found = checked_values(path)
    position = Position.from_moves("f5d6c3d3c4")
    assert position in found
    assert book_key(position) in map(book_key, found.walk())
    assert found.notes.roots == ()
    assert len(found.moves(position)) <= 1


def test_growing_from_a_board_begins_lines_there(book: Path) -> None:
    position = Position.from_moves("f5f6e6d6c5e3")
    grow(book, "--at", str(position), "--positions", "20")
    found = checked_values(book)
    assert (found.notes.roots, len(found)) == ((position,), 20)
    assert book_key(position) in map(book_key, found.walk())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--at", "e6f4e3f6g5d6e7f5c5"], "--at: the game is over there"),
        (["--at", "Tiger", "--add-games", "x"], "--add-games and --at exclude each other"),
        (["--deepen", "9", "--positions", "9"], "--deepen and --positions exclude each other"),
        (["--games", "2"], "--games needs --add-games"),
    ],
)
def test_wrong_options(options: list[str], why: str, book: Path) -> None:
    data = book.read_bytes()
    done = run_command("book", "grow", book, *options)
    assert done.returncode == 2
    assert why in done.stderr
    assert book.read_bytes() == data
    assert {path.name for path in book.parent.iterdir()} == {"games.txt", "my.book"}


def test_wrong_files(book: Path, tmp_path: Path) -> None:
    run_command("book", "grow", tmp_path / "none.book").ends(
        66, err=f"reversi: {tmp_path}/none.book: no such file\n"
    )
    for command in (["book", "grow", "standard"], ["play", "--add-to-book", "standard"]):
        run_command(*command).ends(
            2, says="standard is the built-in book, which does not change; 'reversi book prune"
        )
    run_command("book", "grow", tmp_path / "games.txt").ends(65, says="not an opening book")
    run_command("book", "grow", book, "--at", "Tigr").ends(66, says="Tigr")
    run_command("book", "grow", book, "--add-games", tmp_path / "none.pgn").ends(66, says="none.pgn")
    Path(f"{book}.searches").write_text("my notes\n")
    run_command("book", "grow", book).ends(65, says="holds no searches for a book")
    assert Path(f"{book}.searches").read_text() == "my notes\n"
    Path(f"{book}.searches").unlink()
    assert {path.name for path in tmp_path.iterdir()} == {"games.txt", "my.book"}
    other = new_file(tmp_path / "adjacent.pgn", '[Rules "adjacent"]\n\n1. c3 *\n')
    run_command("book", "grow", book, "--at", other).ends(2, says="--at: its rules are adjacent, not othello")
    run_command("book", "grow", book, "--at", "f5a1").ends(65, says="a1")


def test_two_runs_do_not_grow_one_book(book: Path) -> None:
    data = book.read_bytes()
    with beside(book, wait_s=0.0):  # as another run
        grow(book, status=73, err=f"reversi: {book}: another run changes this book; wait for it\n")
    assert book.read_bytes() == data


class Stop:
    """Interrupts a command after so many searches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self._left, self._add = after, BookLog.add
        monkeypatch.setattr(BookLog, "add", lambda *search: self._count(search))

    def _count(self, search: tuple[Any, ...]) -> None:
        self._add(*search)
        self._left -= 1
        if self._left == 0:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    "options",
    [
        ["--error", "2", "--plies", "8"],
        ["--at", "Tiger", "--plies", "9"],
        ["--deepen", "7", "--error", "3"],
        ["--add-games", "{games}"],
    ],
    ids=lambda options: options[0],
)
def test_a_book_does_not_depend_on_interruptions_and_threads(
    options: list[str], book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = new_file(tmp_path / "more.txt", "f5d6c3d3c4f4f6\nf5f4e3d6\n")
    words = [word.replace("{games}", str(games)) for word in options]
    whole = tmp_path / "whole.book"
    whole.write_bytes(book.read_bytes())
    grow(whole, *words)
    for after, threads in ((1, "1"), (3, "3"), (70, "2"), (2, "1")):
        with monkeypatch.context() as patch:
            Stop(patch, after)
            done = run_command("book", "grow", book, *words, "--threads", threads)
        assert done.returncode in (0, 130)
        assert (done.returncode == 130) == ("run it again to continue" in done.stderr)
        assert (done.returncode == 130) == Path(f"{book}.searches").exists()
        checked_values(book)
        if done.returncode == 0:
            break
    else:
        grow(book, *words, "--threads", "2")
    assert book.read_bytes() == whole.read_bytes()
    assert not Path(f"{book}.searches").exists()


def test_what_is_grown_when_the_time_is_over_stays(book: Path) -> None:
    before = len(Book(book))
    done = run_command("book", "grow", book, "--error", "9", "--total-error", "20", "--total-time", "0.4")
    assert done.returncode == 0
    assert len(checked_values(book)) >= before
    if done.stderr:  # else it was quicker
        assert "the time is over; " in done.stderr
        assert Path(f"{book}.searches").exists()


def test_deepening(book: Path) -> None:
    before = len(Book(book))
    assert grow(book, "--deepen", "8").startswith(f"{book}: {before} positions, 0 of them new; ")
    found = checked_values(book)
    assert {end.depth for end in found.ends(START)} == {8}
    assert found.notes.history[-1] == "searched again from the start, 8 placements deep"


def test_adding_games(book: Path, tmp_path: Path) -> None:
    games, before = new_file(tmp_path / "more.txt", "f5d6c3d3c4f4f6\nf5f4e3\nf5x9\n"), Book(book)
    data = before[START].games
    done = run_command("book", "grow", book, "--add-games", games)
    assert done.returncode == 1
    assert done.stderr.endswith("; left out\n")
    found = checked_values(book)
    assert Position.from_moves("f5d6c3d3c4f4f6") in found
    assert found[START].games == data + 2
    assert "took in 2 games, searched 4 placements deep" in found.notes.history
    none = new_file(tmp_path / "none.txt", "")
    assert run_command("book", "grow", book, "--add-games", none).returncode == 65


def test_showing_what_a_value_rests_on(book: Path) -> None:
    shown = run_command("book", "show", "f5", "--book", book).ends(0).stdout
    assert re.search(r"its best lines end in \d+ positions?, 0% of them exact or searched 20 deep", shown)
    grow(book, "--deepen", "20", "--error", "0")
    shown = run_command("book", "show", "f5", "--book", book).ends(0).stdout
    assert ", 100% of them exact or searched 20 deep" in shown
    ends = json.loads(run_command("book", "show", "f5", "--book", book, "--json").stdout)["ends"]
    assert [(end["kind"], end["confidence"], end["depth"]) for end in ends] == [("heuristic", None, 20)]


# --- pruning


def test_pruning(book: Path, tmp_path: Path) -> None:
    grow(book, "--error", "2", "--plies", "7")
    small, data = tmp_path / "small.book", book.read_bytes()
    whole = len(Book(book))
    done = run_command("book", "prune", book, "--output", small, "--plies", "3").ends(0, err="")
    part = checked_values(small)
    assert done.stdout == f"{small}: {len(part)} positions of {whole}\n"
    assert {position.empties for position in part.walk()} == {60, 59, 58, 57}
    assert part.notes.history[-1] == f"pruned from {whole} positions"
    assert part[START].value == Book(book)[START].value
    assert book.read_bytes() == data
    run_command("book", "prune", book, "--output", small, "--plies", "3").ends(73, says="--force overwrites it")
    run_command("book", "prune", book, "--output", book, "--force").ends(73, says="is also an input")
    done = run_command("book", "prune", book, "--output", small, "--force", "--at", FINISHED)
    assert (done.returncode, done.stderr) == (65, f"reversi: {book}: no line of the book reaches {FINISHED}\n")
    run_command("book", "prune", book, "--output", small, "--force", "--at", "f5d6").ends(0)
    assert START in checked_values(small)


def test_pruning_the_built_in_book_copies_it(tmp_path: Path) -> None:
    copy = tmp_path / "copy.book"
    run_command("book", "prune", "standard", "--output", copy).ends(0)
    assert dict(Book(copy).items()) == dict(default_book().items())


def test_pruning_to_a_repertoire(book: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.pgn"
    mine.write_text("1. f5 d6 (1... f6 2. e6) 2. c3 d3 3. c4 *\n")
    small = tmp_path / "mine.book"
    run_command("book", "prune", book, "--output", small, "--repertoire", mine).ends(0, err="")
    found = checked_values(small)
    lines = ["", "f5", "f5d6", "f5d6c3", "f5d6c3d3", "f5d6c3d3c4", "f5f6", "f5f6e6"]
    wanted = [position for line in lines if (position := Position.from_moves(line)) in Book(book)]
    assert all(position in found for position in wanted)
    assert len(found) == len(wanted)


# --- the journal


def played(book: Path, folder: Path, *, data: str = "resign\nquit\n") -> None:
    moves = "".join(f"{FINISHED[at : at + 2]}\n" for at in range(0, len(FINISHED), 2))
    words = (*TWO_PEOPLE, "--quiet", "--state", folder, "--add-to-book", book)
    done = run_command("play", *words, data=moves + data)
    assert (done.returncode, done.stderr) == (0, "")
    said = f"The game is in {journal_of(book).name}, from which 'reversi book grow' takes it."
    assert (said in done.stdout.replace("\n", " ")) is ("resign" in data)


def test_finished_games_wait_in_the_journal(book: Path, tmp_path: Path) -> None:
    journal = journal_of(book)
    assert journal == Path(f"{book}.games")
    played(book, tmp_path / "state", data="quit\n")
    assert not journal.exists()  # the game is not finished
    played(book, tmp_path / "state")
    played(book, tmp_path / "state", data="resign\nundo\nresign\nhint\nnew\nf5\nresign\nquit\n")
    games = list(open_records(journal))
    assert [len(game.moves) for game in games] == [16, 16, 1]
    count = Book(book)[START].games
    before = len(Book(book))
    assert " of them new" in grow(book, "--add-games", journal)  # the journal is taken once
    found = checked_values(book)
    assert found[START].games == count + 3
    assert len(found) > before
    assert found.notes.history[-1] == "took in 3 games of the journal, searched 4 placements deep"
    assert found.notes.journal == ""
    assert not journal.exists()


def test_a_match_writes_its_games_to_the_journal(book: Path) -> None:
    match: list[str | Path] = ["match", "1", "2", "--games", "2", "--add-to-book", book, "--adjudicate", "14"]
    run_command(*match).ends(0)
    assert len(list(open_records(journal_of(book)))) == 2
    run_command(*match).ends(0)
    assert len(list(open_records(journal_of(book)))) == 4
    grow(book, "--plies", "12", "--positions", "1")
    assert checked_values(book)[START].games == 5 + 4


@pytest.mark.parametrize("command", [["play", "--ui", "line"], ["match", "1", "2", "--games", "2"]])
def test_games_are_written_only_for_a_book_of_their_rules(command: list[str], book: Path, tmp_path: Path) -> None:
    misere = tmp_path / "misere.book"
    make: list[str | Path] = ["book", "make", tmp_path / "games.txt", "-o", misere, "--games", "2", "--depth", "2"]
    run_command(*make, "--rules", "othello,misere").ends(0)
    done = run_command(*command, "--add-to-book", misere).ends(2)
    why = f"--add-to-book: {misere} is a book for othello,misere, the games are of othello"
    assert why in done.stderr
    run_command(*command, "--add-to-book", tmp_path / "none.book").ends(66, says="none.book: no such file")


def test_games_that_do_not_begin_at_the_start_stay_out(book: Path, tmp_path: Path) -> None:
    start = str(Position.from_moves("f5d6"))
    words = (*TWO_PEOPLE, "--state", tmp_path / "state", "--start", start, "--add-to-book", book)
    run_command("play", *words, data="resign\nquit\n").ends(0)
    assert not journal_of(book).exists()


def test_a_journal_with_a_wrong_game_is_kept(book: Path) -> None:
    journal, data = journal_of(book), book.read_bytes()
    journal.write_text("1. f5 d6 *\n\n1. f5 x9 *\n")
    done = run_command("book", "grow", book)
    assert done.returncode == 1
    assert "x9" in done.stderr
    assert journal.read_text() == "1. f5 d6 *\n\n1. f5 x9 *\n"
    assert book.read_bytes() == data


@pytest.mark.parametrize("when", ["before the games are removed", "after"])
def test_no_game_is_lost_or_counts_twice_when_a_run_is_killed(
    when: str, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, count = journal_of(book), Book(book)[START].games
    add_to_journal(journal, "1. f5 d6 *\n")

    class Killed(BaseException):
        pass

    def drop(path: Path, mark: str) -> None:
        if mark:
            if when == "after":
                drop_from_journal(path, mark)
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("reversi.cli.book_growing.drop_from_journal", drop)
        with pytest.raises(Killed):
            run_command("book", "grow", book, "--positions", "1")
    assert Book(book)[START].games == count + 1
    add_to_journal(journal, "1. f5 f6 *\n")
    grow(book, "--positions", "1")
    assert Book(book)[START].games == count + 2
    assert not journal.exists()


def test_games_that_are_added_meanwhile_stay_in_the_journal(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = journal_of(book)
    add_to_journal(journal, "1. f5 d6 2. c4 *\n")

    def add(log: BookLog, *search: object, known: Callable[..., None] = BookLog.add) -> None:
        known(log, *search)
        add_to_journal(journal, "1. f5 f6 *\n")

    with monkeypatch.context() as patch:
        patch.setattr(BookLog, "add", add)
        grow(book, "--add-games", journal)
    left = len(list(open_records(journal)))
    assert left > 0
    count = Book(book)[START].games
    grow(book, "--add-games", journal)
    assert Book(book)[START].games == count + left


def test_two_programs_write_to_one_journal(tmp_path: Path) -> None:
    journal = tmp_path / "a.book.games"
    texts = ["1. f5 d6 *\n", "1. f5 f6 *\n"]

    def write(text: str) -> None:
        for _ in range(20):
            add_to_journal(journal, text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    games = [str(entry.moves[1]) for entry in open_records(journal)]
    assert (games.count("d6"), games.count("f6")) == (20, 20)
    mark = journal_mark(journal)
    add_to_journal(journal, "1. d3 *\n")
    drop_from_journal(journal, "3:abc")
    drop_from_journal(journal, mark)
    assert journal.read_text() == "1. d3 *\n"
    drop_from_journal(journal, journal_mark(journal))
    assert not journal.exists()
    assert journal_mark(journal) == ""
