"""The training tool end to end with tiny settings, and its boards against the core."""

import argparse
import math
import os
import random
import re
import sys
from pathlib import Path

import pytest

from command_line import run_python
from endings import random_ending
from reversi import Color, Position, Solver, Square, parse_rules
from reversi._core import EXACT_LEVEL, Table
from reversi.evaluation.weights import default_weights, load_weights
from reversi.text.boards import parse_board

np = pytest.importorskip("numpy", reason="training needs NumPy")
pytest.importorskip("scipy", reason="training needs SciPy")

from reversi.arrays import PositionArray  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.append(str(ROOT))

from training.__main__ import parser  # noqa: E402
from training.boards import canonical, empties, start  # noqa: E402
from training.check import errors_at, held_out_games, yardstick  # noqa: E402
from training.confidence import Tally, curve, judge, solved_positions, summed, wilson  # noqa: E402
from training.endings import follow, generate_endings, label_lines  # noqa: E402
from training.fit import design, fit, numbers_of, stage_of  # noqa: E402
from training.generate import shard_files, shard_hash  # noqa: E402
from training.positions import balanced_openings, generate, read_openings  # noqa: E402
from training.wthor import read_games  # noqa: E402

STANDARD = parse_rules("othello")


def random_positions(count, seed):
    drawn = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position(STANDARD)
        for _ in range(drawn.randrange(58)):
            if not position.is_over:
                position = position.play(drawn.choice(position.legal_moves))
        found.append(position)
    return found


def arrays(positions):
    return (
        np.array([position.player for position in positions], np.uint64),
        np.array([position.opponent for position in positions], np.uint64),
    )


def test_symmetric_copies_are_recognised():
    for position in random_positions(20, 2):
        p, o = canonical(*arrays(list(position.symmetries())))
        assert len(set(zip(p.tolist(), o.tolist(), strict=True))) == 1


def test_generated_positions_are_what_was_asked_for(tmp_path):
    games = read_games(tmp_path, 1977, 2008)
    p, o, tail = generate(14, 500, 3, None, games, read_openings(tmp_path / "none.txt"))
    assert len(p) > 400
    assert set(empties(p, o).tolist()) == {14}
    assert len(set(zip(p.tolist(), o.tolist(), strict=True))) == len(p)
    assert set(tail.tolist()) == {0, 1, 2}
    again = generate(14, 500, 3, None, games, read_openings(tmp_path / "none.txt"))
    assert again[0].tolist() == p.tolist()
    assert not PositionArray.from_discs(p, o).is_over().any()


def test_openings_are_played(tmp_path):
    (tmp_path / "xot.txt").write_text("f5d6c4d3\nf5f4\n")
    p, o = read_openings(tmp_path / "xot.txt")
    for i, moves in enumerate(("f5 d6 c4 d3", "f5 f4")):
        position = Position(STANDARD)
        for move in moves.split():
            position = position.play(move)
        assert (int(p[i]), int(o[i])) == (position.player, position.opponent)


def test_real_games_are_read():
    folder = ROOT.parent / "shared" / "data" / "wthor"
    if not folder.is_dir():
        pytest.skip("no WTHOR files beside the repository (../shared/data/wthor)")
    games = read_games(folder, 1985, 1985)
    assert len(games.p) == ((folder / "WTH_1985.wtb").stat().st_size - 16) // 68
    p, o = start(1)
    assert (games.p[:, 60] == p).all()
    assert (games.o[:, 60] == o).all()
    there = games.p[:, 24] != 0
    assert there.mean() > 0.95
    assert (empties(games.p[there, 24], games.o[there, 24]) == 24).all()
    assert (np.abs(games.theoretical) <= 64).all()


def test_the_fit_finds_what_the_labels_hide():
    p, o = arrays([position for position in random_positions(600, 4) if 20 <= position.empties < 40])
    matrix = design(p, o)
    hidden = np.random.default_rng(5).normal(size=matrix.shape[1]).astype(np.float32)
    labels = matrix @ hidden
    ones = np.ones(len(p), np.float32)
    found = fit(matrix, labels, ones, np.zeros_like(hidden), 0.01, 200)
    assert np.abs(matrix @ found - labels).max() < 0.05 * np.abs(labels).max()
    near = fit(matrix, labels, ones, hidden, 10.0, 20)
    assert np.abs(near - hidden).max() < 1e-3


def test_stages_cover_every_number_of_empty_squares():
    for n in range(4, 61):
        assert n in numbers_of(stage_of(n))


def test_our_own_openings_are_balanced():
    weights = default_weights()
    p, o = balanced_openings(300, 7, weights)
    assert len(p) > 30
    assert set(empties(p, o).tolist()) <= {48, 49, 50, 51, 52}
    again = balanced_openings(300, 7, weights)
    assert (p.tolist(), o.tolist()) == (again[0].tolist(), again[1].tolist())
    table = Table(1)
    for mine, theirs in zip(p[:20].tolist(), o[:20].tolist(), strict=True):
        assert abs(weights.search(Position.from_discs(mine, theirs), 4, table)) <= 4 * 128


def one_game(path, plies, seed):
    """A WTHOR file with a single game; how it went on to so many empty squares."""
    drawn = random.Random(seed)
    position, line = Position(STANDARD), []
    for _ in range(plies):
        move = drawn.choice(position.legal_moves)
        assert isinstance(move, Square)
        position = position.play(move)
        line.append(10 * (move.row + 1) + move.column + 1)
    record = bytes(6) + bytes([40, 35, *line, *bytes(60 - len(line))])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(4) + (1).to_bytes(4, "little") + bytes(4) + bytes([8, 0, 24, 0]) + record)
    return position


def test_what_the_training_has_seen_is_not_held_out(tmp_path):
    ends = [one_game(tmp_path / "wthor" / f"WTH_{year}.wtb", 36, seed) for year, seed in ((1999, 1), (2009, 1))]
    assert ends[0] == ends[1]
    other = one_game(tmp_path / "wthor" / "later" / "WTH_2010.wtb", 36, 2)
    assert len(held_out_games(tmp_path, (2009, 2009), 24, 10)[0]) == 0
    p, o, values = held_out_games(tmp_path, (2009, 2010), 24, 10)
    expected = canonical(*arrays([other]))
    assert (p.tolist(), o.tolist()) == (expected[0].tolist(), expected[1].tolist())
    assert values.tolist() == [6 if other.to_move is Color.BLACK else -6]
    assert [len(part) for part in held_out_games(tmp_path / "none", (2009, 2010), 24, 10)] == [0, 0, 0]


def test_errors_are_those_of_the_search():
    weights, table = default_weights(), Table(1)
    positions = [position for position in random_positions(60, 6) if 20 <= position.empties <= 30]
    p, o = arrays(positions)
    exact = np.arange(len(p), dtype=np.int16) - 7
    row = errors_at(weights, p, o, exact, 2)
    off = [
        weights.search(position, 2, table) / 128 - true for position, true in zip(positions, exact, strict=True)
    ]
    assert row.count == len(positions)
    assert row.mean == pytest.approx(sum(off) / len(off))
    assert row.absolute == pytest.approx(sum(map(abs, off)) / len(off))
    assert row.interval[0] < row.absolute < row.interval[1]
    assert row.rms == pytest.approx((sum(one * one for one in off) / len(off)) ** 0.5)


def test_exact_searches_are_always_right():
    weights = default_weights()
    solved = solved_positions(ROOT / "nowhere", (2009, 2010), 16, 3, weights, 5)
    assert len(solved) == 3
    assert [one.value for one in solved] == [Solver(1).solve(one.position).score.value for one in solved]
    bold, exact = judge(solved, weights, (0, EXACT_LEVEL), (0, 4))
    assert (exact.positions, exact.exact, exact.off) == (3, 3, 0)
    assert exact.right == exact.asked == {0: 6, 4: 6}
    assert bold.nodes < exact.nodes
    both = summed([exact, exact])
    assert (both.positions, both.asked, both.nodes) == (6, {0: 12, 4: 12}, 2 * exact.nodes)
    assert exact.asked == {0: 6, 4: 6}


def test_the_curve_of_shares():
    def tally(n, share):
        return Tally(0, n, 10_000, round(10_000 * share), 0, {}, {}, 0)

    # odds of 3 at 19 empty squares, 1.5 times as high for each square less
    made = [tally(n, 1 / (1 + 1 / (3 * 1.5 ** (19 - n)))) for n in range(16, 26, 2)]
    at, slope = curve(made)
    assert at == pytest.approx(math.log(3), abs=0.01)
    assert slope == pytest.approx(-math.log(1.5), abs=0.01)
    # always right: nothing runs away
    assert all(abs(number) < 10 for number in curve([tally(16, 1.0), tally(17, 1.0)]))


def test_intervals_of_shares():
    # the standard examples: 0 of 10, and half of 100
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])}


def run(*arguments, cwd):
    done = run_python("-m", "training", *arguments, cwd=cwd, timeout=800, env=environment()).ends(0)
    return done.stdout


def readme_commands():
    """The commands of the README, as lists of words."""
    blocks = re.findall(r"```\n(.*?)```", (ROOT / "training" / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("python -m training ")]
    return [line.split("#")[0].split()[3:] for line in lines]


def test_the_commands_of_the_readme_exist():
    commands = readme_commands()
    for words in commands:
        parser().parse_args(words)
    (subparsers,) = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert {words[0] for words in commands} == set(subparsers.choices)


SMALLER = {
    "climb": ["--scale", "1", "--exact", "8", "--depth", "2", "--data", "nowhere"],
    "errors": ["--positions", "3"],
    "probcut": [
        "--numbers",
        "12",
        "14",
        "--positions",
        "20",
        "--deepest",
        "4",
        "--exact",
        "12",
        "--data",
        "nowhere",
    ],
    "confidence": ["--numbers", "16", "--positions", "2", "--levels", "0", "--data", "nowhere"],
    "generate": ["--empties", "9", "10", "--size", "300", "--rounds", "1", "--data", "nowhere"],
    "endings": ["--empties", "12", "13", "--size", "300", "--rounds", "1", "--data", "nowhere"],
    "yardstick": ["--empties", "12", "--positions", "10", "--data", "nowhere"],
    "net": ["--batch", "256", "--epochs", "1"],
    "people-values": ["--shards", "1"],
    "tiny": ["--scale", "0.3"],
}


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_steps_of_the_readme_with_small_settings(tmp_path):
    said = {}
    for name, *rest in readme_commands():
        if name.startswith(("errors", "people")) and not (ROOT.parent / "shared" / "data" / "wthor").is_dir():
            continue
        if {"--wide", "first.weights"} & {*rest} or (name, rest[:1]) == ("export", ["SHARDS"]):
            continue  # these need nets of all numbers of empty squares
        folder, file = tmp_path / ("tiny" if name == "tiny" else "all"), tmp_path / f"{name}.weights"
        places = {"FOLDER": folder, "SHARDS": tmp_path / "shards", "own.npz": tmp_path / "own.npz"}
        places["FOLDER/weights.npy"] = folder / "weights.npy"
        places["TWINS"], places["FILE.obf"] = tmp_path / "twins", tmp_path / "yardstick.obf"
        places["src/reversi/engine/people.json"] = tmp_path / "people.json"
        places["second.weights"] = ROOT / "src" / "reversi" / "evaluation" / "standard.weights"
        words = [str(places.get(word, file if ".weights" in word else word)) for word in rest]
        said[name] = run(name, *words, *SMALLER.get(name, []), cwd=ROOT)
    rows = [line.split() for line in said["check"].splitlines()[1:]]
    assert len(rows) > 15
    for _, count, size, error, _, _ in rows[:12]:
        assert int(count) > 20
        assert float(error) < 0.75 * float(size)  # better than guessing a draw
    assert said["probcut"].startswith("empties   4-2 end-0 end-2 end-4\n     12 ")
    for what in ("to a depth: exp(", "to the end: exp("):
        assert what in said["probcut"]
    assert said["confidence"].splitlines()[-1].split()[:3] == ["all", "0", "2"]
    weights = load_weights(tmp_path / "export.weights")
    assert abs(weights.evaluate(Position(STANDARD))) < 20 * 128


# Positions 40 and 41 of the FFO end-game test, and their values.
ENDGAMES = {
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X": 38,
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X": 0,
}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_tiny_settings_give_weights_that_help(tmp_path):
    own = tmp_path / "own.weights"
    said = run("tiny", str(tmp_path / "run"), str(own), cwd=ROOT)
    assert said.splitlines()[-1] == f"{own}: {own.stat().st_size} bytes"
    weights = load_weights(own)
    helped, unaided = Solver(64, evaluation=weights), Solver(64, evaluation=False)
    ends: list[tuple[Position, int | None]] = [
        (parse_board(text, STANDARD), value) for text, value in ENDGAMES.items()
    ]
    ends += [(random_ending(20, seed), None) for seed in (1, 2)]
    sums = [0, 0]
    for position, value in ends:
        with_it, without = helped.solve(position).score, unaided.solve(position).score
        assert with_it.value == without.value
        if value is not None:
            assert with_it.value == value
            assert with_it.nodes < without.nodes
        sums[0] += with_it.nodes
        sums[1] += without.nodes
    assert sums[0] < sums[1]


@pytest.mark.slow
def test_a_folder_in_use_is_left_alone(tmp_path):
    (tmp_path / "thing").write_text("mine")
    done = run_python("-m", "training", "tiny", str(tmp_path), str(tmp_path / "w"), cwd=ROOT, env=environment())
    assert done.returncode == 1
    assert done.stderr == f"{tmp_path}: not empty; name a new folder\n"
    assert not (tmp_path / "w").exists()


def test_labels_of_lines_are_the_values_of_their_positions():
    weights = default_weights()
    p, o, tail = generate(16, 12, 5, weights, read_games(Path("nowhere"), 1, 0), start(40))
    lines = follow(weights, p, o, tail, fewest=12, seed=3)
    assert [line.n for line in lines] == [12, 13, 14, 15, 16]
    labels, nodes, _ = label_lines(weights, lines)
    checked = 0
    for line in lines:
        there = line.p != 0
        assert (empties(line.p[there], line.o[there]) == line.n).all()
        assert nodes[line.n] > 0
        for i in np.flatnonzero(there).tolist():
            position = Position.from_discs(int(line.p[i]), int(line.o[i]), Color.BLACK, STANDARD)
            assert Solver(1, 1).solve(position).score.value == labels[line.n][i]
            checked += 1
    assert checked > 40


def test_endings_continue_after_an_interruption(tmp_path):
    def shards(folder, glances=None):
        nowhere, weights, numbers = tmp_path / "nowhere", default_weights(), range(12, 15)
        return generate_endings(
            folder, nowhere, weights, numbers=numbers, size=20, rounds=2, seed=7, glances=glances
        )

    whole, parts, glances = tmp_path / "whole", tmp_path / "parts", tmp_path / "glances"
    made = [(one.round, one.n) for one in shards(whole, glances)]
    assert made == [(1, 12), (1, 13), (1, 14), (2, 12), (2, 13), (2, 14)]
    for _, one in zip(range(4), shards(parts), strict=False):
        assert one.count
    assert list(shards(parts))
    files = shard_files(whole)
    assert len(files) == 6
    assert shard_hash(files) == shard_hash(shard_files(parts))
    for file in files:
        glance = np.load(glances / file.name)
        assert (glance[["p", "o", "kind"]] == np.load(file)[["p", "o", "kind"]]).all()


def test_the_yardstick_takes_part_in_no_training(tmp_path):
    p, o = yardstick(tmp_path, (2009, 2019), 20, 30)
    assert len(p) == 30
    assert (empties(p, o) == 20).all()
    again, _ = yardstick(tmp_path, (2009, 2019), 20, 30)
    assert (p == again).all()
