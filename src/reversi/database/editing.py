"""Change a database: remove a source, rename players, merge two names of one player. Each is one transaction."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reversi.database.connection import Connection
from reversi.database.file import DatabaseError, DatabaseFile, duckdb_errors
from reversi.database.rows import halves
from reversi.errors import InputError
from reversi.records.collection.identity import details, differ, players, players_identity
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.record import Record, Tags, write_record

__all__ = ["Removed", "Renamed", "remove_source", "rename"]

# A name without a game goes.
_TIDY: Final = (
    "delete from players where id not in (select black from games where black is not null"
    " union all select white from games where white is not null)"
)
# As an import does it: the first source that has a game keeps it, and a source may have a game several times.
_COPIES: Final = """
create or replace temp table copies as
select id, digest_high, digest_low, least(65535, row_number() over (
    partition by digest_high, digest_low, source order by id)) as copy
from games where (digest_high, digest_low) in (
    select (digest_high, digest_low) from games where list_contains(?, id));
"""
_CHANGE: Final = """
update games set black = c.black, white = c.white, tags = c.tags, record = c.record, digest_high = c.digest_high,
    digest_low = c.digest_low
from (select unnest(?::integer[]) as black, unnest(?::integer[]) as white, unnest(?::varchar[]) as tags,
             unnest(?::varchar[]) as record, unnest(?::ubigint[]) as digest_high,
             unnest(?::ubigint[]) as digest_low, unnest(?::integer[]) as id) c
where games.id = c.id
"""
_SAME_DIGEST: Final = (
    "select c.digest_high, c.digest_low, g.id, g.source, g.tags from copies c join games g on g.id = c.id"
    " order by g.id"
)


@dataclass(frozen=True, slots=True)
class Removed:
    """What the removal of a source takes away.

    Attributes:
        path: the source.
        games: how many games.
        positions: how many positions of games.
        players: how many names that no other game has.
    """

    path: str
    games: int
    positions: int
    players: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """What new names of players change.

    Attributes:
        names: the names that go.
        name: the name that their games get.
        games: how many games get it.
        repeated: how many games are then the same as an earlier game of another source, and go.
    """

    names: tuple[str, ...]
    name: str
    games: int
    repeated: int


@contextlib.contextmanager
def _transaction(database: DatabaseFile, connection: Connection, *, dry_run: bool) -> Iterator[None]:
    """Make all changes of the statement, or none: after an error, or for a dry run."""
    with duckdb_errors(database.path, write=True):
        connection.execute("begin")
        try:
            yield
        except BaseException:
            connection.execute("rollback")
            raise
        connection.execute("rollback" if dry_run else "commit")


def remove_source(
    database: DatabaseFile, connection: Connection, source: int, *, dry_run: bool = False
) -> Removed:
    """Remove a source and its games; see `Database.remove_source`."""
    with _transaction(database, connection, dry_run=dry_run):
        rows = connection.execute("select path from sources where id = ?", [source]).fetchall()
        if not rows:
            raise InputError(f"source {source} does not exist")
        positions = _removed(
            connection, "positions where game in (select id from games where source = ?)", [source]
        )
        games = _removed(connection, "games where source = ?", [source])
        _removed(connection, "sources where id = ?", [source])
        ((names,),) = connection.execute(_TIDY).fetchall()
        return Removed(rows[0][0], games, positions, names)


def _removed(connection: Connection, what: str, parameters: list[Any]) -> int:
    ((count,),) = connection.execute(f"delete from {what}", parameters).fetchall()
    return int(count)


def rename(
    database: DatabaseFile,
    connection: Connection,
    names: Sequence[str],
    name: str,
    *,
    merge: bool,
    dry_run: bool = False,
) -> Renamed:
    """Give the games of some players another name; see `Database.rename_player` and `Database.merge_players`."""
    if not name.strip():
        raise InputError("the new name is empty")
    with _transaction(database, connection, dry_run=dry_run):
        ids = {text: id_ for id_, text in connection.execute("select id, name from players").fetchall()}
        for player in (*names, *((name,) if merge else ())):
            if player not in ids:
                raise InputError(f"player {player!r} does not exist")
        if name in names:
            raise InputError(f"player {name!r} has that name already")
        if not merge and name in ids:
            raise InputError(f"player {name!r} exists")
        if merge:
            id_ = ids[name]
        else:
            id_ = ids[names[0]]
            connection.execute("update players set name = ? where id = ?", [name, id_])
        old = [ids[player] for player in names]
        games = _give(database, connection, old, id_, name)
        connection.execute(_COPIES, [games])
        repeated = _repeated(connection.execute(_SAME_DIGEST).fetchall())
        connection.execute("update games set copy = c.copy from copies c where games.id = c.id")
        connection.execute("drop table copies")
        if repeated:
            _removed(connection, "positions where list_contains(?, game)", [repeated])
            _removed(connection, "games where list_contains(?, id)", [repeated])
            connection.execute("update sources set games = (select count(*) from games where source = sources.id)")
        connection.execute(_TIDY)
        return Renamed(tuple(names), name, len(games), len(repeated))


def _repeated(games: list[tuple[Any, ...]]) -> list[int]:
    """Return the games that are the same as an earlier one of another source; each source has a game once."""
    kept: dict[tuple[int, int], list[tuple[set[int], tuple[str, ...]]]] = {}
    repeated = []
    for high, low, game, source, tags in games:
        said = details(Record(Tags(json.loads(tags))))
        there = kept.setdefault((high, low), [])
        for sources, other in there:
            if source not in sources and not differ(said, other):
                sources.add(source)
                repeated.append(game)
                break
        else:
            there.append(({source}, said))
    return repeated


def _give(database: DatabaseFile, connection: Connection, old: list[int], id_: int, name: str) -> list[int]:
    """Put a name into the games of some players; return the numbers of these games."""
    rows = connection.execute(
        "select id, black, white, tags, record, play_high, play_low from games"
        " where list_contains(?, black) or list_contains(?, white)",
        [old, old],
    ).fetchall()
    changes = []
    for game, black, white, tags_text, text, *play_halves in rows:
        new = {side: name for side, player in (("Black", black), ("White", white)) if player in old}
        try:
            tags = Tags(json.loads(tags_text))
            tags.update(new)
            record = parse_record(text) if text else None
            if record is not None:
                record.tags.update(new)
        except (InputError, ValueError) as error:
            raise DatabaseError(f"{database.path}: game {game} is damaged: {error}") from None
        play = b"".join(half.to_bytes(8, "little") for half in play_halves)
        changes.append(
            [
                id_ if black in old else black,
                id_ if white in old else white,
                json.dumps(tags.pairs, ensure_ascii=False, separators=(",", ":")),
                "" if record is None else write_record(record),
                *halves(players_identity(play, *players(Record(tags)))),
                game,
            ]
        )
    if changes:
        connection.execute(_CHANGE, [list(column) for column in zip(*changes, strict=True)])
    return [row[0] for row in rows]
