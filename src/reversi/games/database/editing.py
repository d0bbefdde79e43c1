"""Change a database: remove a source, rename players, merge two names of one player. Each is one transaction."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reversi.errors import InputError
from reversi.games.database.players import PlayerNumbers
from reversi.games.database.versions import RECOUNT, Digest, Group, Groups, Version, digest_of, plan_of
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.file import DatabaseFile, duckdb_errors

# A name without a game goes.
_TIDY: Final = (
    "delete from players where id not in (select black from games where black is not null"
    " union all select white from games where white is not null)"
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
        repeated: how many games are then the same as another one, and go.
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
        run = runner(connection)
        numbers = PlayerNumbers(run)
        groups = Groups(database, run, numbers)
        whole = groups.load(
            connection.execute(
                "select distinct digest_high, digest_low from versions where source = ? union"
                " select distinct digest_high, digest_low from versions join games using (digest_high, digest_low)"
                " where games.source = ?",
                [source, source],
            ).fetchall()
        )
        ((before, positions),) = run("select (select count(*) from games), (select count(*) from positions)")
        alone = "select id from games g where source = ? and not exists(select 1 from versions v" + (
            " where v.digest_high = g.digest_high and v.digest_low = g.digest_low)"
        )
        _removed(connection, f"positions where game in ({alone})", [source])
        _removed(connection, f"games where id in ({alone})", [source])
        _removed(connection, "sources where id = ?", [source])
        for group in whole.values():
            group.versions = [version for version in group.versions if version.source != source]
            group.owners = {game: owner for game, owner in group.owners.items() if owner[0] != source}
        settle(groups, whole)
        run(RECOUNT)
        ((now, left),) = run("select (select count(*) from games), (select count(*) from positions)")
        ((names,),) = connection.execute(_TIDY).fetchall()
        return Removed(rows[0][0], before - now, positions - left, names)


def runner(connection: Connection) -> Callable[..., list[tuple[Any, ...]]]:
    """Return what runs SQL on a connection and returns the rows."""
    return lambda query, parameters=None: connection.execute(query, parameters or []).fetchall()


def settle(groups: Groups, changed: dict[Digest, Group]) -> int:
    """Find the games of groups again, and write them; return how many games go."""
    plans = {digest: plan_of(group) for digest, group in changed.items()}
    returning = []
    for digest, plan in plans.items():
        for versioned in plan.games:
            if not versioned.game:
                versioned.game = groups.next_number()
                groups.copy_positions(versioned.game, min(changed[digest].games))
                returning.append(versioned)
    gone = [game for plan in plans.values() for game in plan.gone]
    groups.remove_positions(gone)
    groups.write(plans, changed, returning)
    return len(gone) - len(returning)


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
        run = runner(connection)
        numbers = PlayerNumbers(run)
        groups = Groups(database, run, numbers)
        sides: dict[int, dict[str, str]] = {}
        digests: set[Digest] = set()
        for game, black, white, high, low in run(
            "select id, black, white, digest_high, digest_low from games"
            " where list_contains(?, black) or list_contains(?, white)",
            [old, old],
        ):
            sides[game] = {side: name for side, player in (("Black", black), ("White", white)) if player in old}
            digests.add((high, low))
        changed = groups.load(digests)
        _give(groups, changed, sides)
        gone = settle(groups, changed)
        numbers.save()
        if gone:
            run(RECOUNT)
        connection.execute(_TIDY)
        return Renamed(tuple(names), name, len(sides), gone)


def _give(groups: Groups, changed: dict[Digest, Group], sides: dict[int, dict[str, str]]) -> None:
    """Put a name into games, which move into other groups.

    Args:
        groups: the groups of the database.
        changed: the groups of the games; gets the others.
        sides: the new names of each game, by the sides that get them.
    """
    moved: list[tuple[Digest, Version]] = []
    for group in list(changed.values()):
        for version in [one for one in group.versions if one.game in sides]:
            record = groups.renamed(version, sides[version.game])
            group.versions.remove(version)
            moved.append((digest_of(record), version))
    changed |= groups.load({digest for digest, _ in moved} - changed.keys())
    places = {game: group for group in changed.values() for game in group.games}
    for digest, version in moved:
        target = changed[digest]
        taken = {one.key for one in target.versions if one.source == version.source}
        before = version.key
        while version.key in taken:
            version.copy += 1
        target.versions.append(version)
        if places[version.game].games.get(version.game) == before:
            del places[version.game].games[version.game]
            target.games[version.game] = version.key
            target.owners[version.game] = places[version.game].owners.pop(version.game)
            places[version.game] = target
