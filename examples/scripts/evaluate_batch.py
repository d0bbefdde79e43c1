"""Evaluate all positions of games at once, and compare the values with how the games ended.

python examples/scripts/evaluate_batch.py [FILE or FOLDER …]
"""

import sys

import numpy as np

from reversi import OTHELLO, open_records
from reversi.arrays import from_records

records = open_records(*sys.argv[1:] or ["examples/games.pgn"])
games = from_records(record for record in records if record.rules == OTHELLO)
values = games.positions.evaluate()
for empties in range(50, -1, -10):
    here = (games.positions.empties == empties) & (games.scores != -128)  # -128: the score is not known
    print(f"{empties} empty: mean error {np.abs(values[here] - games.scores[here]).mean():.1f} discs")
