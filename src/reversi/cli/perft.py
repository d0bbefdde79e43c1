"""``reversi perft``: count the leaves of the game tree."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from reversi.cli.console import command, out, out_json, rules_option
from reversi.cli.option_groups import Flag
from reversi.cli.options import RulesOption, argument


@command
def perft(
    depth: Annotated[int, argument("DEPTH", "Depth of the tree in plies.", min=0, max=60)],
    rules: RulesOption = "othello",
    each: Annotated[bool, Flag("Write depths 1 to DEPTH, one per line.")] = False,
    passes: Annotated[
        bool, typer.Option("--count-passes/--no-count-passes", help="Count a pass as a ply.")
    ] = True,
    json: Annotated[bool, Flag("Write one JSON object per depth.")] = False,
) -> None:
    """Count the leaves of the game tree.

    Example: reversi perft 9
    """
    from reversi._core import Position

    rule_set = rules_option(rules)
    start = Position(rule_set)
    for ply in range(1, depth + 1) if each else (depth,):
        began = time.perf_counter()
        leaves = start.perft(ply, count_passes=passes)
        seconds = time.perf_counter() - began
        if json:
            out_json({"rules": str(rule_set), "depth": ply, "leaves": leaves, "time_s": round(seconds, 6)})
        else:
            out(f"{ply:2d} {leaves:20d} {seconds:10.3f} s")
