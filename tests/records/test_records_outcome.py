"""What recorded results say."""

from __future__ import annotations

import pytest

from reversi import OTHELLO, Color, parse_rules
from reversi.records import Record, Tags
from reversi.records.formats.results import read_result
from reversi.records.outcome import Outcome
from reversi.score import Result

B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("text", "rules", "discs", "score", "winner", "word"),
    [
        ("37-27", "othello", (37, 27), 10, B, "1-0"),
        ("37-27", "othello,misere", (37, 27), -10, W, "0-1"),
        ("13-0", "othello", (13, 0), 13, B, "1-0"),
        ("32-32", "othello,misere", (32, 32), 0, None, "1/2-1/2"),
        ("20-10", "othello,board=4x4", None, None, None, None),
        ("1-0", "othello,misere", None, None, B, "1-0"),
        ("1/2-1/2", "othello", None, None, None, "1/2-1/2"),
        ("*", "othello", None, None, None, None),
        ("adjourned", "othello", None, None, None, None),
    ],
)
def test_a_result(
    text: str, rules: str, discs: tuple[int, int] | None, score: int | None, winner: Color | None, word: str | None
) -> None:
    outcome = Outcome(text, parse_rules(rules))
    assert (outcome.discs, outcome.score, outcome.winner, outcome.word) == (discs, score, winner, word)
    assert outcome.is_decided is (word is not None)
    assert outcome.too_many_discs is (text == "20-10")


@pytest.mark.parametrize(
    ("text", "board", "settled", "score", "lead"),
    [
        ("13-0", (13, 0), "13-0", 64, 64),
        ("64-0", (13, 0), "13-0", 64, 64),
        ("32-32", (30, 30), "30-30", 0, 0),
        ("31-33", (30, 34), "31-33", -2, -4),
        ("", (30, 34), "30-34", None, -4),
        ("0-1", (30, 34), "30-34", None, -4),
        ("1-0", (30, 34), "1-0", None, None),
        ("*", (32, 32), "32-32", None, 0),
    ],
)
def test_a_result_beside_the_board(
    text: str, board: tuple[int, int], settled: str, score: int | None, lead: int | None
) -> None:
    outcome, on_board = Outcome(text), Result(*board, OTHELLO)
    assert (outcome.settled(on_board), outcome.score_on(on_board), outcome.lead_on(on_board)) == (
        settled,
        score,
        lead,
    )


@pytest.mark.parametrize(
    ("word", "text", "termination", "written"),
    [
        ("B+12", "38-26", None, None),
        ("w+3.5", "0-1", None, "-3.5"),
        ("W+R", "0-1", "resignation", None),
        ("b+time", "1-0", "time forfeit", None),
        ("B+Forfeit", "1-0", "forfeit", None),
        ("B+", "1-0", None, None),
    ],
)
def test_a_winner_with_a_margin(word: str, text: str, termination: str | None, written: str | None) -> None:
    assert read_result(word, "lead", OTHELLO) == Outcome(text, OTHELLO, termination, written)


@pytest.mark.parametrize("word", ["B+q", "B+65", "W-12", "B+1.2.3"])
def test_what_is_no_margin(word: str) -> None:
    assert read_result(word, "lead", OTHELLO) is None


def test_tags_that_a_record_has_stay() -> None:
    record = Record(Tags({"Termination": "adjudication"}))
    Outcome("1-0", OTHELLO, "resignation", "+5").give_to(record)
    assert (record.result, record.tags["Termination"], record.tags["Score"]) == ("1-0", "adjudication", "+5")
