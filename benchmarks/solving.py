"""Exact solving of many positions, one after another, each with an empty table: nodes and time.

    python benchmarks/solving.py [--empties 14 16 18 20] [--positions 10] [--rules othello] [--threads 1] [--json]
    python benchmarks/solving.py FILE.obf

Without a file the positions are ends of random games, the same ones every time. With one thread nodes depend on
the version alone, times on the machine as well; ``yardstick.py`` compares machines. ``REVERSI_ISA`` picks the
build of the compiled code.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from measuring import random_ends
from reversi import Position, ReversiError, Rules, parse_rules
from reversi._core import ISA
from reversi.solver.solver import Solver
from reversi.text.obf import read_obf
from yardstick import factors


@dataclass(frozen=True)
class Row:
    """One set of positions."""

    what: str
    positions: int
    nodes: int
    time_s: float
    cpu_s: float


def from_file(path: str, rules: Rules) -> list[Position]:
    """The positions of an OBF file."""
    positions = []
    for line, entry in read_obf(Path(path).read_text(encoding="utf-8"), rules):
        if isinstance(entry, ReversiError):
            raise SystemExit(f"{path}:{line}: {entry}")
        positions.append(entry.position)
    return positions


def measure(what: str, positions: list[Position], hash_mb: int, threads: int) -> Row:
    """Solve them all."""
    solver = Solver(hash_mb, threads)
    nodes = 0
    seconds = busy = 0.0
    for position in positions:
        solver.clear()
        began, busy_before = time.perf_counter(), time.process_time()
        nodes += solver.solve(position).score.nodes
        seconds += time.perf_counter() - began
        busy += time.process_time() - busy_before
    return Row(what, len(positions), nodes, round(seconds, 3), round(busy, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE.obf")
    parser.add_argument("--empties", nargs="+", type=int, default=[14, 16, 18, 20])
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--rules", type=parse_rules, default=parse_rules("othello"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=256, help="size of the table in MB")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sets = [(path, from_file(path, arguments.rules)) for path in arguments.files] or [
        (f"{empties} empties", random_ends(empties, arguments.positions, arguments.rules))
        for empties in arguments.empties
    ]
    rows = [measure(what, positions, arguments.hash, arguments.threads) for what, positions in sets]
    if arguments.json:
        print(
            json.dumps(
                {"rules": str(arguments.rules), "factors": factors(), "sets": [asdict(row) for row in rows]}
            )
        )
        return
    print(f"rules {arguments.rules}; threads {arguments.threads}; {ISA}; yardstick factors {factors()}")
    for row in rows:
        counts = f"{row.positions:4} positions {row.nodes:16,} nodes"
        print(f"{row.what:24} {counts} {row.time_s:9.3f} s, processor {row.cpu_s:9.3f} s")


if __name__ == "__main__":
    main()
