"""Random games for tests."""

from __future__ import annotations

from reversi import Game, Random, parse_rules


def random_game(rules: str, seed: int) -> Game:
    """A whole game of random legal moves."""
    game, random = Game(parse_rules(rules)), Random(seed)
    while not game.is_over:
        game.play(game.position.legal_moves.choice(random))
    return game
