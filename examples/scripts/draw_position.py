"""Draw the position after some moves as SVG, with the legal moves and their values.

python examples/scripts/draw_position.py [MOVES [FILE]]
"""

import sys
from pathlib import Path

from reversi import Game, hint, render

game = Game().play_all(sys.argv[1] if len(sys.argv) > 1 else "f5d6c3d3c4")
marks = render.scored_moves(hint(game.position, 5, level=8))
picture = render.svg(game, legal_moves=True, **marks)
Path(sys.argv[2] if len(sys.argv) > 2 else "board.svg").write_text(picture, encoding="utf-8")
