"""The logbook of Logistello, from samples made by its description: no real file was at hand."""

from __future__ import annotations

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Position, RecordError, Square, parse_rules
from reversi.records import Code, Line, Node, Record, Tags, losses, read_games, recognize, validate_entry
from reversi.records.formats.logbook import format_logbook, read_logbook
from reversi.records.formats.registry import text_format_named

LOGBOOK = text_format_named("logbook")
PASSING = seed_with_pass(1)


def test_a_game_as_a_record() -> None:
    text = "\n+d3-c5+e6-f5: +4 2\n+f5-d6: -64 0\n"
    assert recognize(text) is LOGBOOK
    first, second = read_games(text)
    assert first.findings == second.findings == []
    assert [str(move) for move in first.record.moves] == ["d3", "c5", "e6", "f5"]
    assert (first.record.result, first.record.tags["Flag"], first.line, first.ours) == ("34-30", "2", 2, False)
    assert (second.record.result, second.record.tags.get("Flag"), second.line) == ("0-64", None, 3)


@pytest.mark.parametrize(
    ("ending", "result", "score", "flag"),
    [
        ("0", "32-32", None, None),
        (" +64 1", "64-0", None, "1"),
        ("-2\t007 ", "31-33", None, "7"),
        ("+3 0", "1-0", "+3", None),
    ],
)
def test_results(ending: str, result: str, score: str | None, flag: str | None) -> None:
    (entry,) = read_logbook(f"+f5:{ending}")
    tags = entry.record.tags
    assert (entry.findings, entry.record.result, tags.get("Score"), tags.get("Flag")) == ([], result, score, flag)
    (again,) = read_logbook(format_logbook(entry.record))
    assert again.record == entry.record


def test_passes_are_put_in_and_signs_follow_them() -> None:
    record = random_record(PASSING)
    text = format_logbook(record)
    assert PASS in record.moves
    assert text.count("+") + text.count("-") >= 60 - 4
    (entry,) = read_logbook(text)
    assert entry.findings == []
    assert (entry.record.moves, entry.record.result) == (record.moves, record.result)
    assert validate_entry(entry).valid


@pytest.mark.parametrize(
    ("line", "code", "message", "ply", "column"),
    [
        ("+f5-zz: 0 0", Code.INVALID_MOVE, "'-zz' is not a move with its sign", 2, 4),
        ("+f5 d6: 0 0", Code.INVALID_MOVE, "'d6' is not a move with its sign", 2, 5),
        ("+f5-d6", Code.TRUNCATED, "the line ends before the result", None, 6),
        ("+f5-d6:", Code.SYNTAX, "'' is not a score and a flag", None, 8),
        ("+f5-d6: won", Code.SYNTAX, "'won' is not a score and a flag", None, 8),
        ("+f5+d6-c3: 0 0", Code.SYNTAX, "d6: it is White's turn", 2, 4),
        ("-f5: 0 0", Code.SYNTAX, "f5: it is Black's turn", 1, 1),
    ],
)
def test_a_malformed_line_does_not_hide_the_next(
    line: str, code: Code, message: str, ply: int | None, column: int
) -> None:
    wrong, right = read_logbook(f"{line}\n+c4: 0 0\n")
    (found,) = wrong.findings
    assert (found.code, found.message, found.ply, found.line, found.column) == (code, message, ply, 1, column)
    assert (right.findings, right.record.moves) == ([], (Square("c4"),))


def test_a_wrong_result_is_found() -> None:
    record = random_record(PASSING)
    text = format_logbook(record)
    for score in ("+1", "-1", "+64"):
        (entry,) = read_logbook(f"{text[: text.index(':')]}: {score} 0")
        assert [found.code for found in validate_entry(entry).findings] == [Code.RESULT_MISMATCH]


def test_what_is_lost() -> None:
    record = random_record(PASSING)
    assert losses(record, "logbook") == ["players", "other tags"]
    assert LOGBOOK.holds.lost_tags(record) == ["Event", "Date", "Round"]
    early = Record(Tags({"Flag": "3", "Score": "+5"}), line=Line([Node(Square("f5"))]), result="1-0")
    assert losses(early, "logbook") == []
    early.result = "20-10"
    assert losses(early, "logbook") == ["other tags", "results"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(start=Position(parse_rules("othello,board=4x4"))), "other rules"),
        (Record(start=Position().play("f5")), "another start"),
        (Record(line=Line([Node(Square("f5"), flips=())])), "flipped by hand"),
        (Record(result="32-32"), "no moves"),
        (Record(line=Line([Node(Square("f5"))])), "no disc count"),
        (Record(line=Line([Node(Square("f5"))]), result="1-0"), "no disc count"),
        (Record(line=Line([Node(Square("f5")), Node(PASS)]), result="32-32"), "do not follow"),
    ],
)
def test_what_cannot_be_written(record: Record, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        format_logbook(record)


def test_what_a_line_without_a_score_loses() -> None:
    line = Line.of_numbers(bytes([Square("f5").index]))
    assert losses(Record(Tags([("Flag", "1"), ("Flag", "2")]), line=line), "logbook") == ["other tags"]
    assert losses(Record(line=line, result="1-0"), "logbook") == ["results"]
