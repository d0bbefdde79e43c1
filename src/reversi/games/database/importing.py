"""Import games: one transaction adds those that the database does not have."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, NamedTuple

from reversi.arguments import check_type
from reversi.errors import InputError
from reversi.games.database.players import PlayerNumbers
from reversi.games.database.rows import BLOCK, NO_NUMBER, NO_WINNER, Block, GameRow, IllegalGame, blocks, row_of
from reversi.games.database.versions import (
    RECOUNT,
    Copy,
    Digest,
    Group,
    Groups,
    Plan,
    Version,
    VersionedGame,
    parts_of_row,
    plan_of,
)
from reversi.games.identity import Why, details
from reversi.records.entry import Entry
from reversi.records.facts import known
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.file import (
    DatabaseError,
    DatabaseFile,
    DatabaseUnavailableError,
    duckdb_errors,
)
from reversi.records.formats.database.layout import MISSING
from reversi.records.formats.database.reader import record_of
from reversi.records.record import Record, Tags

_RUN: Final = 1 << 19  # positions to sort and add at once
_POSITION: Final = {"key": "uint64", "game": "int32", "ply": "uint16", "move": "uint8"}
_TYPES: Final = {
    **dict.fromkeys(("id", "row", "number", "black", "white", "source"), "int32"),
    **dict.fromkeys(("year", "score"), "int16"),
    **dict.fromkeys(("plies", "passes", "copy"), "uint16"),
    **dict.fromkeys(("finished", "legal", "unnamed"), "bool"),
    **dict.fromkeys(("digest_high", "digest_low", "play_high", "play_low"), "uint64"),
    "winner": "int8",
}
"""The types of the columns of numbers; the others are text."""

_MADE: Final = (*GameRow._fields, "unnamed", "id", "black", "white", "source", "copy")
_ADD_GAMES: Final = (
    "insert into games by name select * exclude (row, unnamed, black_name, white_name) replace ("
    f"nullif(year, {NO_NUMBER}) as year, nullif(score, {NO_NUMBER}) as score,"
    f" nullif(winner, {NO_WINNER}) as winner,"
    " nullif(black, 0) as black, nullif(white, 0) as white), false as merged from made where row >= 0 and id > 0"
)
# games that are there as they are in the file; the whole games, and versions of games
_EQUAL: Final = """
select m.row, g.id, 'REPEATS' from made m join games g
on g.digest_high = m.digest_high and g.digest_low = m.digest_low and g.copy = m.copy and g.tags = m.tags
    and g.details = m.details and g.record = m.record and g.moves = m.moves and g.result = m.result
where m.row >= 0 and not g.merged
union all select m.row, v.game, v.why from made m join versions v
on v.digest_high = m.digest_high and v.digest_low = m.digest_low and v.copy = m.copy and v.tags = m.tags
    and v.details = m.details and v.record = m.record and v.moves = m.moves and v.result = m.result
where m.row >= 0
"""
# digests that the database has
_SHARED: Final = """
select distinct digest_high, digest_low from made m semi join games g using (digest_high, digest_low)
where m.row >= 0 and not list_contains(?::integer[], m.row)
"""
# games of WTHOR whose names the database does not have, and the file does
_NAMELESS: Final = """
select m.row, g.id, g.digest_high, g.digest_low from made m join games g
on g.play_high = m.play_high and g.play_low = m.play_low and g.numbers = m.numbers
where m.row >= 0 and m.numbers <> '' and not m.unnamed and g.black is null and g.white is null order by m.row
"""
# the other way around
_NAMED: Final = """
select m.row, min(g.tags) from made m join games g
on g.play_high = m.play_high and g.play_low = m.play_low and g.numbers = m.numbers
where m.row >= 0 and m.numbers <> '' and m.unnamed and (g.black is not null or g.white is not null) group by m.row
"""
# what belongs to a source
_OWNED: Final = "select 1 from games where source = $1 union all select 1 from versions where source = $1 limit 1"
# One row for each play and players, with the first game of other players: no pair of games is compared.
_TWINS: Final = """
with kinds as (
    select play_high, play_low, digest_high, digest_low, min(id) as first from games group by all
), others as (
    select play_high, play_low, digest_high, digest_low, min(first) over (partition by play_high, play_low
        rows between unbounded preceding and unbounded following exclude current row) as other from kinds
)
select count(*) from games g join others o using (play_high, play_low, digest_high, digest_low)
where g.id > ? and o.other < g.id
"""


class KnownGame(NamedTuple):
    """A game of a source that the database has already.

    Attributes:
        game: its number in the source.
        black: the name of the player who has Black.
        white: the name of the player who has White.
        same: the number of the game in the database.
        why: why they are the same.
    """

    game: int
    black: str
    white: str
    same: int
    why: Why


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did with the games of a source.

    Attributes:
        path: the source.
        games: how many games the source has.
        added: how many are new.
        known: how many the database had already.
        named: how many of these had no names and got those of the source.
        illegal: how many have an illegal move; the database does not have their positions.
    """

    path: str
    games: int
    added: int
    known: int
    named: int = 0
    illegal: int = 0

    def __add__(self, other: Imported) -> Imported:
        """Return the sums of two sources, under the path of the first."""
        counts = (getattr(self, name) + getattr(other, name) for name in self.__slots__[1:])
        return Imported(self.path, *counts)


class _Rows:
    """A table of buffers that SQL reads, filled again for each block.

    DuckDB keeps what a transaction registers until its end, so each table registers once.
    """

    def __init__(self, np: Any, connection: Connection, name: str, columns: Iterable[str], size: int) -> None:
        self._size = size
        types = {**_TYPES, **_POSITION}
        self._columns = {column: np.empty(size, types.get(column, object)) for column in ("row", *columns)}
        for values in self._columns.values():
            values.fill("" if values.dtype == object else 0)
        connection.register(name, self._columns)

    def fill(self, columns: dict[str, Any]) -> None:
        """Fill columns with values, one per row; the other columns stay."""
        count = 0
        for name, values in columns.items():
            count = len(values)
            self._columns[name][:count] = values
        self._columns["row"][:count] = range(count)
        self._columns["row"][count:] = -1


class Import:
    """An import into a database: one transaction. Use it in a ``with`` statement, or end it with `commit`.

    An error or interrupt within the statement leaves the database unchanged.

    Attributes:
        committed: whether the games are part of the database.
        twins: after the end, how many of the added games have the moves and the year of an earlier game, and other
            names.
    """

    def __init__(self, database: DatabaseFile, connection: Connection) -> None:
        check_type("database", database, DatabaseFile)
        try:
            import numpy as np
        except ImportError:
            raise DatabaseUnavailableError(MISSING) from None
        self._numpy = np
        self._database = database
        self._connection = connection
        self._open = False
        self._any = False
        self.committed = False
        self.twins = 0
        self._runs: list[tuple[Any, ...]] = []  # positions to add: keys, games, plies, moves
        self._waiting = 0
        self._new = [0, 0]  # new games and positions
        self._moved = False  # whether games changed their source or went
        with duckdb_errors(database.path, write=True):
            connection.execute("begin")
            self._open = True
            ((*self._before, self._first, self._source, self._unnamed),) = self._run(
                "select (select count(*) from games), (select count(*) from positions),"
                " (select coalesce(max(id), 0) from games), (select coalesce(max(id), 0) from sources),"
                " (select count(*) from games where numbers <> '' and black is null and white is null)"
            )
            self._last = self._first
            self._made = self._table("made", _MADE, BLOCK)
            self._sorted = self._table("sorted", _POSITION, _RUN)
            self._players = PlayerNumbers(self._run)
            self._groups = Groups(database, self._run, self._players)

    def __enter__(self) -> Import:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.rollback()

    def rollback(self) -> None:
        """Leave the database unchanged. Does nothing after the end of the import."""
        if not self._open:
            return
        self._open = False
        import duckdb

        try:
            self._connection.execute("rollback")
        except duckdb.TransactionException:  # the commit came first, and failed or was interrupted after it
            if self._is_there():
                self._done()
        except duckdb.Error:
            pass  # nothing was written

    def _is_there(self) -> bool:
        """Return whether the database has the last source of the import."""
        import duckdb

        try:
            return bool(self._run("select 1 from sources where id = ?", [self._source]))
        except duckdb.Error:
            return False

    def commit(self) -> None:
        """Make all sources added so far part of the database. Does nothing after the end of the import.

        Raises:
            DatabaseError: they cannot be written; the database is unchanged.
        """
        if not self._open:
            return
        try:
            with duckdb_errors(self._database.path, write=True):
                self._sort()
                self._players.save()
                if self._moved:
                    self._run(RECOUNT)
                ((*now,),) = self._run("select (select count(*) from games), (select count(*) from positions)")
                for before, new, rows in zip(self._before, self._new, now, strict=True):
                    self._count(rows - before, new)
                if self._new[0]:
                    ((self.twins,),) = self._run(_TWINS, [self._first])
                self._run("commit")
        except BaseException:
            self.rollback()
            raise
        self._open = False
        self._done()

    def _done(self) -> None:
        self.committed = True
        if self._any:
            self._database.keep()

    def add_source(
        self,
        path: str,
        entries: Iterable[Entry],
        tell: Callable[[IllegalGame], None] | None = None,
        known: Callable[[KnownGame], None] | None = None,
    ) -> Imported:
        """Add the games of one source, without those that the database or this import has already.

        Two games are the same if their rules, moves (up to symmetry) and players are, and nothing that is known
        about both differs. The order of the sources changes nothing but the numbers of the games. A game of the
        database gets what it lacks, and one of WTHOR its names, from a source that has them. A game that one
        source has several times with the same details counts as several games.

        Args:
            path: the name of the source.
            entries: its games.
            tell: called with every game that has an illegal move; the database does not get its positions.
            known: called with every game that the database has already.

        Raises:
            DatabaseError: the games cannot be written.
        """
        return self.add_blocks(path, blocks(entries), tell, known)

    def add_blocks(
        self,
        path: str,
        made: Iterable[Block],
        tell: Callable[[IllegalGame], None] | None = None,
        known: Callable[[KnownGame], None] | None = None,
    ) -> Imported:
        """Add the games of one source, as `add_source` does, from rows that another process made of them."""
        seen = _Copies()
        games = added = named = illegal = 0
        source = self._source + 1
        for block in made:
            games += len(block.games)
            illegal += len(block.illegal)
            if tell is not None:
                for one in block.illegal:
                    tell(one)
            with duckdb_errors(self._database.path, write=True):
                found = self._add(block, source, seen, known)
            added += found[0]
            named += found[1]
        if games:
            self._any = True
            with duckdb_errors(self._database.path, write=True):
                self._list_source(source, path, added, named)
        return Imported(path, games, added, games - added, named, illegal)

    def _list_source(self, source: int, path: str, added: int, named: int) -> None:
        """Add a source to the list, in which a path stands again only with what it has brought each time."""
        name = path.encode("utf-8", "backslashreplace").decode()  # file names need not be UTF-8
        earlier = [id_ for (id_,) in self._run("select id from sources where path = ?", [name])]
        if earlier and not (added or named or self._run(_OWNED, [source])):
            return
        self._source = source
        for id_ in earlier:
            if not self._run(_OWNED, [id_]):
                self._run("delete from sources where id = ?", [id_])
        self._run("insert into sources values (?, ?, ?, current_timestamp::timestamp)", [source, name, added])

    def _run(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, parameters or []).fetchall()

    def _add(
        self, block: Block, source: int, seen: _Copies, known: Callable[[KnownGame], None] | None
    ) -> tuple[int, int]:
        """Add the new games of a block; return how many there are, and how many others get names."""
        self._fill(block.games, [1] * len(block.games), source)
        if any(game.numbers and not (game.black_name or game.white_name) for game in block.games):
            block.games = self._with_names(block.games)
        games = block.games
        copies = [seen.add(game) for game in games]
        self._fill(games, copies, source)
        there: dict[int, tuple[int, Why]] = {}
        for row, game, why in self._run(_EQUAL):
            there.setdefault(row, (game, Why[why]))
        if len(there) < len(games):
            added, named = self._settle(block, copies, source, there)
        else:
            added = named = 0
        if known is not None:
            for row, (game, why) in sorted(there.items()):
                known(KnownGame(games[row].number, games[row].black_name, games[row].white_name, game, why))
        return added, named

    def _fill(self, games: list[GameRow], copies: list[int], source: int) -> None:
        columns: dict[str, Any] = dict(zip(GameRow._fields, zip(*games, strict=True), strict=True))
        columns |= {"copy": copies, "source": [source] * len(games), "id": [0] * len(games)}
        columns["unnamed"] = [not (game.black_name or game.white_name) for game in games]
        self._made.fill(columns)

    def _table(self, name: str, columns: Iterable[str], size: int) -> _Rows:
        return _Rows(self._numpy, self._connection, name, columns, size)

    def _with_names(self, games: list[GameRow]) -> list[GameRow]:
        """Return the games, those of WTHOR that have no names with the names that the database has."""
        games = list(games)
        for row, tags_text in self._run(_NAMED):
            game = games[row]
            with self._damage():
                record = record_of(self._database, (0, *parts_of_row(game)))
                _give_names(record, Tags(json.loads(tags_text)))
                games[row] = row_of(game.number, record, details(record))
        self._unnamed += sum(bool(game.numbers) and not (game.black_name or game.white_name) for game in games)
        return games

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        try:
            yield
        except (InputError, ValueError) as error:
            raise DatabaseError(f"{self._database.path}: a game is damaged: {error}") from None

    def _settle(
        self, block: Block, copies: list[int], source: int, there: dict[int, tuple[int, Why]]
    ) -> tuple[int, int]:
        """Add the games of a block that are new, and give others what the games of the block know.

        Args:
            block: the games.
            copies: the copy that each is.
            source: the number of their source.
            there: the rows of games that are there already, with their numbers and the reason; gets the others.

        Returns:
            How many games there are more, and how many get names.
        """
        games = block.games
        rows: dict[Digest, list[int]] = {}
        for row, game in enumerate(games):
            if row not in there:
                rows.setdefault((game.digest_high, game.digest_low), []).append(row)
        shared = set(self._run(_SHARED, [list(there)]))
        groups = self._groups.load([digest for digest, some in rows.items() if digest in shared or len(some) > 1])
        named = self._move_nameless(games, groups) if self._unnamed else 0
        for digest in groups.keys() & rows.keys():
            for row in rows[digest]:
                game = games[row]
                said = tuple(json.loads(game.details))
                version = Version(said, copies[row], source, game.number, parts_of_row(game), row=row)
                groups[digest].versions.append(version)
        plans = {digest: plan_of(group) for digest, group in groups.items()}
        new: dict[int, VersionedGame | None] = {
            row: None for digest, some in rows.items() if digest not in groups for row in some
        }
        returning: list[tuple[VersionedGame, int]] = []
        any_row = {(game.digest_high, game.digest_low): row for row, game in enumerate(games)}
        for digest, plan in plans.items():
            for versioned in plan.games:
                if not versioned.game and versioned.versions[0].row >= 0:
                    new[versioned.versions[0].row] = versioned
                elif not versioned.game:
                    returning.append((versioned, any_row[digest]))
        ids = [0] * len(games)
        for row in sorted(new):
            self._last += 1
            ids[row] = self._last
            if (told_new := new[row]) is not None:
                told_new.game = self._last
                told_new.changed = len(told_new.versions) > 1 or told_new.owner[0] != source
        for versioned, _ in returning:
            self._last += 1
            versioned.game = self._last
        self._insert(games, ids)
        gone = [game for plan in plans.values() for game in plan.gone]
        if gone:
            self._sort()  # their positions may wait
            lost = self._groups.remove_positions(gone)
            self._new[0] -= len(gone)
            self._new[1] -= lost
        self._moved = self._moved or any(versioned.changed for plan in plans.values() for versioned in plan.games)
        self._groups.write(plans, groups, [versioned for versioned, _ in returning])
        self._new[0] += len(returning)
        self._stage(block, ids)
        for versioned, row in returning:
            self._stage(block, [versioned.game if other == row else 0 for other in range(len(games))])
        for digest in groups.keys() & rows.keys():
            for row in rows[digest]:
                if not ids[row]:
                    there[row] = _reason(plans[digest], (tuple(json.loads(games[row].details)), copies[row]), row)
        named += sum(
            _got_event(version)
            for plan in plans.values()
            for versioned in plan.games
            for version in versioned.versions
        )
        return len(new) + len(returning) - len(gone), named

    def _move_nameless(self, games: list[GameRow], groups: dict[Digest, Group]) -> int:
        """Give games of WTHOR without names those of a block, which move them into other groups."""
        moved: dict[int, int] = {}
        digests: set[Digest] = set()
        for row, id_, high, low in self._run(_NAMELESS):
            moved.setdefault(id_, row)
            digests.add((high, low))
        if not moved:
            return 0
        targets = {(games[row].digest_high, games[row].digest_low) for row in moved.values()}
        groups |= self._groups.load((digests | targets) - groups.keys())
        for digest in digests:
            group = groups[digest]
            for version in [one for one in group.versions if one.game in moved]:
                game = games[moved[version.game]]
                with self._damage():
                    record = self._groups.record(version)
                    _give_names(record, Tags(json.loads(game.tags)))
                    made = row_of(version.number, record, details(record))
                group.versions.remove(version)
                version.parts, version.said = parts_of_row(made), tuple(json.loads(made.details))
                version.replaced = version.replaced or version.parts
                groups[game.digest_high, game.digest_low].versions.append(version)
            for game_id in group.games.keys() & moved.keys():
                game = games[moved[game_id]]
                target = groups[game.digest_high, game.digest_low]
                target.games[game_id] = next(one.key for one in target.versions if one.game == game_id)
                target.owners[game_id] = group.owners.pop(game_id)
                del group.games[game_id]
        self._unnamed -= len(moved)
        return len(moved)

    def _insert(self, games: list[GameRow], ids: list[int]) -> None:
        """Add the games of a block that have numbers."""
        if not any(ids):
            return
        players = [
            (self._players[game.black_name] or 0, self._players[game.white_name] or 0) if id_ else (0, 0)
            for game, id_ in zip(games, ids, strict=True)
        ]
        black, white = map(list, zip(*players, strict=True))
        self._made.fill({"id": ids, "black": black, "white": white})
        self._run(_ADD_GAMES)
        self._new[0] += sum(map(bool, ids))

    def _stage(self, block: Block, ids: list[int]) -> None:
        """Keep the positions of the new games until they make a run."""
        np = self._numpy
        counted = np.frombuffer(block.counts, dtype=np.int32)
        if not len(counted):
            return
        owners = np.repeat(np.array([ids[owner] for owner in block.owners], dtype=np.int32), counted)
        starts = np.repeat(np.cumsum(counted) - counted, counted)
        plies = (np.arange(len(owners)) - starts).astype(np.uint16)
        columns = (np.frombuffer(block.keys, np.uint64), owners, plies, np.frombuffer(block.moves, np.uint8))
        if 0 in ids:
            columns = tuple(column[owners > 0] for column in columns)
        self._runs.append(columns)
        self._waiting += len(columns[0])
        if self._waiting >= _RUN:
            self._sort()

    def _sort(self) -> None:
        """Add the waiting positions, sorted by key."""
        if not self._waiting:
            return
        np = self._numpy
        columns = [np.concatenate(parts) for parts in zip(*self._runs, strict=True)]
        self._runs.clear()
        order = np.argsort(columns[0], kind="stable")
        for at in range(0, len(order), _RUN):
            part = order[at : at + _RUN]
            self._sorted.fill({name: column[part] for name, column in zip(_POSITION, columns, strict=True)})
            self._run("insert into positions select key, game, ply, move from sorted where row >= 0")
        self._new[1] += self._waiting
        self._waiting = 0

    def _count(self, rows: int, made: int) -> None:
        if rows != made:
            raise DatabaseError(
                f"{self._database.path}: DuckDB has only {rows} of {made} new rows;"
                " nothing is imported, try another version of DuckDB"
            )


class _Copies:
    """Counts the games of a source that have the same moves, players and details."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._counts: dict[int, int] = {}  # of games that are there several times

    def add(self, game: GameRow) -> int:
        """Return how often the source had the game, this time included."""
        key = hash((game.digest_high, game.digest_low, game.details))
        if key not in self._seen:
            self._seen.add(key)
            return 1
        count = self._counts[key] = min(self._counts.get(key, 1) + 1, 65535)
        return count


def _reason(plan: Plan, copy: Copy, row: int) -> tuple[int, Why]:
    """Return the number of the game that a row is, and why it is that."""
    versioned, why = plan.same[copy]
    if versioned.versions[0].row == row and versioned.before is not None:
        why = Why.MORE if set(versioned.before[0]) < set(copy[0]) else Why.OTHER
    return versioned.game, why


def _give_names(record: Record, tags: Tags) -> None:
    """Give a game of WTHOR without names those of another one with the same numbers."""
    for name in ("Black", "White", "Event"):
        if not known(record.tags[name]):
            record.tags[name] = tags[name]


def _got_event(version: Version) -> bool:
    """Return whether a game of WTHOR that had no event got one."""
    if not version.replaced or version.replaced == version.parts or '["WthorBlack"' not in version.parts[1]:
        return False
    before, now = (Tags(json.loads(parts[1])) for parts in (version.replaced, version.parts))
    return not known(before["Event"]) and bool(known(now["Event"]))
