"""The commands of training: ``python -m training COMMAND --help``."""

from __future__ import annotations

import argparse
from pathlib import Path

from training.check import check_archive, check_held_out
from training.climb import FIRST, Plan, anchor, climb, refit
from training.data import load_weights, save_weights
from training.export import export
from training.probcut import fit_model, measure, measure_archive


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("climb", help="one round: generate, label and fit, from few empty squares to many")
    one.add_argument("--round", type=int, default=1, help="from the second on, the weights of the one before play")
    one.add_argument(
        "--scale", type=float, default=100.0, help="thousands of positions for a number of empty squares"
    )
    one.add_argument("--exact", type=int, default=12, help="labels are solved up to so many empty squares")
    one.add_argument("--depth", type=int, default=6, help="labels above are searched so deep")
    one.add_argument("--seed", type=int, default=2026)
    one.add_argument("--first", type=int, default=FIRST, help="begin with so many empty squares")
    one.add_argument(
        "--relabel", action="store_true", help="label the round before's positions anew, make no others"
    )
    two = commands.add_parser("refit", help="fit all stages anew on all labelled positions")
    middle = commands.add_parser("anchor", help="make the start position a draw")
    three = commands.add_parser("check", help="errors against held-out labels and the archive's solved values")
    three.add_argument("--depths", type=int, nargs="+", default=(0, 2, 4, 6, 8))
    three.add_argument("--positions", type=int, default=1000, help="how many of the archive")
    four = commands.add_parser("export", help="write the weights file of the package")
    four.add_argument("--step", type=int, default=2, help="unit of the stored weights in 1/128 disc")
    five = commands.add_parser(
        "probcut", help="how far shallow searches are from deep ones, measured and modelled"
    )
    five.add_argument("--numbers", type=int, nargs="+", default=[12, 14, 16, 18, 20, 24, 28, 32, 36, 44])
    five.add_argument("--deepest", type=int, default=8)
    five.add_argument("--positions", type=int, default=300, help="for each number of empty squares")
    five.add_argument("--exact", type=int, default=18, help="compare with the exact value up to so many")
    for command in (one, two, middle, three, four, five):
        command.add_argument("folder", type=Path, help="where positions-*.npz and weights.npy are")
    four.add_argument("file", type=Path)
    for command in (three, five):
        command.add_argument("--years", type=int, nargs=2, default=(2009, 2010), help="years not used in training")
    for command in (one, three, five):
        command.add_argument(
            "--data",
            type=Path,
            default=Path("../shared/data"),
            help="folder with wthor/ and xot/, if any",
        )
    for command in (one, two):
        command.add_argument("--ridge", type=float, default=50.0)
        command.add_argument("--steps", type=int, default=30, help="steps of conjugate gradients")
    a = parser.parse_args()
    if a.command == "climb":
        plan = Plan(a.scale, a.exact, a.depth, a.ridge, a.steps, first=a.first, relabel=a.relabel)
        climb(a.folder, a.data, a.round, plan, a.seed + a.round)
    elif a.command == "refit":
        refit(a.folder, a.ridge, a.steps)
    elif a.command == "anchor":
        fitted, _ = load_weights(a.folder / "weights.npy")
        print(f"the start position was worth {anchor(fitted):+.2f} discs")
        save_weights(a.folder / "weights.npy", fitted)
    elif a.command == "check":
        _, weights = load_weights(a.folder / "weights.npy")
        print("from empties  positions  mean |label|  mean |error|  rms error  mover favoured")
        for n, count, size, error, rms, mover in check_held_out(a.folder, weights):
            print(f"{n:12} {count:10} {size:13.2f} {error:13.2f} {rms:10.2f} {mover:+15.2f}")
        for depth, count, error, mean, deviation in check_archive(
            a.data, weights, tuple(a.years), tuple(a.depths), a.positions
        ):
            figures = f"mean |error| {error:.2f}, mean error {mean:+.2f}, deviation {deviation:.2f}"
            print(f"archive, depth {depth}: {count} positions, {figures}")
    elif a.command == "probcut":
        _, weights = load_weights(a.folder / "weights.npy")
        rows = measure(a.folder, weights, a.numbers, a.deepest, a.positions, a.exact)
        rows += measure_archive(a.data, weights, tuple(a.years), a.deepest, a.positions)
        print("empties  deep  shallow  mean  deviation")
        for row in rows:
            print(f"{row.n:7} {row.deep:5} {row.shallow:8} {row.mean:+5.2f} {row.deviation:10.2f}")
        for name, chosen in (
            ("to a depth", [r for r in rows if r.deep < r.n]),
            ("to the end", [r for r in rows if r.deep == r.n]),
        ):
            if chosen:
                print(f"{name}: {fit_model(chosen)}")
    else:
        size = export(a.folder / "weights.npy", a.file, a.step)
        print(f"{a.file}: {size} bytes")


main()
