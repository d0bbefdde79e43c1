"""Errors carry their reasons as data, and keep them across processes."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from command_line import run_process
from files import new_file
from reversi import (
    Game,
    IllegalMoveError,
    InputError,
    Position,
    RecordError,
    ResourceError,
    ReversiError,
    Square,
    read_position,
)
from reversi._system.limits import check_memory
from reversi.errors import InstructionSetError, TableSizeError
from reversi.game.hand_flips import play_with_flips
from reversi.games.files import FileGames, Report, ReportKind
from reversi.inputs import load_game
from reversi.records import game_from_record, parse_record, positions
from reversi.records.formats.pgn.reader import read_records
from reversi.records.sources.finding import find_files
from reversi.records.sources.opening import open_source
from reversi.text.decoding import decode_text


def _refused(call) -> IllegalMoveError:
    with pytest.raises(IllegalMoveError) as refused:
        call()
    return refused.value


def test_why_a_move_is_not_allowed() -> None:
    start = Position()
    assert _refused(lambda: start.play("a1")).reason == "flips nothing"
    assert _refused(lambda: start.play("d4")).reason == "the square is occupied"
    by_hand = _refused(lambda: play_with_flips(start, Square("f5"), [Square("a1")]))
    assert (str(by_hand), by_hand.reason) == (f"f5: {by_hand.reason}", "a1 has no disc to flip")


def test_the_reason_outlives_the_messages_around_it() -> None:
    (entry,) = read_records("1. f5 a1 *")
    replayed = _refused(lambda: list(positions(entry.record)))
    assert str(replayed).startswith("ply 2 (White): a1 is not allowed: ")
    assert (replayed.text, replayed.reason) == ("a1", "flips nothing")


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("a1 is not allowed here: flips nothing", "a1", "flips nothing"),
        InputError("binary data", source="games.pgn"),
        RecordError("not a record", 3, 7, source="games.pgn"),
        RecordError("not a record", 3, 7),
    ],
)
def test_errors_keep_their_fields_in_a_pickle(error: ReversiError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_an_error_names_its_source_once(tmp_path: Path) -> None:
    assert str(InputError("empty").located("a.pgn")) == "a.pgn: empty"
    illegal = IllegalMoveError("a1 is not allowed", "a1", "flips nothing").located("a.pgn:3")
    assert (type(illegal), str(illegal), illegal.source, illegal.text, illegal.reason) == (
        IllegalMoveError,
        "a.pgn:3: a1 is not allowed",
        "a.pgn:3",
        "a1",
        "flips nothing",
    )
    assert str(illegal.located("b.pgn")) == "a.pgn:3: a1 is not allowed"
    assert InputError("empty").naming("a.pgn") == "a.pgn: empty"
    assert InputError("empty", source="a.pgn").naming("a.pgn") == "a.pgn: empty"
    # a message that happens to begin like a name is still without a source
    assert InputError("line 3 is too long").naming("line") == "line: line 3 is too long"
    with pytest.raises(InputError) as binary:
        decode_text(b"\0", "games.pgn")
    assert (str(binary.value), binary.value.source) == ("games.pgn: binary data, not text", "games.pgn")
    file = new_file(tmp_path / "x", b"")
    with pytest.raises(InputError) as empty:
        open_source(str(file))
    assert empty.value.source == str(file)


def test_a_file_whose_name_begins_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that happens to begin with the name of the file still names the file."""
    (tmp_path / "line").write_text('[Event "x"]\nNf3 *\n\n' * 1100)
    monkeypatch.chdir(tmp_path)
    reports: list[Report] = []
    assert list(FileGames(["line"], reports.append)) == []
    (report,) = reports
    assert report.kind is ReportKind.DAMAGED
    assert report.text.startswith("line: line 2, column 1: 'Nf3' is not a move; ")


def test_paths_that_name_no_file_say_whether_one_is_missing(tmp_path: Path) -> None:
    (folder,) = find_files([str(tmp_path)])
    (pattern,) = find_files([str(tmp_path / "*.pgn")])
    assert (folder.missing, bool(folder.error)) == (False, True)
    assert (pattern.missing, bool(pattern.error)) == (True, True)


def test_a_table_that_does_not_fit_is_an_error_of_its_own() -> None:
    with pytest.raises(TableSizeError) as refused:
        check_memory(1 << 40)
    assert isinstance(refused.value, ResourceError)


def test_an_unknown_instruction_set_is_wrong_usage() -> None:
    assert issubclass(InstructionSetError, ImportError)
    for arguments in (["perft", "2"], ["record", "show", "f5"]):
        done = run_process(*arguments, environment={"REVERSI_ISA": "mmx"}).ends(2)
        assert done.stderr.startswith("reversi: REVERSI_ISA='mmx' is not available here; choose one of ")


@pytest.mark.parametrize(
    "read",
    [
        Position.parse,
        Position.from_moves,
        Position().parse_moves,
        read_position,
        lambda text: Game().play_all(text),
        lambda text: game_from_record(parse_record(f"{text} *")),
    ],
)
@pytest.mark.parametrize("text", ["f5a1", "f5d6c3a1"])
def test_an_illegal_move_is_one_error_wherever_it_is_read(read, text):
    with pytest.raises(IllegalMoveError, match="a1") as refused:
        read(text)
    assert refused.value.text == "a1"


def test_an_illegal_move_in_a_file_names_the_file(tmp_path):
    path = new_file(tmp_path / "wrong.txt", "f5a1\n")
    for read in (read_position, lambda place: load_game(f"{place}#1")):
        with pytest.raises(IllegalMoveError, match=r"wrong\.txt.*a1 is not allowed"):
            read(str(path))
