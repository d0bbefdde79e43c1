"""Random standard positions solved with several numbers of threads, twice each, from one table: all scores equal.

    python tests/fuzz/fuzz_threads.py --positions 1000 --threads 1 2 4

Prints the number of positions, of shared nodes, and of scores that differ; exit status 1 when any does.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from unittest import mock

from reversi import Position
from reversi.solver.solver import Solver


def positions(count: int, seed: int) -> list[Position]:
    """Positions with 16 to 18 empty squares, by random moves from the start."""
    choose = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position()
        left = choose.randint(16, 18)
        while position.empties > left and not position.is_over:
            position = position.play(choose.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def run(count: int, seed: int, threads: list[int]) -> tuple[int, list[str]]:
    """The number of shared nodes, and a line for every score that differs. All threads work, even on one CPU."""
    with mock.patch("reversi.solver.solver.usable_cpus", return_value=max(threads)):
        return run_all(count, seed, threads)


def run_all(count: int, seed: int, threads: list[int]) -> tuple[int, list[str]]:
    """`run` with the CPUs as they are."""
    solver = Solver(64)  # one table for all: what one run leaves behind is what the next one finds
    differing = []
    for position in positions(count, seed):
        scores = {
            (number, again): solver.solve(position, threads=number).score.value
            for again in (False, True)
            for number in threads
        }
        if len(set(scores.values())) != 1:
            differing.append(f"{position!r}: {scores}")
    return solver.splits, differing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    began = time.perf_counter()
    splits, differing = run(options.positions, options.seed, options.threads)
    for line in differing:
        print(line)
    seconds = time.perf_counter() - began
    print(f"{options.positions} positions, {splits} splits, {len(differing)} differing, {seconds:.0f} s")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
