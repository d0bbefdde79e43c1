"""A library of games on an embedded database: import archives of any size, look through them by position.

It needs the extra ``db``: ``pip install "reversi-engine[db]"``.

    with Library.open("games.duckdb", create=True) as library:
        with library.importing() as importing, open_source("games.pgn") as source:
            importing.add_source("games.pgn", source.entries())
        library.explore(position).moves
"""

from __future__ import annotations

from reversi.library.database import (
    Library,
    LibraryError,
    LibraryInfo,
    LibraryUnavailableError,
    LibraryWriteError,
)
from reversi.library.exploring import Exploration, MoveTally
from reversi.library.importing import Import, Imported
from reversi.library.layout import VERSION
from reversi.library.rows import Illegal
from reversi.library.searching import GameQuery, LibraryGame

__all__ = [
    "VERSION",
    "Exploration",
    "GameQuery",
    "Illegal",
    "Import",
    "Imported",
    "Library",
    "LibraryError",
    "LibraryGame",
    "LibraryInfo",
    "LibraryUnavailableError",
    "LibraryWriteError",
    "MoveTally",
]
