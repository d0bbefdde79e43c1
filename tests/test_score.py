"""Scores and results as text: one form for the command line, the dialogue and the screen."""

from __future__ import annotations

import pytest

from reversi import parse_rules
from reversi.color import Color
from reversi.score import Kind, Result, Score, score_text, short_score, value_text


@pytest.mark.parametrize(
    ("score", "text", "short"),
    [
        (Score(-4, Kind.EXACT, -4, -4), "-4 exact, White wins", "-4"),
        (Score(4, Kind.EXACT, 4, 4), "+4 exact, Black wins", "+4"),
        (Score(0, Kind.EXACT, 0, 0), "+0 exact, draw", "+0"),
        (Score(2, Kind.LOWER, 2, 64), "+2..+64 lower, Black wins", ">=+2"),
        (Score(-4, Kind.LOWER, -4, 64), "-4..+64 lower, undecided", ">=-4"),
        (Score(-2, Kind.UPPER, -64, -2), "-64..-2 upper, White wins", "<=-2"),
        (Score(2, Kind.WLD, 2, 64), "wld, Black wins", "+2"),
        (Score(-2, Kind.WLD, -64, -2), "wld, White wins", "-2"),
        (Score(0, Kind.WLD, 0, 0), "wld, draw", "+0"),
        (Score(6, Kind.SELECTIVE, -64, 64, confidence=91), "+6 selective 91%, Black ahead", "~+6"),
        (Score(0, Kind.HEURISTIC, -64, 64, depth=8, confidence=None), "+0 heuristic, even", "~+0"),
        (Score(-2, Kind.HEURISTIC, -64, 64, depth=8, confidence=None), "-2 heuristic, White ahead", "~-2"),
        (Score(2, Kind.BOOK, -64, 64), "+2 book, Black ahead", "~+2"),
    ],
)
def test_a_score_says_value_kind_and_leader_once(score: Score, text: str, short: str) -> None:
    assert score_text(score, Color.BLACK) == text
    assert short_score(score) == short
    mirrored = text.replace("Black", "?").replace("White", "Black").replace("?", "White")
    assert score_text(score, Color.WHITE) == mirrored
    number = value_text(score).lstrip("+-")
    assert text.count(number) == (score.kind is not Kind.WLD)


def test_a_score_with_depth_and_other_names() -> None:
    score = Score(2, Kind.HEURISTIC, -64, 64, depth=8, confidence=None)
    names = {Color.BLACK: "Red", Color.WHITE: "Blue"}
    assert (
        score_text(score, Color.WHITE, depth=True, name_of=names.__getitem__) == "+2 heuristic depth 8, Blue ahead"
    )
    assert score_text(score, Color.WHITE) == "+2 heuristic, White ahead"
    assert score.ahead(Color.BLACK, names.__getitem__) == "Red by 2"


@pytest.mark.parametrize(
    ("black", "white", "rules", "text"),
    [
        (19, 45, "othello", "White wins 45-19 (by 26)"),
        (37, 27, "othello", "Black wins 37-27 (by 10)"),
        (32, 32, "othello", "draw 32-32"),
        (13, 0, "othello", "Black wins 13-0 (by 64)"),
        (13, 0, "othello,discs-only", "Black wins 13-0 (by 13)"),
        (19, 45, "othello,misere", "Black wins 19-45 (by 26)"),
    ],
)
def test_a_result_names_the_winner_first(black: int, white: int, rules: str, text: str) -> None:
    assert str(Result(black, white, parse_rules(rules))) == text
