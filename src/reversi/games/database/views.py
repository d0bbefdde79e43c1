"""The tables that people see: `games` and `positions`, in SQL, in exported files, in Arrow and polars.

They are views of the tables that `reversi.records.formats.database.layout` describes. Exports add boards to the
positions (`reversi.games.database.boards`). docs/database.md documents the columns.
"""

from __future__ import annotations

from typing import Final

from reversi._core import PASS
from reversi.records.facts import THEORETICAL_EMPTIES

TABLES: Final = ("games", "positions")
"""The names of the tables."""

ORDER: Final = {"games": "game", "positions": "game, ply"}
"""The columns that a table is ordered by."""

PART: Final = {"games": 32_768, "positions": 4096}
"""How many games a part of a table is of, when the parts are written one after the other."""

_NO_MOVE: Final = 255
_DAY: Final = r"^([12][0-9][0-9][0-9])([.\-/]?)(0?[1-9]|1[0-2])([.\-/]?)(0?[1-9]|[12][0-9]|3[01])$"
_PARTS: Final = f"regexp_extract(trim(named['Date']), '{_DAY}', ['year', 'one', 'month', 'other', 'day'])"
_DATE: Final = "try_cast(d.year || '-' || lpad(d.month, 2, '0') || '-' || lpad(d.day, 2, '0') as date)"
_NUMBER: Final = "case when regexp_full_match({0}, '[0-9]+') then try_cast({0} as integer) end"

# tags are JSON, a list of pairs; the first value of a name counts
_GAMES: Final = f"""
with known as (
    select *, [pair for pair in from_json(tags, '[["VARCHAR"]]')
               if pair[2] not in ('', '?', '????.??.??')] as pairs from {{main}}.games
), split as (
    select *, [pair[1] for pair in pairs] as names, [pair[2] for pair in pairs] as texts from known
), tagged as (
    select *, case when len(list_distinct(names)) = len(names) then map(names, texts)
        else map(list_distinct(names), [texts[list_position(names, name)] for name in list_distinct(names)]) end
        as named
    from split
), games as (
    select *, {_PARTS} as d, {_NUMBER.format("named['WthorTheoretical']")} as theory,
           {_NUMBER.format("named['WthorDepth']")} as depth from tagged
)
select g.id as game, s.path as source, g.number, b.name as black, w.name as white, g.year,
       case when d.one = d.other then {_DATE} end as date, nullif(g.event, '') as event, named['Site'] as site,
       named['Round'] as round, g.result, g.score,
       case g.winner when 1 then 'black' when -1 then 'white' when 0 then 'draw' end as winner,
       case when theory <= 64 then (2 * theory - 64)::smallint end as theoretical_score,
       case when theory <= 64 then coalesce(nullif(depth, 0), {THEORETICAL_EMPTIES})::smallint end
           as theoretical_empties,
       g.finished, g.legal, g.plies, g.passes, nullif(g.opening, '') as opening, g.rules,
       nullif(g.start, '') as start, g.moves, named as tags, nullif(g.record, '') as record,
       g.digest_low as game_key, g.play_low as play_key
from games g join {{main}}.sources s on s.id = g.source
left join {{main}}.players b on b.id = g.black left join {{main}}.players w on w.id = g.white
"""
_BOARD: Final = (
    "reversi_board(g.rules, g.start, case when contains(g.record, '[%flips') then g.record else '' end,"
    " g.moves, p.ply::integer)"
)
_POSITIONS: Final = f"""
select p.game, p.ply, p.key,
       case when p.move <> {_NO_MOVE} then substr(g.moves, 2 * p.ply + 1, 2) end as move,
       case when p.move = {PASS.index} then '{PASS}'
            when p.move <> {_NO_MOVE} then chr(97 + p.move % 8) || (1 + p.move // 8) end as canonical_move,
       case g.winner when 1 then 'black' when -1 then 'white' when 0 then 'draw' end as winner, g.score,
       split_part({_BOARD}, ' ', 1) as board,
       case split_part({_BOARD}, ' ', 2) when 'X' then 'black' else 'white' end as mover,
       length(regexp_replace(split_part({_BOARD}, ' ', 1), '[^-]', '', 'g'))::utinyint as empties
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
