"""The maker of balanced openings."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import pytest

from reversi import Position
from reversi._core import canonical_key
from reversi.evaluation.weights import default_weights, weights_version
from reversi.openings.starts import balanced_lines

ROOT = Path(__file__).parents[2]
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.insert(0, str(ROOT))

from training import starts  # noqa: E402


@pytest.mark.parametrize(("plies", "count"), [(1, 1), (2, 3), (3, 14), (4, 60), (5, 322)])
def test_every_position_once(plies: int, count: int) -> None:
    lines = list(starts.openings(plies))
    assert len(lines) == count
    assert len({canonical_key(position) for _, position in lines}) == count
    for moves, position in lines:
        replayed = Position()
        for move in moves:
            replayed = replayed.play(move)
        assert (replayed, len(moves), str(moves[0])) == (position, plies, "f5")


def test_the_list_is_among_them_and_even() -> None:
    lines = balanced_lines()[::100]
    values = starts.values([line.position for line in lines], (7, 8), default_weights())
    assert len(values) == len(lines)
    assert max(map(abs, values)) < 4


@pytest.mark.slow
def test_a_small_list() -> None:
    made = list(starts.make(sample=40, shallow=(1, 2), deep=(3, 4)))
    assert 4 < len(made) < 40
    assert made == list(starts.make(sample=40, shallow=(1, 2), deep=(3, 4)))


@pytest.mark.slow
def test_the_list_is_what_its_rule_makes() -> None:
    """A part of it, searched as deep as the maker searches."""
    text = files("reversi.openings").joinpath("balanced.txt").read_text(encoding="ascii")
    if weights_version() not in text:
        pytest.skip("the list was made with another evaluation")
    lines = balanced_lines()[::40]
    values = starts.values([line.position for line in lines], starts.DEEP, default_weights())
    assert max(map(abs, values)) <= starts.KEEP
