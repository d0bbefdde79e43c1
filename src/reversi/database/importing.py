"""Import games: one transaction adds those that the database does not have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from types import TracebackType
from typing import Any, Final, NamedTuple

from reversi.arguments import check_type
from reversi.database.connection import Connection
from reversi.database.file import (
    DatabaseError,
    DatabaseFile,
    DatabaseUnavailableError,
    duckdb_errors,
)
from reversi.database.layout import MISSING
from reversi.database.rows import BLOCK, NO_NUMBER, NO_WINNER, Block, GameRow, Illegal, blocks, halves
from reversi.errors import InputError
from reversi.records.collection.facts import known
from reversi.records.collection.identity import Why, details, differ, players, players_identity
from reversi.records.dates import parts_of
from reversi.records.entry import Entry
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.record import Record, Tags, write_record

__all__ = ["Import", "Imported", "KnownGame"]

_RUN: Final = 1 << 19  # positions to sort and add at once
_MOST: Final = 256  # games that are compared with one
_COMPARED: Final = 8  # of those that fit it
_NAMES: Final = ("Event", "Black", "White", "Round", "GameId")
_POSITION: Final = {"key": "uint64", "game": "int32", "ply": "uint16", "move": "uint8"}
_RENAMED: Final = (
    *("id", "copy", "black", "white", "year", "event", "tags", "record"),
    *("digest_high", "digest_low", "play_high", "play_low"),
)
_DIGESTS: Final = ("digest_high", "digest_low", "play_high", "play_low", "undated_high", "undated_low")
_TYPES: Final = {
    **dict.fromkeys(("id", "row", "number", "black", "white", "source"), "int32"),
    **dict.fromkeys(("year", "score"), "int16"),
    **dict.fromkeys(("plies", "passes", "copy"), "uint16"),
    **dict.fromkeys(("finished", "legal", "unnamed"), "bool"),
    **dict.fromkeys(_DIGESTS, "uint64"),
    "winner": "int8",
}
"""The types of the columns of numbers; the others are text."""

_MADE: Final = (*GameRow._fields, "unnamed", "id", "black", "white", "source", "copy")
_ADD_GAMES: Final = (
    "insert into games by name select * exclude (row, unnamed, black_name, white_name, undated_high,"
    " undated_low) replace ("
    f"nullif(year, {NO_NUMBER}) as year, nullif(score, {NO_NUMBER}) as score,"
    f" nullif(winner, {NO_WINNER}) as winner,"
    " nullif(black, 0) as black, nullif(white, 0) as white) from made where row >= 0 and id > 0"
)
# games that are there tag for tag
_EQUAL: Final = (
    "select m.row, g.id from made m join games g on g.digest_high = m.digest_high and g.digest_low = m.digest_low"
    " and g.copy = m.copy and g.tags = m.tags where m.row >= 0 and g.source <> ?"
)
# games with these moves, players and year; also those whose year an earlier version did not read
_NEAR: Final = f"""
select m.row, g.id, g.tags, g.record from made m
join games g on g.digest_high = m.digest_high and g.digest_low = m.digest_low
where m.row >= 0 and g.source <> ? and not list_contains(?, m.row) and not list_contains(?, g.id)
qualify row_number() over (partition by m.row order by g.tags <> m.tags, g.id) <= {_MOST}
union all select m.row, g.id, g.tags, g.record from made m
join games g on g.digest_high = m.undated_high and g.digest_low = m.undated_low
where m.row >= 0 and g.source <> ? and not list_contains(?, m.row) and g.year is null and m.year <> {NO_NUMBER}
qualify row_number() over (partition by m.row order by g.tags <> m.tags, g.id) <= {_MOST}
"""
# games of WTHOR where either the database or the file has names that the other lacks
_NAMELESS: Final = (
    "select m.row, g.id, g.tags, g.record from made m join games g"
    " on g.play_high = m.play_high and g.play_low = m.play_low and g.numbers = m.numbers where m.row >= 0"
    " and m.numbers <> '' and ((g.black is null and g.white is null) <> m.unnamed or (g.event = ''"
    " and m.event <> '' and g.digest_high = m.digest_high and g.digest_low = m.digest_low)) order by m.row, g.id"
)
# One row for each play and players, with the first game of other players: no pair of games is compared.
_TWINS: Final = """
with kinds as (
    select play_high, play_low, digest_high, digest_low, min(id) as first from games group by all
), others as (
    select digest_high, digest_low, min(first) over (partition by play_high, play_low
        rows between unbounded preceding and unbounded following exclude current row) as other from kinds
)
select count(*) from games g join others o using (digest_high, digest_low) where g.id > ? and o.other < g.id
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
    """An import into a database: one transaction. Use it in a `with` statement, or end it with `commit`.

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
        with duckdb_errors(database.path, write=True):
            connection.execute("begin")
            self._open = True
            ((*self._before, self._first, self._source, self._player),) = self._run(
                "select (select count(*) from games), (select count(*) from positions),"
                " (select coalesce(max(id), 0) from games), (select coalesce(max(id), 0) from sources),"
                " (select coalesce(max(id), 0) from players)"
            )
            self._last = self._first
            self._made = self._table("made", _MADE, BLOCK)
            self._renamed = self._table("renamed", _RENAMED, BLOCK)
            self._sorted = self._table("sorted", _POSITION, _RUN)
            self._players: dict[str, int] = {name: id_ for id_, name in self._run("select id, name from players")}
            self._fresh: list[tuple[int, str]] = []  # players to add

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
                if self._fresh:
                    fresh = self._table("fresh", ("id", "name"), len(self._fresh))
                    fresh.fill(dict(zip(("id", "name"), zip(*self._fresh, strict=True), strict=True)))
                    self._run("insert into players by name select id, name from fresh")
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
        tell: Callable[[Illegal], None] | None = None,
        known: Callable[[KnownGame], None] | None = None,
    ) -> Imported:
        """Add the games of one source, without those that the database or this import has already.

        Two games are the same if their moves (up to symmetry), players and year are, and no month, day, id, round
        or event that both have differs. A game that one source has several times counts as several games. A game
        of the database gets the details that it lacks, and one of WTHOR its names, from a source that has them.

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
        tell: Callable[[Illegal], None] | None = None,
        known: Callable[[KnownGame], None] | None = None,
    ) -> Imported:
        """Add the games of one source, as `add_source` does, from rows made by `reversi.database.rows.blocks`."""
        seen: Counter[tuple[int, int]] = Counter()
        taken: set[int] = set()
        games = added = named = illegal = 0
        source = self._source + 1
        for block in made:
            games += len(block.games)
            illegal += len(block.illegal)
            if tell is not None:
                for one in block.illegal:
                    tell(one)
            with duckdb_errors(self._database.path, write=True):
                counts = self._add(block, source, seen, taken, known)
            added += counts[0]
            named += counts[1]
        if games:
            self._any = True
            self._source = source
            name = path.encode("utf-8", "backslashreplace").decode()  # file names need not be UTF-8
            with duckdb_errors(self._database.path, write=True):
                self._run(
                    "insert into sources values (?, ?, ?, current_timestamp::timestamp)", [source, name, added]
                )
        return Imported(path, games, added, games - added, named, illegal)

    def _run(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, parameters or []).fetchall()

    def _add(
        self,
        block: Block,
        source: int,
        seen: Counter[tuple[int, int]],
        taken: set[int],
        known: Callable[[KnownGame], None] | None,
    ) -> tuple[int, int]:
        """Add the new games of a block; return how many there are, and how many others get names."""
        copies = []
        for game in block.games:
            digest = game.digest_high, game.digest_low
            seen[digest] += 1
            copies.append(min(seen[digest], 65535))
        rows = range(len(block.games))
        columns: dict[str, Any] = dict(zip(GameRow._fields, zip(*block.games, strict=True), strict=True))
        columns |= {"row": rows, "copy": copies, "source": [source] * len(rows)}
        columns["unnamed"] = [not (game.black_name or game.white_name) for game in block.games]
        self._made.fill(columns)
        reasons: dict[int, Why] = {}
        there, near = self._there(block.games, source, taken, reasons)
        taken.update(there.values())
        named = self._name(block.games, copies, there, near, taken)
        if known is not None:
            for row, id_ in sorted(there.items()):
                game = block.games[row]
                why = reasons.get(row, Why.OTHER)
                known(KnownGame(game.number, game.black_name, game.white_name, id_, why))
        new = [row for row in rows if row not in there]
        if new:
            ids = self._insert(block.games, new)
            self._stage(block, ids)
        return len(new), named

    def _table(self, name: str, columns: Iterable[str], size: int) -> _Rows:
        return _Rows(self._numpy, self._connection, name, columns, size)

    def _there(
        self, games: list[GameRow], source: int, taken: set[int], reasons: dict[int, Why]
    ) -> tuple[dict[int, int], list[tuple[int, int, str, str]]]:
        """Return the rows of the games that the database has, with their numbers there.

        Each game of the database is one game of a source at most. Returns also the rows that say something that
        the database does not, with the numbers, tags and records of their games.

        Args:
            games: the games of a block.
            source: the number of their source.
            taken: the games of the database that earlier games of the source are.
            reasons: gets the reason for each row.
        """
        there: dict[int, int] = {}
        for row, id_ in self._run(_EQUAL, [source]):
            if id_ not in taken:
                there[row] = id_
                reasons[row] = Why.REPEATS
        if len(there) == len(games):
            return there, []
        rows, used = list(there), set(there.values())
        candidates: dict[int, list[tuple[int, str, str]]] = {}
        for row, *game in self._run(_NEAR, [source, rows, list(used), source, rows]):
            candidates.setdefault(row, []).append((game[0], game[1], game[2]))
        if not candidates:
            return there, []
        more: list[tuple[int, int, str, str]] = []
        said = {row: self._details(games[row].tags) for row in candidates}
        for row in sorted(candidates, key=lambda row: (-len(said[row]), said[row], row)):
            fitting = []
            for id_, tags, record in candidates[row]:
                if id_ in taken or id_ in used:
                    continue
                other = said[row] if tags == games[row].tags else self._details(tags)
                if not differ(said[row], other) and _year(said[row]) == _year(other):
                    missing = len(set(said[row]) - set(other))
                    fitting.append((tags != games[row].tags, missing, -len(other), other, id_, tags, record))
            if not fitting:
                continue
            _, missing, _, other, id_, tags, record = min(fitting)
            there[row] = id_
            used.add(id_)
            if missing:
                more.append((row, id_, tags, record))
            several = any(differ(one[3], two[3]) for one, two in combinations(fitting[:_COMPARED], 2))
            equal = said[row] == other
            reasons[row] = Why.REPEATS if equal else Why.SEVERAL if several else Why.OTHER if missing else Why.LESS
        return there, more

    def _details(self, tags: str) -> tuple[str, ...]:
        try:
            return details(Record(Tags(json.loads(tags))))
        except ValueError as error:
            raise DatabaseError(f"{self._database.path}: a game is damaged: {error}") from None

    def _name(
        self,
        games: list[GameRow],
        copies: list[int],
        there: dict[int, int],
        more: list[tuple[int, int, str, str]],
        taken: set[int],
    ) -> int:
        """Find the games of WTHOR that differ only in missing names, and fill these in; return how many get some.

        Args:
            games: the games of a block.
            copies: the copy number of each, among the games of its source with the same digest.
            there: the rows of the games that the database has, with their numbers there; gets the games found.
            more: rows that say more than the database, with the numbers, tags and records of their games, which
                get what they lack.
            taken: the games of the database that games of the source are; gets the games found.
        """
        changes: dict[int, tuple[Any, ...]] = {}
        for row, game, tags, record in self._run(_NAMELESS):
            if there.get(row, game) != game or (row not in there and game in taken):
                continue
            there[row] = game
            taken.add(game)
            change = self._change(games[row], tags, record)
            if change is not None:
                changes[game] = (game, copies[row], *change)
        named = len(changes)
        for row, game, tags, record in more:
            if game not in changes:
                change = self._change(games[row], tags, record)
                if change is not None:
                    changes[game] = (game, copies[row], *change)
        if changes:
            self._renamed.fill(dict(zip(_RENAMED, zip(*changes.values(), strict=True), strict=True)))
            self._run(
                "update games set black = nullif(r.black, 0), white = nullif(r.white, 0), event = r.event,"
                f" year = nullif(r.year, {NO_NUMBER}), copy = r.copy, tags = r.tags, record = r.record,"
                " digest_high = r.digest_high, digest_low = r.digest_low, play_high = r.play_high,"
                " play_low = r.play_low from renamed r where r.row >= 0 and games.id = r.id"
            )
        return named

    def _change(self, game: GameRow, tags_text: str, record_text: str) -> tuple[Any, ...] | None:
        """Return the columns of a game that gets the names and details of another, `None` if it has all."""
        try:
            tags, given = Tags(json.loads(tags_text)), Tags(json.loads(game.tags))
            unknown = [name for name in _NAMES if not known(tags.get(name, ""))]
            new = {name: given[name] for name in unknown if known(given.get(name, ""))}
            if set(parts_of(given["Date"])) > set(parts_of(tags["Date"])):
                new["Date"] = given["Date"]
            elif not new:
                return None
            tags.update(new)
            if record_text:
                record = parse_record(record_text)
                record.tags.update(new)
                record_text = write_record(record)
        except (InputError, ValueError) as error:
            raise DatabaseError(f"{self._database.path}: a game is damaged: {error}") from None
        play = b"".join(half.to_bytes(8, "little") for half in (game.play_high, game.play_low))
        black, white = known(tags["Black"]), known(tags["White"])
        digest = halves(players_identity(play, *players(Record(tags))))
        text = json.dumps(tags.pairs, ensure_ascii=False, separators=(",", ":"))
        event = known(tags["Event"])
        who = self._player_id(black), self._player_id(white)
        return *who, game.year, event, text, record_text, *digest, game.play_high, game.play_low

    def _player_id(self, name: str) -> int:
        """Return the number of a player, and add a new one; 0 for an unknown player."""
        if not name:
            return 0
        if name not in self._players:
            self._player += 1
            self._players[name] = self._player
            self._fresh.append((self._player, name))
        return self._players[name]

    def _insert(self, games: list[GameRow], new: list[int]) -> list[int]:
        """Add games of a block; return their numbers in the database, 0 for the others."""
        ids, black, white = ([0] * len(games) for _ in range(3))
        for row in new:
            self._last += 1
            ids[row] = self._last
            black[row], white[row] = (
                self._player_id(name) for name in (games[row].black_name, games[row].white_name)
            )
        self._made.fill({"id": ids, "black": black, "white": white})
        self._run(_ADD_GAMES)
        self._new[0] += len(new)
        return ids

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


def _year(details: tuple[str, ...]) -> str:
    return next((detail for detail in details if detail.startswith("year ")), "")
