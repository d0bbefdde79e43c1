"""Scores and results as text: one form for the command line, the dialogue and the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reversi import InputError, parse_rules
from reversi.color import Color
from reversi.score import Kind, Result, Score, score_text, short_score, value_text


@pytest.mark.parametrize(
    ("score", "text", "short"),
    [
        (Score.exact(-4, Color.BLACK), "-4 exact, White wins", "-4"),
        (Score.exact(4, Color.BLACK), "+4 exact, Black wins", "+4"),
        (Score.exact(0, Color.BLACK), "+0 exact, draw", "+0"),
        (Score(2, Kind.LOWER, 2, 64, Color.BLACK), "+2..+64 lower, Black wins", ">=+2"),
        (Score(-4, Kind.LOWER, -4, 64, Color.BLACK), "-4..+64 lower, undecided", ">=-4"),
        (Score(-2, Kind.UPPER, -64, -2, Color.BLACK), "-64..-2 upper, White wins", "<=-2"),
        (Score(2, Kind.WLD, 2, 64, Color.BLACK), "wld, Black wins", "win"),
        (Score(-2, Kind.WLD, -64, -2, Color.BLACK), "wld, White wins", "loss"),
        (Score(0, Kind.WLD, 0, 0, Color.BLACK), "wld, draw", "draw"),
        (Score(6, Kind.SELECTIVE, -64, 64, Color.BLACK, confidence=91), "+6 selective 91%, Black ahead", "~+6"),
        (Score(0, Kind.HEURISTIC, -64, 64, Color.BLACK, 8, None), "+0 heuristic, even", "~+0"),
        (Score(-2, Kind.HEURISTIC, -64, 64, Color.BLACK, 8, None), "-2 heuristic, White ahead", "~-2"),
        (Score(-10, Kind.LOWER, -10, 10, Color.BLACK, 16), "-10..+10 lower, undecided", ">=-10"),
        (Score(2, Kind.BOOK, -64, 64, Color.BLACK), "+2 book, Black ahead", "~+2"),
    ],
)
def test_a_score_says_value_kind_and_leader_once(score: Score, text: str, short: str) -> None:
    assert score_text(score) == text
    assert short_score(score) == short
    mirrored = text.replace("Black", "?").replace("White", "Black").replace("?", "White")
    assert score_text(replace(score, view=Color.WHITE)) == mirrored
    number = value_text(score).lstrip("+-")
    assert text.count(number) == (score.kind is not Kind.WLD)
    leader = text.split(", ")[1]
    assert score_text(score.pov(Color.WHITE)).split(", ")[1] == leader  # the leader never depends on the view
    assert score.pov(Color.WHITE).ahead() == score.ahead()
    assert score.pov(Color.WHITE).pov(Color.BLACK) == score


def test_a_score_with_depth_and_other_names() -> None:
    score = Score(2, Kind.HEURISTIC, -64, 64, Color.WHITE, depth=8, confidence=None)
    names = {Color.BLACK: "Red", Color.WHITE: "Blue"}
    assert score_text(score, depth=True, name_of=names.__getitem__) == "+2 heuristic depth 8, Blue ahead"
    assert score_text(score) == "+2 heuristic, White ahead"
    assert score.ahead(names.__getitem__) == "Blue by 2"


@pytest.mark.parametrize(
    ("score", "ahead"),
    [
        (Score.exact(-4, Color.BLACK), "White by 4"),
        (Score.exact(0, Color.BLACK), "even"),
        (Score(6, Kind.SELECTIVE, -64, 64, Color.BLACK, confidence=91), "Black by 6"),
        (Score(0, Kind.HEURISTIC, -64, 64, Color.BLACK, 8, None), "even"),
        (Score(2, Kind.LOWER, 2, 64, Color.BLACK), "Black by 2 or more"),
        (Score(-6, Kind.UPPER, -16, -6, Color.BLACK, 12), "White by 6 or more"),
        (Score(-6, Kind.LOWER, -6, 16, Color.BLACK, 12), "undecided"),
        (Score(0, Kind.UPPER, -16, 0, Color.BLACK, 12), "undecided"),
        (Score(2, Kind.WLD, 2, 24, Color.BLACK), "Black by 2 or more"),
        (Score(0, Kind.WLD, 0, 0, Color.BLACK), "even"),
    ],
)
def test_who_is_ahead_by_how_much_is_no_more_than_the_score_states(score: Score, ahead: str) -> None:
    assert score.ahead() == score.pov(Color.WHITE).ahead() == ahead
    mirrored = ahead.replace("Black", "?").replace("White", "Black").replace("?", "White")
    assert replace(score, view=Color.WHITE).ahead() == mirrored


@pytest.mark.parametrize("cells", [16, 36, 64])
@pytest.mark.parametrize("kind", [Kind.LOWER, Kind.UPPER])
def test_a_bound_of_every_game_says_that_nothing_is_proved(cells: int, kind: Kind) -> None:
    value = -cells if kind is Kind.LOWER else cells
    for score in (Score.stated(value, kind, Color.BLACK, cells), Score(value, kind, -cells, cells, Color.WHITE)):
        assert str(score) == score_text(score) == score_text(score, depth=True) == "nothing proved"
        assert (short_score(score), score.ahead()) == ("?", "undecided")
        assert str(score.pov(Color.BLACK)) == str(score.pov(Color.WHITE)) == "nothing proved"


def test_scores_that_state_the_same_are_equal_whatever_the_search_took() -> None:
    score = Score(4, Kind.EXACT, 4, 4, Color.BLACK, depth=10, nodes=100, time_s=0.5)
    same = replace(score, nodes=7, time_s=2.0)
    assert score == same
    assert hash(score) == hash(same)
    assert score != replace(score, depth=9)
    assert (same.nodes, same.time_s) == (7, 2.0)


def test_the_other_view_turns_a_lower_bound_into_an_upper_bound() -> None:
    lower = Score(4, Kind.LOWER, 4, 64, Color.WHITE, depth=12, nodes=7)
    assert lower.pov(Color.WHITE) is lower
    assert lower.pov(Color.BLACK) == Score(-4, Kind.UPPER, -64, -4, Color.BLACK, depth=12, nodes=7)
    assert (int(lower), int(lower.pov(Color.BLACK))) == (4, -4)


@pytest.mark.parametrize("kind", Kind)
def test_a_stated_value_proves_the_bounds_of_its_kind(kind: Kind) -> None:
    score = Score.stated(6, kind, Color.BLACK, 36)
    assert score.lower == (6 if kind in (Kind.EXACT, Kind.LOWER) else -36)
    assert score.upper == (6 if kind in (Kind.EXACT, Kind.UPPER) else 36)


def test_comparisons_answer_what_is_certain() -> None:
    four, six = Score.exact(4, Color.BLACK), Score.exact(6, Color.BLACK)
    assert four < six
    assert six > four
    assert four <= 4
    assert four >= 4
    assert not four < 4
    assert not four > 4
    at_least = Score.stated(6, Kind.LOWER, Color.BLACK, 64)
    assert at_least > 4
    assert at_least >= 6
    assert at_least > four
    assert not at_least < 6
    assert four < at_least
    for uncertain in (lambda: at_least > 6, lambda: at_least <= 6, lambda: six < at_least, lambda: at_least < 8):
        with pytest.raises(InputError, match="is not certain"):
            uncertain()


def test_estimates_and_scores_of_two_sides_do_not_compare() -> None:
    guess = Score.stated(10, Kind.HEURISTIC, Color.BLACK, 64, confidence=None)
    with pytest.raises(InputError, match=r"\+10 heuristic > 0 is not certain; compare their \.value"):
        assert guess > 0
    assert guess >= -64
    four = Score.exact(4, Color.BLACK)
    with pytest.raises(InputError, match=r"the view of Black, the other that of White; compare score\.pov"):
        assert four > Score.exact(2, Color.WHITE)
    assert four > Score.exact(2, Color.WHITE).pov(Color.BLACK)
    for wrong in (True, "4", None):
        with pytest.raises(TypeError, match="compares a score with a score or a number of discs"):
            assert four < wrong  # type: ignore[operator]


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


def test_a_score_is_never_equal_to_a_number_and_says_what_to_compare() -> None:
    score = Score.exact(8, Color.BLACK)
    for compared in (lambda: score == 8, lambda: 8 == score, lambda: 8 in [score], lambda: not score != 8):  # noqa: SIM202, SIM300
        with pytest.warns(UserWarning, match=r"compare score.value == 8, or score >= 8") as warned:
            assert not compared()
        assert warned[0].filename == __file__
    assert score >= 8
    assert score <= 8
    assert score.value == 8
    assert score != "8"
