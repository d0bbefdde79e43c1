"""Find the games that reach a position, mirrored and rotated ones included.

python examples/scripts/find_position.py MOVES [FILE or FOLDER …]
"""

import sys

from reversi import Position, canonical_key, open_records
from reversi.records import positions

wanted = canonical_key(Position.parse(sys.argv[1]))
for number, record in enumerate(open_records(*sys.argv[2:] or ["examples/games.pgn"]), 1):
    for ply, position in enumerate(positions(record)):
        if canonical_key(position) == wanted:
            print(f"game {number}, ply {ply}: {record.black} - {record.white} {record.result}")
