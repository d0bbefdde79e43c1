"""Many positions at once, as NumPy arrays: for machine learning and data science.

It needs the extra `numpy`: `pip install "reversi-engine[numpy]"`.

    >>> from reversi.arrays import PositionArray
    >>> positions = PositionArray.start(1000)
    >>> positions = positions.play(positions.random_moves(seed=1))
    >>> positions.planes("float32").shape, positions.legal_masks().dtype
    ((1000, 2, 8, 8), dtype('uint64'))
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

import lazy_loader

from reversi.errors import ResourceError

MISSING: Final = 'arrays of positions need NumPy: pip install "reversi-engine[numpy]"'

if find_spec("numpy") is None:
    raise ResourceError(MISSING)

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
