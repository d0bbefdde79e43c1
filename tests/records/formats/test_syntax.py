"""Places in a text as line and column, and what finding them costs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from reversi.records import Code, Record, Tags
from reversi.records.formats.registry import read_games
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.formats.source import Source
from reversi.records.losing import lost_tags

BOARD = "8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *"


@given(
    st.lists(st.sampled_from(["\n", "a", "bc" * 300, "\n" * 900]), max_size=30).map("".join),
    st.lists(st.integers(0, 10**9), max_size=30),
)
def test_lines_and_columns_in_any_order(text: str, places: list[int]) -> None:
    source = Source(text)
    for number in places:
        at = number % (len(text) + 1)
        before = text[:at].split("\n")
        if number % 2:
            assert source.line_at(at) == len(before)
        else:
            found = source.finding(Code.SYNTAX, "m", at)
            assert (found.line, found.column) == (len(before), len(before[-1]) + 1)


HOSTILE = {
    "variations of a wrong side": ("(;FF[4]GM[2];B[f5](;W[d6])" + "\n(;B[d6])" * 60_000 + ")", 1),
    "a late finding": (
        f"(;GM[Othello]PB[a]PW[b]BO[{BOARD}]" + "B[f5]\nW[d6]\n" * 30_000 + "PB[x]PB[y];)",
        2,
    ),
    "tags twice on one line": (f"(;GM[Othello]PB[a]PW[b]BO[{BOARD}]" + "PB[x]" * 60_000 + ";)", 60_000),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", HOSTILE)
def test_the_cost_of_a_text_grows_in_proportion(name: str) -> None:
    text, findings = HOSTILE[name]
    began = time.process_time()
    (entry,) = read_games(text)
    assert len(entry.findings) == findings
    assert time.process_time() - began < 4  # half a second; looking back at every place took many


def test_a_wrong_turn_is_reported_once_in_the_game_and_once_in_its_variations() -> None:
    text = "(;FF[4]GM[2];B[f5](;W[d6]\n(;C[x]W[c3])\n(;W[c5])\n(;W[c6]))\n(;B[f4])\n(;B[f6]))"
    (entry,) = read_games(text)
    assert [found.message for found in entry.findings] == [
        "f4: it is White's turn (in a variation)",
        "c3: it is Black's turn",
    ]
    assert [str(move) for move in entry.record.moves] == ["f5", "d6"]


@pytest.mark.parametrize("form", ["ggf", "eothello", "obf"])
@pytest.mark.parametrize("name", ["T{}", "Score", "GameId", "MatchType"])
def test_tags_cost_as_many_as_there_are(form: str, name: str) -> None:
    record = Record(Tags([(name.format(number), str(number)) for number in range(15_000)]))
    began = time.process_time()
    assert len(lost_tags(record, form)) == (15_000 if "{" in name else 1)
    assert "TAG" in format_sgf(record)
    assert time.process_time() - began < 4
