"""Measure the functions on batches of positions, and other libraries where they are installed.

    python benchmarks/arrays.py [--positions N] [--repeats N]

Every line is the median of the repeats, in CPU time of all threads. Ratios are to this package's function in the
same run. Other libraries: rust-reversi (Rust behind PyO3), creversi-python (NumPy, compiled by Numba where that is
installed), OpenSpiel (C++), Pgx (JAX, compiled, on the CPU).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np

from measuring import median_s
from reversi import OTHELLO, Position
from reversi._core import ISA
from reversi.arrays import PositionArray
from reversi.puct import Puct


def rate(items: int, repeats: int, call: Callable[[], object]) -> float:
    """Return items per second of CPU time."""
    return items / median_s(call, repeats)


def line(name: str, found: float, unit: str, ours: float | None = None) -> None:
    ratio = "" if ours is None else f"  ours is {ours / found:,.1f} times as fast"
    print(f"{name:44} {found / 1e6:12,.3f} M {unit}/s{ratio}", flush=True)


def sample(count: int) -> PositionArray:
    """Return positions of all phases of random games that are not over."""
    batch, parts = PositionArray.start(count // 50 + 1), []
    for ply in range(56):
        parts.append(batch)
        batch = batch[~batch.is_over()]
        batch = batch.play(batch.random_moves(seed=ply))
    positions = PositionArray.concatenate(parts)
    positions = positions[~positions.is_over()]
    return positions[np.random.default_rng(1).permutation(len(positions))[:count]]


def searched(search: Puct, roots: list[Position]) -> None:
    search.clear()
    search.search(roots)


def own(batch: PositionArray, repeats: int) -> dict[str, float]:
    n, found = len(batch), {}

    def measure(name: str, call: Callable[[], object], items: int = n, unit: str = "positions") -> None:
        found[name] = rate(items, repeats, call)
        line(name, found[name], unit)

    moves, out = batch.random_moves(seed=1), batch.copy()
    measure("legal_masks", batch.legal_masks)
    measure("play", lambda: batch.play(moves, out=out))
    measure("canonical_keys", batch.canonical_keys)
    measure("evaluate", batch.evaluate)
    for kind in ("uint8", "float32"):
        planes = batch.planes(kind)
        measure(f"planes {kind}", partial(batch.planes, kind, out=planes))
        copied = rate(planes.nbytes, repeats, partial(planes.fill, 1))
        written = found[f"planes {kind}"] * planes.nbytes / n
        print(f"{'':44} {written / 1e9:12.1f} GB/s written; filling the same memory: {copied / 1e9:.1f} GB/s")
    start = PositionArray.start(20_000)
    measure("random_playouts, one thread", lambda: start.random_playouts(1, threads=1), len(start), "games")
    few = batch[batch.empties == 10][:2000]
    measure(f"solve, 10 empty squares ({len(few)} positions)", lambda: few.solve(threads=1), len(few))
    roots = [Position()] * 256
    search = Puct(lambda leaves: np.zeros(len(leaves), np.float32), visits=400)
    measure("puct beside its evaluation, batches of 256", lambda: searched(search, roots), 400 * 256, "leaves")
    single = list(batch[:20_000])
    measure(
        "Position.legal_moves.placements, one by one", lambda: [p.legal_moves.placements for p in single], 20_000
    )
    return found


def rust_reversi(batch: PositionArray, repeats: int, found: dict[str, float]) -> None:
    from rust_reversi import Board, Turn

    boards = []
    for position in batch[:20_000]:
        board = Board()
        board.set_board(position.player, position.opponent, Turn.BLACK)
        boards.append(board)
    line(
        "rust-reversi, get_legal_moves",
        rate(len(boards), repeats, lambda: [b.get_legal_moves() for b in boards]),
        "positions",
        found["legal_masks"],
    )

    def playout() -> None:
        for _ in range(500):
            board = Board()
            while not board.is_game_over():
                if board.is_pass():
                    board.do_pass()
                else:
                    board.do_move(board.get_random_move())

    line("rust-reversi, random games", rate(500, repeats, playout), "games", found["random_playouts, one thread"])


def creversi(batch: PositionArray, repeats: int, found: dict[str, float]) -> None:
    from creversi._bitboard_np import _HAVE_NUMBA, apply_move_batch, mobility_batch

    how = "Numba" if _HAVE_NUMBA else "NumPy"
    player, opponent = batch.player, batch.opponent  # which creversi takes, and `legal_masks` has to find first
    assert np.array_equal(mobility_batch(player, opponent), batch.legal_masks())
    legal = rate(len(batch), repeats, lambda: mobility_batch(player, opponent))
    line(f"creversi-python ({how}), mobility_batch", legal, "positions", found["legal_masks"])
    moves = batch.random_moves(seed=1)
    placed = moves < 64
    player, opponent, moves = player[placed], opponent[placed], moves[placed].astype(np.int64)
    play = rate(len(moves), repeats, lambda: apply_move_batch(player, opponent, moves))
    line("creversi-python, apply_move_batch", play, "positions", found["play"])


def open_spiel(found: dict[str, float], repeats: int) -> None:
    import pyspiel

    game, draw = pyspiel.load_game("othello"), np.random.default_rng(1)

    def playout() -> None:
        for _ in range(50):
            state = game.new_initial_state()
            while not state.is_terminal():
                moves = state.legal_actions()
                state.apply_action(moves[int(draw.random() * len(moves))])

    line("OpenSpiel, random games", rate(50, repeats, playout), "games", found["random_playouts, one thread"])


def pgx(found: dict[str, float], repeats: int) -> None:
    import jax
    import pgx as library

    env, count = library.make("othello"), 4096
    start, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    state = start(jax.random.split(jax.random.PRNGKey(0), count))
    actions = jax.numpy.argmax(state.legal_action_mask, axis=1)
    line(
        "Pgx (JAX), step of a batch of 4,096",
        rate(count, repeats, lambda: jax.block_until_ready(step(state, actions))),
        "positions",
        found["play"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    batch = sample(options.positions)
    print(f"{len(batch):,} positions under {OTHELLO}, {ISA}; start {Position().cells.count('-')} empty squares")
    found = own(batch, options.repeats)
    others: dict[str, Callable[[], None]] = {
        "rust-reversi": lambda: rust_reversi(batch, options.repeats, found),
        "creversi": lambda: creversi(batch, options.repeats, found),
        "OpenSpiel": lambda: open_spiel(found, options.repeats),
        "Pgx": lambda: pgx(found, options.repeats),
    }
    for name, measure in others.items():
        try:
            measure()
        except ImportError as error:
            print(f"{name}: not installed ({error})")


if __name__ == "__main__":
    main()
