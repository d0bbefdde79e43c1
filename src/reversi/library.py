"""The former name of `reversi.database`, for one release."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import reversi.database

if TYPE_CHECKING:
    from reversi.database import *  # noqa: F403

_FORMER = {
    "Library": "Database",
    "LibraryError": "DatabaseError",
    "LibraryGame": "DatabaseGame",
    "LibraryInfo": "DatabaseInfo",
    "LibraryUnavailableError": "DatabaseUnavailableError",
    "LibraryWriteError": "DatabaseWriteError",
}
warnings.warn("reversi.library is now reversi.database", DeprecationWarning, stacklevel=2)


def __getattr__(name: str) -> object:
    return getattr(reversi.database, _FORMER.get(name, name))
