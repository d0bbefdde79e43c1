"""Positions and transcripts as text: boards on one line or many, OBF, transcripts, and any pasted text.

The public names are in ``__init__.pyi``; the modules also have the parts that record formats use.
"""

from __future__ import annotations

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
_FORMER = {"recognise": "text_kind"}


def __getattr__(name: str) -> object:
    """Return a public name, from the module that defines it."""
    if name in _FORMER:
        import warnings

        new = _FORMER[name]
        warnings.warn(f"{__name__}.{name} is now {__name__}.{new}", DeprecationWarning, stacklevel=2)
        name = new
    return _load(name)
