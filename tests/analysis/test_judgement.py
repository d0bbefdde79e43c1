"""Thresholds, noise, signs; and mistakes of known sizes put into games."""

from __future__ import annotations

import pytest

from random_games import random_game
from reversi import Color, Game, Judgement, Kind, Position, Random, Score, analyze, solve
from reversi.analysis import Prospect
from reversi.analysis.analysis import decided_at
from reversi.analysis.judgement import (
    certain_prospect,
    changes_outcome,
    is_doubtful,
    judged,
    loss_text,
    noise,
    prospect,
)
from reversi.engine.search import Searcher


def exact(value: int) -> Score:
    return Score.exact(value, Color.BLACK)


def heuristic(value: int, depth: int = 10) -> Score:
    return Score(value, Kind.HEURISTIC, -64, 64, Color.BLACK, depth=depth, confidence=None)


@pytest.mark.parametrize(
    ("best", "value", "sign"),
    [
        (20, 20, ""),
        (20, 18, ""),
        (20, 16, "?!"),
        (20, 15, "?!"),
        (20, 14, "?"),
        (20, 10, "?"),
        (20, 8, "??"),
        (-4, -20, "??"),
        (2, 0, "?!"),
        (0, -2, "?!"),
        (2, -2, "?"),
        (4, -4, "??"),
        (1, 0, "?!"),
    ],
)
def test_signs_of_proved_losses(best: int, value: int, sign: str) -> None:
    found = judged(best - value, exact(value), exact(best))
    assert (found.sign if found else "") == sign


def test_a_heuristic_loss_below_the_error_of_the_search_is_no_mistake() -> None:
    for depth in (3, 8, 16):
        limit = noise(heuristic(0, depth), exact(0))
        assert limit > 3
        assert judged(limit, heuristic(2, depth), heuristic(2 + limit, depth)) is None
        assert judged(limit + 1, heuristic(2, depth), exact(3 + limit)) is not None
    assert noise(exact(0), exact(4)) == 0
    assert noise(heuristic(0, 20), exact(0)) < noise(heuristic(0, 2), exact(0))


def test_a_lost_outcome_is_said_only_where_it_is_certain() -> None:
    assert loss_text(exact(-2), exact(0)) == "2 discs and the draw"
    assert loss_text(exact(0), exact(4)) == "4 discs and the win"
    assert loss_text(exact(2), exact(3)) == "1 disc"
    assert loss_text(heuristic(-8), heuristic(0)) == "8 discs"
    assert loss_text(heuristic(-4), heuristic(4)) == "8 discs"
    assert loss_text(heuristic(-6), heuristic(6)) == "12 discs and the win"


def test_every_judgement_has_its_own_sign_and_glyph() -> None:
    assert {judgement.sign for judgement in Judgement} == {"!", "!?", "?!", "?", "??"}
    assert {judgement.nag for judgement in Judgement} == {1, 2, 4, 5, 6}


def test_when_a_game_is_decided() -> None:
    won, drawn, lost = Prospect.WIN, Prospect.DRAW, Prospect.LOSS
    assert decided_at([drawn, won, lost, lost, lost]) == 2
    assert decided_at([won, won, won]) == 0
    assert decided_at([won, won, drawn]) == 2
    assert decided_at([won, None, won, won]) == 2
    assert decided_at([won, None]) is None
    assert [prospect(value) for value in (1, 0, -1)] == [Prospect.WIN, Prospect.DRAW, Prospect.LOSS]


def test_twenty_planted_mistakes_and_their_twins() -> None:
    """Mistakes of known sizes get their loss and sign; the best move in the same place gets neither."""
    seen: dict[str, int] = {}
    planted_in = 0
    for seed in range(60):
        if planted_in == 20:
            break
        random = Random(seed)
        position = Position()
        while position.empties > 10 + seed % 3 or not position.legal_moves.placements:
            position = position.play(position.legal_moves.choice(random))
            if position.is_over:
                break
        if position.is_over or len(position.legal_moves) == 1:
            continue
        moves = solve(position, all_moves=True).moves
        planted = moves[-1] if seed % 2 else moves[len(moves) // 2]
        for scored, best in ((planted, moves[0]), (moves[0], moves[0])):
            game = Game(position)
            game.play(scored.move)
            (turn,) = analyze(game, level=5).turns
            loss = best.score.value - scored.score.value
            wanted = judged(loss, scored.score, best.score)
            assert turn.loss == loss
            if loss:
                planted_in += 1
                assert turn.judgement is wanted
                seen[wanted.sign if wanted else ""] = seen.get(wanted.sign if wanted else "", 0) + 1
            else:
                assert turn.judgement is None or not turn.judgement.is_error
    assert {"?!", "?", "??"} <= set(seen)
    assert planted_in == 20


def test_searching_among_some_moves_only() -> None:
    position = random_game("othello", 1).start
    for text in ("f5", "d6"):
        position = position.play(text)
    moves = list(position.legal_moves)
    searcher = Searcher(1)
    best = searcher.search(position, depth=5)
    others = [move for move in moves if move != best.move]
    assert searcher.search(position, depth=5, among=others).move in others
    searcher.clear()
    assert searcher.search(position, depth=5, among=moves).moves[0].move == best.move
    ending = random_game("othello", 1).positions[-9]
    if not ending.is_over and len(ending.legal_moves) > 1:
        values = {scored.move: scored.score.value for scored in solve(ending, all_moves=True).moves}
        for move, value in values.items():
            found = searcher.search(ending, among=[move])
            assert (found.move, found.competing.value, found.competing.kind) == (move, value, Kind.EXACT)
            assert found.score.kind is not Kind.EXACT


@pytest.mark.parametrize(
    ("best", "score", "changes", "sign"),
    [
        (exact(2), exact(0), True, "?!"),
        (exact(0), exact(-2), True, "?!"),
        (heuristic(0), heuristic(-8), False, "?"),  # nobody knows that it was a draw
        (heuristic(3), heuristic(-8), False, "?"),  # or a win
        (heuristic(6), heuristic(-6), True, "??"),
        (heuristic(7), exact(-2), True, "??"),
        (heuristic(4), exact(-4), False, "?"),
        (exact(2), heuristic(-8), True, "??"),
        (heuristic(9, depth=4), heuristic(-7, depth=4), False, "??"),
    ],
)
def test_an_outcome_changes_where_both_are_certain(best: Score, score: Score, changes: bool, sign: str) -> None:
    assert changes_outcome(score, best) is changes
    assert not changes_outcome(best, score)
    judgement = judged(best.value - score.value, score, best)
    assert judgement is not None
    assert judgement.sign == sign


def test_a_value_within_its_error_of_zero_decides_nothing() -> None:
    assert certain_prospect(exact(0)) is Prospect.DRAW
    assert [certain_prospect(heuristic(value)) for value in (-6, -5, 0, 5, 6)] == [
        Prospect.LOSS,
        None,
        None,
        None,
        Prospect.WIN,
    ]
    assert is_doubtful(heuristic(0), exact(3))
    assert not is_doubtful(heuristic(0), heuristic(2))
    assert not is_doubtful(exact(0), exact(9))
