"""Endgames too large for brute force: the exact solver against itself one ply later, and at last against it.

    python tests/fuzz/fuzz_consistency.py --seed 1 --games 20

``fuzz_solver.py`` holds the solver against brute force, which ends at eight empty squares or so. The parts of the
search that work above that (the table, look-ups before the search, stable discs, the ordering) are held here:

* the value is the best of the moves' values, each of them solved anew with a fresh table, and so is every score
  under ``all_moves``, and the list of best moves;
* a mirrored position, and a solver that keeps its table, give the same value;
* along the principal variation every position has the same value, each solved anew, until the position is small
  enough for the brute force of ``brute_force.py``, which has to find that value too; the final score is the value.

It prints one row per rule set and exits 1 on any mismatch, with a command that reproduces it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import oracle
from brute_force import BruteForce
from fuzz_solver import Endgames, board_text, largest_size, rule_sets
from oracle import FRESH, Table
from reversi import Move, Position, Rules, RulesError, parse_rules
from reversi.score import Kind
from reversi.solver.solution import Solution
from reversi.solver.solver import Solver, solve
from reversi.text import format_board
from rule_sets import position_of, variant_of

KEPT = Solver(hash_mb=4)


def sizes(rules: Rules) -> range:
    """The numbers of empty squares to try: beyond brute force, and solved in a fraction of a second."""
    if rules.optional_skip:
        most = 9 if rules.misere and not rules.mandatory_capture else 10
    else:
        most = 14 if rules.mandatory_capture else 11
    return range(largest_size(rules) + 1, min(most, rules.board.cells - 4) + 1)


def fresh(position: Position, *, all_moves: bool = False) -> Solution:
    """An answer by a solver that knows nothing yet."""
    return solve(position, all_moves=all_moves, hash_mb=1)


def check(table: Table, rules: Rules) -> list[str]:
    """What is inconsistent in the solver's answers about one position."""
    position = position_of(table, rules)
    wrong: list[str] = []

    def expect(what: str, found: object, expected: object) -> None:
        if found != expected:
            wrong.append(f"{what}: {found} instead of {expected}")

    values = {move: -fresh(position.play(move)).score.value for move in position.legal_moves}
    value = max(values.values())
    best = [move for move in values if values[move] == value]
    full = fresh(position, all_moves=True)
    plain = fresh(position)
    expect("value", plain.score.value, value)
    expect("kind", plain.score.kind, Kind.EXACT)
    expect("value under all_moves", full.score.value, value)
    expect("scores under all_moves", {one.move: one.score.value for one in full.moves}, values)
    expect("best under all_moves", list(full.best), best)
    expect("best is one of the best", all(move in best for move in plain.best), True)
    expect("value with a kept table", KEPT.solve(position).score.value, value)
    expect(
        "scores with a kept table",
        {m.move: m.score.value for m in KEPT.solve(position, all_moves=True).moves},
        values,
    )
    for image in position.symmetries()[1:3]:
        expect(f"value of the image {image}", fresh(image).score.value, value)
    wrong += _along(plain.pv, table, rules, value)
    for one in full.moves:
        wrong += _to_the_end(one.pv, table, rules, one.score.value)
    return wrong


def _along(line: Sequence[Move], table: Table, rules: Rules, value: int) -> list[str]:
    """Whether each position of the line is worth ``value`` to the player who was to move at its start."""
    brute = BruteForce(table.variant)
    position, checked = position_of(table, rules), False
    for ply, move in enumerate(line, 1):
        position, value = position.play(move), -value
        found = fresh(position).score.value
        if found != value:
            return [f"pv, ply {ply}: {format_board(position)} is worth {found} instead of {value}"]
        if not checked and position.empties <= largest_size(rules):
            checked = True
            small = oracle.Table(table.variant, *_parts(position))
            if (truth := brute.value(small)) != value:
                return [
                    f"pv, ply {ply}: {format_board(position)} is worth {truth} by brute force, instead of {value}"
                ]
    return _to_the_end(line, table, rules, value if len(line) % 2 == 0 else -value)


def _parts(position: Position) -> tuple[str, str, str]:
    return position.cells, position.to_move.symbol, position.state.value


def _to_the_end(line: Sequence[Move], table: Table, rules: Rules, value: int) -> list[str]:
    """Whether the line, played by the oracle's rules, ends the game with ``value``."""
    end = table
    for move in line:
        end = oracle.play(end, str(move))
    if not oracle.is_over(end):
        return [f"line {' '.join(map(str, line))}: the game is not over"]
    score = oracle.final_score(end, table.to_move)
    return [] if score == value else [f"line {' '.join(map(str, line))}: ends with {score} instead of {value}"]


def run(rules: Rules, seed: int, games: int) -> tuple[int, list[str]]:
    """Check so many endgames of one rule set: how many there were, and the mismatches."""
    source = Endgames(rules, seed, max(sizes(rules), default=1))
    mismatches: list[str] = []
    checked = 0
    for number in range(games):
        one = source.late(
            (sizes(rules)[number % len(sizes(rules))],), after_pass=rules.optional_skip and number % 4 == 0
        )
        if one is None:
            continue
        checked += 1
        try:
            wrong = check(one.table, rules)
        except Exception as error:  # whatever it is, it is no answer: the run goes on
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            command = f"python tests/fuzz/fuzz_consistency.py --rules '{rules}' --board '{board_text(one.table)}'"
            mismatches.append(f"{command}\n    " + "\n    ".join(wrong))
    return checked, mismatches


def main(arguments: list[str] | None = None) -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Hold the exact solver against itself one ply later.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=20, help="endgames per rule set (default 20)")
    parser.add_argument("--rules", help="this rule set only")
    parser.add_argument("--board", help="with --rules: this position only, 'CELLS X' or 'CELLS X after-pass'")
    options = parser.parse_args(arguments)
    try:
        chosen = [parse_rules(options.rules)] if options.rules else rule_sets()
    except RulesError as error:
        parser.error(str(error))
    if options.board:
        cells, to_move, *rest = options.board.split()
        wrong = check(Table(variant_of(chosen[0]), cells, to_move, rest[0] if rest else FRESH), chosen[0])
        print("\n".join(wrong) or "consistent")
        return 1 if wrong else 0
    total = 0
    print(f"{'rules':58} {'empties':>8} {'games':>5} {'seconds':>7} {'wrong':>5}")
    for rules in chosen:
        began = time.perf_counter()
        games, mismatches = run(rules, options.seed, options.games)
        seconds = time.perf_counter() - began
        empties = f"{sizes(rules)[0]}-{sizes(rules)[-1]}"
        print(f"{rules!s:58} {empties:>8} {games:5} {seconds:7.1f} {len(mismatches):5}", flush=True)
        for mismatch in mismatches:
            print(mismatch, flush=True)
        total += len(mismatches)
    print(f"{len(chosen)} rule sets, {total} wrong")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
