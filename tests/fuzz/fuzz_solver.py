"""The exact solver against brute force, on random small endgames of every way to play.

    python tests/fuzz/fuzz_solver.py --seed 1 --games 200

For each rule set it makes random endgames, most of them late positions of randomly played games, the others
set-up boards. It solves each with `reversi.solver.solve` (one best move, then all moves) and with the
brute force of ``brute_force.py``, which shares no code with the package. Each question is put to a solver with
a fresh table, and to one that keeps its table from rule set to rule set. Compared are

* the value, that its kind is exact and that both bounds equal it;
* the best moves: one of the best by default, all of them in a1, b1, ... order under ``all_moves``;
* the score of every legal move under ``all_moves``, best first;
* every line (``pv``): played out, it is legal, ends the game, and the final score is the value.

It prints one row per rule set. More than half of the endgames have one of the two largest numbers of empties;
one in twenty is the end of a game (``over``). ``after pass`` counts the others whose last ply was a pass (a set-up
position when its state says so); ``forced on line`` counts those with a forced pass on the line that the
solver gives; ``forced in tree`` those with a forced pass anywhere below. Where free placement leaves nobody
without a move the column shows "-". Exit status 1 on any mismatch, with a command that reproduces it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import oracle
from brute_force import BruteForce
from oracle import AFTER_PASS, FRESH, PASS, Table
from reversi import Position, Rules, RulesError, parse_rules
from reversi.rules import BoardSize, Objective, Start
from reversi.score import AnyScore, Kind
from reversi.solver.solution import Solution
from reversi.solver.solver import Solver, solve
from rule_sets import distinct_behaviors, pick, position_of, variant_of

SET_UP_SHARE = 0.15
WANTED_PASSES = 20
KEPT = Solver(hash_mb=1)
EXTRA_TRIES = 20  # for forced passes on the line: at most this many more endgames per game asked for


@dataclass(frozen=True)
class Endgame:
    """A position to solve, whether the ply before it was a pass, and whether a game led to it."""

    table: Table
    after_pass: bool
    played: bool


@dataclass
class Counts:
    """One row of the table."""

    games: int = 0
    set_up: int = 0
    finished: int = 0
    after_pass: int = 0
    forced_line: int = 0
    forced_tree: int = 0
    large: int = 0
    seconds: float = 0.0
    mismatches: list[str] = field(default_factory=list)


def rule_sets() -> list[Rules]:
    """The nine behaviors with each objective and count on 8x8, and on small boards and the other start."""
    nine = distinct_behaviors()
    if len(nine) != 9:
        raise AssertionError(f"{len(nine)} behaviors instead of nine")
    eight = [
        replace(rules, objective=objective, empties_to_winner=empties)
        for rules in nine
        for objective in (Objective.MOST, Objective.FEWEST)
        for empties in (True, False)
    ]
    small = [replace(rules, board=BoardSize(*size)) for size in ((6, 6), (4, 6), (6, 4)) for rules in nine]
    return [*eight, *small, *(replace(rules, start=Start.PARALLEL) for rules in nine)]


def largest_size(rules: Rules) -> int:
    """The most empties that brute force looks through in a fraction of a second."""
    return 8 if rules.mandatory_capture and not rules.optional_skip else 6


def passes_exist(rules: Rules) -> tuple[bool, bool]:
    """Whether a game under these rules can have any pass, and whether it can have a forced one.

    Where a placement need not capture, both sides have the same placements: whoever has none ends the game.
    """
    return rules.mandatory_capture or rules.optional_skip, rules.mandatory_capture


def _size(number: int, largest: int) -> int:
    """The empties of the ``number``-th endgame: six of ten at the two largest sizes."""
    if number % 2 == 0 or number % 10 == 5 or largest <= 2:
        return max(1, largest - (number // 2) % 2)
    return 1 + (number // 2) % (largest - 2)


def random_game(brute: BruteForce, chance: random.Random) -> Iterator[Endgame]:
    """The tables of one random game, the start and the end included."""
    table, last = oracle.initial(brute.variant), ""
    skips = chance.choice((0.0, 0.05, 0.2))
    while True:
        yield Endgame(table, last == PASS, played=True)
        children = brute.children(table)
        if not children:
            return
        # A table that could be passed on, near the end, is a chance for a position after a pass.
        likely = 0.5 if PASS in children and table.cells.count("-") <= 8 and table.state == FRESH else skips
        last = pick(list(children), chance, likely)
        table = children[last]


def set_up(rules: Rules, chance: random.Random, empties: int, after_pass: bool) -> Endgame:
    """A board with random discs; after a pass when asked and the rules know of it."""
    cells = [chance.choice("XO") for _ in range(rules.board.cells)]
    for number in chance.sample(range(len(cells)), empties):
        cells[number] = "-"
    state = AFTER_PASS if after_pass and rules.optional_skip else FRESH
    table = Table(variant_of(rules), "".join(cells), chance.choice("XO"), state)
    return Endgame(table, state == AFTER_PASS, played=False)


class Endgames:
    """Makes endgames of one rule set."""

    def __init__(self, rules: Rules, seed: int, largest: int) -> None:
        self.rules = rules
        self.largest = largest
        self.chance = random.Random(f"{seed} {rules}")
        self.brute = BruteForce(variant_of(rules))

    def late(self, sizes: Container[int], after_pass: bool) -> Endgame | None:
        """A position with so many empties out of a random game, or None if sixty games had none."""
        for _ in range(60):
            found = [
                one
                for one in random_game(self.brute, self.chance)
                if one.table.cells.count("-") in sizes
                and (one.after_pass or not after_pass)
                and self.brute.children(one.table)
            ]
            self.brute.forget()
            if found:
                return self.chance.choice(found)
        return None

    def make(self, number: int, games: int) -> Endgame:
        """The ``number``-th endgame of ``games``."""
        if number % 20 == 19:
            *_, end = random_game(self.brute, self.chance)
            return end
        size = _size(number, self.largest)
        one = None
        # The first ones start after a pass; at one given size that may take too many games.
        after_pass = passes_exist(self.rules)[0] and number < wanted(games) * 5 // 4
        if after_pass or self.chance.random() >= SET_UP_SHARE:
            one = self.late((size,), after_pass)
            if after_pass and not one:
                one = self.late(range(1, self.largest + 1), after_pass)
        return one or set_up(self.rules, self.chance, size, after_pass)


def wanted(games: int) -> int:
    """How many endgames after a pass, and with a forced pass, are wanted: 20 of 200."""
    return min(WANTED_PASSES, games // 10)


def _fresh(position: Position, *, all_moves: bool) -> Solution:
    return solve(position, all_moves=all_moves, hash_mb=1)


def check(table: Table, rules: Rules, brute: BruteForce) -> tuple[list[str], tuple[str, ...]]:
    """What is wrong with the solver's two answers, and its line."""
    position = position_of(table, rules)
    values = brute.move_values(table)
    value = brute.value(table)
    best = [move for move, score in values.items() if score == value]
    wrong: list[str] = []

    def expect(what: str, found: object, expected: object) -> None:
        if found != expected:
            wrong.append(f"{what}: {found} instead of {expected}")

    def expect_score(what: str, score: AnyScore, expected: int) -> None:
        expect(what, (score.value, score.lower, score.upper), (expected, expected, expected))
        expect(f"{what}, kind", score.kind, Kind.EXACT)
        expect(f"{what}, confidence", score.confidence, 100)

    def expect_line(what: str, line: list[str], at: Table, expected: int) -> None:
        end = at
        for ply, move in enumerate(line, 1):
            children = brute.children(end)
            if move not in children:
                wrong.append(f"{what}: {' '.join(line)}: ply {ply}: {move} is not legal")
                return
            end = children[move]
        if brute.children(end):
            wrong.append(f"{what}: {' '.join(line)}: the game is not over")
        else:
            expect(f"{what}: {' '.join(line)}: final score", oracle.final_score(end, at.to_move), expected)

    answers: dict[str, Solution] = {}
    for label, ask in (("", _fresh), ("kept table, ", KEPT.solve)):
        for all_moves in (False, True):
            try:
                answer = ask(position, all_moves=all_moves)
            except Exception as error:  # whatever it is, it is no answer: the run goes on
                wrong.append(f"{label}solve{' all_moves' * all_moves}: {type(error).__name__}: {error}")
            else:
                answers[f"{label}solve{' all_moves' * all_moves}"] = answer
    for label, solution in answers.items():
        expect(f"{label}, position", solution.position, position)
        expect_score(f"{label}, score", solution.score, value)
        line = [str(move) for move in solution.pv]
        expect_line(f"{label}, pv", line, table, value)
        expect(f"{label}, first move of the pv", line[:1], [str(move) for move in solution.best[:1]])
    ranked = sorted(values, key=lambda move: -values[move])  # stable: equal ones stay in a1, b1, ... order
    for label, solution in answers.items():
        chosen = [str(move) for move in solution.best]
        if "all_moves" not in label:
            expect(f"{label}, moves", solution.moves, ())
            expect(f"{label}, number of best moves", len(chosen), min(1, len(best)))
            if not set(chosen) <= set(best):
                wrong.append(f"{label}, best: {' '.join(chosen)} is not one of {' '.join(best)}")
            continue
        expect(f"{label}, best", chosen, best)
        expect(f"{label}, moves", [str(one.move) for one in solution.moves], ranked)
        for one in solution.moves:
            move = str(one.move)
            line = [str(step) for step in one.pv]
            expect_score(f"{label}, {move}", one.score, values.get(move, 0))
            expect_line(f"{label}, {move}, pv", line, table, values.get(move, 0))
            expect(f"{label}, {move}, first move of its pv", line[:1], [move])
    principal = answers["solve"].pv if "solve" in answers else ()
    return wrong, tuple(str(move) for move in principal)


def _forced_on(line: tuple[str, ...], table: Table, brute: BruteForce) -> bool:
    for move in line:
        children = brute.children(table)
        if move not in children:
            return False
        if list(children) == [PASS]:
            return True
        table = children[move]
    return False


def board_text(table: Table) -> str:
    """The cells, the side to move, and the state unless it is fresh."""
    return f"{table.cells} {table.to_move}" + ("" if table.state == FRESH else f" {table.state}")


def run(rules: Rules, seed: int, games: int, larger: int) -> Counts:
    """All endgames of one rule set; a row of the table."""
    began = time.perf_counter()
    source = Endgames(rules, seed, max(1, largest_size(rules) + larger))
    counts = Counts()
    for number in range(games):
        add(source.make(number, games), source, counts)
    if passes_exist(rules)[1]:
        _add_forced(source, games, counts)
    counts.seconds = time.perf_counter() - began
    return counts


def _add_forced(source: Endgames, games: int, counts: Counts) -> None:
    """More endgames, picked for a forced pass on the brute force's own best line, until there are enough."""
    brute = source.brute
    for number in range(games * EXTRA_TRIES):
        if counts.forced_line >= wanted(games):
            return
        brute.forget()
        one = source.late((_size(number, source.largest),), after_pass=False)
        if one and _forced_on(tuple(brute.best_line(one.table)), one.table, brute):
            add(one, source, counts)


def add(one: Endgame, source: Endgames, counts: Counts) -> None:
    """Check one endgame and count it."""
    rules, brute, largest = source.rules, source.brute, source.largest
    brute.forget()
    wrong, line = check(one.table, rules, brute)
    counts.games += 1
    counts.large += one.table.cells.count("-") in (largest - 1, largest)
    counts.set_up += not one.played
    going_on = bool(brute.children(one.table))
    counts.finished += not going_on
    counts.after_pass += one.after_pass and going_on
    counts.forced_tree += brute.forced_passes > 0
    counts.forced_line += _forced_on(line, one.table, brute)
    if wrong:
        command = f"python tests/fuzz/fuzz_solver.py --rules '{rules}' --board '{board_text(one.table)}'"
        if all(line.startswith("kept table") for line in wrong):
            command += "   # only with what the table held: repeat the whole run with this --seed and --games"
        counts.mismatches.append(f"{command}\n    " + "\n    ".join(wrong))


HEADER = (
    f"{'rules':58} {'games':>5} {'set up':>6} {'over':>4} {'after pass':>10} {'forced on line':>14} "
    f"{'forced in tree':>14} {'two largest':>11} {'seconds':>7} {'wrong':>5}"
)


def row(rules: Rules, counts: Counts) -> str:
    """One line of the table."""
    some, forced = passes_exist(rules)
    return (
        f"{rules!s:58} {counts.games:5} {counts.set_up:6} {counts.finished:4} "
        f"{counts.after_pass if some else '-':>10} {counts.forced_line if forced else '-':>14} "
        f"{counts.forced_tree if forced else '-':>14} {counts.large:11} {counts.seconds:7.1f} "
        f"{len(counts.mismatches):5}"
    )


def _one_board(rules: Rules, text: str) -> int:
    cells, to_move, *rest = text.split()
    if len(cells) != rules.board.cells:
        raise SystemExit(f"{len(cells)} cells instead of {rules.board.cells}")
    table = Table(variant_of(rules), cells, to_move, rest[0] if rest else FRESH)
    wrong, line = check(table, rules, BruteForce(variant_of(rules)))
    print("\n".join(wrong) if wrong else f"agrees; line: {' '.join(line)}")
    return 1 if wrong else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Hold the exact solver against brute force.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=200, help="endgames per rule set (default 200)")
    parser.add_argument(
        "--larger",
        type=int,
        default=0,
        metavar="N",
        help="N more empties than usual (8 where captures and no skips are the rule, else 6)",
    )
    parser.add_argument("--rules", help="this rule set only, e.g. 'adjacent,misere'")
    parser.add_argument("--board", help="with --rules: this position only, 'CELLS X' or 'CELLS X after-pass'")
    options = parser.parse_args(arguments)
    try:
        chosen = [parse_rules(options.rules)] if options.rules else rule_sets()
    except RulesError as error:
        parser.error(str(error))
    if options.board:
        return _one_board(chosen[0], options.board)
    total = Counts()
    print(HEADER, flush=True)
    for rules in chosen:
        counts = run(rules, options.seed, options.games, options.larger)
        print(row(rules, counts), flush=True)
        for mismatch in counts.mismatches:
            print(mismatch, flush=True)
        total.games += counts.games
        total.seconds += counts.seconds
        total.mismatches += counts.mismatches
    print(f"{len(chosen)} rule sets, {total.games} endgames, {total.seconds:.0f} s, {len(total.mismatches)} wrong")
    return 1 if total.mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
