"""Count the moves that the games of a database play in a position."""

from __future__ import annotations

from reversi._core import Position, canonical_key
from reversi.games.database.rows import rules_salt
from reversi.games.database.searching import conditions_of
from reversi.games.exploring import MoveCounts
from reversi.games.selection import Selection
from reversi.records.formats.database.file import DatabaseFile

_QUESTION = """
select p.move, count(*), count(*) filter (g.winner = 1), count(*) filter (g.winner = 0),
       count(*) filter (g.winner = -1), coalesce(sum(g.score), 0), count(g.score), min(g.year), max(g.year)
from positions p join games g on g.id = p.game where {} group by p.move
"""


def counts_in(database: DatabaseFile, position: Position, selection: Selection) -> dict[int, MoveCounts]:
    """Return what the games of a selection play in a position, as `reversi.games.exploring.counts_of` does."""
    conditions, parameters = conditions_of(database, selection)
    rows = database.rows(
        _QUESTION.format(" and ".join(["p.key = ?", *conditions])),
        [canonical_key(position, rules_salt(position.rules)), *parameters],
    )
    return {move: MoveCounts(*numbers) for move, *numbers in rows}
