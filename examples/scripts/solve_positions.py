"""Solve the first 100 positions of a file: scores and best moves, as they come.

python examples/scripts/solve_positions.py [FILE]
"""

import sys
from itertools import islice
from pathlib import Path

from reversi import Batch
from reversi.inputs.input import positions_in

text = Path(sys.argv[1] if len(sys.argv) > 1 else "examples/endgames.obf").read_text(encoding="utf-8")
entries = islice(positions_in(text), 100)
with Batch((entry.index, entry.position) for entry in entries if entry.position) as batch:
    for answer in batch:
        print(answer.key, answer.solution)
