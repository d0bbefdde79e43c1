"""The learned evaluation: how long its weights take to load, and how fast positions are evaluated and searched.

    python benchmarks/evaluation.py [--repeats 9] [--json]

The program measures the first evaluation in a new process, as a user meets it, and reading the file as
`--weights` does, with every byte checked. Searches have a fixed depth, on positions of random games with 10 to
40 empty squares; the search updates the indices of the patterns placement by placement. Times are processor
time of one thread. ``REVERSI_ISA`` selects the build of the compiled code.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from array import array
from dataclasses import asdict, dataclass
from pathlib import Path

import reversi
from measuring import median_s, played_on
from reversi import Position, Random
from reversi._core import ISA, Table, batch_search
from reversi.evaluation.weights import FILE_NAME, default_weights, load_weights
from yardstick import factors

WEIGHTS_FILE = Path(reversi.__file__).parent / "evaluation" / FILE_NAME
POSITIONS = 20_000
DEPTHS = {1: 20_000, 4: 2_000, 8: 50}

IN_A_NEW_PROCESS = """
import time
from reversi import Position
from reversi.evaluation.weights import evaluate
start = Position()
began = time.process_time()
evaluate(start)
print(time.process_time() - began)
"""


@dataclass(frozen=True)
class Figure:
    """One measurement, a median."""

    what: str
    value: float
    unit: str


def random_positions(count: int) -> tuple[array[int], array[int]]:
    """Discs of the mover and of the opponent."""
    random = Random(1)
    mover, opponent = array("Q"), array("Q")
    while len(mover) < count:
        position = played_on(Position(), 10 + random.below(31), random)
        if not position.is_over:
            mover.append(position.player)
            opponent.append(position.opponent)
    return mover, opponent


def first_evaluation() -> float:
    """Return the seconds of the first evaluation in a new process, without the import of the package."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS], capture_output=True, text=True, timeout=60, check=True
    )
    return float(done.stdout)


def measure(repeats: int) -> list[Figure]:
    """All figures."""
    first_evaluation()
    found = [
        Figure("file", WEIGHTS_FILE.stat().st_size / 1e6, "MB"),
        Figure(
            "first evaluation in a new process",
            1e3 * statistics.median(first_evaluation() for _ in range(repeats)),
            "ms",
        ),
        Figure(
            "reading and checking every byte", 1e3 * median_s(lambda: load_weights(WEIGHTS_FILE), repeats), "ms"
        ),
    ]
    weights, table = default_weights(), Table(1)
    mover, opponent = random_positions(POSITIONS)
    values = array("h", bytes(2 * POSITIONS))
    took = median_s(lambda: batch_search(weights, table, mover, opponent, values, 0), repeats)
    found.append(Figure("evaluation from the board", POSITIONS / took / 1e6, "M/s"))
    for depth, count in DEPTHS.items():
        p, o, out = mover[:count], opponent[:count], array("h", bytes(2 * count))
        nodes = batch_search(weights, table, p, o, out, depth)
        took = median_s(lambda: batch_search(weights, table, p, o, out, depth), repeats)  # noqa: B023 - called here
        found.append(Figure(f"search, depth {depth}", nodes / took / 1e6, "M nodes/s"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    machine = factors()
    figures = measure(arguments.repeats)
    if arguments.json:
        print(json.dumps({"isa": ISA, "factors": machine, "figures": [asdict(figure) for figure in figures]}))
        return
    print(f"{ISA}, yardstick factors {machine}, medians of {arguments.repeats}")
    for figure in figures:
        print(f"{figure.what:36} {figure.value:8.1f} {figure.unit}")


if __name__ == "__main__":
    main()
