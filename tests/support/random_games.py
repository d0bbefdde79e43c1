"""Random games for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from reversi import Game, Position, Random, parse_rules


def random_game(rules: str, seed: int) -> Game:
    """A whole game of random legal moves."""
    game, chance = Game(parse_rules(rules)), Random(seed)
    while not game.is_over:
        game.play(game.position.legal_moves.choice(chance))
    return game


def random_walk(position: Position, plies: int, chance: Random, *, ends: bool = True) -> Position:
    """The position after random moves: ``plies``, or up to the end of the game, or up to the move before it."""
    for _ in range(plies):
        following = position if position.is_over else position.play(position.legal_moves.choice(chance))
        if following.is_over and not ends:
            break
        position = following
    return position


def random_positions(count: int, seed: int) -> Iterator[Position]:
    """Positions of random games of Othello, on the way and near the end, Black and White to move."""
    chance = random.Random(seed)
    while count:
        position = Position()
        for _ in range(chance.randrange(60)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            count -= 1
            yield position
