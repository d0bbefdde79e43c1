"""A database of games in DuckDB: import archives of any size, explore positions, find games.

It needs the extra `db`: `pip install "reversi-engine[db]"`.

    with Database("games.duckdb", create=True) as database:
        database.add("games.pgn")
        database.explore(position).moves
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
