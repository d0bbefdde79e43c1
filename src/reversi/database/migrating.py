"""Convert a database from an older layout to the current one, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from reversi.database.file import DatabaseError, DatabaseFile, DatabaseUnavailableError, duckdb_errors
from reversi.database.layout import MISSING, VERSION
from reversi.database.rows import halves, wthor_numbers
from reversi.database.searching import PARTS, record_of
from reversi.records.collection.identity import play_identity, players, players_identity

if TYPE_CHECKING:
    from reversi.database.connection import Connection

__all__ = ["migrate"]

_BLOCK: Final = 4096  # games
_COLUMNS: Final = {
    "id": "int32",
    "digest_high": "uint64",
    "digest_low": "uint64",
    "play_high": "uint64",
    "play_low": "uint64",
    "numbers": "object",
}
_BEGIN: Final = """
begin;
create temp table digests (
    id integer, digest_high ubigint, digest_low ubigint, play_high ubigint, play_low ubigint, numbers varchar
);
"""
_CHANGE: Final = f"""
alter table games add column if not exists play_high ubigint;
alter table games add column if not exists play_low ubigint;
alter table games add column if not exists numbers varchar;
update games set digest_high = d.digest_high, digest_low = d.digest_low, copy = d.copy, play_high = d.play_high,
    play_low = d.play_low, numbers = d.numbers
    from (select *, least(65535, row_number() over (partition by digest_high, digest_low order by id)) as copy
          from digests) d where games.id = d.id;
delete from positions where game in (select id from games where not legal);
update reversi_library set version = {VERSION};
drop table digests;
"""


def migrate(database: DatabaseFile, connection: Connection) -> None:
    """Give a database of an older layout new digests, and remove the positions of illegal games.

    Raises:
        DatabaseError: the file cannot be read or written, or NumPy is not installed; the database is unchanged.
    """
    try:
        import numpy as np
    except ImportError:
        raise DatabaseUnavailableError(MISSING) from None
    with duckdb_errors(database.path, write=True):
        connection.execute(_BEGIN)
        try:
            rows = _digests(database)
            while block := list(islice(rows, _BLOCK)):
                columns = zip(_COLUMNS.items(), zip(*block, strict=True), strict=True)
                made = {name: np.array(values, dtype=type_) for (name, type_), values in columns}
                connection.register("made", made)
                connection.execute("insert into digests select * from made")
            connection.execute(_CHANGE)
            lost = connection.execute("select count(*) from games where play_high is null").fetchall()
            if lost != [(0,)]:
                raise DatabaseError(f"{database.path}: DuckDB loses rows; try another version of it")
            connection.execute("commit")
        except BaseException:
            connection.execute("rollback")
            raise


def _digests(database: DatabaseFile) -> Iterator[tuple[Any, ...]]:
    """Yield the digests of all games."""
    for row in database.stream(f"select {PARTS} from games g order by g.id"):
        record = record_of(database, row)
        play = play_identity(record)
        digest = players_identity(play, *players(record))
        yield row[0], *halves(digest), *halves(play), wthor_numbers(record)
