"""Moves up to symmetry, and images of positions there and back."""

from __future__ import annotations

import pytest

from random_games import random_game
from reversi import Position, parse_rules
from reversi.solver.symmetry import Image, twins


@pytest.mark.parametrize("rules", ["othello", "othello,board=4x6", "adjacent,optional-skip,board=6x6"])
def test_lines_go_to_an_image_and_back(rules: str) -> None:
    game = random_game(rules, 3)
    for image in map(Image, game.start.symmetries(), range(8)):
        moves = image.moves(game.moves)
        position = image.position
        for move, ply in zip(moves, game, strict=True):
            position = position.play(move)
            assert position == ply.after.symmetry(image.index)
        assert image.moves_back(moves) == game.moves
        assert Image.like(game.start, image.position).position == image.position


def test_moves_to_the_same_position_up_to_symmetry() -> None:
    def classes(position: Position) -> int:
        return len(set(twins(position).values()))

    start = Position()
    assert classes(start) == 1
    after = start.play("c4").play("c3").play("d3")  # mirrored at the diagonal
    assert len(after.legal_moves) == 2
    assert classes(after) == 1
    for position in (after.play("c5"), start.play("f5")):
        firsts = twins(position)
        assert all(
            position.play(move).canonical() == position.play(first).canonical() for move, first in firsts.items()
        )
        assert len({position.play(move).canonical() for move in firsts}) == classes(position)
    assert classes(Position(parse_rules("othello,start=parallel"))) == 2
