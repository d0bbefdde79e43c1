"""Nets as the kernel's integers, against the same nets in floating point."""

import sys
from pathlib import Path

import pytest

from random_games import random_positions
from reversi._core import WIDE_SHAPE
from reversi.evaluation.weights import WeightsError, load_weights

np = pytest.importorskip("numpy", reason="training needs NumPy")
pytest.importorskip("scipy", reason="training needs SciPy")

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.append(str(ROOT))

from training.export import export_net, export_nets, exported, exported_net  # noqa: E402
from training.fit import CLASSES, STAGES, design, stage_of  # noqa: E402
from training.net import Net, values  # noqa: E402
from training.quantise import net_bytes  # noqa: E402

FEWEST = 18


def made(width, units, seconds, trained):
    """A net of random numbers, as its file holds them."""
    random = np.random.default_rng(width)

    def some(size, *shape):
        return random.normal(0, size, shape).astype(np.float32)

    net = Net.__new__(Net)
    net.table = np.clip(some(0.08, CLASSES, width), -0.24, 0.24)
    net.bias = some(0.3, width)
    net.linear = some(1, STAGES, width * 3 // 2)
    net.constant = some(4, STAGES)
    net.layer, net.layer_bias = some(0.2, STAGES, width * 3 // 2, units), some(0.5, STAGES, units)
    net.second, net.second_bias = some(0.2, STAGES, units, seconds), some(0.5, STAGES, seconds)
    net.out, net.second_out = some(1, STAGES, units), some(1, STAGES, seconds)
    net.trained = np.array(trained, np.int32)
    return net


def plain_value(net, p, o, stage):
    words = (np.array([word], np.uint64) for word in (p, o))
    x = np.clip((design(*words) @ net.table)[0] + net.bias, -8, 8)
    half = len(x) // 2
    z = np.concatenate([x, x[:half] * x[half:]])
    u = np.minimum(np.maximum(z @ net.layer[stage] + net.layer_bias[stage], 0), 31.999)
    v = np.minimum(np.maximum(u @ net.second[stage] + net.second_bias[stage], 0), 31.999)
    value = z @ net.linear[stage] + u @ net.out[stage] + v @ net.second_out[stage] + net.constant[stage]
    return max(-63.99, min(63.99, value))


@pytest.mark.parametrize("seconds", [0, WIDE_SHAPE[2]])
def test_exported_nets_have_the_values_of_the_trained_ones(seconds, tmp_path):
    narrow, wide = made(16, 16, 0, (6, 60)), made(*WIDE_SHAPE[:2], seconds, (FEWEST, 40))
    file = tmp_path / "own.weights"
    assert export_nets(narrow, wide, FEWEST, file) == file.stat().st_size
    weights = load_weights(file)
    seen = set()
    for position in random_positions(100, 7):
        net = wide if position.empties >= FEWEST else narrow
        stage = max(stage_of(int(net.trained[0])), min(stage_of(int(net.trained[1])), stage_of(position.empties)))
        plain = plain_value(net, position.player, position.opponent, stage)
        assert weights.evaluate(position) / 128 == pytest.approx(plain, abs=0.4)
        seen.add((net is wide, abs(plain) < 63))
    assert seen >= {(True, True), (False, True)}


def test_the_net_of_a_weights_file_is_trained_further(tmp_path):
    narrow, file = made(16, 16, 0, (4, 60)), tmp_path / "own.weights"
    linear = np.zeros((STAGES, CLASSES), np.float32)
    for export in (
        lambda: export_nets(narrow, None, 0, file),
        lambda: export_nets(narrow, made(*WIDE_SHAPE, (FEWEST, 60)), FEWEST, file),
        lambda: export_net(narrow, linear, file, 2),
    ):
        export()
        again = exported_net(file)
        assert again.trained.tolist() == [4, 60]
        assert net_bytes(again, numbers=(0, 60)) == net_bytes(narrow, numbers=(0, 60))
    positions = [position for position in random_positions(50, 8) if not position.is_over and position.empties > 3]
    p, o = (np.array([getattr(one, side) for one in positions], np.uint64) for side in ("player", "opponent"))
    weights = load_weights(file)
    expected = [weights.evaluate(position) / 128 for position in positions]
    assert values(again, p, o) == pytest.approx(np.array(expected), abs=0.05)


def test_a_net_of_another_shape_is_refused(tmp_path):
    narrow, wide = made(16, 16, 0, (6, 60)), made(*WIDE_SHAPE, (FEWEST, 60))
    for first, second in ((wide, wide), (narrow, narrow), (narrow, made(*WIDE_SHAPE[:2], 8, (FEWEST, 60)))):
        with pytest.raises(ValueError, match="the package takes nets with vectors of"):
            export_nets(first, second, FEWEST, tmp_path / "own.weights")


def test_nets_alone_have_no_linear_weights(tmp_path):
    file = tmp_path / "own.weights"
    export_nets(made(16, 16, 0, (6, 60)), made(*WIDE_SHAPE, (FEWEST, 60)), FEWEST, file)
    with pytest.raises(WeightsError, match=r"own\.weights: these weights are nets alone; fit linear weights"):
        exported(file)
