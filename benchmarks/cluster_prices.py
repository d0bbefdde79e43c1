"""What hard positions cost: the price of a win-loss-draw proof at 36 empty squares, from a measured sample.

    python benchmarks/cluster_prices.py sample FOLDER OUT [--seconds 120]
    python benchmarks/cluster_prices.py price  OUT

FOLDER has recorded games, such as those of WTHOR. ``sample`` solves positions of random games, each under the
question who wins, at 16, 18, … 28 empty squares in turn, on one thread with a fresh table, and adds a line to
OUT for each: its empty squares, nodes and CPU time. ``price`` fits the logarithm of the nodes by empty squares,
and extrapolates. The mean at 36 empty squares is the fit plus the excess of the mean over the mean of the
logarithms that the sample has. The interval holds 95 % of the results when the positions of the sample are
drawn again. It supposes that the growth stays the same beyond the sample; the growth of its halves shows how
far that may be wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np

from reversi import Position
from reversi.games import open_records
from reversi.records.replay import positions
from reversi.solver import Question, Solver

EMPTIES = (16, 18, 20, 22, 24, 26, 28)
WANTED = 36
PUBLISHED_POSITIONS = 1_505_367_525
"""Positions with 36 empty squares that the published proof solved (arXiv:2310.19387, section 4)."""
PUBLISHED_NODES = 1_526_001_455_595_489_506
"""The nodes of Edax for all of them (the same place)."""
HASH_MB = 256


def sample(folder: Path, out: Path, seconds: float) -> None:
    """Solve positions of random games for ``seconds`` of CPU time."""
    chance = random.Random(time.time_ns())
    files = sorted(folder.glob("*.wtb"))
    end, count = time.process_time() + seconds, 0
    with out.open("a", encoding="utf-8") as stream:
        while time.process_time() < end:
            games = list(open_records(chance.choice(files)))
            for record in chance.sample(games, min(len(games), 24)):
                position = _at(list(positions(record)), EMPTIES[count % len(EMPTIES)])
                if position is None or time.process_time() > end:
                    continue
                solver, began = Solver(HASH_MB), time.process_time()
                nodes = solver.ask(position, Question(wld=True)).score.nodes
                used = time.process_time() - began
                line = {"empties": position.empties, "nodes": nodes, "cpu_s": round(used, 4)}
                print(json.dumps(line), file=stream, flush=True)
                count += 1


def _at(found: list[Position], empties: int) -> Position | None:
    return next((each for each in found if each.empties == empties and each.legal_moves.placements), None)


def price(path: Path) -> None:
    """Extrapolate the nodes and the core-hours of a position."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    empties = np.array([line["empties"] for line in lines], float)
    nodes = np.log2([max(1, line["nodes"]) for line in lines])
    rate = sum(line["nodes"] for line in lines) / sum(line["cpu_s"] for line in lines)
    for count in EMPTIES:
        those = nodes[empties == count]
        if len(those):
            print(f"{count} empty squares: {len(those)} positions, mean {np.mean(2**those):,.0f} nodes")
    print(f"{len(lines)} positions, {rate / 1e6:.1f} million nodes per second of one core")
    halves = {"lower half": empties <= np.median(empties), "upper half": empties >= np.median(empties)}
    for name, part in {"all": empties > 0, **halves}.items():
        growth = 2 ** np.polyfit(empties[part], nodes[part], 1)[0]
        there = _mean_at(empties[part], nodes[part], WANTED)
        print(f"{name}: {growth:.2f} times the nodes for an empty square, {there:.2g} at {WANTED}")
    chance = np.random.default_rng(1)
    found = []
    for _ in range(2_000):
        drawn = chance.integers(0, len(lines), len(lines))
        found.append(_mean_at(empties[drawn], nodes[drawn], WANTED))
    low, high = np.quantile(found, (0.025, 0.975))
    middle = _mean_at(empties, nodes, WANTED)
    published = PUBLISHED_NODES / PUBLISHED_POSITIONS
    print(f"{WANTED} empty squares: {middle:.2g} nodes a position, 95 % interval {low:.2g} to {high:.2g}")
    print(f"  the published proof: {published:.2g} nodes a position, by another program and other windows")
    hours = [each / rate / 3600 for each in (middle, low, high)]
    print(f"  {hours[0]:.2g} core-hours a position, {hours[1]:.2g} to {hours[2]:.2g}")
    total = [each * PUBLISHED_POSITIONS for each in hours]
    print(f"  the task list: {total[0]:.2g} core-hours, {total[1]:.2g} to {total[2]:.2g}", end="")
    print(f"; at the published nodes {PUBLISHED_NODES / rate / 3600:.2g}")


def _mean_at(empties: np.ndarray, nodes: np.ndarray, wanted: float) -> float:
    """The mean of nodes at ``wanted`` empty squares, from logarithms that grow in a straight line."""
    slope, base = np.polyfit(empties, nodes, 1)
    excess = np.log2(np.mean(2 ** (nodes - base - slope * empties)))
    return float(2 ** (base + slope * wanted + excess))


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sampling = commands.add_parser("sample")
    sampling.add_argument("folder", type=Path)
    sampling.add_argument("out", type=Path)
    sampling.add_argument("--seconds", type=float, default=120.0)
    commands.add_parser("price").add_argument("out", type=Path)
    asked = parser.parse_args()
    if asked.command == "sample":
        sample(asked.folder, asked.out, asked.seconds)
    else:
        price(asked.out)


if __name__ == "__main__":
    main()
