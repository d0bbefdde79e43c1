"""SessionFolder that outlive the program: their text, their folder, and locks."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from books import write_book
from children import Child
from files import new_file
from reversi import Color, GameError, InputError, Position, Random, parse_rules
from reversi.game.clocks import parse_controls
from reversi.openings import BookEntry, BookError, default_book, open_books
from reversi.openings.book import book_key
from reversi.records import parse_record, validate_record
from reversi.records.formats.pgn.reader import read_records
from reversi.session import saving
from reversi.session.events import SaveFailed
from reversi.session.players import HUMAN, Side
from reversi.session.saving import FINISHED_KEPT, RecordKeeper, SessionFolder, save_game
from reversi.session.session import Flipping, Session
from reversi.session.text import session_from_text, session_to_text
from time_source import TimeSource

BLACK, WHITE = Color.BLACK, Color.WHITE
WIPE_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]


def observe(session: Session) -> tuple[object, ...]:
    """Everything that must be the same after a crash."""
    clock = session.clock
    return (
        session.game.moves,
        session.position,
        session.game.supply,
        session.outcome,
        session.flips_pending,
        session.to_move,
        session.can_undo,
        session.can_redo,
        session.sides,
        session.flipping,
        session.takebacks,
        session.seed,
        session.hint_level,
        session.tags,
        session.record(),
        session.saved_clocks,
        None if clock is None else [clock.state(color) for color in Color],
    )


@settings(max_examples=40)
@given(
    st.sampled_from(
        ["othello", "adjacent,optional-skip,board=4x4", "othello,board=4x4,misere", "othello,board=4x6"]
    ),
    st.sampled_from(["", "5:00+3", "1:00/-", "0:10+2x5/3:00"]),
    st.booleans(),
    st.integers(0, 1 << 60),
    st.lists(st.sampled_from(["play"] * 6 + ["undo", "redo", "turn", "finish", "wait", "resign"]), max_size=30),
)
def test_a_session_comes_back_as_it_was(rules: str, clock: str, manual: bool, seed: int, steps: list[str]) -> None:
    source, random = TimeSource(), Random(seed)
    session = Session(
        parse_rules(rules),
        controls=parse_controls(clock) if clock else None,
        flipping=Flipping.MANUAL if manual else Flipping.AUTOMATIC,
        sides={WHITE: Side.engine(nodes=60, name="Wally \u201eW\u201c")},
        seed=seed,
        tags={"Event": 'a "quoted" \\ event', "Date": "2026.11.20"},
        now=source,
    )
    session.begin()
    for step in steps:
        try:
            if step == "play":
                if session.engine_to_move:
                    session.play_engine()
                elif session.position.legal_moves:
                    session.play(session.position.legal_moves.choice(random))
            elif step == "turn":
                session.flip("c3" if random.below(2) else "b2")
            elif step == "finish":
                session.finish_flips()
            elif step == "wait":
                source.now += random.below(40)
            else:
                getattr(session, step)()
        except (GameError, ValueError):
            pass
        text = session_to_text(session)
        again = session_from_text(text, now=source)
        assert session_to_text(again) == text
        again.begin()
        assert observe(again) == observe(session)


def test_the_books_are_kept(tmp_path: Path) -> None:
    mine = tmp_path / "mine.book"
    write_book(mine, {})
    session = Session(sides={Color.WHITE: Side(level=3, books=(str(mine),))})
    assert session_from_text(session_to_text(session)).book is None
    session.book = open_books([mine, "standard"])
    text = session_to_text(session)
    again = session_from_text(text)
    assert again.book is not None
    assert again.book.names == (str(mine), "standard")
    assert again.sides == session.sides
    assert session_to_text(again) == text
    mine.unlink()
    with pytest.raises(BookError, match=rf"the book of this game is missing or wrong: {mine}: no such file"):
        session_from_text(text)
    assert session_from_text(text, book=False).book is None
    other = default_book()
    assert session_from_text(text, book=other).book is other


def test_a_game_whose_book_is_missing_is_not_passed_over(tmp_path: Path) -> None:
    book = tmp_path / "mine.book"
    for books in (["standard"], [book]):  # the second game is the later one
        write_book(book, {})
        folder = SessionFolder(tmp_path / "games")
        session = Session(keepers=[folder])
        session.book = open_books(books)
        session.begin()
        session.play("f5")
        folder.close()
    book.unlink()
    with pytest.raises(BookError, match=r"mine\.book: no such file"):
        folder.resume()
    assert folder.resume(book=False).book is None


def test_a_record_names_the_book_that_its_engine_had(tmp_path: Path) -> None:
    path = tmp_path / "mine.book"
    write_book(path, {book_key(Position().play("f5")): BookEntry(0, 1)})
    sides = {Color.WHITE: Side.engine(1)}
    session = Session(sides=sides)
    session.book = open_books([path])
    session.begin()
    assert "Book" not in session.record().tags
    session.play("f5")
    session.play_engine()
    assert session.record().tags["Book"] == "mine.book"
    people = Session()
    people.book = session.book
    people.begin()
    people.play("f5")
    people.play("d6")
    assert "Book" not in people.record().tags  # nobody asked it
    own = Session(sides={Color.WHITE: Side(level=1, books=(str(path),))})
    assert own.record().tags["White"].endswith("level 1, book mine.book")
    own = Session(sides={Color.WHITE: Side(level=1, name="Rook", books=(str(path),))})
    assert own.record().tags["Book"] == "mine.book"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "[" * 100_000,
        '{"reversi session": 2}',
        '{"reversi session": 1}',
        '{"reversi session": 1, "record": 5}',
    ],
)
def test_text_that_is_not_a_saved_session(text: str) -> None:
    with pytest.raises(InputError, match=r"^(not a saved session|damaged: |saved in format 2; this)"):
        session_from_text(text)


@given(st.data())
def test_damage_is_an_input_error(data: st.DataObject) -> None:
    session = Session(controls=parse_controls("5:00"), flipping=Flipping.MANUAL)
    session.play("f5")
    state = json.loads(session_to_text(session))
    key = data.draw(st.sampled_from(sorted(state)))
    state[key] = data.draw(
        st.none() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.just({"x": 1})
    )
    with contextlib.suppress(InputError):  # anything else would be a crash; some changes do no harm
        assert session_to_text(session_from_text(json.dumps(state)))


def test_the_record_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    session = Session(keepers=[RecordKeeper(path)])
    session.begin()
    session.play("f5")
    assert parse_record(path.read_text(encoding="utf-8")).moves == session.game.moves
    session.undo()
    record = parse_record(path.read_text(encoding="utf-8"))
    assert record.moves == ()
    assert validate_record(record).unfinished
    with pytest.raises(OSError, match="cannot write"):
        save_game(session, str(tmp_path / "no" / "game.pgn"))
    with pytest.raises((OSError, ValueError), match="cannot write"):
        save_game(session, f"{tmp_path}/a\0b")


def test_the_next_game_of_a_session_does_not_replace_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    session = Session(keepers=[RecordKeeper(path)])
    session.begin()
    session.play("f5")
    session.resign()
    session.new_game()
    session.new_game()
    session.play("e6")
    session.play("f4")
    entries = list(read_records(path.read_text(encoding="utf-8")))
    assert [entry.findings for entry in entries] == [[], []]
    assert [str(move) for entry in entries for move in entry.record.moves] == ["f5", "e6", "f4"]
    assert [entry.record.result for entry in entries] == ["1-0", "*"]


def played(*moves: str, keepers: tuple[RecordKeeper | SessionFolder, ...] = (), **tags: str) -> Session:
    session = Session(keepers=keepers, tags=tags)
    session.begin()
    for move in moves:
        session.play(move)
    return session


def games_in(path: Path) -> list[str]:
    """The moves and the result of every game of a file, all of them well written."""
    entries = list(read_records(path.read_bytes().decode("utf-8", "surrogateescape")))
    assert [entry.findings for entry in entries] == [[] for _ in entries]
    return [" ".join([*map(str, entry.record.moves), entry.record.result]) for entry in entries]


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n", "\r\n\r\n", "\n \n", "\r"])
def test_the_games_of_a_file_stay_byte_for_byte(tmp_path: Path, end: str) -> None:
    path = tmp_path / "games.pgn"
    before = f'\ufeff[Event "caf\udce9"]\r\n[White ""]\n; a remark\n\n1. f5 {{odd}} d6   0-1{end}'.encode(
        "utf-8", "surrogateescape"
    )
    path.write_bytes(before)
    session = played(keepers=(RecordKeeper(path),))
    assert path.read_bytes() == before
    session.play("e6")
    session.play("f4")
    assert games_in(path) == ["f5 d6 0-1", "e6 f4 *"]
    after = path.read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].lstrip(b"\n").startswith(b"[Event")
    assert after.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"0-1\n\n[Event") == (end != "\n \n")
    played("d3", keepers=(RecordKeeper(path),)).resign(WHITE)
    assert path.read_bytes().startswith(after + b"\n[Event")
    assert games_in(path) == ["f5 d6 0-1", "e6 f4 *", "d3 1-0"]


def test_two_windows_keep_their_games_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    first, second = played("f5", keepers=(RecordKeeper(path),)), played(keepers=(RecordKeeper(path),))
    for move in WIPE_OUT:
        second.play(move)
    first.play("d6")
    assert games_in(path) == ["f5 d6 *", " ".join([*WIPE_OUT, "13-0"])]
    second.new_game()
    second.play("f5")
    first.new_game()
    first.play("f5")  # two games that are the same so far
    second.play("f6")
    first.play("f4")
    first.undo(2)
    first.play("c4")
    assert sorted(games_in(path)) == sorted(["f5 d6 *", " ".join([*WIPE_OUT, "13-0"]), "f5 f6 *", "c4 *"])
    assert [found.name for found in tmp_path.iterdir()] == ["games.pgn"]


def test_what_others_do_to_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    session = played("f5", keepers=(RecordKeeper(path),))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("1. f5", "1. f5 {good}"), encoding="utf-8")
    session.play("d6")
    assert games_in(path) == ["f5 *", "f5 d6 *"]
    path.unlink()
    session.play("c3")
    assert games_in(path) == ["f5 d6 c3 *"]
    path.write_text("a letter\n")
    session.play("d3")
    assert path.read_text() == "a letter\n"
    path.unlink()
    session.play("c4")
    assert games_in(path) == ["f5 d6 c3 d3 c4 *"]


WRITER = """
import pathlib, random, sys, time
from reversi import Random
from reversi.session import saving
from reversi.session.saving import RecordKeeper
from reversi.session.session import Session
saving._WAIT_S = 60.0  # on a busy machine the other writer may hold the file for longer than a player would wait
path, seed, games = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
moves, pauses = Random(seed), random.Random(seed)
session = Session(tags={"Event": str(seed)}, keepers=[RecordKeeper(path)])
session.listeners.append(lambda event: sys.exit(event.message) if "SaveFailed" in str(event) else None)
session.begin()
for game in range(games):
    if game:
        session.tags["Round"] = str(game)
        session.new_game()
    for _ in range(6):
        time.sleep(pauses.random() / 100)
        session.play(session.position.legal_moves.choice(moves))
"""


@pytest.mark.parametrize("number", range(2))
def test_two_processes_keep_their_games_in_one_file(tmp_path: Path, number: int) -> None:
    path, seeds, games = tmp_path / "games.pgn", (10 * number, 10 * number + 1), 4
    writers = [
        Child([sys.executable, "-c", WRITER, str(path), str(seed), str(games)], stderr=subprocess.PIPE)
        for seed in seeds
    ]
    for writer in writers:
        _, problem = writer.communicate(timeout=60)
        assert (writer.returncode, problem) == (0, b"")
    entries = list(read_records(path.read_text(encoding="utf-8")))
    assert all(len(entry.record.moves) == 6 and not entry.findings for entry in entries)
    found = sorted((entry.record.tags["Event"], entry.record.tags["Round"]) for entry in entries)
    assert found == sorted((str(seed), str(game) if game else "?") for seed in seeds for game in range(games))
    assert [left.name for left in tmp_path.iterdir()] == ["games.pgn"]


def test_a_game_that_could_not_be_written_is_there_with_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    session = played("f5", keepers=(RecordKeeper(folder / "games.pgn"),))
    folder.rename(tmp_path / "elsewhere")
    session.play("d6")
    session.resign()
    (tmp_path / "elsewhere").rename(folder)
    session.new_game()
    session.play("e6")
    assert games_in(folder / "games.pgn") == ["f5 d6 0-1", "e6 *"]


def test_a_game_without_a_ply_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    keeper = RecordKeeper(path)
    keeper.prepare()
    session = played(keepers=(keeper,))
    session.new_game()
    assert not list(tmp_path.iterdir())
    session.resign()  # that is something to keep
    assert games_in(path) == ["0-1"]
    session.new_game()
    session.play("f5")
    assert games_in(path) == ["0-1", "f5 *"]


def test_finished_games_alone_are_kept_once(tmp_path: Path) -> None:
    """Also where another program has taken them out of the file meanwhile."""
    path = tmp_path / "games.pgn"
    session = played(keepers=(RecordKeeper(path, finished=True),))
    session.play("f5")
    assert not path.exists()
    keeper = session.keepers[0]
    assert isinstance(keeper, RecordKeeper)
    assert keeper.sentence(session) == ""
    session.resign(Color.BLACK)
    assert games_in(path) == ["f5 0-1"]
    assert keeper.sentence(session) == "The game is in games.pgn, from which 'reversi book grow' takes it."
    path.unlink()
    session.save()
    assert not path.exists()
    session.undo()
    session.resign(Color.WHITE)
    assert games_in(path) == ["f5 1-0"]
    session.set_position(Position.from_moves("f5"))
    session.resign(Color.BLACK)
    assert games_in(path) == ["f5 1-0"]  # not from the start
    assert keeper.sentence(session) == ""


@pytest.mark.parametrize("blank", [b"", b"\n", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_a_blank_file_is_one_without_games(tmp_path: Path, blank: bytes) -> None:
    path = new_file(tmp_path / "games.pgn", blank)
    session = played("f5", keepers=(RecordKeeper(path),))
    assert parse_record(path.read_text(encoding="utf-8")) == session.record()


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\0\0\1",
        "[Event".encode("utf-16"),
        b"some words\n",
        b"f5d6c3\n",
        b"(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5:0]TY[8]BO[8 "
        + b"-" * 27
        + b"O*"
        + b"-" * 6
        + b"*O"
        + b"-" * 27
        + b" *];)",
        b'[remote "origin"]\n\turl = https://example.org/x.git\n',
        b"[build-system]\nrequires = []\n",
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, data: bytes) -> None:
    path = new_file(tmp_path / "file", data)
    with pytest.raises(InputError, match=r"file: .*\S") as refused:
        RecordKeeper(path).prepare()
    assert "\n" not in str(refused.value)
    session = Session(keepers=[RecordKeeper(path)])
    told: list[object] = []
    session.listeners.append(told.append)
    session.play("f5")
    assert sum(isinstance(event, SaveFailed) for event in told) == 1
    assert path.read_bytes() == data
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_preparing_shows_that_a_file_can_be_written_without_writing(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    played("f5", keepers=(RecordKeeper(path),))
    before = path.stat()
    RecordKeeper(path).prepare()
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert [found.name for found in tmp_path.iterdir()] == ["game.pgn"]
    for wrong in (tmp_path, tmp_path / "no" / "game.pgn", path / "below", tmp_path / ("x" * 500)):
        with pytest.raises(OSError, match="cannot write") as failure:
            RecordKeeper(wrong).prepare()
        assert str(wrong) in str(failure.value)


def resumed(path: Path, session: Session) -> Session:
    keeper = RecordKeeper(path)
    again = session_from_text(session_to_text(session))
    keeper.prepare(again)
    again.keepers.append(keeper)
    again.begin()
    return again


def test_a_resumed_game_replaces_its_own_record_only(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    session = played("f5", "d6", keepers=(RecordKeeper(path),))
    session.new_game()
    session.play("e6")
    first = path.read_bytes().partition(b"\n\n[Event")[0]
    session = resumed(path, session)
    assert games_in(path) == ["f5 d6 *", "e6 *"]
    session.play("f4")
    assert games_in(path) == ["f5 d6 *", "e6 f4 *"]
    session.keepers.clear()
    session.play("c3")  # killed before the record was written
    session = resumed(path, session)
    assert games_in(path) == ["f5 d6 *", "e6 f4 c3 *"]
    session.keepers.clear()
    session.undo(2)
    session = resumed(path, session)
    assert games_in(path) == ["f5 d6 *", "e6 *"]
    session.resign()
    session = resumed(path, session)
    assert games_in(path) == ["f5 d6 *", "e6 1-0"]
    assert path.read_bytes().startswith(first + b"\n\n[Event")
    session.new_game()
    session.play("c4")
    assert games_in(path) == ["f5 d6 *", "e6 1-0", "c4 *"]


@pytest.mark.parametrize(
    "last",
    [
        # ended where this went on
        '[Date "2026.11.20"]\n[Result "0-1"]\n[Termination "resignation"]\n\n1. f5 d6 0-1\n',
        '[Date "2026.11.19"]\n\n1. f5 d6 *\n',  # played on another day
        '[Date "2026.11.20"]\n\n1. f5 f6 *\n',
        '[Date "2026.11.20"]\n\n1. f5 d6 2. c3 d3 *\n',
        '[Date "2026.11.20"]\n[Rules "adjacent"]\n\n1. f5 d6 *\n',
        "1. e6 f4 * 1. f5 d6 *\n",  # begins on the line of another game
    ],
)
def test_what_is_not_the_resumed_game_stays(tmp_path: Path, last: str) -> None:
    path = new_file(tmp_path / "games.pgn", last.encode())
    games = games_in(path)
    resumed(path, played("f5", "d6", "c3", Date="2026.11.20"))
    assert games_in(path) == [*games, "f5 d6 c3 *"]
    assert path.read_bytes().startswith(last.encode() + b"\n[Event")


def test_a_resumed_game_after_games_of_others(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    others = b'[Event "x"]\r\n\r\n1. c4   e3 {so} *\r\n\r\n'
    path.write_bytes(others + b'[Event "y"]\r\n\r\n1. f5\r\n')
    resumed(path, played("f5", "d6"))
    assert path.read_bytes().startswith(others + b'[Event "?"]\n')
    assert games_in(path) == ["c4 e3 *", "f5 d6 *"]


def test_a_file_that_ends_inside_a_game_is_added_to(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    before = b'[Event "a"]\n\n1. c4 *\n\n[Event "b"]\n\n1. f5 {and th'
    path.write_bytes(before)
    played("f5", "d6", keepers=(RecordKeeper(path),))
    assert path.read_bytes().startswith(before + b"\n\n[Event")
    moves = [entry.record.moves for entry in read_records(path.read_text(encoding="utf-8"))]
    assert [" ".join(map(str, each)) for each in moves] == ["c4", "f5", "f5 d6"]


def test_a_failure_is_reported_once_and_the_session_continues(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    keeper = RecordKeeper(folder / "game.pgn")
    session = Session(keepers=[keeper])
    told: list[SaveFailed] = []
    session.listeners.append(lambda event: told.append(event) if isinstance(event, SaveFailed) else None)
    session.begin()
    folder.rename(tmp_path / "elsewhere")
    session.play("f5")
    session.play("d6")
    assert [event.keeper for event in told] == [keeper]
    assert "cannot write" in told[0].message
    (tmp_path / "elsewhere").rename(folder)
    session.play("c3")
    folder.rename(tmp_path / "elsewhere")
    session.play("d3")
    assert len(told) == 2


def test_session_files_begin_with_the_first_ply_and_are_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "games"
    sessions = SessionFolder(folder)
    session = Session(sides={WHITE: Side.engine(1)}, keepers=[sessions])
    session.begin()
    assert not folder.exists()
    session.play("f5")
    session.play_engine()
    assert sessions.path is not None
    assert SessionFolder(folder).unfinished() == []  # it is being played
    with pytest.raises(InputError, match="another window"):
        SessionFolder(folder).resume(sessions.path)
    with pytest.raises(InputError, match="no unfinished game"):
        SessionFolder(folder).resume()
    sessions.close()
    assert len(SessionFolder(folder).unfinished()) == 1
    other = SessionFolder(folder)
    again = other.resume()
    again.begin()
    assert observe(again) == observe(session)
    again.play(again.position.legal_moves[0])
    assert len(json.loads(other.path.read_text())["clocks"]) == 5  # type: ignore[union-attr]
    again.resign(BLACK)
    assert other.path is not None
    assert other.path.suffix == ".done"
    again.undo()
    assert other.path.suffix == ".session"
    other.close()
    assert [path.suffix for path in folder.iterdir()] == [".session"]


def test_another_game_of_a_session_has_a_file_of_its_own(tmp_path: Path) -> None:
    sessions = SessionFolder(tmp_path)
    session = Session(keepers=[sessions])
    session.begin()
    session.play("f5")
    first = sessions.path
    session.new_game()
    assert sessions.path == first
    session.play("e6")
    assert sessions.path != first
    sessions.close()
    assert len(SessionFolder(tmp_path).unfinished()) == 2
    assert SessionFolder(tmp_path).resume().game.moves == session.game.moves


def test_a_broken_file_does_not_hide_the_one_before(tmp_path: Path) -> None:
    sessions = SessionFolder(tmp_path)
    session = Session(keepers=[sessions])
    session.play("f5")
    sessions.close()
    (tmp_path / "9999-later.session").write_bytes(b"\xff\xfe")
    assert SessionFolder(tmp_path).resume().game.moves == session.game.moves
    for path in tmp_path.glob("2*.session"):
        path.unlink()
    with pytest.raises(InputError, match="9999-later"):
        SessionFolder(tmp_path).resume()


def test_a_session_with_bytes_outside_utf_8(tmp_path: Path) -> None:
    sessions = SessionFolder(tmp_path)
    session = played("f5", keepers=(sessions,), Event="caf\udce9", Site="Orl\u00e9ans")
    sessions.close()
    again = SessionFolder(tmp_path).resume()
    assert again.tags == {"Event": "caf\udce9", "Site": "Orl\u00e9ans"}
    assert observe(again) == observe(session)


def test_resuming_reads_what_was_played_until_the_lock_was_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = SessionFolder(tmp_path)
    session = played("f5", keepers=(first,))
    path, take = first.path, saving._lock_of
    assert path is not None

    def other_window_closes(stem: Path) -> object:
        session.play("d6")
        first.close()
        return take(stem)

    second = SessionFolder(tmp_path)
    monkeypatch.setattr(saving, "_lock_of", other_window_closes)
    again = second.resume(path)
    assert [str(move) for move in again.game.moves] == ["f5", "d6"]
    assert second.path == path


def test_a_resumption_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    sessions = SessionFolder(folder)
    session = played("f5", keepers=(sessions,))
    path = sessions.path
    assert path is not None
    other = SessionFolder(folder)
    with pytest.raises(InputError, match="another window"):
        other.resume(path)
    assert other.path is None
    sessions.close()
    text = path.read_text(encoding="utf-8")
    path.write_text("{}")
    with pytest.raises(InputError, match="not a saved session"):
        other.resume(path)
    assert other.path is None
    assert [found.name for found in folder.iterdir()] == [path.name]
    path.write_text(text, encoding="utf-8")
    assert SessionFolder(folder).resume(path).game.moves == session.game.moves  # nobody has the lock
    for wrong in (tmp_path / "no" / "x.session", tmp_path / "x.session", tmp_path):
        with pytest.raises(OSError):  # noqa: PT011 - the kind differs between systems
            other.resume(wrong)
    (tmp_path / "Cargo.toml").write_text("[package]\n")
    (tmp_path / "Cargo.lock").write_text("precious\n")
    with pytest.raises(InputError, match="not a saved session"):
        other.resume(tmp_path / "Cargo.toml")
    assert (tmp_path / "Cargo.lock").read_text() == "precious\n"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["Cargo.lock", "Cargo.toml", "games"]


def test_old_finished_games_go(tmp_path: Path) -> None:
    for number in range(FINISHED_KEPT + 5):
        (tmp_path / f"2000-{number:03}.done").write_text("")
    (tmp_path / "2000.lock").write_text("")
    (tmp_path / "2000.session").write_text("")
    session = Session(keepers=[SessionFolder(tmp_path)])
    session.play("f5")
    assert len(list(tmp_path.glob("*.done"))) == FINISHED_KEPT
    assert not (tmp_path / "2000-004.done").exists()
    assert not (tmp_path / "2000.lock").exists()
    assert (tmp_path / "2000.session").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path, close: Callable[[Path, int], None]) -> None:
    close(tmp_path, 0o500)
    told: list[object] = []
    session = Session(keepers=[SessionFolder(tmp_path / "games")])
    session.listeners.append(told.append)
    session.play("f5")
    assert sum(isinstance(event, SaveFailed) for event in told) == 1


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    told: list[object] = []
    session = Session(Position(), sides={BLACK: HUMAN}, keepers=[SessionFolder(tmp_path / "games")])
    session.listeners.append(told.append)
    session.play("f5")
    session.play("d6")
    failures = [event for event in told if isinstance(event, SaveFailed)]
    assert len(failures) == 1
    assert "games: cannot write" in failures[0].message
