"""The training tool end to end with tiny settings, and its boards against the core."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from reversi import Position, parse_rules
from reversi.evaluation import load_weights

np = pytest.importorskip("numpy", reason="training needs NumPy")
pytest.importorskip("scipy", reason="training needs SciPy")

ROOT = Path(__file__).resolve().parent.parent
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.append(str(ROOT))

from training.boards import canonical, empties, flips, placements, start  # noqa: E402
from training.fit import design, fit, numbers_of, stage_of  # noqa: E402
from training.positions import generate, read_openings  # noqa: E402
from training.wthor import read_games  # noqa: E402

STANDARD = parse_rules("othello")


def random_positions(count, seed):
    drawn = random.Random(seed)
    found = []
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


def test_boards_agree_with_the_core():
    positions = random_positions(200, 1)
    p, o = arrays(positions)
    assert placements(p, o).tolist() == [position.legal_moves.placements for position in positions]
    assert empties(p, o).tolist() == [position.empties for position in positions]
    for position in positions[:50]:
        for move in position.legal_moves:
            if not move.is_pass:
                turned = flips(*arrays([position]), np.array([move.bit], np.uint64))
                assert turned.tolist() == [sum(square.bit for square in position.flips(move))]


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
    assert ((placements(p, o) | placements(o, p)) != 0).all()


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


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "training", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=250,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_everything_with_tiny_settings(tmp_path):
    folder = str(tmp_path / "run")
    tiny = ("--scale", "1", "--exact", "8", "--depth", "2", "--data", "nowhere")
    run("climb", folder, *tiny, cwd=ROOT)
    run("climb", folder, *tiny, "--round", "2", cwd=ROOT)
    run("refit", folder, cwd=ROOT)
    rows = [line.split() for line in run("check", folder, "--data", "nowhere", cwd=ROOT).splitlines()[1:]]
    assert len(rows) > 15
    for _, count, size, error, _, _ in rows[:12]:
        assert int(count) > 20
        assert float(error) < 0.75 * float(size)  # better than guessing a draw
    run("export", folder, str(tmp_path / "tiny.weights"), cwd=ROOT)
    weights = load_weights(tmp_path / "tiny.weights")
    assert abs(weights.evaluate(Position(STANDARD))) < 20 * 128
