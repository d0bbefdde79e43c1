"""Real files of other programs, where a checkout has them beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reversi import PASS
from reversi.records import Code, Finding, format_records, validate_entry
from reversi.records.formats.pgn.reader import read_records
from reversi.records.replay import position_after
from reversi.records.sources.decoding import decode_records
from reversi.records.validation.game import ValidationSummary

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "pgn"


def text_of(name: str) -> str:
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"no {name} in {FOLDER}")
    return decode_records(path.read_bytes(), name)


def check(text: str) -> tuple[ValidationSummary, list[tuple[int, Finding]]]:
    summary, findings = ValidationSummary(), []
    for entry in read_records(text):
        verdict = validate_entry(entry)
        summary.add(verdict)
        findings += [(entry.number, found) for found in verdict.findings]
    return summary, findings


@pytest.mark.parametrize(
    ("name", "games", "ended_early"),
    [
        ("pgn_with_python_code_WTH_1977.pgn", 12, 0),
        ("pgn_with_python_code_WTH_1984.pgn", 587, 8),
        ("playok_normal.pgn", 1, 0),
        ("playok_xot.pgn", 1, 0),
        ("flyordie_2025.pgn", 1, 1),
    ],
)
def test_foreign_files_are_valid_and_stay_so_as_ours(name: str, games: int, ended_early: int) -> None:
    text = text_of(name)
    summary, findings = check(text)
    assert findings == []
    assert summary == ValidationSummary(games=games, valid=games, ended_early=ended_early)
    entries = list(read_records(text))
    assert not any(entry.ours for entry in entries)
    ours = "".join(format_records(entry.record for entry in entries))
    again = list(read_records(ours))
    assert all(entry.ours for entry in again)
    assert [entry.record for entry in again] == [entry.record for entry in entries]
    assert "".join(format_records(entry.record for entry in again)) == ours
    assert check(ours)[0] == summary


def test_results_that_count_the_empties_become_disc_counts() -> None:
    text = text_of("pgn_with_python_code_WTH_1984.pgn")
    recorded = re.findall(r'^\[Result "(.*)"\]', text, re.MULTILINE)
    changed = unfinished = 0
    for was, entry in zip(recorded, read_records(text), strict=True):
        end = position_after(entry.record)
        changed += entry.record.result != was
        unfinished += not end.is_over
        assert entry.record.result == (end.count.discs if end.is_over else was)
    assert (changed, unfinished) == (36, 8)


def test_three_mistakes_are_three_findings() -> None:
    games = text_of("pgn_with_python_code_WTH_1984.pgn").split("\n\n")
    rows = games[9].split("\n")
    rows[9] = "5. A1 " + rows[9].split()[2]  # the ninth ply
    games[9] = "\n".join(rows)
    rows = games[99].split("\n")
    rows[6] = rows[6].rsplit(" ", 1)[0] + " D4"  # the fourth ply
    games[99] = "\n".join(rows)
    games[199] = re.sub(r'Result ".*"', 'Result "33-31"', games[199])
    summary, findings = check("\n\n".join(games))
    assert [(game, found.code, found.ply) for game, found in findings] == [
        (10, Code.ILLEGAL_MOVE, 9),
        (100, Code.DUPLICATE_SQUARE, 4),
        (200, Code.RESULT_MISMATCH, None),
    ]
    assert (summary.games, summary.valid) == (587, 584)


def test_a_pass_removed_and_a_tag_cut_off() -> None:
    entries = list(read_records(text_of("pgn_with_python_code_WTH_1984.pgn")))
    ours = "".join(format_records(entry.record for entry in entries))
    changed = next(entry for entry in entries if PASS in entry.record.moves)
    cut = ours[: ours.rindex('"]\n[White')].replace(" -- ", " ", 1)
    _, findings = check(cut)
    assert [(game, found.code, found.ply) for game, found in findings] == [
        (changed.number, Code.PASS_REQUIRED, changed.record.moves.index(PASS) + 1),
        (587, Code.TRUNCATED, None),
    ]
