"""Makes solved.md: the exact value of the start position, for every rule set on 4x4 and for some larger boards.

    python docs/make_solved.py > docs/solved.md

It takes a minute or two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reversi import BoardSize, Ending, Objective, Position, Rules, Start, parse_rules
from reversi.score import format_score
from reversi.solver.solver import Solver

HEAD = """\
# Solved starts

This page lists the exact value of the start position, from the view of Black, who moves first, and every first
move that reaches it (`--` skips the turn). The first value gives the empty squares to the winner; the second,
under `discs-only`, counts the discs on the board alone. The moves belong to the first value.

`docs/make_solved.py` solves every row and writes this page. To solve one row yourself:

    $ echo "-----OX--XO----- X" | reversi solve - --rules othello,board=4x4 --all-moves

## 4x4

The table has every rule set that plays differently. On this board every square touches the four central squares,
so `adjacent-only` has no effect.
"""
LARGER = """\
## Larger boards

Boards are `ROWSxCOLUMNS`. With the diagonal start a board and its transpose are the same game; with the parallel
start they are not.
"""
LONG = """\
## 6x6

`othello,board=6x6` is -4: White wins by 4, as J. Feinstein found in 1993. This solver proves it with two threads
in 21.6 G positions; the line is c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 a3 a5 a6 a1 b5 a2 c6 e5
e6 -- f1 e1 f5 f6. The proof takes 17 minutes on a busy machine, with a table of 4 GB:

    $ echo "--------------OX----XO-------------- X" |
    >     reversi solve - --rules othello,board=6x6 --window -4..-4 --hash 4096 --threads 2
"""
BOARDS = ("4x6", "6x4", "4x8", "8x4")
VARIATIONS = ("", ",start=parallel", ",misere")


def small_rule_sets() -> Iterator[Rules]:
    """One of each kind of play on 4x4, empties to the winner."""
    for capture, ending, start, objective in itertools.product((True, False), (None, *Ending), Start, Objective):
        yield Rules(
            mandatory_capture=capture,
            adjacent_only=not capture,
            optional_skip=ending is not None,
            ending=ending or (Ending.NO_MOVES if capture else Ending.FULL_BOARD),
            board=BoardSize(4, 4),
            start=start,
            objective=objective,
        )


def table(rule_sets: Iterable[Rules]) -> Iterator[str]:
    """A Markdown table with one row per rule set."""
    yield "| rules | value | discs only | winner | best first moves |"
    yield "|---|---:|---:|---|---|"
    for rules in rule_sets:
        solution = Solver().solve(Position(rules), all_moves=True)
        value = solution.score.value
        discs = Solver().solve(Position(replace(rules, empties_to_winner=False))).score.value
        winner = "draw" if value == 0 else "Black" if value > 0 else "White"
        moves = " ".join(map(str, solution.best))
        cells = [f"`{rules}`", format_score(value), format_score(discs), winner, moves]
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the page to standard output."""
    print(HEAD)
    for line in table(small_rule_sets()):
        print(line, flush=True)
    print()
    print(LARGER)
    larger = (parse_rules(f"othello,board={board}{words}") for board in BOARDS for words in VARIATIONS)
    for line in table(larger):
        print(line, flush=True)
    print()
    print(LONG, end="")


if __name__ == "__main__":
    main()
