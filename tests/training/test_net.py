"""Positions in shards, and the net that is trained on them."""

import os
import shutil
import sys
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import run_python
from reversi import OTHELLO, Position
from reversi._core import Table, Weights, batch_search
from reversi.evaluation.weights import default_weights, load_weights

np = pytest.importorskip("numpy", reason="training needs NumPy")
pytest.importorskip("scipy", reason="training needs SciPy")

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.append(str(ROOT))

from training.boards import empties  # noqa: E402
from training.check import solved_games  # noqa: E402
from training.data import load_positions, quantised, save_positions  # noqa: E402
from training.export import export, export_net, exported  # noqa: E402
from training.fit import CLASSES, STAGES  # noqa: E402
from training.generate import DEPTHS, RECORD, generate_shards, shard_files, shard_hash  # noqa: E402
from training.learn import Shape, Shards, first_net, learn, stage_errors  # noqa: E402
from training.net import Net, Settings, Trainer, values  # noqa: E402


def shards(folder, rounds=1, seed=1):
    return list(
        generate_shards(
            folder,
            folder / "no data",
            default_weights(),
            numbers=(6, 10, 20),
            size=600,
            rounds=rounds,
            seed=seed,
        )
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("positions")
    shards(made, rounds=2)
    return made


@pytest.fixture(scope="module")
def compiler():
    if os.name == "nt" or shutil.which(os.environ.get("CC", "cc").split()[0]) is None:
        pytest.skip("training a net needs a compiler for C")


@pytest.fixture(scope="module")
def known(folder, compiler):
    return Shards(folder).read(0)


@pytest.fixture(scope="module")
def linear():
    """Linear weights of two directions."""
    random = np.random.default_rng(9)
    directions = random.normal(0, 0.4, (2, CLASSES))
    return (random.uniform(0.5, 1, (STAGES, 2)) @ directions).astype(np.float32)


@pytest.fixture(scope="module")
def untrained(folder, known, linear):
    return first_net(Shards(folder), linear, Shape(kept=2), 3)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*"))}


def searched(records, depth):
    found = np.empty(len(records), np.int16)
    p, o = (np.ascontiguousarray(records[name]) for name in ("p", "o"))
    batch_search(default_weights(), Table(1), p, o, found, depth)
    return found / 128


def test_shards_hold_what_was_asked_for(folder):
    for n, count in ((6, 100), (10, 300), (20, 600)):
        records = np.load(folder / f"generated1.001-{n:02}.npy")
        assert records.dtype == RECORD
        assert RECORD.itemsize == 18
        assert 0.8 * count < len(records) <= count
        assert set(empties(records["p"], records["o"]).tolist()) == {n}
        assert set(records["kind"].tolist()) == {0, 1, 2}
        if n <= 10:
            assert (records["label"] == searched(records, n)).all()
    near = np.min([np.abs(records["label"] - searched(records, depth)) for depth in set(DEPTHS)], axis=0)
    assert np.mean(near <= 0.5) > 0.8  # the others are what the selective search prunes
    assert np.abs(records["label"] - searched(records, 5)).mean() < 2


def test_an_interrupted_generation_continues(folder, tmp_path):
    assert [(one.round, one.n) for one in shards(tmp_path)] == [(1, 6), (1, 10), (1, 20)]
    (tmp_path / "generated1.001-10.npy").unlink()
    assert [(one.round, one.n) for one in shards(tmp_path, rounds=2)] == [(1, 10), (2, 6), (2, 10), (2, 20)]
    assert contents(tmp_path) == contents(folder)
    assert shard_hash(shard_files(tmp_path)) == shard_hash(shard_files(folder))
    assert shards(tmp_path, rounds=2) == []


def test_rounds_are_read_one_after_the_other(folder):
    all_shards = Shards(folder)
    assert len(all_shards) == 2
    assert len(Shards(folder, rounds=1)) == 1
    total = sum(len(np.load(file)) for file in shard_files(folder))
    held = all_shards.held_out()
    assert sum(len(all_shards.read(i).p) for i in range(2)) + len(held.p) == total
    assert 0 < len(held.p) < total / 10
    few = Shards(folder, range(6, 11)).read(1)
    assert set(empties(few.p, few.o).tolist()) == {6, 10}
    with pytest.raises(ValueError, match="no shards with 30 to 40 empty squares"):
        Shards(folder, range(30, 41))


def test_a_position_is_held_out_wherever_it_occurs(folder, tmp_path):
    records = np.load(folder / "generated1.001-10.npy")
    p, o = (np.ascontiguousarray(records[name]) for name in ("p", "o"))
    labels, sure = records["label"].astype(np.int16), np.ones(len(p), np.float32)
    save_positions(tmp_path, "one", 10, p, o, labels, sure)
    save_positions(tmp_path, "two", 10, p[::-1].copy(), o[::-1].copy(), labels, sure)
    held, fitted = (
        set(zip(*(words.tolist() for words in load_positions(tmp_path, 10, out)[:2]), strict=True))
        for out in (True, False)
    )
    assert held.isdisjoint(fitted)
    assert 0 < len(held) < len(p) / 10
    assert len(held) + len(fitted) == len(p)


def test_an_exported_file_is_read_back(tmp_path):
    weights = np.zeros((STAGES, CLASSES), np.float32)
    weights[:, ::50_000] = np.random.default_rng(1).normal(0, 3, weights[:, ::50_000].shape)
    np.save(tmp_path / "weights.npy", weights)
    export(tmp_path / "weights.npy", tmp_path / "own.weights", 2)
    assert np.abs(exported(tmp_path / "own.weights") - weights).max() <= 1 / 128 + 1e-6


@pytest.mark.thorough
def test_a_net_starts_as_the_linear_evaluation(folder, known, linear):
    net = first_net(Shards(folder), linear, Shape(width=32, kept=22, second=16), 3)
    found = np.empty(len(known.p), np.int16)
    batch_search(Weights.from_classes(quantised(linear)), Table(1), known.p, known.o, found, 0)
    assert np.abs(values(net, known.p, known.o) - found / 128).max() < 0.15  # both round


def loss(net, known):
    off = values(net, known.p, known.o).astype(np.float64) - known.labels
    return float((known.sure * off * off).sum())


@pytest.mark.parametrize("second", [pytest.param(0, marks=pytest.mark.thorough), 16])
def test_the_slopes_are_those_of_the_error(folder, known, linear, second):
    random = np.random.default_rng(4)
    net = first_net(Shards(folder), linear, Shape(width=16, units=16, second=second, kept=6), 3)
    for part in net.parts()[1:]:
        part[...] += random.normal(0, 0.1, part.shape)
    net.table += random.normal(0, 0.02, net.table.shape).astype(np.float32)
    some = known.chosen(np.arange(64))
    some = some.chosen(np.abs(values(net, some.p, some.o)) < 60)
    trainer = Trainer(net, Settings(), 10)
    assert trainer.slopes(some.p, some.o, some.labels, some.sure) == pytest.approx(loss(net, some), rel=1e-4)
    for part, slope in zip(net.parts(), trainer.current_slopes(), strict=True):
        direction = random.normal(0, 1, part.shape).astype(np.float32) * (slope != 0)
        before = part.copy()
        reached = []
        for step in (1e-3, -1e-3):
            part[...] = before + np.float32(step) * direction
            reached.append(loss(net, some) / len(some.p))
        part[...] = before
        # the slopes are those of half the mean squared error
        expected = (reached[0] - reached[1]) / 4e-3
        assert float((slope * direction).sum()) == pytest.approx(expected, rel=0.05, abs=0.05)


def test_a_net_learns_what_the_linear_weights_miss(folder, known, untrained, tmp_path):
    rounds = Shards(folder)
    held = rounds.held_out()
    net = deepcopy(untrained)
    before = values(net, held.p, held.o)
    off = values(net, known.p, known.o) - known.labels
    epochs = list(learn(net, rounds, Settings(rate=4e-3, batch=128, epochs=4), held))
    assert [one.number for one in epochs] == [1, 2, 3, 4]
    after = values(net, known.p, known.o) - known.labels
    assert np.abs(after).mean() < 0.9 * np.abs(off).mean()
    net.save(tmp_path / "net.npz")
    again = Net.load(tmp_path / "net.npz")
    assert values(again, known.p, known.o).tolist() == values(net, known.p, known.o).tolist()
    rows = stage_errors(held, before, net)
    assert [row.n for row in rows] == [6, 10, 20, 0]
    assert rows[-1].count == sum(row.count for row in rows[:-1]) == len(held.p)
    assert rows[-1].net == pytest.approx(epochs[-1].held)
    with pytest.raises(ValueError, match="a batch of 100000"):
        next(learn(net, rounds, Settings(batch=100_000), held))


def test_a_training_is_repeated_exactly(folder, known, untrained):
    found = []
    for _ in range(2):
        net = deepcopy(untrained)
        list(learn(net, Shards(folder), Settings(batch=128, epochs=1), known))
        found.append(b"".join(part.tobytes() for part in net.parts()))
    assert found[0] == found[1]


def test_an_exported_net_has_the_values_of_the_trained_one(folder, known, linear, untrained, tmp_path):
    net = deepcopy(untrained)
    list(learn(net, Shards(folder, range(10, 21)), Settings(rate=4e-3, batch=128, epochs=1), known))
    assert net.trained.tolist() == [10, 20]
    assert export_net(net, linear, tmp_path / "own.weights", 2) == (tmp_path / "own.weights").stat().st_size
    loaded = load_weights(tmp_path / "own.weights")
    there = known.chosen(empties(known.p, known.o) >= 10)
    found = np.empty(len(there.p), np.int16)
    batch_search(loaded, Table(1), there.p, there.o, found, 0)
    off = found / 128 - values(net, there.p, there.o)
    assert np.sqrt((off**2).mean()) < 0.5
    np.save(tmp_path / "weights.npy", linear)
    export(tmp_path / "weights.npy", tmp_path / "linear.weights", 2)
    for position in (Position(OTHELLO), Position.from_moves("f5d6c3")):
        assert loaded.evaluate(position) == load_weights(tmp_path / "linear.weights").evaluate(position)
    net.linear[:] = 1e6
    with pytest.raises(ValueError, match="too large for the kernel"):
        export_net(net, linear, tmp_path / "other.weights", 2)
    assert not (tmp_path / "other.weights").exists()


def test_rare_states_stay_near_their_start(folder, known, untrained):
    moved = []
    for damping in (0.01, 100.0):
        net = deepcopy(untrained)
        before = net.table.copy()
        list(learn(net, Shards(folder), replace(Settings(batch=128, epochs=1), damping=damping), known))
        moved.append(float(np.abs(net.table - before).sum()))
    assert moved[1] < moved[0] / 2


def test_values_are_those_of_the_mirrored_position(known, untrained):
    mirrored = values(untrained, known.p.byteswap(), known.o.byteswap())
    assert np.abs(mirrored - values(untrained, known.p, known.o)).max() < 1e-3


def test_positions_with_fewer_than_24_empty_squares_are_solved(tmp_path):
    position, line = Position(), []
    while position.empties > 8:
        move = position.legal_moves[0]
        if not move.is_pass:
            line.append(10 * (move.index // 8 + 1) + move.index % 8 + 1)
        position = position.play(move)
    file = tmp_path / "wthor" / "WTH_2010.wtb"
    file.parent.mkdir()
    record = bytes(6) + bytes([40, 35, *line, *bytes(60 - len(line))])
    file.write_bytes(bytes(4) + (1).to_bytes(4, "little") + bytes(4) + bytes([8, 0, 24, 0]) + record)
    found_p, found_o, exact = solved_games(tmp_path, (2009, 2019), 12, 5)
    assert len(found_p) == 1
    solved = np.empty(1, np.int16)
    batch_search(default_weights(), Table(1), found_p, found_o, solved, 12)
    assert (128 * exact).tolist() == solved.tolist()
    assert solved_games(tmp_path, (2009, 2019), 24, 5)[2].tolist() in ([6], [-6])


def run(*words):
    done = run_python(
        "-m",
        "training",
        *words,
        cwd=ROOT,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_the_commands(tmp_path, compiler):
    made = str(tmp_path / "positions")
    small = ["--data", "nowhere", "--empties", "9", "10", "--size", "400", "--rounds", "1"]
    status, out, err = run("generate", made, *small)
    assert (status, err) == (0, "")
    assert [line.split(",")[1].split()[0] for line in out.splitlines()] == ["9", "10"]
    assert run("generate", made, *small) == (0, "", "")
    net = str(tmp_path / "own.npz")
    start = ("--start", str(ROOT / "src" / "reversi" / "evaluation" / "standard.weights"))
    status, out, err = run("net", made, net, *start, "--epochs", "1", "--batch", "100")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].split()[0] == "all"
    status, out, err = run("net", made, net, *start, "--batch", "10000")
    assert (status, out.count("\n")) == (1, 1)
    assert err.endswith("fewer positions than a batch of 10000\n")
    status, _, err = run("errors", "--net", net)
    assert (status, err) == (1, "--net: a net has values without a search only; add --depths 0\n")
