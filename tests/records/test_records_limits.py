"""Games without end, and files without a game: reading gives up, and says so once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reversi.errors import RecordError
from reversi.records import Code, Entry, Finding, Record, validate_entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.registry import read_games, text_format_named
from reversi.records.formats.sgf.reader import read_sgf
from reversi.records.limits import MAX_FINDINGS, MAX_PARTS, MAX_STRANGE, give_up
from reversi.records.record import Line

TAGS = '[Event "x"]\n\n'
MANY = MAX_PARTS + 1000

ENDLESS = {
    "turns": (read_records, TAGS + "1. f5 " + "d6\n" * MANY + "*\n\n" + TAGS + "1. f5 *\n"),
    "alternatives": (read_records, TAGS + "1. f5 d6 " + "(f4)\n" * MANY + "*\n\n" + TAGS + "1. f5 *\n"),
    "comments": (read_records, TAGS + "1. f5 " + "{x}\n" * MANY + "*\n\n" + TAGS + "1. f5 *\n"),
    "glued turns": (read_records, TAGS + "1. f5 " + "d6" * MANY + " *\n\n" + TAGS + "1. f5 *\n"),
    "brackets": (read_records, "[\n" * MANY + TAGS + "1. f5 *\n"),
    "nodes": (read_sgf, "(;GM[2]" + ";B[f5]" * MANY + ")\n(;GM[2];B[f5])\n"),
    "empty nodes": (read_sgf, "(;GM[2]" + ";" * MANY + ")\n(;GM[2];B[f5])\n"),
    "values": (read_sgf, "(;GM[2]C" + "[x]" * MANY + ")\n(;GM[2];B[f5])\n"),
    "trees": (read_sgf, "(;GM[2];B[f5]" + "(;W[d6])" * MANY + ")\n(;GM[2];B[f5])\n"),
    "tags of GGF": (read_ggf, "(;GM[Othello]" + "XX[x]" * MANY + ";)\n(;GM[Othello]B[f5];)\n"),
    "lines of GGF": (read_ggf, "(;GM[Othello]CO[" + "x\n" * MANY + "];)\n(;GM[Othello]B[f5];)\n"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENDLESS)
def test_a_game_without_end(name: str) -> None:
    read: Callable[[str], Iterator[Entry]] = ENDLESS[name][0]
    text: str = ENDLESS[name][1]
    *_, last = entries = list(read(text))
    found = [finding for entry in entries for finding in entry.findings]
    assert any(finding.code is Code.SYNTAX for finding in found)
    assert len(found) <= MAX_FINDINGS + 1
    assert not last.findings
    assert list(map(str, last.record.moves)) == ["f5"]  # the next game is found again


@pytest.mark.parametrize(
    ("wrong", "right", "form"),
    [
        (TAGS + "1. zz *\n\n", TAGS + "1. f5 *\n", text_format_named("pgn")),
        ("(;GM[1])\n", "(;GM[2])\n", text_format_named("sgf")),
        ("(;GM[Go]B[f5];)\n", "(;GM[Othello]B[f5];)\n", text_format_named("ggf")),
        ("1,1,zz\n", "1,1,f5\n", text_format_named("eothello")),
        ("zz\n", "f5\n", text_format_named("transcript")),
        ("zz\n", "-" * 27 + "OX------XO" + "-" * 27 + " X\n", text_format_named("obf")),
    ],
)
def test_a_file_without_a_game(wrong: str, right: str, form: TextFormat) -> None:
    entries = list(read_games(wrong * (MAX_STRANGE - 1) + right, format_=form))
    assert [bool(entry.findings) for entry in entries] == [True] * (MAX_STRANGE - 1) + [False]
    with pytest.raises(RecordError, match=r"^line .*(not a game|contains no games)"):
        next(read_games(wrong * MAX_STRANGE + right, format_=form))


def test_findings_of_a_game_are_reported_up_to_a_limit() -> None:
    (entry,) = read_records(TAGS + "1. f5 d6 " + "(a1)\n" * (MAX_FINDINGS + 50) + "*\n")
    findings = validate_entry(entry).findings
    assert len(findings) == MAX_FINDINGS + 1
    assert findings[-1].message == "50 more findings in this game"
    assert findings[-1].code is findings[-2].code


@pytest.mark.thorough
def test_long_entries_without_a_game_are_not_held_in_memory() -> None:
    read = 0

    def entries() -> Iterator[Entry]:
        nonlocal read
        for number in range(1, MAX_STRANGE):
            read += 1
            line = Line(comments=("x",) * (MAX_PARTS // 10))
            yield Entry(number, number, Record(line=line), [Finding(Code.SYNTAX, "wrong")])

    found = give_up(entries())
    assert next(found).number == 1
    assert read == 11
    assert [entry.number for entry in found] == list(range(2, MAX_STRANGE))
