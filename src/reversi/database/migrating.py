"""Bringing a library of an older layout to the one of today, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from reversi.database.file import DatabaseError, DatabaseFile, DatabaseUnavailableError, told
from reversi.database.layout import MISSING, VERSION
from reversi.database.rows import halves, wthor_numbers
from reversi.database.searching import PARTS, record_of
from reversi.records.collection.identity import play_identity, players, players_identity

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
alter table games add column play_high ubigint;
alter table games add column play_low ubigint;
alter table games add column numbers varchar;
update games set digest_high = d.digest_high, digest_low = d.digest_low, copy = d.copy, play_high = d.play_high,
    play_low = d.play_low, numbers = d.numbers
    from (select *, least(65535, row_number() over (partition by digest_high, digest_low order by id)) as copy
          from digests) d where games.id = d.id;
delete from positions where game in (select id from games where not legal);
update reversi_library set version = {VERSION};
drop table digests;
"""


def migrate(library: DatabaseFile, connection: DuckDBPyConnection) -> None:
    """Bring a library of layout 1 to today's: digests anew, and no positions of games that are not legal.

    Raises:
        DatabaseError: it cannot be read or written, or NumPy is not installed; the library is as it was.
    """
    try:
        import numpy as np
    except ImportError:
        raise DatabaseUnavailableError(MISSING) from None
    with told(library.path, write=True):
        connection.execute(_BEGIN)
        try:
            rows = _digests(library)
            while block := list(islice(rows, _BLOCK)):
                columns = zip(_COLUMNS.items(), zip(*block, strict=True), strict=True)
                made = {name: np.array(values, dtype=type_) for (name, type_), values in columns}
                connection.register("made", made)
                connection.execute("insert into digests select * from made")
                connection.unregister("made")
            connection.execute(_CHANGE)
            lost = connection.execute("select count(*) from games where play_high is null").fetchall()
            if lost != [(0,)]:
                raise DatabaseError(f"{library.path}: the database loses rows; try another version of DuckDB")
            connection.execute("commit")
        except BaseException:
            connection.execute("rollback")
            raise


def _digests(library: DatabaseFile) -> Iterator[tuple[Any, ...]]:
    """The digests of all games."""
    for row in library.stream(f"select {PARTS} from games g order by g.id"):
        record = record_of(library, row)
        play = play_identity(record)
        digest = players_identity(play, *players(record))
        yield row[0], *halves(digest), *halves(play), wthor_numbers(record)
