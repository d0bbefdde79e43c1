"""Many games, in files or in a database: choose, count, compare and sort them, and find who played and what.

A database is a file of DuckDB, which needs the extra `db`: `pip install "reversi-engine[db]"`.

    with Database("games.duckdb", create=True) as database:
        database.add("games.pgn")
        database.explore(position).moves

Statistics take the results of games (`GameResult`): of records (`results_of`), or of a database
(`Database.results`).

    >>> from reversi.games import events_of, open_records, results_of
    >>> event = events_of(results_of(open_records("examples/games.pgn")))[0]
    >>> event.name, [(standing.player, standing.points) for standing in event.standings()]
    ('Example games', [('greedy', 4.0), ('random', 1.0)])
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
