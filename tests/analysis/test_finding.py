"""Whether people of a rating find a good move, and the sentence about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reversi import Game, Square, analyze, parse_rules
from reversi.analysis import finding
from reversi.analysis.analysis import AnalyzedTurn
from reversi.analysis.finding import chance_to_find, people_sentence
from reversi.analysis.judgement import Judgement
from reversi.people import difficulty, move_chances


def last_turn(text: str, rules: str = "othello") -> AnalyzedTurn:
    game = Game(parse_rules(rules))
    for move in game.position.parse_moves(text):
        game.play(move)
    return analyze(game, level=6).turns[-1]


def test_people_find_what_loses_little_and_what_the_analysis_finds_best() -> None:
    turn = last_turn("f5d6c3d3c4b3")  # a move of White's that loses little
    chances = move_chances(turn.position, 1400)
    expected = difficulty(turn.position, 1400).close
    assert chance_to_find(replace(turn, best=(turn.best[0],)), 1400) == pytest.approx(expected, abs=0.06)
    best = next(move for move in chances if move not in turn.best and move != turn.move)
    more = chance_to_find(replace(turn, best=(*turn.best, best)), 1400)
    assert more >= chance_to_find(turn, 1400)
    # what the analysis finds bad is not good, whatever a short search says
    wrong = replace(turn, move=turn.best[0], best=(best,), best_score=turn.best_score.pov(turn.mover))
    wrong = replace(wrong, score=replace(wrong.score, value=wrong.best_score.value - 9))
    assert chance_to_find(wrong, 1400) <= 1 - chances[wrong.move] + 1e-9


@pytest.mark.parametrize(
    ("wrong", "best", "found", "said"),
    [
        (True, False, 0.2, "Most players at your level go wrong here: 80 of 100."),
        (True, False, 0.6, ""),
        (True, False, 0.9, "Few players at your level go wrong here: 10 of 100."),
        (True, False, 0.9999, "Few players at your level go wrong here: 1 of 100."),
        (False, True, 0.25, "Hard to find: 25 of 100 players at your level play a good move here."),
        (False, True, 0.5, ""),
        (False, False, 0.1, ""),  # neither a mistake nor a best move
    ],
)
def test_the_sentence(wrong: bool, best: bool, found: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "chance_to_find", lambda turn, rating: found)
    turn = last_turn("f5d6c3d3c4b3")
    turn = replace(
        turn, judgement=Judgement.MISTAKE if wrong else None, best=(turn.move,) if best else (Square("h8"),)
    )
    assert people_sentence(turn, 1400) == said
    assert people_sentence(turn, None) == ""
    assert people_sentence(replace(turn, flips=()), 1400) == ""


def test_other_rules_have_no_sentence() -> None:
    turn = last_turn("f5d6c3d3c4", "othello,misere")
    assert people_sentence(replace(turn, judgement=Judgement.BLUNDER), 1400) == ""
