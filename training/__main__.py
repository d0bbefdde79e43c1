"""The commands of training: ``python -m training COMMAND --help``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from reversi._core import EXACT_LEVEL, Position, Table, Weights, batch_search
from reversi.color import Color
from reversi.engine.habits import FILE_NAME as HABITS
from reversi.engine.people import default_model, format_model
from reversi.evaluation.weights import FILE_NAME, WeightsError, default_weights, load_weights
from reversi.people import AVERAGE
from reversi.rules import OTHELLO
from reversi.text import format_board
from training import people_check as check, people_fit as people, people_play, people_rating
from training.check import check_held_out, error_row, errors_at, solved_games, yardstick
from training.climb import FIRST, Plan, anchor, climb, refit
from training.confidence import CONFIDENCE_NUMBERS, Tally, curve, judge, solved_positions, summed, wilson
from training.data import load_fitted, save_weights
from training.endings import generate_endings
from training.export import export, export_net, export_nets, exported, exported_net
from training.generate import Shard, generate_shards
from training.learn import Shape, Shards, first_net, learn, settle, stage_errors
from training.net import Net, Settings, values
from training.people import CHOOSE, FIT, HELD_OUT, make_shards, read_shards
from training.people_habits import learn_habits, pack, played_moves
from training.probcut import fit_model, fresh, held_out, matrix, measure, measure_archive
from training.tiny import tiny

_SEED = 2026
_HELD_OUT_YEARS = (2009, 2019)
_NUMBERS = range(4, 61)
_PACKAGE_FILE = Path(str(files("reversi.evaluation").joinpath(FILE_NAME)))
_Run = Callable[[argparse.Namespace], None]


def _climb(a: argparse.Namespace) -> None:
    plan = Plan(a.scale, a.exact, a.depth, a.ridge, a.steps, first=a.first, relabel=a.relabel)
    climb(a.folder, a.data, a.round, plan, a.seed + a.round)


def _refit(a: argparse.Namespace) -> None:
    refit(a.folder, a.ridge, a.steps)


def _anchor(a: argparse.Namespace) -> None:
    fitted, _ = load_fitted(a.folder / "weights.npy")
    print(f"the start position was worth {anchor(fitted):+.2f} discs")
    save_weights(a.folder / "weights.npy", fitted)


def _check(a: argparse.Namespace) -> None:
    _, weights = load_fitted(a.folder / "weights.npy")
    print("from empties  positions  mean |label|  mean |error|  rms error  mover favoured")
    for n, count, size, error, rms, mover in check_held_out(a.folder, weights):
        print(f"{n:12} {count:10} {size:13.2f} {error:13.2f} {rms:10.2f} {mover:+15.2f}")


def _export(a: argparse.Namespace) -> None:
    if a.wide is not None:
        if a.net is None:
            raise SystemExit("--wide: name the narrow net, too (--net)")
        size = export_nets(Net.load(a.net), Net.load(a.wide), a.fewest, a.file)
    elif a.net is None:
        size = export(a.folder / "weights.npy", a.file, a.step)
    elif (net := Net.load(a.net)).trained.tolist() == [_NUMBERS[0], _NUMBERS[-1]]:
        size = export_nets(net, None, a.fewest, a.file)
    else:
        fitted = a.folder / "weights.npy"
        weights = load_fitted(fitted)[0] if fitted.exists() else exported(_PACKAGE_FILE)
        size = export_net(net, weights, a.file, a.step)
    print(f"{a.file}: {size} bytes")


def _tiny(a: argparse.Namespace) -> None:
    tiny(a.folder, a.data, a.scale, a.seed)
    _check(a)
    a.step = 2
    a.net = a.wide = None
    _export(a)


def _generate(a: argparse.Namespace) -> None:
    _report(generate_shards(a.folder, a.data, _chosen(a), **_amounts(a)))


def _endings(a: argparse.Namespace) -> None:
    _report(generate_endings(a.folder, a.data, _chosen(a), **_amounts(a), glances=a.glances))


def _amounts(a: argparse.Namespace) -> dict[str, Any]:
    """Return how many positions of which kinds are made, and from which seed."""
    return {"numbers": range(a.empties[0], a.empties[1] + 1), "size": a.size, "rounds": a.rounds, "seed": a.seed}


def _report(shards: Iterable[Shard]) -> None:
    for one in shards:
        print(
            f"round {one.round}, {one.n} empty: {one.count} positions, {one.nodes:.0f} nodes each, "
            f"{one.seconds:.1f} s",
            flush=True,
        )


def _net(a: argparse.Namespace) -> None:
    settings = Settings(a.rate, a.damping, a.batch, a.epochs, a.limit, a.seed)
    shards = Shards(a.folder, range(a.empties[0], a.empties[1] + 1), a.rounds)
    if a.start:
        net = Net.load(a.start) if a.start.suffix == ".npz" else exported_net(a.start)
    else:
        linear = a.linear or _PACKAGE_FILE
        weights = load_fitted(linear)[0] if linear.suffix == ".npy" else exported(linear)
        net = first_net(shards, weights, Shape(a.width, a.units, a.second, a.kept), a.seed)
    held = shards.held_out()
    best = float("inf")
    print("epoch  positions  training error  held-out error  seconds")
    for epoch in learn(net, shards, settings, held):
        row = f"{epoch.number:5} {epoch.positions:10} {epoch.error:15.3f} {epoch.held:15.3f} {epoch.seconds:8.0f}"
        print(row, flush=True)
        if epoch.held < best:
            best = epoch.held
            net.save(a.file)
    net = Net.load(a.file)
    settle(net, shards, settings)
    net.save(a.file)
    before = np.empty(len(held.p), np.int16)
    batch_search(_chosen(a), Table(1), held.p, held.o, before, 0)
    print("from empties  positions  before     net  change")
    for one in stage_errors(held, (before / 128).astype(np.float32), net):
        name = str(one.n) if one.n else "all"
        change = 100 * (one.net / one.before - 1)
        print(f"{name:>12} {one.count:10} {one.before:7.3f} {one.net:7.3f} {change:+6.1f}%")


def _probcut(a: argparse.Namespace) -> None:
    years: tuple[int, int] = tuple(a.years)
    if a.folder is None:
        weights = _chosen(a)
        rows = measure(
            lambda n: fresh(a.data, years, n, a.positions, a.seed, weights), weights, a.numbers, a.deepest, a.exact
        )
    else:
        weights = load_fitted(a.folder / "weights.npy")[1] if a.weights is None else _chosen(a)
        rows = measure(lambda n: held_out(a.folder, n, a.positions), weights, a.numbers, a.deepest, a.exact)
    rows += measure_archive(a.data, weights, years, a.deepest, a.positions)
    if a.rows:
        print("empties  deep  shallow  mean  deviation")
        for row in rows:
            print(f"{row.n:7} {row.deep:5} {row.shallow:8} {row.mean:+5.2f} {row.deviation:10.2f}")
    else:
        print(matrix(rows))
    for name, chosen in (
        ("to a depth", [r for r in rows if r.deep < r.n]),
        ("to the end", [r for r in rows if r.deep == r.n]),
    ):
        if chosen:
            print(f"{name}: {fit_model(chosen)}")


def _errors(a: argparse.Namespace) -> None:
    if len(a.positions) not in (1, len(a.depths)):
        raise SystemExit("--positions: give one number, or one for each depth")
    counts = a.positions * len(a.depths) if len(a.positions) == 1 else a.positions
    if a.net is not None and set(a.depths) != {0}:
        raise SystemExit("--net: a net has values without a search only; add --depths 0")
    weights = _chosen(a)
    net = None if a.net is None else Net.load(a.net)
    p, o, exact = solved_games(a.data, tuple(a.years), a.empties, max(counts))
    if not len(p):
        raise SystemExit(f"{a.data}: no new games of the years {a.years[0]} to {a.years[1]} in its folder wthor")
    print("depth  positions  mean |error|  95 % interval  mean error  rms error")
    for depth, count in zip(a.depths, counts, strict=True):
        if net is None:
            row = errors_at(weights, p[:count], o[:count], exact[:count], depth)
        else:
            row = error_row(0, values(net, p[:count], o[:count]) - exact[:count])
        low, high = row.interval
        print(
            f"{depth:5} {row.count:10} {row.absolute:13.2f}    {low:5.2f} to {high:5.2f} {row.mean:+11.2f} "
            f"{row.rms:10.2f}",
            flush=True,
        )


def _yardstick(a: argparse.Namespace) -> None:
    p, o = yardstick(a.data, tuple(a.years), a.empties, a.positions)
    with a.file.open("w", encoding="utf-8") as file:
        for mine, theirs in zip(p.tolist(), o.tolist(), strict=True):
            print(format_board(Position.from_discs(mine, theirs, Color.BLACK, OTHELLO)), end=";\n", file=file)


def _confidence(a: argparse.Namespace) -> None:
    weights = _chosen(a)
    tallies: list[Tally] = []
    head = "".join(f"  {f'off by {d}' if d else 'at the value':>20}" for d in a.distances)
    print(f"empties level positions {'value exact':>20}  mean |error|{head}  nodes each")
    for n in a.numbers:
        solved = solved_positions(a.data, tuple(a.years), n, a.positions, weights, a.seed)
        for tally in judge(solved, weights, a.levels, a.distances):
            tallies.append(tally)
            print(_row(str(n), tally), flush=True)
    for level in a.levels:
        print(_row("all", summed([tally for tally in tallies if tally.level == level])))
    if len(a.numbers) > 1:
        for level in a.levels:
            at, slope = curve([tally for tally in tallies if tally.level == level])
            odds = f"logarithm of the odds {at:.2f} at 19 empty squares, {slope:+.2f} for each more"
            print(f"level {level}, value exact: {odds}")


def _row(name: str, tally: Tally) -> str:
    shares = [(tally.exact, tally.positions), *((tally.right[d], tally.asked[d]) for d in tally.asked)]
    exact, *verdicts = (_share(right, count, tally.positions) for right, count in shares)
    error = tally.off / max(1, tally.positions)
    each = tally.nodes / max(1, tally.positions + sum(tally.asked.values()))
    middle = f"{name:>7} {tally.level:5} {tally.positions:9} {exact:>20} {error:13.2f}"
    return f"{middle}{''.join(f'  {verdict:>20}' for verdict in verdicts)} {each:11.0f}"


def _share(right: int, count: int, independent: int) -> str:
    """Format a share in per cent with its interval; the two questions about a position count as one."""
    share = right / max(1, count)
    low, high = wilson(share * independent, independent)
    return f"{100 * share:5.1f} ({100 * low:4.1f}-{100 * high:5.1f})"


def _people_values(a: argparse.Namespace) -> None:
    part, parts = a.part
    for number, count in make_shards(a.folder, a.data / "wthor", a.seed, part, parts, a.shards):
        print(f"shard {number}: {count} positions", flush=True)


def _people_fit(a: argparse.Namespace) -> None:
    samples, values = read_shards(a.folder)
    openings = people.opening_games(a.data / "wthor")
    weights, likelihoods = learn_habits(played_moves(a.data / "wthor", samples), a.seed)
    print("habits, mean log likelihood by epoch:", *(f"{each:.4f}" for each in likelihoods), flush=True)
    choices = people.choices_of(samples, values, openings, weights.tolist())
    base = people.basis(choices, samples)
    rated = ~np.isnan(samples["rating"])
    fitted, chosen = (
        people.part_of(choices, rated & (samples["year"] >= first) & (samples["year"] <= last))
        for first, last in (FIT, CHOOSE)
    )
    print("ridge  mean log likelihood of the fit  of the years to choose by")
    for ridge in a.ridges:
        theta = people.fit(fitted, base, ridge)
        row = [people.log_likelihood(part, base, theta) for part in (fitted, chosen)]
        print(f"{ridge:5g} {row[0]:31.4f} {row[1]:27.4f}", flush=True)
    content = format_model(people.model_of(people.fit(fitted, base, a.ridge), openings, weights.tolist()))
    packed = pack(weights)
    a.file.write_text(content, encoding="ascii")
    a.file.with_name(HABITS).write_bytes(packed)
    print(f"{HABITS}: {len(packed)} bytes")
    print(f"{a.file}: {len(content)} bytes, from {sum(len(one.at) for one in fitted)} moves")


def _people_check(a: argparse.Namespace) -> None:
    samples, values = read_shards(a.folder)
    model = default_model()
    choices = people.choices_of(samples, values, model.openings, model.habits)
    base = people.basis(choices, samples)
    rated = ~np.isnan(samples["rating"])
    fitted = people.part_of(choices, rated & (samples["year"] <= FIT[1]))
    simple = people.fit([check.replaced(one) for one in fitted], base)
    base[~rated] = people.basis(choices, samples, check.UNRATED)[~rated]
    held = (samples["year"] >= HELD_OUT[0]) & (samples["year"] <= HELD_OUT[1])
    judged = check.judge(people.part_of(choices, held), len(samples), base, people.weights_of(model), simple)
    for name, inside in check.bands(samples):
        where = inside & held
        if not where.any():
            continue
        print(f"{name}: {where.sum()} moves of {len(set(samples['player'][where].tolist()))} players")
        for one in judged:
            low, high = check.interval(one.first[where], samples["player"][where], a.seed)
            top = f"top-1 {100 * one.first[where].mean():5.1f} ({100 * low:4.1f}-{100 * high:4.1f})"
            print(f"  {one.name:16} {top}  top-3 {100 * one.third[where].mean():5.1f}", end="")
            print("" if np.isnan(one.log[where]).any() else f"  log likelihood {one.log[where].mean():.3f}")
        for other in judged[:-1]:
            low, high = check.interval((judged[-1].first - other.first)[where], samples["player"][where], a.seed)
            gain = 100 * (judged[-1].first - other.first)[where].mean()
            print(f"    top-1 above {other.name}: {gain:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")
    sample = np.random.default_rng(a.seed).permutation(np.flatnonzero(held & rated))
    for level in a.levels:
        at = sample[: a.positions]
        credit = check.level_credit(samples, at, level)
        ways = [(f"level {level}", credit), *((one.name, one.first[at]) for one in judged[1:])]
        print(f"of {len(at)} moves: {', '.join(f'{name} {100 * way.mean():.1f}' for name, way in ways)}")
        low, high = check.interval(judged[-1].first[at] - credit, samples["player"][at], a.seed)
        print(f"  the model above level {level}: {100 * low:+.1f} to {100 * high:+.1f}")
    for low, high in ((0, 4000), *check.CALIBRATED):
        print(f"ratings from {low} to below {high}\nchance  moves  mean chance  share played")
        inside = held & rated & (samples["rating"] >= low) & (samples["rating"] < high)
        for tenth, count, mean, share in check.calibration(
            people.part_of(choices, inside), base, people.weights_of(model)
        ):
            print(f"{tenth / 10:.1f}-{tenth / 10 + 0.1:.1f} {count:6} {mean:12.3f} {share:13.3f}")
    print("ratings from moves")
    for name, inside in (
        ("years to choose by", rated & (samples["year"] >= CHOOSE[0]) & ~held),
        ("held out", held & rated),
    ):
        own = np.flatnonzero(inside)
        logs = people_rating.logs_by_rating(people.part_of(choices, inside), samples, people.weights_of(model))
        for row in people_rating.rows(samples[own], logs[own], AVERAGE, a.seed):
            print(f"{name}, {row}")


def _people_play(a: argparse.Namespace) -> None:
    losses, openings = people_play.play(a.games, a.seed)
    for row in people_play.rows(losses, people_play.losses_of_people(*read_shards(a.folder))):
        print(row, flush=True)
    for row in people_play.opening_rows(openings, people_play.openings_of_people(a.data / "wthor")):
        print(row)


def _people_difficulty(a: argparse.Namespace) -> None:
    samples, _ = read_shards(a.folder)
    held = (samples["year"] >= HELD_OUT[0]) & (samples["year"] <= HELD_OUT[1]) & ~np.isnan(samples["rating"])
    found = list(check.found_moves(samples[held]))
    print("chance    positions  mean chance  kept the result")
    for tenth in range(10):
        some = [one for one in found if min(int(10 * one.chance), 9) == tenth]
        if some:
            mean, kept = sum(one.chance for one in some) / len(some), sum(one.kept for one in some) / len(some)
            print(f"{tenth / 10:.1f}-{tenth / 10 + 0.1:.1f} {len(some):13} {mean:12.3f} {kept:16.3f}")
    print("class     positions  found the only move")
    for number in range(7):
        hits = [one.kept for one in found if one.number == number]
        if hits:
            print(f"{number:7} {len(hits):13} {sum(hits) / len(hits):20.3f}")


def _chosen(a: argparse.Namespace) -> Weights:
    """Return the weights of the named file, or those of the package."""
    return default_weights() if a.weights is None else load_weights(a.weights)


def _count(text: str) -> int:
    """Read a number of positions."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: not a number of positions")
    return number


class _Commands:
    """The parser and the options that commands share."""

    def __init__(self) -> None:
        self.parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
        self.all = self.parser.add_subparsers(dest="command", required=True)

    def add(self, name: str, run: _Run, text: str, shared: Iterable[str]) -> argparse.ArgumentParser:
        """Add a command that takes the shared arguments of those names."""
        command = self.all.add_parser(name, help=text, description=text[:1].upper() + text[1:] + ".")
        command.set_defaults(run=run)
        for argument in shared:
            getattr(self, f"_{argument}")(command)
        return command

    def _folder(self, command: argparse.ArgumentParser) -> None:
        command.add_argument("folder", type=Path, help="folder of positions-*.npz and weights.npy")

    def _file(self, command: argparse.ArgumentParser) -> None:
        command.add_argument("file", type=Path, help="the file to write")

    def _data(self, command: argparse.ArgumentParser) -> None:
        default = Path("../shared/data")
        command.add_argument("--data", type=Path, default=default, help="folder with wthor/ and xot/, if any")

    def _years(self, command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--years", type=int, nargs=2, default=_HELD_OUT_YEARS, help="years not used in training"
        )

    def _seed(self, command: argparse.ArgumentParser) -> None:
        command.add_argument("--seed", type=int, default=_SEED)

    def _fit(self, command: argparse.ArgumentParser) -> None:
        command.add_argument("--ridge", type=float, default=50.0)
        command.add_argument("--steps", type=int, default=30, help="steps of conjugate gradients")

    def _weights(self, command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--weights", type=Path, metavar="FILE", help="a weights file other than the package's"
        )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    commands = _Commands()
    add = commands.add
    text = "one round: generate, label and fit, from few empty squares to many"
    one = add("climb", _climb, text, ("folder", "data", "seed", "fit"))
    one.add_argument("--round", type=int, default=1, help="from the second on, the previous weights play")
    text = "thousands of positions for each number of empty squares"
    one.add_argument("--scale", type=float, default=100.0, help=text)
    one.add_argument("--exact", type=int, default=12, help="solve labels up to this number of empties")
    one.add_argument("--depth", type=int, default=6, help="depth of the searches that label the others")
    one.add_argument("--first", type=int, default=FIRST, help="first number of empty squares")
    text = "label the positions of the previous round again, generate no others"
    one.add_argument("--relabel", action="store_true", help=text)
    add("refit", _refit, "fit all stages again on all labelled positions", ("folder", "fit"))
    add("anchor", _anchor, "make the start position a draw", ("folder",))
    add("check", _check, "errors against held-out labels", ("folder",))
    two = add("export", _export, "write the weights file of the package", ("folder", "file"))
    text = (
        "a net of the command net; linear weights, the folder's or the package's, value what it was not trained on"
    )
    two.add_argument("--net", type=Path, metavar="FILE", help=text)
    text = "a wide net of the command net, beside --net; linear weights are then left out"
    two.add_argument("--wide", type=Path, metavar="FILE", help=text)
    text = "the fewest empty squares that the wide net values"
    two.add_argument("--fewest", type=int, choices=_NUMBERS, metavar="N", default=18, help=text)
    two.add_argument("--step", type=int, default=2, help="unit of the stored weights in 1/128 disc")
    text = "everything above with tiny settings, from nothing to a weights file, in a minute"
    three = add("tiny", _tiny, text, ("folder", "file", "data", "seed"))
    three.set_defaults(data=Path("nowhere"))
    three.add_argument("--scale", type=float, default=4.0, help="thousands of positions per number of empties")
    text = "labelled positions in shards, on and on; run it again to continue"
    seven = add("generate", _generate, text, ("folder", "data", "seed", "weights"))
    text = "the fewest and the most empty squares"
    seven.add_argument("--empties", type=int, nargs=2, choices=_NUMBERS, metavar="N", default=[4, 60], help=text)
    seven.add_argument("--size", type=_count, default=30_000, help="positions of a shard, at most")
    seven.add_argument("--rounds", type=_count, default=1000, help="shards for each number of empty squares")
    text = "positions whose labels know the end, in shards, on and on; run it again to continue"
    nine = add("endings", _endings, text, ("folder", "data", "seed", "weights"))
    text = "the fewest and the most empty squares"
    nine.add_argument("--empties", type=int, nargs=2, choices=_NUMBERS, metavar="N", default=[14, 20], help=text)
    nine.add_argument("--size", type=_count, default=5000, help="lines of a round, at most")
    nine.add_argument("--rounds", type=_count, default=1000, help="shards for each number of empty squares")
    text = "a folder for the same positions with the labels of generate, to compare the two kinds"
    nine.add_argument("--glances", type=Path, metavar="FOLDER", help=text)
    text = "positions that take part in no training, in a file of OBF, to compare solvers on"
    ten = add("yardstick", _yardstick, text, ("file", "data", "years"))
    ten.add_argument("--empties", type=int, choices=_NUMBERS, metavar="N", default=24)
    ten.add_argument("--positions", type=_count, default=200)
    text = "train a net on the shards of a folder, from linear weights"
    eight = add("net", _net, text, ("folder", "seed", "weights"))
    eight.add_argument("file", type=Path, help="the file of the net, .npz")
    text = "a net to train further, .npz or a weights file, instead of linear weights"
    eight.add_argument("--start", type=Path, metavar="FILE", help=text)
    text = "linear weights to begin with, a weights file or climb's weights.npy; the package's without it"
    eight.add_argument("--linear", type=Path, metavar="FILE", help=text)
    eight.add_argument("--epochs", type=_count, default=Settings.epochs, help="how often each position is used")
    eight.add_argument("--rate", type=float, default=Settings.rate, help="the largest step of Adam")
    text = "what holds seldom states near their start, as a share of one position's part in a batch"
    eight.add_argument("--damping", type=float, default=Settings.damping, help=text)
    text = "the fewest and the most empty squares"
    eight.add_argument("--empties", type=int, nargs=2, choices=_NUMBERS, metavar="N", default=[4, 60], help=text)
    eight.add_argument("--rounds", type=_count, help="how many rounds of shards take part; all without it")
    text = "the largest entry of a pattern's vector"
    eight.add_argument("--limit", type=float, default=Settings.limit, help=text)
    eight.add_argument("--batch", type=_count, default=Settings.batch, help="positions that make one step")
    eight.add_argument("--width", type=_count, default=Shape.width, help="the length of a state's vector")
    eight.add_argument("--second", type=int, default=Shape.second, help="rectified units of a second layer")
    eight.add_argument("--units", type=_count, default=Shape.units, help="rectified units of a stage")
    text = "directions of the linear weights that a vector begins with"
    eight.add_argument("--kept", type=_count, default=Shape.kept, help=text)
    text = "errors at several depths against solved positions of the archive"
    four = add("errors", _errors, text, ("data", "years", "weights"))
    four.add_argument("--depths", type=int, nargs="+", default=[0, 4, 8, 12])
    four.add_argument(
        "--empties", type=int, choices=range(8, 25), metavar="N", default=24, help="8 to 24; 24 is solved already"
    )
    text = "a net of the command net, instead of the evaluation; depth 0 only"
    four.add_argument("--net", type=Path, metavar="FILE", help=text)
    text = "how many of the archive at most, one number or one for each depth"
    four.add_argument("--positions", type=_count, nargs="+", default=[2000], help=text)
    text = "how far shallow searches are from deep ones, measured and modelled"
    five = add("probcut", _probcut, text, ("data", "years", "seed", "weights"))
    text = (
        "of a training, for its held-out positions and its weights; without, new positions, the package's weights"
    )
    five.add_argument("--rows", action="store_true", help="print all pairs of depths, with the mean differences")
    five.add_argument("folder", type=Path, nargs="?", help=text)
    five.add_argument(
        "--numbers",
        type=int,
        nargs="+",
        choices=_NUMBERS,
        metavar="N",
        default=[12, 14, 16, 18, 20, 24, 28, 32, 36, 44],
    )
    five.add_argument("--deepest", type=int, default=8)
    five.add_argument("--positions", type=_count, default=300, help="for each number of empty squares")
    five.add_argument("--exact", type=int, default=18, help="use exact values up to this number of empties")
    text = "how often the selective levels of the solver are right"
    six = add("confidence", _confidence, text, ("data", "years", "seed", "weights"))
    six.add_argument(
        "--numbers",
        type=int,
        nargs="+",
        choices=_NUMBERS,
        default=CONFIDENCE_NUMBERS,
        metavar="N",
        help="of empty squares",
    )
    six.add_argument("--positions", type=_count, default=100, help="for each number of empty squares")
    six.add_argument("--levels", type=int, nargs="+", choices=range(EXACT_LEVEL + 1), default=[0, 1, 2, 3, 4, 5])
    text = "how far from the exact value, in discs, questions are asked; even"
    six.add_argument("--distances", type=int, nargs="+", default=[0, 2, 4, 8], help=text)
    text = "positions of people's games with the values of their moves, in shards; run it again to continue"
    eleven = add("people-values", _people_values, text, ("folder", "data", "seed"))
    text = "make one part of several, counted from 0, so that processes share the work"
    eleven.add_argument("--part", type=int, nargs=2, metavar=("PART", "PARTS"), default=[0, 1], help=text)
    text = "how many shards of 4,000 positions at most; all positions without it"
    eleven.add_argument("--shards", type=_count, metavar="N", help=text)
    text = "fit the model of people's moves to the shards of people-values, and write its file"
    twelve = add("people-fit", _people_fit, text, ("folder", "file", "data", "seed"))
    text = "what holds weights near 0, in standard deviations of the features"
    twelve.add_argument("--ridge", type=float, default=20.0, help=text)
    text = "others to compare it with, by the likelihood of the years to choose by"
    twelve.add_argument("--ridges", type=float, nargs="*", default=[5, 20, 80], help=text)
    text = "how well the package's model says what people play in years that take part in no fit"
    fourteen = add("people-check", _people_check, text, ("folder", "seed"))
    text = "levels of the engine to compare it with"
    fourteen.add_argument("--levels", type=int, nargs="*", default=[], help=text)
    text = "in how many positions, drawn by the seed"
    fourteen.add_argument("--positions", type=_count, default=3000, metavar="N", help=text)
    text = (
        "what levels that play like people lose in games against each other, and their openings, beside people's"
    )
    fifteen = add("people-play", _people_play, text, ("folder", "data", "seed"))
    fifteen.add_argument("--games", type=_count, default=80, metavar="N", help="games of each pair of levels")
    text = "how often people find moves that keep the result, by difficulty, in years that take part in no fit"
    add("people-difficulty", _people_difficulty, text, ("folder",))
    return commands.parser


def main() -> None:
    """Run the command that the command line names."""
    arguments = parser().parse_args()
    run: _Run = arguments.run
    try:
        run(arguments)
    except OSError as error:
        raise SystemExit(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None
    except (ValueError, WeightsError) as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
