"""Every rule set on the board of 4x4, with the value of every first move.

    python docs/solve_4x4.py                  write docs/solved-4x4.jsonl and docs/solved-4x4.md with the solver
    python docs/solve_4x4.py --check          compare every value with tests/oracle.py
    python docs/solve_4x4.py --check FILE     the same, and continue from FILE, which notes what is checked

A line of the data has a rule set, the value of its start for Black, who moves first, and the value of each first
move. The oracle states the rules a second time, slowly and apart from the package; the check plays with it alone.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import oracle
from reversi import Position, Rules, parse_rules
from reversi._system.files import write_atomically
from reversi.rules import Ending, Objective, Start
from reversi.solver import Solver
from reversi.text import parse_board

DATA = Path(__file__).with_name("solved-4x4.jsonl")
PAGE = DATA.with_suffix(".md")
BOARD = "4x4"
HEAD = """\
# 4x4, every rule set

The board of 4x4 has 128 rule sets: every combination of the fields of the [rules](rules.md). This page has the
value of each for Black, who moves first, and of every first move (`--` skips the turn). Moves in one group have
the same value; the best come first. Values under `discs-only` do not give the empty squares to the winner.

Two fields change nothing on this board in some rule sets, which have the values of another line:

- `adjacent-only` never does: every square touches one of the first four discs. So `adjacent,board=4x4` has the
  values of `othello,optional-capture,board=4x4`.
- `full-board` does nothing without `optional-skip`.

[`solved-4x4.jsonl`](solved-4x4.jsonl) has all 128 rule sets, a line each. `docs/solve_4x4.py` writes both files.
`docs/solve_4x4.py --check` compares every value with a second, slow statement of the rules, `tests/oracle.py`,
which shares no code with the package, by every line of play that a proof of the value needs. All values of this
page are checked so: 1.1 million positions in three minutes of CPU time. The starts have
[certificates](solved.md#4x4), too.

"""


def rule_sets() -> Iterator[Rules]:
    """Every combination of the fields of the rules on this board."""
    board = parse_rules(f"othello,board={BOARD}").board
    yes_no = (True, False)
    for capture, adjacent, skip, ending, start, objective, empties in itertools.product(
        yes_no, (False, True), (False, True), Ending, Start, Objective, yes_no
    ):
        yield Rules(
            mandatory_capture=capture,
            adjacent_only=adjacent,
            optional_skip=skip,
            ending=ending,
            board=board,
            start=start,
            objective=objective,
            empties_to_winner=empties,
        )


class Line(TypedDict):
    """A line of the data."""

    rules: str
    value: int
    moves: dict[str, int]


def solved(rules: Rules) -> Line:
    """The line of a rule set, by the solver."""
    position = Position(rules)
    solution = Solver(64).solve(position, all_moves=True)
    values = {}
    for scored in solution.moves:
        if scored.score.lower != scored.score.upper:
            raise AssertionError(f"{rules}: {scored.move} is not exact")
        values[scored.move] = scored.score.value
    moves = {str(move): values[move] for move in position.legal_moves}
    return {"rules": str(rules), "value": solution.score.value, "moves": moves}


def read_lines() -> list[Line]:
    """The lines of the data."""
    return [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def page(lines: list[Line]) -> str:
    """The page: a line for each rule set that plays differently."""
    by_rules = {line["rules"]: line for line in lines}
    rows = ["| rules | value | first moves |", "|---|---:|---|"]
    for rules in rule_sets():
        if idle_fields_out(rules) == rules:
            line = by_rules[str(rules)]
            groups: dict[int, list[str]] = {}
            for move, value in line["moves"].items():
                groups.setdefault(value, []).append(move)
            moves = "; ".join(f"{' '.join(groups[value])} {value:+d}" for value in sorted(groups, reverse=True))
            rows.append(f"| `{rules}` | {line['value']:+d} | {moves} |")
    return HEAD + "\n".join(rows) + "\n"


# --- the check


def variant(rules: Rules) -> oracle.Variant:
    """The same rules as the oracle has them."""
    return oracle.Variant(
        mandatory_capture=rules.mandatory_capture,
        adjacent_only=rules.adjacent_only,
        optional_skip=rules.optional_skip,
        ending=rules.ending.value,
        rows=rules.board.rows,
        columns=rules.board.columns,
        start=rules.start.value,
        misere=rules.objective is Objective.FEWEST,
        empties_to_winner=rules.empties_to_winner,
    )


class Check:
    """Compares values with the oracle's, by every line of play that a proof needs.

    A position counts as its mirror images do. The solver is asked which move to try first where one suffices: a
    wrong answer costs time, never a wrong result.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = oracle.initial(variant(rules))
        self.positions = 0
        self._known: dict[tuple[str, str, str, int], bool] = {}
        self._solver = Solver(16)

    def value_is(self, table: oracle.Table, value: int) -> bool:
        """Whether the value of a table for its mover is this one."""
        return self._at_least(table, value, expected=True) and not self._at_least(table, value + 1, expected=False)

    def _at_least(self, table: oracle.Table, number: int, *, expected: bool) -> bool:
        if oracle.is_over(table):
            return oracle.final_score(table, table.to_move) >= number
        key = canonical(table.cells), table.to_move, table.state, number
        found = self._known.get(key)
        if found is None:
            self.positions += 1
            found = any(
                not self._at_least(oracle.play(table, move), 1 - number, expected=not expected)
                for move in self._ordered(table, first=expected)
            )
            self._known[key] = found
        return found

    def _ordered(self, table: oracle.Table, *, first: bool) -> list[str]:
        moves = oracle.legal_moves(table)
        if not first or len(moves) < 2 or table.cells.count(oracle.EMPTY) < FEW:
            return moves
        position = parse_board(f"{table.cells} {table.to_move}", self.rules)
        if table.state == oracle.AFTER_PASS:
            position = parse_board(f"{table.cells} {table.to_move} --", self.rules)
        best = str(self._solver.solve(position).best[0])
        return sorted(moves, key=lambda move: move != best)


FEW = 4  # squares: with fewer, any order will do


@functools.lru_cache(maxsize=1 << 16)
def canonical(cells: str) -> str:
    """The least of the eight mirror images of a square board."""
    size = math.isqrt(len(cells))
    rows = [cells[size * row : size * row + size] for row in range(size)]
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images += ["".join(rows), "".join(row[::-1] for row in rows)]
    return min(images)


def idle_fields_out(rules: Rules) -> Rules:
    """The rule set with which this one is checked: without fields that change nothing on this board.

    The oracle looks at the ending only where turns may be skipped. On 4x4 every square touches one of the first
    four discs, which `check` makes sure of, so that a placement next to a disc is any placement.
    """
    return replace(rules, adjacent_only=False, ending=rules.ending if rules.optional_skip else Ending.NO_MOVES)


def check(lines: list[Line], notes: Path | None = None) -> None:
    """Compare all lines with the oracle.

    Raises:
        AssertionError: a value differs, or a rule set is missing.
    """
    table = oracle.initial(oracle.Variant(rows=4, columns=4))
    assert all(oracle.touches_a_disc(table, square) for square in oracle.all_squares(table.variant))
    by_rules = {line["rules"]: line for line in lines}
    assert list(by_rules) == [str(rules) for rules in rule_sets()], "other rule sets than those of the board"
    done = set(notes.read_text().splitlines()) if notes is not None and notes.exists() else set()
    for rules in rule_sets():
        line, plain = by_rules[str(rules)], idle_fields_out(rules)
        if plain != rules:
            other = by_rules[str(plain)]
            assert (line["value"], line["moves"]) == (other["value"], other["moves"]), f"{rules}: not as {plain}"
            continue
        if str(rules) in done:
            continue
        began = time.process_time()
        positions = check_line(rules, line)
        print(f"{rules}: {positions:,d} positions, {time.process_time() - began:.0f} s", flush=True)
        if notes is not None:
            with notes.open("a") as stream:
                stream.write(f"{rules}\n")


def check_line(rules: Rules, line: Line) -> int:
    """Compare a line with the oracle; return the number of positions that it took.

    Raises:
        AssertionError: a value differs.
    """
    check, moves = Check(rules), line["moves"]
    assert list(moves) == oracle.legal_moves(check.start), f"{rules}: other first moves"
    assert max(moves.values()) == line["value"], f"{rules}: not the best move's value"
    for move, value in moves.items():
        assert check.value_is(oracle.play(check.start, move), -value), f"{rules}: {move} is not {value:+d}"
    return check.positions


def main() -> None:
    """Write the values, or check them."""
    parser = argparse.ArgumentParser(description="Solve every rule set on 4x4, or check the values.")
    parser.add_argument("--check", nargs="?", const="", metavar="FILE", help="compare with the oracle")
    options = parser.parse_args()
    if options.check is None:
        lines = [solved(rules) for rules in rule_sets()]
        write_atomically(DATA, "".join(json.dumps(line) + "\n" for line in lines))
        write_atomically(PAGE, page(lines))
        return
    check(read_lines(), Path(options.check) if options.check else None)


if __name__ == "__main__":
    main()
