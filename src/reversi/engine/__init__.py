"""Heuristic answers: searching, levels, time management, the engine and its explanations."""

from __future__ import annotations

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Return a public name from the module that defines it."""
    if name == "Choice":
        import warnings

        from reversi.solver.solution import MoveScore

        warnings.warn("reversi.engine.Choice is now reversi.MoveScore", DeprecationWarning, stacklevel=2)
        return MoveScore
    return _load(name)
