"""Statistics of many games: events with standings and crosstables, players, openings, ratings.

    >>> from reversi.records import open_records
    >>> from reversi.statistics import events_of, results_of
    >>> event = events_of(results_of(open_records("examples/games.pgn")))[0]
    >>> event.name, [(standing.player, standing.points) for standing in event.standings()]
    ('Example games', [('greedy', 4.0), ('random', 1.0)])

The functions take the results of games (`GameResult`): of records (`results_of`), or of a database
(`reversi.database.Database.results`).
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
