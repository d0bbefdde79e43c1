from __future__ import annotations

import pytest

from reversi import PASS, Kind, Position, RecordError, Square
from reversi.records import Code, Line, Node, Record, RecordedScore, validate_entry
from reversi.records.formats.obf import format_obf_record, read_obf_records
from reversi.text import format_board

START = format_board(Position())
LINE = f"{START}; F5:0; D3:-2; % four alike"


def test_a_position_with_the_values_of_its_moves() -> None:
    (entry,) = read_obf_records(f"% a suite\n\n{LINE}\n")
    record = entry.record
    assert (entry.number, entry.line, entry.findings) == (1, 3, [])
    assert record.start == Position()
    assert record.line == Line(
        [
            Node(
                Square("f5"),
                evaluation=RecordedScore(0, Kind.EXACT),
                variations=(Line([Node(Square("d3"), evaluation=RecordedScore(-2, Kind.EXACT))]),),
            )
        ],
        ("four alike",),
    )
    assert format_obf_record(record) == f"{START}; F5:+0; D3:-2; % four alike"
    assert validate_entry(entry).unfinished


def test_passes_scores_alone_and_bare_boards() -> None:
    passing = "OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- X"
    (entry,) = read_obf_records(f"{passing}; h1:+3;\n")
    assert [str(found.code) for found in validate_entry(entry).findings] == ["pass-required"]
    (entry,) = read_obf_records(f"{START}; +12;\n")
    assert (entry.record.tags["Score"], entry.record.line.nodes) == ("+12", [])
    assert format_obf_record(entry.record) == f"{START}; +12;"
    (entry,) = read_obf_records(START)
    assert format_obf_record(entry.record) == START
    (entry,) = read_obf_records(f"{START}; PS:+2;\n")
    assert entry.record.moves == (PASS,)
    assert [found.code for found in validate_entry(entry).findings] == [Code.PASS_FORBIDDEN]


def test_a_move_that_ends_the_game_gives_the_result() -> None:
    last = "X" * 62 + "O-" + " X"
    (entry,) = read_obf_records(f"{last}; H8:+64;\n")
    assert entry.record.result == "64-0"
    assert validate_entry(entry).valid


def test_lines_that_are_wrong_do_not_hide_the_next() -> None:
    first, second = read_obf_records(f"{START}; F9:1;\n{LINE}\n")
    assert [found.code for found in first.findings] == [Code.BAD_TAG]
    assert second.record.moves == (Square("f5"),)


def test_games_are_refused() -> None:
    with pytest.raises(RecordError, match="a game"):
        format_obf_record(Record(line=Line([Node(Square("f5")), Node(Square("d6"))])))
