"""The commands of training: ``python -m training COMMAND --help``."""

from __future__ import annotations

import argparse
from pathlib import Path

from training.climb import Plan, climb, refit


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("climb", help="one round: generate, label and fit from few empty squares to many")
    one.add_argument("folder", type=Path)
    one.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder with wthor/ and xot/, if there"
    )
    one.add_argument("--round", type=int, default=1)
    one.add_argument(
        "--scale", type=float, default=100.0, help="thousands of positions for a number of empty squares"
    )
    one.add_argument("--exact", type=int, default=12)
    one.add_argument("--depth", type=int, default=6)
    one.add_argument("--seed", type=int, default=2026)
    two = commands.add_parser("refit", help="fit all stages anew on all labelled positions")
    two.add_argument("folder", type=Path)
    for command in (one, two):
        command.add_argument("--ridge", type=float, default=10.0)
        command.add_argument("--steps", type=int, default=40)
    a = parser.parse_args()
    if a.command == "climb":
        plan = Plan(a.scale, a.exact, a.depth, a.ridge, a.steps)
        climb(a.folder, a.data, a.round, plan, a.seed + a.round)
    else:
        refit(a.folder, a.ridge, a.steps)


main()
