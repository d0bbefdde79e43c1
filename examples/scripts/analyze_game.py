"""Analyze the first game of a file: its mistakes, and how each side played.

python examples/scripts/analyze_game.py [FILE [LEVEL]]
"""

import sys

from reversi import analyze, open_records

record = next(open_records(sys.argv[1] if len(sys.argv) > 1 else "examples/games.pgn"))
analysis = analyze(record, level=int(sys.argv[2]) if len(sys.argv) > 2 else 12)
for turn in analysis.mistakes:
    print(
        f"ply {turn.ply}: {turn.mover} {turn.move} {turn.judgement}, best {turn.best[0]}, loses {turn.loss} discs"
    )
for color, side in analysis.sides.items():
    print(f"{color}: mean loss {side.mean_loss:.2f} discs, {side.best_share:.0%} best moves")
