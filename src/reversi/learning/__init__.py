"""Many positions at once, for machine learning: arrays, environments, OpenSpiel.

They are public as `reversi.arrays`, `reversi.envs` and `reversi.openspiel`, and need NumPy.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from reversi.errors import MissingExtraError

MISSING: Final = 'arrays of positions need NumPy: pip install "reversi-engine[numpy]"'

if find_spec("numpy") is None:
    raise MissingExtraError(MISSING)
