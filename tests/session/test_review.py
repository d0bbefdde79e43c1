"""Looking back at a game: mistakes in words, and another try."""

from __future__ import annotations

from functools import partial

import pytest

from random_games import random_game
from reversi import (
    HUMAN,
    Color,
    Game,
    GameError,
    MoveValue,
    Position,
    Score,
    Session,
    Side,
    Square,
)
from reversi.analysis import AnalyzedTurn, Judgement
from reversi.session.review import mistake_text, retry, turn_loss_text
from reversi.session.session import Flipping

BLACK, WHITE = Color.BLACK, Color.WHITE
finished = partial(random_game, "othello,board=6x6", 1)


@pytest.mark.parametrize("ply", [1, 2, 9, 20])
def test_another_try_has_the_plies_before(ply: int) -> None:
    game = finished()
    session = Session(game.copy())
    assert retry(session, game, ply) is game[ply - 1].color
    assert session.position == game[ply - 1].before
    assert session.game.moves == game.moves[: ply - 1]
    assert session.game.can_redo == 0
    assert session.games == 1
    if ply > 1:
        session.undo()
        assert len(session.game) < ply - 1


@pytest.mark.parametrize("ply", [0, -1, 999])
def test_a_ply_that_does_not_exist(ply: int) -> None:
    game = finished()
    session = Session(game)
    with pytest.raises(GameError, match="does not exist"):
        retry(session, game, ply)
    assert session.games == 0


def test_a_person_plays_the_side_that_tries_again() -> None:
    game = finished()
    engine = Side.engine(3)
    at = {color: next(one.number for one in game if one.color is color and not one.is_pass) for color in Color}
    session = Session(game.copy(), sides={WHITE: engine})
    assert retry(session, game, at[BLACK]) is BLACK
    assert session.sides == {BLACK: HUMAN, WHITE: engine}
    assert retry(session, game, at[WHITE]) is WHITE
    assert session.sides == {BLACK: engine, WHITE: HUMAN}
    both = Session(game.copy(), sides={BLACK: engine, WHITE: Side.engine(5)})
    retry(both, game, at[WHITE])
    assert both.sides == {BLACK: engine, WHITE: HUMAN}


def test_flips_by_hand_and_the_end_by_resignation_stay_behind() -> None:
    game = Game()
    game.play("f5", flips=[Square("d4")])
    game.play(game.position.legal_moves[0])
    game.resign()
    session = Session(game.copy(), flipping=Flipping.MANUAL)
    retry(session, game, 2)
    assert session.position == game[0].after
    assert not session.is_over


def turn(move: str, value: int, best: int, judgement: Judgement | None = Judgement.MISTAKE) -> AnalyzedTurn:
    score, best_score = MoveValue.exact(value, Color.BLACK), Score.exact(best, Color.BLACK)
    d3 = Square("d3")
    return AnalyzedTurn(7, Position(), Square(move), score, (d3,), best_score, (d3,), judgement)


def test_mistakes_in_words() -> None:
    assert turn_loss_text(turn("f5", 2, 3)) == "1 disc"
    assert turn_loss_text(turn("f5", -2, 4)) == "6 discs and the win"
    assert turn_loss_text(turn("f5", -2, 0)) == "2 discs and the draw"
    assert turn_loss_text(turn("f5", 0, 4)) == "4 discs and the win"
    assert mistake_text(turn("f5", -2, 4)) == "ply 7, Black f5?: loses 6 discs and the win; best d3 (+4)"
    assert mistake_text(turn("f5", 2, 6, None)).startswith("ply 7, Black f5: loses 4 discs;")
