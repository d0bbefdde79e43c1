"""Import games: one transaction adds those that the database does not have."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from types import TracebackType
from typing import Any, Final, NamedTuple

from reversi.arguments import check_type
from reversi.errors import InputError
from reversi.games.aliases import Aliases
from reversi.games.changes import NO_CHANGES
from reversi.games.database.players import TIDY, PlayerNumbers, kept_aliases
from reversi.games.database.rows import (
    BLOCK,
    NO_NUMBER,
    NO_WINNER,
    Block,
    GameRow,
    IllegalGame,
    changed_blocks,
)
from reversi.games.database.versions import CLAIMED, RECOUNT, Groups, Key, Version, parts_of_row, plan_of
from reversi.games.identity import Same, Why
from reversi.games.names import name_identity
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
from reversi.records.record import Tags
from reversi.text.counting import counted

_RUN: Final = 1 << 19  # positions to sort and add at once
_NAMES: Final = ("Black", "White", "Event")
_POSITION: Final = {"key": "uint64", "game": "int32", "ply": "uint16", "move": "uint8"}
_TYPES: Final = {
    **dict.fromkeys(("id", "row", "number", "black", "white", "source"), "int32"),
    **dict.fromkeys(("year", "score"), "int16"),
    **dict.fromkeys(("plies", "passes", "copy"), "uint16"),
    **dict.fromkeys(("finished", "legal", "sure"), "bool"),
    **dict.fromkeys(("digest_high", "digest_low", "play_high", "play_low"), "uint64"),
    "winner": "int8",
}
"""The types of the columns of numbers; the others are text."""

_MADE: Final = (*GameRow._fields, "id", "black", "white", "source", "copy")
_ADD_GAMES: Final = (
    "insert into games by name select * exclude (row, sure, black_name, white_name) replace ("
    f"nullif(year, {NO_NUMBER}) as year, nullif(score, {NO_NUMBER}) as score,"
    f" nullif(winner, {NO_WINNER}) as winner,"
    " nullif(black, 0) as black, nullif(white, 0) as white), false as merged from made where row >= 0 and id > 0"
)
# games that are there as they are in the file; the whole games, and versions of games
_EQUAL: Final = """
select m.row, g.game, g.id from made m join (
    select id, id as game, digest_high, digest_low, copy, details, tags, record, moves, result from games
    where not merged union all
    select id, game, digest_high, digest_low, copy, details, tags, record, moves, result from versions
) g using (digest_high, digest_low, copy, details, tags, record, moves, result) where m.row >= 0
"""
# groups that the database has
_SHARED: Final = """
select distinct digest_high, digest_low, copy from made m semi join games g using (digest_high, digest_low, copy)
where m.row >= 0 and not list_contains(?::integer[], m.row)
"""
# other games with the numbers that WTHOR gives to tournament and players
_NUMBERED: Final = """
select m.row, g.id, g.digest_high, g.digest_low, g.tags, g.merged from made m join games g
using (play_high, play_low, numbers, copy)
where m.row >= 0 and m.numbers <> '' and not list_contains(?::integer[], m.row) order by g.id, m.row
"""
# what a source has brought
_OWNED: Final = """
select 1 from claims semi join (select version from claims where source = $1) using (version)
group by version having min(source) = $1 limit 1
"""
# the games of a source become those of another, each once
_HAND_OVER: Final = """
insert into claims select $2, number, version from claims one where source = $1 and not exists (
    select 1 from claims other where other.source = $2 and other.version = one.version
)
"""
# groups with games of replaced sources: how many games there are, how many of these sources, and of no others
_REPLACED: Final = f"""
create or replace temp table replaced as
select digest_high, digest_low, copy, count(*) as whole, count(alone) as theirs,
    count(*) filter (alone) as own
from games left join (
    select game, bool_and(list_contains($1::integer[], source)) as alone from {CLAIMED} group by game
    having bool_or(list_contains($1::integer[], source))
) on game = id group by all having theirs > 0
"""
# how many groups these are, and how many of them a source has
_KEPT: Final = f"""
select count(*), count(there) from replaced left join (
    select distinct digest_high, digest_low, copy, true as there from games join {CLAIMED} c on game = id
    where c.source = ?
) using (digest_high, digest_low, copy)
"""
# how many of these there were, and how many are gone
_GONE: Final = """
select coalesce(sum(own), 0), coalesce(sum(least(own, greatest(whole - coalesce(now, 0), 0))), 0)
from replaced left join (select digest_high, digest_low, copy, count(*) as now from games group by all)
using (digest_high, digest_low, copy)
"""
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
        named: how many of these got names of the source, by the numbers of WTHOR: missing or corrected ones.
        illegal: how many have an illegal move; the database does not have their positions.
        gone: how many games went, because the source that this one replaces had them, and no other source has.
    """

    path: str
    games: int
    added: int
    known: int
    named: int = 0
    illegal: int = 0
    gone: int = 0

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

    Args:
        database: the database.
        connection: its connection.
        same: what makes two games the same, as all imports into the database have it; `None` for what these have.

    Raises:
        InputError: the earlier imports have another `same`.

    Attributes:
        committed: whether the games are part of the database.
        same: what makes two games the same.
        aliases: the names that games get: what was renamed in the database stays so.
        twins: after the end, how many of the added games have the moves and the year of an earlier game, and other
            names.
    """

    def __init__(self, database: DatabaseFile, connection: Connection, same: Same | None = None) -> None:
        check_type("database", database, DatabaseFile)
        try:
            import numpy as np
        except ImportError:
            raise DatabaseUnavailableError(MISSING) from None
        self._numpy = np
        self._database = database
        self._connection = connection
        self._run = connection.rows
        self._open = False
        self._any = False
        self.committed: bool = False
        self.twins: int = 0
        self._runs: list[tuple[Any, ...]] = []  # positions to add: keys, games, plies, moves
        self._waiting = 0
        self._new = [0, 0]  # new games and positions
        self._moved = False  # whether games changed their source or went
        with duckdb_errors(database.path, write=True):
            self.same: Same = self._agreed(same)
            connection.execute("begin")
            self._open = True
            self._run("update reversi_library set same = ?", [str(self.same)])
            ((*self._before, self._first, self._source),) = self._run(
                "select (select count(*) from games), (select count(*) from positions),"
                " (select coalesce(max(id), 0) from games), (select coalesce(max(id), 0) from sources)"
            )
            self._last, self._earlier = self._first, self._source
            self._numbered = {
                year
                for (year,) in self._run(
                    f"select coalesce(year, {NO_NUMBER}) from games where numbers <> '' group by 1"
                )
            }
            self._made = _Rows(np, connection, "made", _MADE, BLOCK)
            self._sorted = _Rows(np, connection, "sorted", _POSITION, _RUN)
            self._players = PlayerNumbers(self._run)
            self.aliases: Aliases = kept_aliases(self._run)
            self._groups = Groups(database, self._run, self._players, self.same)

    def _agreed(self, same: Same | None) -> Same:
        ((there, games),) = self._run("select same, (select count(*) from games) from reversi_library")
        if games and same is not None and str(same) != there:
            raise InputError(
                f"{self._database.path} compares games by {there or 'all that is known'};"
                f" to compare them by {str(same) or 'all that is known'}, import them into a new file"
            )
        return same or Same.of(there)

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
                    self._run(TIDY)
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
        *,
        replace: Collection[int] = (),
    ) -> Imported:
        """Add the games of one source, without those that the database or this import has already.

        Two games are the same if their rules, moves (up to symmetry) and players are, and nothing that is known
        about both differs (`reversi.games.identity`). The order of the sources changes nothing but the numbers of
        the games. A game of the database gets what it lacks. One with the numbers of WTHOR gets missing and
        corrected names from a later source with the same moves, year and numbers. A game that one
        source has several times with the same details counts as several games, where it is short or nameless.

        Args:
            path: the name of the source.
            entries: its games.
            tell: called with every game that has an illegal move; the database does not get its positions.
            known: called with every game that the database has already.
            replace: sources that are taken away, as `Database.remove_source` does, if this one has games.

        Raises:
            InputError: a source to replace has another path, and this one has fewer than half of its games.
            DatabaseError: the games cannot be written.
        """
        made = changed_blocks(NO_CHANGES, self.aliases, self.same, entries)
        return self.add_blocks(path, made, tell, known, replace=replace)

    def add_blocks(
        self,
        path: str,
        made: Iterable[Block],
        tell: Callable[[IllegalGame], None] | None = None,
        known: Callable[[KnownGame], None] | None = None,
        *,
        replace: Collection[int] = (),
    ) -> Imported:
        """Add the games of one source, as `add_source` does, from rows that another process made of them."""
        seen = _Copies()
        games = added = named = illegal = 0
        source = self._source + 1
        years: set[int] = set()
        others: list[str] = []
        for block in made:
            if replace and not games:
                with duckdb_errors(self._database.path, write=True):
                    there = self._run("select path from sources where list_contains(?, id)", [[*replace]])
                    others = [name for (name,) in there if name != listed_path(path)]
                    self._take_away(replace)
            games += len(block.games)
            years.update(game.year for game in block.games if game.numbers)
            illegal += len(block.illegal)
            if tell is not None:
                for one in block.illegal:
                    tell(one)
            with duckdb_errors(self._database.path, write=True):
                found = self._add(block, source, seen, known)
            added += found[0]
            named += found[1]
        self._numbered |= years
        if games:
            self._any = True
            if others:
                self._check_kept(source, path, others[0])
            with duckdb_errors(self._database.path, write=True):
                self._list_source(source, path, added)
        gone = 0
        if replace and games:
            before, gone = map(int, self._run(_GONE)[0])
            added -= before - gone
        return Imported(path, games, added, games - added, named, illegal, gone)

    def earlier(self, path: str) -> dict[int, str]:
        """Return the numbers and the paths of the sources that a file replaces, none for a new file.

        They are those of its name, or else those of the only other path that ends in the same file name; the file
        must then have at least half of their games. They are not of this import.

        Raises:
            InputError: several paths do.
        """
        path = listed_path(path)
        there = dict(self._run("select id, path from sources where id <= ? order by id", [self._earlier]))
        file = PurePath(path).name
        alike = dict.fromkeys(name for name in there.values() if PurePath(name).name == file)
        if len(alike) > 1 and path not in alike:
            raise InputError(f"{path} can replace {' or '.join(alike)}; remove one of these first")
        wanted = path if path in alike else next(iter(alike), None)
        return {number: name for number, name in there.items() if name == wanted}

    def _take_away(self, sources: Collection[int]) -> None:
        """Take sources away, and remember their games."""
        self._sort()
        self._players.save()
        self._run(_REPLACED, [list(sources)])
        for source in sources:
            games, positions = self._groups.take_away(source)
            self._new[0] -= games
            self._new[1] -= positions
        self._moved = True

    def _check_kept(self, source: int, path: str, other: str) -> None:
        """Check that a source has at least half of the games of another path that it replaces."""
        ((whole, kept),) = self._run(_KEPT, [source])
        if 2 * kept < whole:
            raise InputError(
                f"{path} has {kept} of {counted(whole, 'game')} of {other}, so it does not replace this file;"
                " import it to add its games, or remove that file first"
            )

    def _list_source(self, source: int, path: str, added: int) -> None:
        """Add a source to the list, in which a path stands again only with what it has brought each time."""
        name = listed_path(path)
        earlier = [id_ for (id_,) in self._run("select id from sources where path = ?", [name])]
        if earlier and not (added or self._run(_OWNED, [source])):
            self._hand_over(source, earlier[-1])
            return
        self._source = source
        for id_ in earlier:
            if not self._run(_OWNED, [id_]):
                self._run("delete from sources where id = ?", [id_])
                self._hand_over(id_, source)
        self._run("insert into sources values (?, ?, ?, current_timestamp::timestamp)", [source, name, added])

    def _hand_over(self, source: int, other: int) -> None:
        self._moved = True
        self._run(_HAND_OVER, [source, other])
        self._run("delete from claims where source = ?", [source])

    def _add(
        self, block: Block, source: int, seen: _Copies, known: Callable[[KnownGame], None] | None
    ) -> tuple[int, int]:
        """Add the new games of a block; return how many there are, and how many others get names."""
        copies = [seen.add(game) for game in block.games]
        self._fill(block.games, copies, source)
        there: dict[int, tuple[int, Why]] = {}
        versions = [0] * len(copies)
        for row, game, version in self._run(_EQUAL):
            there[row], versions[row] = (game, Why.REPEATS), version
        self._claim(versions)
        added = named = 0
        if len(there) < len(copies):
            added, named, versions = self._settle(block, copies, source, there)
            self._claim(versions)
        if known is not None:
            for row, (game, why) in sorted(there.items()):
                one = block.games[row]
                known(KnownGame(one.number, one.black_name, one.white_name, game, why))
        return added, named

    def _claim(self, versions: list[int]) -> None:
        """Note which versions the source has, by the rows of the block; 0 for none."""
        self._made.fill({"id": versions})
        self._run("insert into claims select source, number, id from made where row >= 0 and id <> 0")

    def _fill(self, games: list[GameRow], copies: list[int], source: int) -> None:
        columns: dict[str, Any] = dict(zip(GameRow._fields, zip(*games, strict=True), strict=True))
        columns |= {"copy": copies, "source": [source] * len(games), "id": [0] * len(games)}
        self._made.fill(columns)

    def _settle(
        self, block: Block, copies: list[int], source: int, there: dict[int, tuple[int, Why]]
    ) -> tuple[int, int, list[int]]:
        """Add the games of a block that are new, and give others what the games of the block know.

        Args:
            block: the games.
            copies: the copy that each is.
            source: the number of their source.
            there: the rows of games that are there already, with their numbers and the reason; gets the others.

        Returns:
            How many games there are more, how many get names, and the versions that the rows are; 0 for those that
            were there already.
        """
        games, ids = block.games, [0] * len(copies)
        names, numbered = self._names(block, copies, source, there)
        shared = self._run(_SHARED, [list(there)])
        rows: dict[Key, list[int]] = {}
        for row, game in enumerate(games):
            if row not in there:
                rows.setdefault((game.digest_high, game.digest_low, copies[row]), []).append(row)
        several = [key for key, some in rows.items() if len(some) > 1]
        groups = self._groups.load({*shared, *numbered, *several})
        self._groups.retag(groups, names)
        for key in groups.keys() & rows.keys():
            for row in rows[key]:
                said, parts = tuple(json.loads(games[row].details)), parts_of_row(games[row])
                groups[key].versions.append(Version(said, parts, row=row))
        plans = {key: plan_of(group) for key, group in groups.items()}
        new = [game for plan in plans.values() for game in plan.games.values() if not game.number]
        led = {game.versions[0].row: game for game in new if game.versions[0].row >= 0}
        for row in sorted({row for key in rows.keys() - groups.keys() for row in rows[key]} | led.keys()):
            self._last += 1
            ids[row] = self._last
            if row in led:
                led[row].number = self._last
        returning = [game for game in new if not game.number]
        for one in returning:
            self._last += 1
            one.number = self._last
        self._insert(games, [0 if row in led else number for row, number in enumerate(ids)])
        gone = sum(len(plan.gone) for plan in plans.values())
        if gone or returning:
            self._sort()  # their positions may wait
        self._moved = self._moved or any(plan.gone or plan.changed for plan in plans.values())
        positions, versions = self._groups.write(plans, {game.number for game in led.values()})
        self._new[1] += positions
        self._stage(block, ids)
        for key in groups.keys() & rows.keys():
            for row in rows[key]:
                if not ids[row]:
                    event = games[row].event if games[row].sure else None
                    there[row] = plans[key].reason(tuple(json.loads(games[row].details)), event)
        added = sum(map(bool, ids)) + len(returning) - gone
        self._new[0] += added
        return added, len(names), [versions.get(row, number) for row, number in enumerate(ids)]

    def _names(
        self, block: Block, copies: list[int], source: int, there: dict[int, tuple[int, Why]]
    ) -> tuple[dict[int, dict[str, str]], set[Key]]:
        """Compare names with those of games that have the same moves, year and numbers of WTHOR.

        Games of the block get names that they lack. Return the names that games of the database get, missing or
        corrected ones, and the keys of the groups.
        """
        games = block.games
        names: dict[int, dict[str, str]] = {}
        keys: set[Key] = set()
        if self._numbered.isdisjoint(game.year for game in games if game.numbers):
            return names, keys
        for row, game, high, low, tags, merged in self._run(_NUMBERED, [list(there)]):
            old, new = Tags(json.loads(tags)), Tags(json.loads(games[row].tags))
            lacking = {name: old[name] for name in _NAMES if known(old[name]) and not known(new[name])}
            if lacking:
                made = games[row]
                games[row] = self._groups.retagged(
                    made.number, parts_of_row(made), json.loads(made.details), lacking
                )
            better = {name: new[name] for name in _NAMES if known(new[name]) and new[name] != old[name]}
            if merged and known(old["Event"]):
                better.pop("Event", None)  # perhaps another source's
            if game not in names and (games[row].sure or _shares_a_player(old, new)):
                keys |= {(high, low, copies[row]), (games[row].digest_high, games[row].digest_low, copies[row])}
                if better:
                    names[game] = better
        self._fill(games, copies, source)
        return names, keys

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


def listed_path(path: str) -> str:
    """Return a path as the list of sources has it: names of files need not be UTF-8."""
    return path.encode("utf-8", "backslashreplace").decode()


class _Copies:
    """Counts the games of a source that say the same, where moves and players do not tell which game it is."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._counts: dict[int, int] = {}  # of games that are there several times

    def add(self, game: GameRow) -> int:
        """Return how often the source had the game, this time included."""
        if game.sure:
            return 1
        key = hash((game.digest_high, game.digest_low, game.details))
        if key not in self._seen:
            self._seen.add(key)
            return 1
        count = self._counts[key] = min(self._counts.get(key, 1) + 1, 65535)
        return count


def _shares_a_player(one: Tags, other: Tags) -> bool:
    """Return whether two games have a player in common, or players of one are unknown."""
    sides = ((known(one[side]), known(other[side])) for side in ("Black", "White"))
    return any(not (name and there) or name_identity(name) == name_identity(there) for name, there in sides)
