"""The explorer: what the engine, the opening book and many games say about every move of a position.

explorer = Explorer(Games("games.duckdb"))
for row in explorer.explore(position).sorted_by(Column.VALUE):
    print(row.move, row.value, row.games)
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
