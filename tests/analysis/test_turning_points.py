"""The moves of a game that decided most, and what a deeper analysis looks at first."""

from random_games import random_game
from reversi import Color, analyze
from reversi.analysis.turning_points import deepening_order, turning_points


def test_turning_points_lose_most() -> None:
    analysis = analyze(random_game("othello", 5), level=3, exact_from=10)
    for colors in ((Color.BLACK,), (Color.WHITE,), tuple(Color)):
        found = turning_points(analysis, colors)
        own = [turn for turn in analysis.mistakes if turn.mover in colors]
        assert len(found) == min(3, len(own)) > 0
        assert [turn.loss for turn in found] == sorted((turn.loss for turn in own), reverse=True)[: len(found)]
        assert len(turning_points(analysis, colors, 1)) == 1


def test_own_moves_and_turning_points_are_looked_at_first() -> None:
    analysis = analyze(random_game("othello", 5), level=3, exact_from=10)
    order = deepening_order(analysis, (Color.WHITE,))
    assert sorted(order) == [turn.ply for turn in analysis.turns]
    assert order[:3] == [turn.ply for turn in turning_points(analysis, (Color.WHITE,))]
    movers = [analysis.turn(ply).mover for ply in order]
    own = movers.count(Color.WHITE)
    assert set(movers[:own]) == {Color.WHITE}
    for part in (order[3:own], order[own:]):
        losses = [analysis.turn(ply).loss for ply in part]
        assert losses == sorted(losses, reverse=True)
    assert order[-1] != 1
