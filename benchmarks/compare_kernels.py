"""Compare the solvers of several source trees, position by position: nodes, processor time and their ratios.

    python benchmarks/compare_kernels.py OLD NEW [MORE ...] --file SUITE.obf [--problems 1-5,8] [--rounds 5]
    python benchmarks/compare_kernels.py OLD NEW --rules adjacent --empties 14 --positions 60

A tree is a folder of the project with its modules built in place. Each tree runs in a process of its own, and
every position goes to all of them in turn before the next one, in an order that alternates: other work on the
machine then affects all alike. Each solver starts each position with an empty table. The time of a set is the
sum of its positions' medians over the rounds, and beside it of their minima. Ratios are to the first tree.
The scores of all trees must agree; otherwise the exit status is 1.

Sums follow the few positions that are hardest. So the geometric mean of the positions' ratios is printed with
its 99 % interval by bootstrap. A change of the search counts where the interval of the nodes excludes 1 on random
positions (``python -m training yardstick``), and processor time does not rise.

Without ``--file`` the positions are ends of random games, the same ones every time.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from pathlib import Path
from typing import Any

from measuring import Tree, random_ends
from reversi import parse_rules
from reversi.text import format_board

# runs in each tree: the names it imports have been the same since the first version
WORKER = """
import json, sys, time
from reversi import Solver, parse_rules
from reversi._core import ISA
from reversi.text.obf import parse_obf
hash_mb, threads, rules = int(sys.argv[1]), int(sys.argv[2]), parse_rules(sys.argv[3])
solver = Solver(hash_mb, threads)
print(ISA, flush=True)
for line in sys.stdin:
    position = parse_obf(line, rules).position
    solver.clear()
    began, busy = time.perf_counter(), time.process_time()
    score = solver.solve(position).score
    busy, elapsed = time.process_time() - busy, time.perf_counter() - began
    print(json.dumps([score.value, score.nodes, busy, elapsed]), flush=True)
"""


class Measured(Tree):
    """A source tree, and what it measured."""

    def __init__(self, path: Path, options: argparse.Namespace) -> None:
        super().__init__(path, WORKER, str(options.hash), str(options.threads), options.rules)
        self.nodes: dict[int, int] = {}
        self.values: dict[int, int] = {}
        self.cpu: dict[int, list[float]] = {}
        self.elapsed: dict[int, list[float]] = {}

    def solve(self, index: int, line: str) -> None:
        """Solve one position and note the figures."""
        self.values[index], self.nodes[index], cpu, elapsed = self.ask(line)
        self.cpu.setdefault(index, []).append(cpu)
        self.elapsed.setdefault(index, []).append(elapsed)

    def total(self, which: dict[int, list[float]], least: bool = False) -> float:
        """The sum over the positions of their medians or minima."""
        return sum(min(times) if least else statistics.median(times) for times in which.values())


def numbers(text: str) -> list[int]:
    """Read ``1-5,8``."""
    chosen: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        chosen += range(int(first), int(last or first) + 1)
    return chosen


def positions(options: argparse.Namespace) -> list[tuple[int, str]]:
    """The positions to solve: their numbers and lines of OBF."""
    if options.file is not None:
        text = options.file.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("%")]
        every = list(enumerate(lines, 1))[options.start - 1 :: options.step]
        return every if options.problems is None else [every[i - 1] for i in numbers(options.problems)]
    ends = random_ends(options.empties, options.positions, parse_rules(options.rules))
    return list(enumerate(map(format_board, ends), 1))


def row(trees: list[Measured], index: int) -> str:
    """The figures of a position."""
    first = statistics.median(trees[0].cpu[index])
    figures = [(tree.nodes[index], statistics.median(tree.cpu[index])) for tree in trees]
    return f"{index:4}  " + "  ".join(f"{nodes:>13,} {cpu:8.3f} s ({cpu / first:.3f})" for nodes, cpu in figures)


def geometric_mean(ratios: list[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios, and its 99 % interval by bootstrap over the positions."""
    logs = [math.log(ratio) for ratio in ratios]
    draws = random.Random(99)
    means = sorted(statistics.fmean(draws.choices(logs, k=len(logs))) for _ in range(4000))
    return math.exp(statistics.fmean(logs)), math.exp(means[20]), math.exp(means[-21])


def report(trees: list[Measured]) -> dict[str, Any]:
    """Print the figures of all positions; return them."""
    first = trees[0]
    rows = []
    for tree in trees:
        nodes, cpu, least = sum(tree.nodes.values()), tree.total(tree.cpu), tree.total(tree.cpu, least=True)
        base = sum(first.nodes.values()), first.total(first.cpu), first.total(first.cpu, least=True)
        # a position without an empty square has no nodes and hardly takes time
        mean_of_nodes = geometric_mean([max(1, n) / max(1, first.nodes[i]) for i, n in tree.nodes.items()])
        least_of = {which: {i: max(1e-6, min(t)) for i, t in which.cpu.items()} for which in (tree, first)}
        mean_of_cpu = geometric_mean([t / least_of[first][i] for i, t in least_of[tree].items()])
        rows.append(
            {
                "tree": str(tree.path),
                "isa": tree.ready,
                "nodes": nodes,
                "cpu_s": cpu,
                "least_cpu_s": least,
                "elapsed_s": tree.total(tree.elapsed),
                "nodes_ratio": nodes / base[0],
                "cpu_ratio": cpu / base[1],
                "least_cpu_ratio": least / base[2],
                "nodes_mean": mean_of_nodes,
                "cpu_mean": mean_of_cpu,
                "each": {i: [tree.values[i], tree.nodes[i], tree.cpu[i]] for i in tree.nodes},
            }
        )
        print(
            f"{tree.path.name or tree.path!s:16} {tree.ready:10} nodes {nodes:>15,} ({nodes / base[0]:.3f})"
            f"  CPU {cpu:9.3f} s ({cpu / base[1]:.3f})  least {least:9.3f} s ({least / base[2]:.3f})"
            f"  {nodes / cpu / 1e6:6.1f} M/s  elapsed {tree.total(tree.elapsed):9.3f} s",
            flush=True,
        )
        if tree is not first:
            for name, (mean, low, high) in (("nodes", mean_of_nodes), ("least CPU", mean_of_cpu)):
                print(f"{'':16} geometric mean, {name}: {mean:.4f} ({low:.4f} to {high:.4f})", flush=True)
    return {"trees": rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--file", type=Path, help="positions in OBF")
    parser.add_argument("--problems", help="a part of the file, for example 1-5,8")
    parser.add_argument("--start", type=int, default=1, help="first position of the file")
    parser.add_argument("--step", type=int, default=1, help="every STEP-th position of the file")
    parser.add_argument("--rules", default="othello")
    parser.add_argument("--empties", type=int, default=14, help="empty squares of random positions")
    parser.add_argument("--positions", type=int, default=20, help="number of random positions")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=64, metavar="MB")
    parser.add_argument("--each", action="store_true", help="print each position")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    chosen = positions(options)
    trees = [Measured(path.resolve(), options) for path in options.trees]
    for number in range(options.rounds):
        for index, line in chosen:
            for tree in trees if (number + index) % 2 == 0 else reversed(trees):
                tree.solve(index, line)
            if options.each and number == options.rounds - 1:
                print(row(trees, index), flush=True)
    for tree in trees:
        tree.end()
    result = report(trees)
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for tree in trees[1:]:
        for index in tree.values:
            if tree.values[index] != trees[0].values[index]:
                print(f"position {index}: {trees[0].values[index]} and {tree.values[index]}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
