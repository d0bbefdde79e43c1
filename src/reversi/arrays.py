"""Many positions at once, as NumPy arrays: for machine learning and data science.

It needs the extra `numpy`: `pip install "reversi-engine[numpy]"`.

    >>> from reversi.arrays import PositionArray
    >>> positions = PositionArray.start(1000)
    >>> positions = positions.play(positions.random_moves(seed=1))
    >>> positions.planes("float32").shape, positions.legal_masks().dtype
    ((1000, 2, 8, 8), dtype('uint64'))
"""

from __future__ import annotations

from reversi.learning.games import GamePositions, from_positions, from_records, from_wthor
from reversi.learning.positions import PositionArray, policy_symmetry

__all__ = ["GamePositions", "PositionArray", "from_positions", "from_records", "from_wthor", "policy_symmetry"]
