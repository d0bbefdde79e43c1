"""Golden playthroughs: everything observable of a seeded game, at every ply, one file for each rule set.

    python tests/golden/make.py            writes the files
    python tests/golden/make.py --check    compares them; exit status 1 when one differs

The text comes from the core, but every position is held against the oracle first: what the two disagree on is
never written. Change a file only together with the reason why an observable changed.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
sys.path.insert(0, str(FOLDER.parent))

import oracle  # noqa: E402 - found once tests/ is on the path
from agreement import differences  # noqa: E402
from reversi import Position, Random, Rules, parse_rules  # noqa: E402
from reversi.rules import describe  # noqa: E402
from reversi.text import format_board  # noqa: E402
from rule_sets import Pair, pick  # noqa: E402

# Rule set, seed, and how often a player who has the choice skips.
GAMES = (
    ("othello", 1, 0.0),
    ("othello,start=parallel,misere", 2, 0.0),
    ("othello,board=6x6,discs-only", 3, 0.0),
    ("othello,board=4x6", 4, 0.0),
    ("othello,optional-skip", 20, 0.15),
    ("othello,optional-skip,full-board", 6, 0.3),
    ("adjacent", 7, 0.0),
    ("adjacent,optional-skip,board=6x4", 8, 0.3),
    ("adjacent,optional-skip,no-moves,board=4x8,misere", 9, 0.1),
    ("othello,optional-capture,optional-skip,board=4x4", 10, 0.2),
    ("othello,optional-capture,board=8x4,discs-only", 11, 0.0),
)


def path_of(text: str) -> Path:
    """The file of a rule set."""
    return FOLDER / (text.replace(",", "+").replace("=", "-") + ".txt")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _board(position: Position) -> list[str]:
    rows, columns = position.rules.board
    cells = position.cells
    lines = ["  " + " ".join("abcdefgh"[:columns])]
    for row in range(rows):
        lines.append(f"{row + 1} " + " ".join(cells[row * columns : (row + 1) * columns]))
    return lines


def observables(position: Position, ply: int) -> list[str]:
    """Everything the core says about a position, as lines."""
    moves, count = position.legal_moves, position.count
    flips = (f"{move}({' '.join(map(str, position.flips(move)))})" for move in moves if not move.is_pass)
    return [
        f"ply {ply}",
        *_board(position),
        f"text: {format_board(position)}",
        f"to move: {position.to_move}, state: {position.state.value}",
        f"black: {position.black:016x}, white: {position.white:016x}, empty: {position.empty:016x}",
        f"player: {position.player:016x}, opponent: {position.opponent:016x}, empties: {position.empties}",
        f"legal moves: {' '.join(map(str, moves)) or 'none'} ({len(moves)})",
        f"placements: {moves.placements:016x}, can pass: {_yes(moves.can_pass)}",
        f"flips: {' '.join(flips) or 'none'}",
        f"count: {count}, over: {_yes(position.is_over)}, result: {position.result or 'none'}",
        f"perft: {' '.join(str(position.perft(depth)) for depth in range(3))}, "
        f"passes no plies: {' '.join(str(position.perft(depth, count_passes=False)) for depth in range(3))}",
        f"canonical: {format_board(position.canonical())}, different images: {len(set(position.symmetries()))}",
        f"playout: {format_board(position.random_playout(Random(ply)))}",
    ]


def _disagreements(pair: Pair) -> list[str]:
    found = differences(pair.position, pair.table)
    for depth in (1, 2) if len(pair.moves) % 4 == 0 else (1,):  # the oracle takes its time
        for passes in (True, False):
            expected = oracle.perft(pair.table, depth, count_passes=passes)
            if pair.position.perft(depth, count_passes=passes) != expected:
                found.append(f"perft {depth} is not {expected}: {pair}")
    return found


def playthrough(text: str, seed: int, skips: float, *, cross_check: bool = True) -> str:
    """The content of one file.

    Raises:
        AssertionError: the core and the oracle disagree.
    """
    rules: Rules = parse_rules(text)
    chance = random.Random(seed)
    pair = Pair(rules)
    lines = [f"rules: {rules}", describe(rules), f"seed: {seed}, skips: {skips}", ""]
    while True:
        if cross_check and (found := _disagreements(pair)):
            raise AssertionError("\n".join(found))
        lines += observables(pair.position, len(pair.moves))
        moves = oracle.legal_moves(pair.table)
        if not moves:
            break
        pair.play(pick(moves, chance, skips))
        lines += [f"played: {pair.moves[-1]}", ""]
    result = pair.position.result
    assert result is not None
    lines += ["", f"game: {' '.join(pair.moves)}", f"result: {result}"]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Write or compare the golden playthroughs.")
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args(arguments)
    status = 0
    for text, seed, skips in GAMES:
        content = playthrough(text, seed, skips, cross_check=not options.check).encode()
        path = path_of(text)
        if not options.check:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            print(f"{path.name}: differs", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
