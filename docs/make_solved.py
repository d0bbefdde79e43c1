"""Makes solved.md from solved.jsonl, which solve_starts.py writes.

python docs/make_solved.py > docs/solved.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solve_starts import DATA, Result, fills_board, read_results

from reversi import Rules, parse_rules
from reversi.score import format_score

HEAD = """\
# Solved starts

This page lists exact values of start positions, from the view of Black, who moves first, and the first moves
that reach them (`--` skips the turn; `…` stands for others that may reach it, too). *Value* gives the empty
squares to the winner; *discs only*, under `discs-only`, counts the discs on the board alone. The other columns
belong to *value*.

Every value has a [certificate](proofs.md), and every certificate is checked: all its inner statements by the
rules, and its leaves, all or 1,000 at random, by plain alpha-beta. *Nodes* and *CPU* are those of one thread
that finds the value.

`docs/solve_starts.py` solves the starts and writes the certificates. [`solved.jsonl`](solved.jsonl) keeps its
results, with the hashes of the certificates, and `docs/make_solved.py` writes this page from them. To solve a
row yourself and to check its proof:

    echo "-----OX--XO----- X" | reversi solve - --rules othello,board=4x4 --all-moves
    reversi prove "-----OX--XO----- X" --rules othello,board=4x4 --leaf-empties 6 --proof start.proof
    reversi proof check start.proof

## Published and new

- 4x4, diagonal: the second player wins ([2008](http://reversi-nxn.blogspot.com/2008)).
- 6x6, diagonal and parallel: J. Feinstein solved both in 1993, with 40 and 100 billion positions ([perfect
  play](https://www.maths.nottingham.ac.uk/plp/pmzjff/Othello/6x6sol.html)). White wins by 20-16 and, as a
  [message of 2003](https://brainking.com/bg/Board?bc=12&u=610) reports, by 19-17.
- 6x6, diagonal, misère: F. Pittner reports that Black wins by 2
  ([2006](http://www.tothello.com/html/solving_the_6x6_reversed.html)).
- 8x8, diagonal: H. Takizawa shows that perfect play is a draw ([Othello is
  solved](https://arxiv.org/abs/2310.19387), 2023).

We know of no published value for any other row, and of no published certificate for a row on this page. Whoever
knows one is welcome to report it.

## What holds on every board

Under `optional-skip` a few values need no search. Both starts are the mirror image of themselves with the colors
swapped, so the two sides face the same game.

- Black never loses. Let M be the value of the best placement. After a skip White faces the same choice: with
  `no-moves` a second skip ends the game at 0, so the value is the greater of M and 0; with `full-board` White
  has to place a disc, so the value is M or -M, whichever is greater.
- `optional-skip,no-moves,misere` is 0. A player who skips whenever the opponent has placed a disc keeps at most
  two discs, and the opponent, who has more, loses; when nobody places a disc, the game ends 2-2.
- `adjacent,optional-skip,misere`, where the grid fills, is as many discs as the board has squares. Black always
  skips, and White has to fill the board. At the end no Black disc is left: go from one up and down along its
  file to the first White discs. The later of these two captures everything between them, and at most one of
  them lies there from the start.
"""
FOUR = """\
## 4x4

The table has every rule set that plays differently. On this board every square touches the four central squares,
so `adjacent-only` has no effect. [Another page](solved-4x4.md) has the value of every first move, under every rule
set.
"""
TALL = """\
Boards are `ROWSxCOLUMNS`. With the diagonal start a board and its transpose are the same game (6x4 has the
values of 4x6); with the parallel start they are not."""
SIX = """\
The values of `othello,board=6x6` and `othello,board=6x6,start=parallel` are those that Feinstein found, and that
of `othello,board=6x6,misere` is the one that Pittner reports; now they have certificates, too. These are too large
for this repository, and [`solved.jsonl`](solved.jsonl) has their SHA-256. A line of best play of
`othello,board=6x6` is c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 a3 a5 a6 a1 b5 a2 c6 e5 e6 -- f1 e1
f5 f6. To solve such a start and to check its proof:

    python docs/solve_starts.py DIR --only othello,board=6x6
    reversi proof check DIR/certificates/othello,board=6x6.proof --leaves 1000

Where skips are optional and few discs win, they decide the game: with `no-moves` both players skip at once; with
`full-board` Black skips until White has captured every Black disc."""
BIG = """\
Only the games that skips decide are solved here, with certificates of a few lines."""
OPEN = """\
## Open

`python docs/solve_starts.py --estimate RULES` solves positions later in the game and continues their growth to the
start. One thread searches 30 to 75 million positions a second, under `optional-skip` 5 million. `reversi prove
--store FILE` works on such a start in pieces, and continues after an interruption.

| start | nodes, about |
|---|---:|
| `othello,optional-skip,board=4x8` | 5e8 |
| `adjacent,board=4x8` | 6e11 |
| `adjacent,board=6x6` | 1e13 |
| `othello,board=6x8` | 1e13 |
| `adjacent,board=4x8,misere` | 3e13 |
| `othello,optional-skip,board=6x6` | 1e15 |

Far bounds take fewer nodes where discs may be placed freely, and many on 6x8:

- `adjacent,board=4x8` is at least -20 and at most +22, as the solver finds with 62 M and 91 M nodes. These bounds
  have no certificate yet: that of -28, with leaves of 16 empty squares, takes 159 MB.
- `othello,board=6x8` has no bound here. Even whether White can capture every Black disc is open after 8 minutes
  of CPU time.
"""
BOUNDS = """\
Bounds with certificates, which `python docs/solve_starts.py DIR --bounds RULES NUMBER` proves:
"""
SECTIONS = (
    ("4x6 and 6x4", ("4x6", "6x4"), TALL),
    ("4x8 and 8x4", ("4x8", "8x4"), ""),
    ("6x6", ("6x6",), SIX),
    ("6x8, 8x6 and 8x8", ("6x8", "8x6", "8x8"), BIG),
)
COLUMNS = (
    "rules",
    "value",
    "discs only",
    "winner",
    "best first moves",
    "nodes",
    "CPU",
    "certificate",
    "solved again",
)
ALIGNED = "|---|---:|---:|---|---|---:|---:|---:|---:|"


def table(results: dict[str, Result], boards: tuple[str, ...]) -> Iterator[str]:
    """A Markdown table with one row per start on these boards; starts with and without empties share one."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield ALIGNED
    for result in sorted(results.values(), key=_kind):
        rules = parse_rules(result.rules)
        if result.name != result.rules:
            continue
        twin = replace(rules, empties_to_winner=True)
        if str(rules.board) in boards and (rules == twin or str(twin) not in results):
            yield row(result, rules, results)


def _kind(result: Result) -> tuple[bool, bool]:
    rules = parse_rules(result.rules)
    return not rules.mandatory_capture, rules.optional_skip


def row(result: Result, rules: Rules, results: dict[str, Result]) -> str:
    """The row of a start, with the value of its twin that counts discs alone."""
    discs = result if fills_board(rules) else results.get(str(replace(rules, empties_to_winner=False)))
    value = result.value
    cells = [
        f"`{rules}`",
        format_score(value) if rules.empties_to_winner else "",
        format_score(discs.value) if discs else "",
        "draw" if value == 0 else "Black" if value > 0 else "White",
        " ".join(result.best) + ("" if result.all_best else " …"),
        *cost(result),
    ]
    return f"| {' | '.join(cells)} |"


def cost(result: Result) -> list[str]:
    """The cells that say what a result took."""
    return [
        amount(result.nodes),
        f"{result.cpu_s:,.{0 if result.cpu_s >= 100 else 2}f} s",
        f"{result.statements:,d} lines, {amount(result.size)}B",
        ("all" if result.checked == result.leaves else f"{result.checked:,d} of") + f" {result.leaves:,d} leaves",
    ]


def bounds(results: dict[str, Result]) -> Iterator[str]:
    """A table of the bounds of starts without a value."""
    yield "| rules | value | nodes | CPU | certificate | solved again |"
    yield "|---|---|---:|---:|---:|---:|"
    for result in results.values():
        if result.name != result.rules:
            yield f"| `{result.rules}` | {result.name.split(': ')[1]} | {' | '.join(cost(result))} |"


def amount(number: int) -> str:
    """A number in three figures: 21.6 G."""
    for unit, sign in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            return f"{number / unit:.3g} {sign}" if number < 999.5 * unit else f"{number / unit:,.0f} {sign}"
    return f"{number} "


def page(results: dict[str, Result]) -> str:
    """The whole page."""
    lines = [HEAD, FOUR, *table(results, ("4x4",)), ""]
    for title, boards, text in SECTIONS:
        rows = list(table(results, boards))
        if len(rows) > 2:
            lines += [f"## {title}\n", *([text, ""] if text else []), *rows, ""]
    proved = list(bounds(results))
    return "\n".join([*lines, OPEN, *([BOUNDS, *proved, ""] if len(proved) > 2 else [])])


def main() -> None:
    """Write the page to standard output."""
    print(page(read_results(DATA)), end="")


if __name__ == "__main__":
    main()
