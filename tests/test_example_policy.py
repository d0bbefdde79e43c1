"""The net of the examples learns, from what games teach."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from reversi import Position, parse_rules

np = pytest.importorskip("numpy")

from reversi.arrays import PositionArray  # noqa: E402
from reversi.puct import Puct  # noqa: E402

SOURCE = Path(__file__).parents[1] / "examples" / "train_policy.py"
RULES = parse_rules("othello,board=6x6")


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("train_policy", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["train_policy"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_new_net_prefers_nothing(example: Any) -> None:
    values, logits = example.Net(RULES)(PositionArray([Position(RULES)]))
    assert not values.any()
    assert logits.shape == (1, 65)
    assert not logits.any()


@pytest.mark.parametrize(
    "rules", [RULES, parse_rules("othello,board=4x6"), parse_rules("othello,board=4x4")], ids=str
)
def test_games_teach_legal_moves_and_how_they_end(example: Any, rules: Any) -> None:
    net = example.Net(rules, width=8)
    lessons = example.play(Puct(net, visits=8, noise=0.25, seed=1), rules, 6, np.random.default_rng(1))
    cells = rules.board.cells
    assert lessons.seen.shape == (len(lessons.value), 3, cells)
    np.testing.assert_allclose(lessons.policy.sum(axis=1), 1, atol=1e-5)
    assert not lessons.policy[:, :-1][lessons.seen[:, 2] == 0].any()
    assert (abs(lessons.value) <= 1).all()
    board = example.Board(rules)
    assert len({tuple(order) for order in board.symmetries}) == (
        8 if rules.board.rows == rules.board.columns else 4
    )
    replay = example.Replay(64, board)
    replay.add(lessons)
    for _ in range(8):  # a position and its moves change alike
        drawn = replay.draw(5, np.random.default_rng(_))
        assert not drawn.policy[:, :-1][drawn.seen[:, 2] == 0].any()


def test_a_net_learns_what_it_sees_often(example: Any) -> None:
    net, board = example.Net(RULES, width=16), example.Board(RULES)
    batch = PositionArray([Position(RULES), Position(RULES).play("b3")])
    policy = np.zeros((2, board.cells + 1), np.float32)
    wanted = [int(np.flatnonzero(row[2])[-1]) for row in board.seen(batch)]
    policy[[0, 1], wanted] = 1
    lessons = example.Lessons(board.seen(batch), policy, np.array([0.5, -0.25], np.float32))
    for _ in range(300):
        net.learn(lessons, rate=3e-3)
    values, logits = net(batch)
    np.testing.assert_allclose(values, [18, -9], atol=1)
    assert logits[:, board.moves].argmax(axis=1).tolist() == wanted


@pytest.mark.thorough
def test_a_net_that_plays_with_itself_learns_who_wins(example: Any) -> None:
    ends = PositionArray(example.opened(RULES, 400, np.random.default_rng(5), most=22, least=22))
    values, net = ends.solve(), example.Net(RULES, width=64)
    example.train(net, RULES, 3, count=32, visits=24)
    undrawn = values != 0
    assert (np.sign(net(ends)[0]) == np.sign(values))[undrawn].mean() > 0.65


def test_a_score_counts_points_against_a_level(example: Any) -> None:
    share = example.score(example.alone(example.Net(RULES)), RULES, 10)
    assert 0 <= share <= 1
    assert share * 20 == int(share * 20)
