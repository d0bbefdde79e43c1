"""The policy of the examples learns."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

SOURCE = Path(__file__).parents[1] / "examples" / "train_policy.py"


def test_the_policy_learns() -> None:
    spec = importlib.util.spec_from_file_location("train_policy", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.train(0).any()
    weights = module.train(0.5, count=32)
    assert weights.shape == (129, 65)
    assert np.isfinite(weights).all()
    assert weights.any()
    assert 0 <= module.wins(weights, 40) <= 1
