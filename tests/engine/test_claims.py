"""What answers claim: exact values and bounds, of positions and of moves."""

from __future__ import annotations

import pytest

import fuzz_claims
from reversi import (
    Color,
    Engine,
    Game,
    Kind,
    Move,
    MoveValue,
    Score,
    Session,
    parse_rules,
    search,
    solve,
)
from reversi.analysis import analyze
from reversi.analysis.exercises import Exercise, ExerciseTheme
from reversi.analysis.exercises.deck import deck_text, parse_deck
from reversi.engine.search import Searcher
from reversi.score import best_of
from reversi.text import parse_board
from reversi.tui.advice import Advice
from reversi.tui.thinking import Question, Replied, settle

# f2 ends the game with -2, h1 makes it a draw
ENDS = parse_board("OOOOOOO-OOOOO-OXOOOOOOOXOOOXXXOXOOOXXXOXOOXOOXXXOXOOOXXXXXXXXXXX X")
SKIPS = parse_board(
    "----------XO-----XXOOO---X-OO---OOXXOX---XOXOO---XX------------- O --", parse_rules("othello,optional-skip")
)


@pytest.mark.thorough
def test_no_answer_claims_what_brute_force_contradicts():
    assert fuzz_claims.run(seed=1, count=2000) == []


def test_no_answer_claims_what_the_solver_contradicts():
    assert fuzz_claims.run(seed=1, count=20, empties=(10, 11)) == []


def test_a_move_that_ends_the_game_is_exact_and_the_position_is_not():
    for depth, count in ((1, 1), (1, 2), (2, 1)):
        found = search(ENDS, depth=depth, count=count)
        assert wrong(found.score, 0) is False
        assert {scored.move: scored.score for scored in found.moves}.get(
            Move.parse("f2"), MoveValue.exact(-2, Color.BLACK, 2)
        ) == MoveValue.exact(-2, Color.BLACK, 2)
    shallow = search(ENDS, depth=1)
    assert (shallow.score.kind, shallow.score.depth, shallow.is_exact) == (Kind.HEURISTIC, 1, False)
    assert (shallow.best, shallow.likely) == ((), Move.parse("f2"))
    assert search(ENDS).score == Score.exact(0, Color.BLACK, 2)


def wrong(score: Score, value: int) -> bool:
    return fuzz_claims.wrong_claim(score, value)


def test_a_skip_that_ends_the_game_says_nothing_of_forty_one_empty_squares():
    assert SKIPS.empties == 41
    found = search(SKIPS, time_s=0.05)
    assert (found.move, found.moves[0].score.kind) == (Move.parse("--"), Kind.EXACT)
    assert found.score.kind is Kind.HEURISTIC
    assert Engine(time_s=0.05).score(SKIPS).kind is Kind.HEURISTIC


def test_the_least_sure_of_the_moves_says_how_sure_the_position_is():
    def guess(value: int, depth: int) -> MoveValue:
        return MoveValue.stated(value, Kind.HEURISTIC, Color.BLACK, 64, depth=depth, confidence=None)

    exact = MoveValue.exact(4, Color.BLACK, 20)
    likely = MoveValue.stated(2, Kind.SELECTIVE, Color.BLACK, 64, depth=20, confidence=91)
    assert best_of([exact]) == best_of([exact, MoveValue.exact(-4, Color.BLACK, 20)]) == exact
    assert best_of([exact, likely]) == Score.stated(4, Kind.SELECTIVE, Color.BLACK, 64, depth=20, confidence=91)
    assert best_of([exact, likely, guess(-8, 6)]) == guess(4, 6)
    assert best_of([guess(6, 8), guess(6, 7)]) == guess(6, 7)
    full = MoveValue.exact(64, Color.BLACK, 3)
    assert best_of([guess(64, 9), full]) == full  # there is nothing better
    assert type(best_of([exact])) is Score
    # a bound will do where it is not above what is proved
    upper = MoveValue.stated(4, Kind.UPPER, Color.BLACK, 64)
    assert best_of([exact, upper]) == exact


def test_positions_and_moves_have_types_of_their_own():
    found = solve(ENDS, all_moves=True)
    score, value = found.score, found.moves[0].score
    assert (type(score), type(value)) == (Score, MoveValue)
    assert score == value
    assert hash(score) == hash(value)
    after = solve(ENDS.play("h1")).score
    assert type(after.for_move(Color.BLACK)) is MoveValue
    assert after.for_move(Color.BLACK) == after.pov(Color.BLACK)
    assert value.for_position() == score.for_best_move() == score


def test_a_choice_of_moves_proves_nothing_of_the_position():
    worse = Searcher(1).search(ENDS, among=["f2"])
    assert worse.moves[0].score == worse.competing == MoveValue.exact(-2, Color.BLACK, 2)
    assert worse.score.kind is Kind.HEURISTIC
    assert not worse.is_exact
    assert Searcher(1).search(ENDS, among=["f2", "h1"]).score == Score.exact(0, Color.BLACK, 2)


def test_an_analysis_is_as_sure_as_the_moves_that_were_not_played():
    # the game stops before the last two squares; the search of the others sees the end of the game after f2
    for played in ("h1", "f2"):
        game = Game(ENDS)
        game.play(played)
        for level in (1, 2):
            turn = analyze(game, level=level, exact_from=0).turns[0]
            assert wrong(turn.best_score, 0) is False
            assert not (turn.best_score.kind is Kind.EXACT and turn.score.kind is Kind.HEURISTIC)


def test_a_deck_does_not_spread_the_kind_of_the_best_move():
    moves = tuple(Engine(1).hint(ENDS, 2))
    assert [scored.score.kind for scored in moves] == [Kind.EXACT, Kind.HEURISTIC]
    exercise = Exercise(ENDS, moves, ExerciseTheme.OTHER, None)
    assert exercise.score.kind is Kind.HEURISTIC
    (read,) = parse_deck(deck_text([exercise]))
    values = {scored.move: scored.score.value for scored in solve(ENDS, all_moves=True).moves}
    for scored in read.moves:
        assert fuzz_claims.wrong_claim(scored.score, values[scored.move]) is False


def test_the_graph_of_a_game_does_not_take_a_move_for_the_position(monkeypatch):
    monkeypatch.setattr("reversi.tui.advice._VALUE_LEVEL", 1)
    game = Game(parse_board("-XOOOOO-OOOOO-OXOOOOOOOXOOOXXXOXOOOXXXOXOOXOOXXXOXOOOXXXXXXXXXXX O"))
    game.play("a1")
    assert game.position == ENDS
    for tips in (True, False):
        advice = Advice(Session(ENDS, hint_level=1))
        question = advice.wanted(None, step=False, tips=tips, graph=False) or advice._value_question(ENDS)
        assert isinstance(question, Question)
        settle(Replied(question, question.think()))
        (value,) = advice.values.of(game)
        assert value is not None
        assert value.kind is Kind.HEURISTIC
