"""Make a database of the layout before this one a database of this layout, before anything is written to it.

Layout 3 did not keep what tells games with the same moves and players apart, and took a game with a year and one
without for two games.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Final

from reversi.database.connection import Connection
from reversi.database.editing import runner, settle
from reversi.database.file import DatabaseFile
from reversi.database.layout import VERSION, VERSIONS
from reversi.database.players import PlayerNumbers
from reversi.database.rows import halves
from reversi.database.searching import PARTS, record_of
from reversi.database.versions import RECOUNT, Groups
from reversi.records.collection.identity import details, moves_identity, play_identity, players, players_identity
from reversi.records.facts import year_of
from reversi.records.formats.registry import target_format

__all__ = ["upgrade"]

_AT_ONCE: Final = 4096  # games
_DETAILS: Final = """
update games set details = c.details, year = c.year, digest_high = c.digest_high, digest_low = c.digest_low,
    play_high = c.play_high, play_low = c.play_low
from (select unnest(?::integer[]) as id, unnest(?::varchar[]) as details, unnest(?::smallint[]) as year,
             unnest(?::ubigint[]) as digest_high, unnest(?::ubigint[]) as digest_low,
             unnest(?::ubigint[]) as play_high, unnest(?::ubigint[]) as play_low) c
where games.id = c.id
"""
_COPIES: Final = """
update games set copy = c.copy from (
    select id, least(65535, row_number() over (
        partition by digest_high, digest_low, details, source order by id)) as copy from games) c
where games.id = c.id and games.copy <> c.copy
"""


def upgrade(database: DatabaseFile, connection: Connection) -> None:
    """Make a database of layout 3 one of this layout, in a transaction.

    Raises:
        DatabaseError: a game is damaged; the database is unchanged.
    """
    run = runner(connection)
    run("begin")
    try:
        run("alter table games add column details varchar")
        run("alter table games add column merged boolean default false")
        run(VERSIONS)
        ((last,),) = run("select coalesce(max(id), 0) from games")
        for first in range(1, last + 1, _AT_ONCE):
            rows = run(
                f"select s.path, {PARTS} from games g join sources s on s.id = g.source"
                " where g.id between ? and ?",
                [first, first + _AT_ONCE - 1],
            )
            if rows:
                found = [_identified(database, path, parts) for path, *parts in rows]
                run(_DETAILS, [list(column) for column in zip(*found, strict=True)])
        run(_COPIES)
        groups = Groups(database, run, PlayerNumbers(run))
        several = run("select digest_high, digest_low from games group by all having count(*) > 1 order by all")
        gone = 0
        for at in range(0, len(several), _AT_ONCE):
            gone += settle(groups, groups.load(several[at : at + _AT_ONCE]))
        if gone:
            run(RECOUNT)
        run("update reversi_library set version = ?", [VERSION])
        run("commit")
    except BaseException:
        run("rollback")
        raise


def _identified(database: DatabaseFile, path: str, parts: list[Any]) -> tuple[Any, ...]:
    """Return the values of `_DETAILS` for a game."""
    record = record_of(database, tuple(parts))
    format_ = target_format(PurePath(path).suffix.lower())
    name = "" if format_ is None or format_.name == "pgn" else format_.name
    said = json.dumps(details(record, name), ensure_ascii=False, separators=(",", ":"))
    moves, year = moves_identity(record), year_of(record)
    digest = players_identity(moves, *players(record))
    return parts[0], said, year, *halves(digest), *halves(play_identity(moves, year))
