"""Compare proofs in pieces with the solver: values, nodes and CPU time.

    python benchmarks/proofs.py SUITE.obf [--only FIRST-LAST] [--frontier-empties N] [--hash MB] [--wld]

For each position it prints the empty squares, both answers, the nodes of one `solve` and of a proof in pieces by
one thread, their ratio, the jobs of the proof, and the CPU seconds of both. The exit status is 1 where answers
differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from reversi.inputs.input import positions_in
from reversi.solver import Question, Solver
from reversi.solver.proofs import Prover


def main() -> int:
    """Measure the positions of a suite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--only", default="1-9999", metavar="FIRST-LAST", help="measure these positions, from 1")
    parser.add_argument("--frontier-empties", type=int, metavar="N")
    parser.add_argument("--hash", type=int, default=256, metavar="MB")
    parser.add_argument("--wld", action="store_true")
    given = parser.parse_args()
    first, _, last = given.only.partition("-")
    question = Question(wld=given.wld)
    status = 0
    print("   # empties   solve   prove        nodes    in pieces  ratio   jobs  CPU s  in pieces")
    for entry in positions_in(given.suite.read_text()):
        if entry.position is None or not int(first) <= entry.index <= int(last or first):
            continue
        began = time.process_time()
        score = Solver(given.hash).ask(entry.position, question).score
        solved = time.process_time()
        solver = Solver(given.hash)
        with Prover(solver, frontier_empties=given.frontier_empties) as prover:
            proved = prover.prove(entry.position, question)
        done = time.process_time()
        if (score.lower, score.upper) != (proved.lower, proved.upper):
            status = 1
        answers = (
            f"{low:+d}..{high:+d}" for low, high in ((score.lower, score.upper), (proved.lower, proved.upper))
        )
        nodes, ratio = f"{score.nodes:12,d} {prover.nodes:12,d}", prover.nodes / score.nodes
        seconds = f"{solved - began:6.1f} {done - solved:10.1f}"
        where = f"{entry.index:4d} {entry.position.empties:7d}"
        print(where, *answers, nodes, f"{ratio:6.2f} {prover.jobs:6d}", seconds, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
