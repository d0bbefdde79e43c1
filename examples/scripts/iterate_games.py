"""Iterate over games of any format: players, result, plies and final position.

python examples/scripts/iterate_games.py [FILE or FOLDER …]
"""

import sys

from reversi import open_records
from reversi.records import positions

for record in open_records(*sys.argv[1:] or ["examples/games.pgn"]):
    print(f"{record.black} - {record.white} {record.result}, {len(record.moves)} plies")
    *_, last = positions(record)
    print(last.count)
