"""Let the engine play 1,000 games against itself, and save them.

python examples/scripts/self_play.py [GAMES [FILE]]
"""

import sys
from pathlib import Path

from reversi import Engine, Game
from reversi.records import format_records, record_from_game

games = [Game() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)]
for seed, game in enumerate(games):
    engine = Engine(level=1, seed=seed)
    while not game.is_over:
        game.play(engine.choose(game.position).move)
text = "".join(format_records(record_from_game(game) for game in games))
Path(sys.argv[2] if len(sys.argv) > 2 else "self-play.pgn").write_text(text, encoding="utf-8")
