"""The explorer: what the engine, the opening book and a database say about every move of a position.

explorer = Explorer(database="games.duckdb")
for table in explorer.tables(position):
    print(table.level, [str(row.move) for row in table.sorted_by(Column.VALUE)])
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
