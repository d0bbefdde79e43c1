"""Play, record, validate and solve Othello and its house variants.

The public names are in ``__init__.pyi``. Each loads when it is first used, so ``import reversi`` costs next to
nothing.
"""

from __future__ import annotations

from reversi._lazy import attach_stub
from reversi._version import __version__ as __version__

__getattr__, __dir__ = attach_stub(__name__, __file__, extras=("arrays", "database", "envs", "puct"))
