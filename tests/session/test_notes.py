"""Marks and comments at the plies of a game, and the game written as a page, a transcript or a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from files import new_file
from reversi import Game, Session, parse_rules
from reversi.errors import InputError
from reversi.records import format_record, parse_record
from reversi.records.formats.pgn.reader import read_records
from reversi.session.opening import given, open_given
from reversi.session.saving import SessionFolder, save_game, suggested_name
from reversi.session.session import Flipping
from reversi.session.text import session_from_text, session_to_text
from reversi.session.writing import SUFFIXES, write_game

OPENED = '[Event "Cup"]\n\n1. f5 {old} $1 $140 d6 2. c3 d3 3. c4 *\n'


def played(moves: str = "f5d6c3") -> Session:
    session = Session(Game().play_all(moves))
    session.begin()
    return session


@pytest.mark.parametrize(
    ("text", "written", "noted"),
    [
        ("??", "2. c3 $4 *", "??"),
        ("  !?  bold move ", "2. c3 $5 {bold move} *", "!? bold move"),
        ("why not d3?", "2. c3 {why not d3?} *", "why not d3?"),
        ("??no mark", "2. c3 {??no mark} *", "??no mark"),
        ("two\nlines \x1b[31m}", "2. c3 {two lines  [31m\\}} *", "two lines  [31m}"),
        ("", "2. c3 *", ""),
    ],
)
def test_a_note_becomes_part_of_the_record(text: str, written: str, noted: str) -> None:
    session = played()
    session.note = "before"
    session.note = text
    assert session.note == noted
    assert format_record(session.record()).splitlines()[-1] == f"1. f5 d6 {written}"
    again = session_from_text(session_to_text(session))
    assert again.record() == session.record()
    assert parse_record(format_record(session.record())) == session.record()


def test_a_note_stands_at_its_ply_and_goes_with_the_move() -> None:
    session = played()
    session.note = "third"
    session.undo()
    assert session.note == ""
    session.note = "? second"
    assert format_record(session.record()).splitlines()[-1] == "1. f5 d6 $2 {second} *"
    session.redo()
    assert format_record(session.record()).splitlines()[-1] == "1. f5 d6 $2 {second} 2. c3 {third} *"
    session.undo(2)
    session.play("f4")
    assert "second" not in format_record(session.record())


def test_before_the_first_move_stands_a_comment_but_no_mark() -> None:
    session = Session()
    session.begin()
    session.note = "friendly game"
    with pytest.raises(InputError, match=r"!\? marks a move; none was played yet"):
        session.note = "!? x"
    assert session.note == "friendly game"
    assert "{friendly game} *" in format_record(session.record())


def test_after_a_forced_pass_the_note_is_that_of_the_move() -> None:
    session = Session(Game(parse_rules("othello,board=4x4")).play_all(["c4", "b4", "a3", "d2"]))
    session.begin()
    session.play("a4")
    assert session.game[-1].is_forced_pass
    session.note = "! a pass"
    assert "a4 $1 {a pass}" in format_record(session.record())


def test_notes_of_an_opened_game_replace_those_there_and_keep_the_rest(tmp_path: Path) -> None:
    path = new_file(tmp_path / "games.pgn", OPENED)
    session = Session(keepers=[SessionFolder(tmp_path / "state")])
    open_given(session, given(f"{path}@1"))
    assert session.note == "! old"
    session.note = "?! new"
    assert not session.is_untouched
    assert [file.suffix for file in (tmp_path / "state").iterdir() if file.suffix != ".lock"] == [".session"]
    session.play("f4")  # a variation in place of d6
    session.note = "tried"
    save_game(session, str(path))
    record = next(iter(read_records(path.read_text(encoding="utf-8")))).record
    line = record.line
    assert (line.nodes[0].nags, line.nodes[0].comments) == ((6, 140), ("new",))
    assert [str(move) for move in record.moves] == ["f5", "d6", "c3", "d3", "c4"]
    assert line.nodes[1].variations[0].nodes[0].comments == ("tried",)


@pytest.mark.parametrize(
    ("form", "begins", "contains"),
    [("report", "<!doctype html>", "third"), ("transcript", "f5d6c3\n", "c3"), ("picture", "<svg", "</svg>")],
)
def test_a_game_is_written_beside_its_file(form: str, begins: str, contains: str, tmp_path: Path) -> None:
    path = new_file(tmp_path / "games.pgn", f"{OPENED}\n1. f5 d6 2. c3 {{third}} *\n")
    session = Session()
    open_given(session, given(f"{path}#2@2"))
    name = suggested_name(session, SUFFIXES[form])  # type: ignore[index]
    assert name == str(tmp_path / f"games-2{SUFFIXES[form]}")  # type: ignore[index]
    said = write_game(session, form, name)  # type: ignore[arg-type]
    assert said == f"Wrote the {form} to {name}."
    text = Path(name).read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert contains in text
    with pytest.raises(InputError, match=r"exists already; give another name"):
        write_game(session, form, name)  # type: ignore[arg-type]
    assert Path(name).read_text(encoding="utf-8") == text
    assert suggested_name(session, SUFFIXES[form]) == str(tmp_path / f"games-2-2{SUFFIXES[form]}")  # type: ignore[index]
    assert path.read_text(encoding="utf-8").startswith(OPENED)


def test_a_transcript_does_not_hold_discs_flipped_by_hand(tmp_path: Path) -> None:
    session = Session(flipping=Flipping.MANUAL)
    session.begin()
    session.play("f5")
    with pytest.raises(InputError, match="save the record instead"):
        write_game(session, "transcript", str(tmp_path / "game.txt"))
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    name = tmp_path / "none" / "game.txt"
    with pytest.raises(OSError, match=r"game\.txt: cannot write: folder .*none does not exist"):
        write_game(played(), "transcript", str(name))
