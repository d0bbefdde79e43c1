"""Games: plies, hand flips, clocks and the supply of discs."""

from __future__ import annotations

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
_FORMER = {"turned_by_hand": "play_with_flips"}


def __getattr__(name: str) -> object:
    """Return a public name, from the module that defines it."""
    if name in _FORMER:
        import warnings

        new = _FORMER[name]
        warnings.warn(f"{__name__}.{name} is now {__name__}.{new}", DeprecationWarning, stacklevel=2)
        name = new
    return _load(name)
