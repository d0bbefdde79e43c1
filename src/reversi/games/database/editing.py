"""Change a database: remove a source, rename players and events. Each change is one transaction."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reversi.arguments import excerpt
from reversi.errors import InputError
from reversi.games.aliases import Aliases
from reversi.games.database.players import TIDY, PlayerNumbers, keep_aliases
from reversi.games.database.versions import RECOUNT, Groups, Key
from reversi.games.identity import Same
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.file import DatabaseFile, duckdb_errors


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
        repeated: how many games are then the same as another one, and go.
    """

    names: tuple[str, ...]
    name: str
    games: int
    repeated: int


@dataclass(frozen=True, slots=True)
class Aliased:
    """What aliases change.

    Attributes:
        players: how many names of players go.
        events: how many names of events go.
        games: how many games get another name.
        repeated: how many games are then the same as another one, and go.
    """

    players: int
    events: int
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
        rows = connection.rows("select path from sources where id = ?", [source])
        if not rows:
            raise InputError(f"source {source} does not exist")
        games, positions = _groups(database, connection).take_away(source)
        connection.rows(RECOUNT)
        ((names,),) = connection.rows(TIDY)
        return Removed(rows[0][0], games, positions, names)


def _groups(database: DatabaseFile, connection: Connection) -> Groups:
    ((same,),) = connection.rows("select same from reversi_library")
    return Groups(database, connection.rows, PlayerNumbers(connection.rows), Same.of(same))


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
        there = {player for (player,) in connection.rows("select name from players")}
        for player in (*names, *((name,) if merge else ())):
            if player not in there:
                raise InputError(f"player {excerpt(player)} does not exist")
        if name in names:
            raise InputError(f"player {excerpt(name)} has that name already")
        if not merge and name in there:
            raise InputError(f"player {excerpt(name)} exists")
        keep_aliases(connection.rows, dict.fromkeys(names, name), event=False)
        return Renamed(tuple(names), name, *_put(database, connection, dict.fromkeys(names, name), {}))


def apply_aliases(
    database: DatabaseFile, connection: Connection, aliases: Aliases, *, dry_run: bool = False
) -> Aliased:
    """Give players and events their names; see `Database.apply_aliases`."""
    with _transaction(database, connection, dry_run=dry_run):
        run = connection.rows
        keep_aliases(run, dict(aliases.pairs), event=False)
        keep_aliases(run, dict(aliases.events.pairs), event=True)
        players, events = (
            {old: new for (old,) in run(f"select distinct {what}") if (new := names.name_of(old)) != old}
            for what, names in (("name from players", aliases), ("event from games", aliases.events))
        )
        return Aliased(len(players), len(events), *_put(database, connection, players, events))


def _put(
    database: DatabaseFile, connection: Connection, players: dict[str, str], events: dict[str, str]
) -> tuple[int, int]:
    """Put new names in place of others; return how many games get one, and how many of these go."""
    run = connection.rows
    groups = _groups(database, connection)
    tags: dict[int, dict[str, str]] = {}
    keys: set[Key] = set()
    for game, black, white, event, high, low, copy in run(
        "select g.id, b.name, w.name, g.event, digest_high, digest_low, copy from games g"
        " left join players b on b.id = g.black left join players w on w.id = g.white"
        " where list_contains($1, b.name) or list_contains($1, w.name) or list_contains($2, g.event)",
        [list(players), list(events)],
    ):
        said = (("Black", players.get(black)), ("White", players.get(white)), ("Event", events.get(event)))
        tags[game] = {name: value for name, value in said if value is not None}
        keys.add((high, low, copy))
    changed = groups.load(keys)
    groups.retag(changed, tags)
    gone = groups.settle(changed)
    run(RECOUNT)
    run(TIDY)
    return len(tags), gone
