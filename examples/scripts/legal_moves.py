"""List the legal moves of a position, and the discs that each flips.

python examples/scripts/legal_moves.py [f5d6c3]
"""

import sys

from reversi import Position

position = Position.parse(sys.argv[1]) if len(sys.argv) > 1 else Position()
print(position)
for move in position.legal_moves:
    print(move, "flips", *position.flips(move))
