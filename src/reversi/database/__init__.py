"""A library of games on an embedded database: import archives of any size, look through them by position.

It needs the extra ``db``: ``pip install "reversi-engine[db]"``.

    with Database.open("games.duckdb", create=True) as library:
        with library.importing() as importing, open_source("games.pgn") as source:
            importing.add_source("games.pgn", source.entries())
        library.explore(position).moves
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
