"""The tables that people see: `games` and `positions`, in SQL, in exported files, in Arrow and polars.

They are views of the tables that `reversi.database.layout` describes. docs/database.md documents their columns.
"""

from __future__ import annotations

from typing import Final

from reversi._core import PASS

__all__ = ["ORDER", "PART", "TABLES", "views"]

TABLES: Final = ("games", "positions")
"""The names of the tables."""

ORDER: Final = {"games": "game", "positions": "game, ply"}
"""The columns that a table is ordered by."""

PART: Final = {"games": 32_768, "positions": 4096}
"""How many games a part of a table is of, when the parts are written one after the other."""

_NO_MOVE: Final = 255
_UNDATED: Final = "????.??.??"
_TAG: Final = 'regexp_extract(g.tags, \'\\["{}","({})"\\]\', 1)'  # tags are JSON without blanks, quotes escaped
_ANY: Final = r'(?:[^"\\]|\\.)*'
_THEORETICAL: Final = _TAG.format("WthorTheoretical", "[0-9]+")
_DEPTH: Final = _TAG.format("WthorDepth", "[0-9]+")

_GAMES: Final = f"""
select g.id as game, s.path as source, g.number, b.name as black, w.name as white, g.year,
       nullif(nullif({_TAG.format("Date", _ANY)}, ''), '{_UNDATED}') as date, nullif(g.event, '') as event,
       g.result, g.score, case g.winner when 1 then 'black' when -1 then 'white' when 0 then 'draw' end as winner,
       case when try_cast({_THEORETICAL} as integer) <= 64
            then (2 * try_cast({_THEORETICAL} as integer) - 64)::smallint end as theoretical_score,
       case when try_cast({_THEORETICAL} as integer) <= 64 then
            coalesce(nullif(try_cast({_DEPTH} as integer), 0), 22)::smallint end as theoretical_empties,
       g.finished, g.legal, g.plies, g.passes, nullif(g.opening, '') as opening, g.rules,
       nullif(g.start, '') as start, g.moves, g.digest_low as game_key, g.play_low as play_key, g.tags,
       nullif(g.record, '') as record
from {{main}}.games g join {{main}}.sources s on s.id = g.source
left join {{main}}.players b on b.id = g.black left join {{main}}.players w on w.id = g.white
"""
_POSITIONS: Final = f"""
select p.game, p.ply, p.key,
       case when p.move <> {_NO_MOVE} then substr(g.moves, 2 * p.ply + 1, 2) end as move,
       case when p.move = {PASS.index} then '{PASS}'
            when p.move <> {_NO_MOVE} then chr(97 + p.move % 8) || (1 + p.move // 8) end as canonical_move,
       case g.winner when 1 then 'black' when -1 then 'white' when 0 then 'draw' end as winner, g.score
from {{main}}.positions p join {{main}}.games g on g.id = p.game
"""


def views(catalog: str) -> str:
    """Return the SQL that makes the tables as temporary views, which hide the tables of the same names.

    Args:
        catalog: what DuckDB calls the database.
    """
    main = '"{}".main'.format(catalog.replace('"', '""'))
    return (
        f"create or replace temp view games as {_GAMES.format(main=main)};"
        f"create or replace temp view positions as {_POSITIONS.format(main=main)};"
    )
