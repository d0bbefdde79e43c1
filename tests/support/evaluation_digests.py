"""What the evaluation says in random games, as one digest for each instruction set."""

from __future__ import annotations

import os
import subprocess
import sys

from reversi._core import USABLE_ISAS

_GAMES = """
position, random, table, out = Position(parse_rules("othello")), Random(5), Table(1), []
for game in range(20):
    line = position
    while not line.is_over:
        out += [weights.evaluate(line), weights.children(line), weights.search(line, 2, table)]
        line = line.play(line.legal_moves[random.below(len(line.legal_moves))])
print(hashlib.sha256(repr(out).encode()).hexdigest())
"""
_IMPORTS = """
import hashlib, sys
from reversi import Position, parse_rules
from reversi._core import Random, Table, Weights, evaluation_layout
"""


def evaluation_digests(weights: str, data: bytes = b"") -> dict[str, bytes]:
    """Return the digest of each usable instruction set, from a process of its own.

    Args:
        weights: the statements that make ``weights``.
        data: standard input of these statements.
    """
    path = os.pathsep.join(path for path in sys.path if path)
    return {
        isa: subprocess.run(
            [sys.executable, "-c", _IMPORTS + weights + _GAMES],
            input=data,
            capture_output=True,
            check=True,
            env={**os.environ, "REVERSI_ISA": isa, "PYTHONPATH": path},
            timeout=60,
        ).stdout.strip()
        for isa in USABLE_ISAS
    }
