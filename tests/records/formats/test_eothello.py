from __future__ import annotations

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Square
from reversi.records import Code, Record, Tags, validate_entry
from reversi.records.formats.eothello import HEADER, format_eothello, is_eothello, read_eothello

PASSING = random_record(seed_with_pass(2))


def test_a_game_with_its_passes_put_in() -> None:
    line = format_eothello(PASSING, 7)
    assert line.startswith("7,")
    assert "--" not in line
    (entry,) = read_eothello(f"{HEADER}\r\n{line}\r\n")
    assert (entry.number, entry.line, entry.result_line, entry.findings) == (1, 2, 2, [])
    assert entry.record.moves == PASSING.moves
    assert entry.record.moves.count(PASS) == 2
    assert entry.record.result == PASSING.result
    assert entry.record.tags["GameId"] == "7"
    assert format_eothello(entry.record, 9) == line  # it keeps its number


def test_a_wrong_winner_is_reported() -> None:
    number, winner, moves = format_eothello(PASSING).split(",")
    for other in {"1", "-1", "0"} - {winner}:
        (entry,) = read_eothello(f"{number},{other},{moves}\n")
        found = validate_entry(entry).findings
        assert [(one.code, one.line) for one in found] == [(Code.RESULT_MISMATCH, 1)]


def test_a_game_that_stops_early_keeps_its_winner() -> None:
    (entry,) = read_eothello("5,-1,f5d6c3\n")
    assert entry.record.result == "0-1"
    verdict = validate_entry(entry)
    assert verdict.valid
    assert verdict.ended_early


@pytest.mark.parametrize(
    ("line", "code", "ply", "message"),
    [
        ("1,2,f5", Code.SYNTAX, None, "'2' is not a winner"),
        ("1,1", Code.SYNTAX, None, "is not id,winner,moves"),
        ("1,1,f5,d6", Code.SYNTAX, None, "is not id,winner,moves"),
        ("1,1,f5d9", Code.INVALID_MOVE, 2, "'d9' is not a move"),
        ("x" * 70_000, Code.SYNTAX, None, "the line has 70000 characters"),
    ],
)
def test_lines_that_are_wrong_do_not_hide_the_next(line: str, code: Code, ply: int | None, message: str) -> None:
    first, second = read_eothello(f"{line}\n2,1,f5\n")
    assert [(found.code, found.ply, found.line) for found in first.findings] == [(code, ply, 1)]
    assert message in first.findings[0].message
    assert (second.number, second.line, second.record.moves) == (2, 2, (Square("f5"),))


def test_quotes_blanks_and_no_number() -> None:
    (entry,) = read_eothello('"", 1 , "F5 D6"\n')
    assert ("GameId" in entry.record.tags, [str(move) for move in entry.record.moves]) == (False, ["f5", "d6"])
    assert format_eothello(Record(Tags({"GameId": 'a,"b'}), result="1-0")).startswith("a  b,1,")


def test_recognizing() -> None:
    assert is_eothello(f"\n{HEADER}\n")
    assert is_eothello("id,winner,moves\n")
    assert is_eothello("1056798,1,f5d6c4\n")
    assert not is_eothello("1056798,5,f5d6c4\n")
    assert not is_eothello("f5d6")
    assert not is_eothello("")
