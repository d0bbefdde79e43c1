"""Play a game: the engine has Black, White plays random moves.

python examples/scripts/play_game.py
"""

import random

from reversi import Color, Engine, Game, Move

game, engine = Game(), Engine(level=3)
while not game.is_over:
    move: Move = random.choice(game.position.legal_moves)
    if game.to_move is Color.BLACK:
        move = engine.choose(game.position).move
    game.play(move)
print(game.position)
print(game.outcome)
