"""Exact answers: one position, many positions, results files, annotated suites."""

from __future__ import annotations

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Return a public name from the module that defines it."""
    if name == "Check":
        import warnings

        warnings.warn("reversi.solver.Check is now reversi.solver.Comparison", DeprecationWarning, stacklevel=2)
        name = "Comparison"
    return _load(name)
