"""The library called move by move from Python: perft in user code, and random playouts.

    python benchmarks/python_api.py [--repeats 5] [--json]

Every figure is the median of several repeats, in one thread, by processor time. When the package ``rust-reversi``
is installed, the program measures it too, in its own idiom.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

from measuring import median_s
from reversi import Position, Random
from yardstick import factors

PERFT_DEPTH = 8
PERFT_LEAVES = 390216
PERFT_PLAYS = 4 + 12 + 56 + 244 + 1396 + 8200 + 55092 + 390216
PLAYOUTS = 4000

# What others reach on the machine whose yardstick factors are 1.0.
PEERS = {
    "perft": {"rust-reversi": "3.4-4.8 M/s", "creversi": "3.4 M/s", "y-tetsu": "1.6 M/s", "OpenSpiel": "0.2 M/s"},
    "playouts": {"rust-reversi": "57,000/s", "creversi": "20,000/s", "y-tetsu": "7,000/s"},
}


@dataclass(frozen=True)
class Figure:
    """One measurement: what, the unit of the rate, and the median rate per second."""

    what: str
    unit: str
    rate: float


def perft(position: Position, depth: int) -> int:
    """Leaves at ``depth``, every position reached by a call of ``play``."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        total += perft(position.play(move), depth - 1)
    return total


def perft_flat(position: Position, depth: int) -> int:
    """Count leaves without a Python call for each leaf."""
    total = 0
    if depth == 1:
        for move in position.legal_moves:
            position.play(move)
            total += 1
        return total
    for move in position.legal_moves:
        total += perft_flat(position.play(move), depth - 1)
    return total


def playouts_with_choice(count: int) -> int:
    """Random games: Python's own ``random.choice`` and one ``play`` per ply."""
    start = Position()
    choice = random.Random(1).choice
    plies = 0
    for _ in range(count):
        position = start
        while moves := position.legal_moves:
            position = position.play(choice(moves))
            plies += 1
    return plies


def playouts_with_library_choice(count: int) -> int:
    """Random games: the library's generator picks from the legal moves, one ``play`` per ply."""
    start = Position()
    generator = Random(1)
    plies = 0
    for _ in range(count):
        position = start
        while moves := position.legal_moves:
            position = position.play(moves.choice(generator))
            plies += 1
    return plies


def playouts_in_one_call(count: int) -> int:
    """Random games, each in one call."""
    start = Position()
    generator = Random(1)
    return sum(not start.random_playout(generator).is_over for _ in range(count))


def measure(repeats: int) -> list[Figure]:
    """Measure this library."""
    start = Position()
    if perft(start, PERFT_DEPTH) != PERFT_LEAVES or perft_flat(start, PERFT_DEPTH) != PERFT_LEAVES:
        raise SystemExit("the perft counts are wrong")

    def plays(what: str, count: Callable[[Position, int], int]) -> Figure:
        return Figure(what, "plays", PERFT_PLAYS / median_s(lambda: count(start, PERFT_DEPTH), repeats))

    def games(what: str, play: Callable[[int], int]) -> Figure:
        return Figure(what, "games", PLAYOUTS / median_s(lambda: play(PLAYOUTS), repeats))

    return [
        plays("perft, one call per position", perft),
        plays("perft, leaves counted in the loop", perft_flat),
        games("playouts, random.choice", playouts_with_choice),
        games("playouts, LegalMoves.choice", playouts_with_library_choice),
        games("playouts, random_playout", playouts_in_one_call),
    ]


def measure_rust_reversi(repeats: int) -> list[Figure]:
    """Measure ``rust-reversi``; return nothing if it is not installed."""
    if importlib.util.find_spec("rust_reversi") is None:
        return []
    from rust_reversi import Board

    def tree(board: Board, depth: int) -> int:
        if depth == 0:
            return 1
        if board.is_pass():
            if board.is_game_over():
                return 1
            after = board.clone()
            after.do_pass()
            return tree(after, depth - 1)
        total = 0
        for move in board.get_legal_moves_vec():
            after = board.clone()
            after.do_move(move)
            total += tree(after, depth - 1)
        return total

    def children(board: Board, depth: int) -> int:
        if board.is_pass():
            return tree(board, depth)
        boards = board.get_child_boards()
        if depth == 1:
            return len(boards)
        return sum(children(after, depth - 1) for after in boards)

    def play_out(pick: Callable[[Board], int]) -> None:
        for _ in range(PLAYOUTS):
            board = Board()
            while not board.is_game_over():
                if board.is_pass():
                    board.do_pass()
                else:
                    board.do_move(pick(board))

    def plays(what: str, count: Callable[[Board, int], int]) -> Figure:
        return Figure(what, "plays", PERFT_PLAYS / median_s(lambda: count(Board(), PERFT_DEPTH), repeats))

    def games(what: str, pick: Callable[[Board], int]) -> Figure:
        return Figure(what, "games", PLAYOUTS / median_s(lambda: play_out(pick), repeats))

    choice = random.Random(1).choice
    if tree(Board(), PERFT_DEPTH) != PERFT_LEAVES or children(Board(), PERFT_DEPTH) != PERFT_LEAVES:
        raise SystemExit("rust-reversi: the perft counts are wrong")
    return [
        plays("perft, one call per position", tree),
        plays("perft, all children in one call", children),
        games("playouts, random.choice", lambda board: choice(board.get_legal_moves_vec())),
        games("playouts, get_random_move", lambda board: board.get_random_move()),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    machine = factors()
    measured = {"reversi": measure(arguments.repeats), "rust-reversi": measure_rust_reversi(arguments.repeats)}
    if arguments.json:
        answer = {
            "python": sys.version.split()[0],
            "factors": machine,
            "repeats": arguments.repeats,
            "figures": {name: [asdict(figure) for figure in figures] for name, figures in measured.items()},
        }
        print(json.dumps(answer))
        return
    print(f"yardstick factors {machine}; medians of {arguments.repeats}")
    for name, figures in measured.items():
        for figure in figures:
            print(f"{name:13} {figure.what:34} {figure.rate:14,.0f} {figure.unit}/s")
    for what, peers in PEERS.items():
        print(f"others at factor 1.0, {what}: " + ", ".join(f"{name} {value}" for name, value in peers.items()))


if __name__ == "__main__":
    main()
