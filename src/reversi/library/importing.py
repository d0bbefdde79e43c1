"""Games on their way into a library: made into rows, and added in one transaction but for those it has already."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from reversi._core import PASS, SQUARES, Position, batch_keys, canonical_key, canonical_square
from reversi.color import Color
from reversi.library.database import (
    MISSING,
    Library,
    LibraryError,
    LibraryUnavailableError,
    interruptible,
    rules_salt,
    told,
)
from reversi.records.entry import Entry
from reversi.records.facts import GameFacts, facts_of
from reversi.records.identity import identity
from reversi.records.pgn_writer import write_record
from reversi.records.record import Line, Node, Record
from reversi.records.replay import positions
from reversi.rules import OTHELLO
from reversi.text.boards import format_board

if TYPE_CHECKING:
    from types import TracebackType

    from duckdb import DuckDBPyConnection

__all__ = ["Import", "Imported"]

_CHUNK: Final = 2048  # games that are made rows of at once
_NO_NUMBER: Final = -(1 << 15)  # stands for null in columns of numbers
_START: Final = Position()
_WORDS: Final = tuple(map(str, (*SQUARES, PASS)))
# Written out, and not made by a select: rows of such a table got lost where many were added (DuckDB 2.0.0).
_STAGE: Final = """
create temp table fresh_games (
    id integer, number integer, black_name varchar, white_name varchar, black integer, white integer,
    year smallint, event varchar, result varchar, score smallint, winner tinyint, finished boolean, legal boolean,
    plies usmallint, passes usmallint, opening varchar, rules varchar, start varchar, moves varchar, tags varchar,
    record varchar, digest_high ubigint, digest_low ubigint, copy usmallint
);
create temp table fresh_positions (key ubigint, game integer, ply usmallint, move utinyint);
create temp table new_positions (key ubigint, game integer, ply usmallint, move utinyint);
"""
_COLUMNS: Final = (
    *(
        "id",
        "number",
        "black_name",
        "white_name",
        "year",
        "event",
        "result",
        "score",
        "winner",
        "finished",
        "legal",
    ),
    *(
        "plies",
        "passes",
        "opening",
        "rules",
        "start",
        "moves",
        "tags",
        "record",
        "digest_high",
        "digest_low",
        "copy",
    ),
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the games of one source.

    Attributes:
        path: the source.
        games: how many there were.
        added: how many are new in the library.
        known: how many were there before.
    """

    path: str
    games: int
    added: int
    known: int


class Import:
    """An import into a library: one transaction. Use it in a ``with`` statement, or end it with :meth:`commit`.

    Leaving the statement by an error, an interrupt included, leaves the library as it was.

    Attributes:
        committed: whether the games are part of the library.
    """

    def __init__(self, library: Library, connection: DuckDBPyConnection) -> None:
        try:
            import numpy as np
        except ImportError:
            raise LibraryUnavailableError(MISSING) from None
        self._numpy = np
        self._library = library
        self._connection = connection
        self._open = False
        self._any = False
        self._staged = 0  # positions of the source
        self._new = 0  # positions of all sources that are new
        self.committed = False
        with told(library.path, write=True):
            connection.execute("begin")
            self._open = True
            connection.execute(_STAGE)

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
        """Leave the library as it was. Nothing happens when the import has ended."""
        if not self._open:
            return
        self._open = False
        import duckdb

        try:
            with interruptible():
                self._connection.execute("rollback")
        except duckdb.TransactionException:  # an interrupt that came when the commit was through
            self._done()
        except duckdb.Error:
            pass  # what cannot be rolled back was never written

    def commit(self) -> None:
        """Make all sources added so far part of the library. Nothing happens when the import has ended.

        Raises:
            LibraryError: they cannot be written; the library is as it was.
        """
        if not self._open:
            return
        try:
            with told(self._library.path, write=True):
                ((added,),) = self._run("insert into positions select * from new_positions order by key, game")
                self._count(added, self._new)
                self._run("drop table fresh_games; drop table fresh_positions; drop table new_positions")
                self._run("commit")
        except BaseException:
            self.rollback()
            raise
        self._open = False
        self._done()

    def _done(self) -> None:
        self.committed = True
        if self._any:
            self._library.keep()

    def add_source(self, path: str, entries: Iterable[Entry]) -> Imported:
        """Add the games of one source. Those that are in the library already, or came before, are left out.

        A game is known by its moves, up to symmetry, its players and its year. Games that a source has several
        times are several games.

        Args:
            path: what the source is called.
            entries: its games. What is wrong in one stays in its record; positions count up to the first wrong
                move.

        Raises:
            LibraryError: the games cannot be written.
        """
        seen: Counter[bytes] = Counter()
        games = self._staged = 0
        with told(self._library.path, write=True):
            self._run("delete from fresh_games; delete from fresh_positions")
            for chunk in _chunks(entries):
                rows = _Rows(games)
                for entry in chunk:
                    rows.add(entry, seen)
                games += len(chunk)
                self._stage(rows)
            added = self._merge(path, games) if games else 0
        self._any = self._any or games > 0
        return Imported(path, games, added, games - added)

    def _run(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, parameters or []).fetchall()

    def _stage(self, rows: _Rows) -> None:
        np = self._numpy
        types = {"year": "h", "score": "h", "winner": "b", "id": "i", "number": "i", "plies": "H", "passes": "H"}
        types |= {"digest_high": "Q", "digest_low": "Q", "copy": "H", "finished": "?", "legal": "?"}
        data = {
            name: np.array(values, dtype=types.get(name, object))
            for name, values in zip(_COLUMNS, zip(*rows.games, strict=True), strict=True)
        }
        self._connection.register("made_games", data)
        nulls = ", ".join(f"nullif({name}, {_NO_NUMBER}) as {name}" for name in ("year", "score"))
        self._run(
            f"insert into fresh_games by name select * replace ({nulls}, nullif(winner, 2) as winner)"
            ", null as black, null as white from made_games"
        )
        self._connection.unregister("made_games")
        for keys, moves, counts, ids in rows.positions():
            counted = np.frombuffer(counts, dtype=np.int32)
            ends = np.cumsum(counted)
            data = {
                "key": np.frombuffer(keys, dtype=np.uint64),
                "game": np.repeat(np.array(ids, dtype=np.int32), counted),
                "ply": (np.arange(len(moves)) - np.repeat(ends - counted, counted)).astype(np.uint16),
                "move": np.frombuffer(moves, dtype=np.uint8),
            }
            self._connection.register("made_positions", data)
            self._run("insert into fresh_positions select key, game, ply, move from made_positions")
            self._connection.unregister("made_positions")
            self._staged += len(moves)

    def _count(self, found: int, made: int) -> None:
        """Make sure that the database has all rows that it was given."""
        if found != made:
            raise LibraryError(
                f"{self._library.path}: the database has {found} of {made} rows that it was given;"
                " nothing is imported, try another version of DuckDB"
            )

    def _merge(self, path: str, games: int) -> int:
        """Move what is new from the staging tables to the library."""
        path = path.encode("utf-8", "backslashreplace").decode()  # names of files need not be UTF-8
        self._run(
            "create temp table numbered as select f.id as made,"
            " row_number() over (order by f.id) + (select coalesce(max(id), 0) from games) as id"
            " from fresh_games f anti join games g using (digest_high, digest_low, copy)"
        )
        ((staged, positions),) = self._run(
            "select (select count(*) from fresh_games), (select count(*) from fresh_positions)"
        )
        self._count(staged + positions, games + self._staged)
        ((added,),) = self._run("select count(*) from numbered")
        ((source,),) = self._run("select coalesce(max(id), 0) + 1 from sources")
        self._run("insert into sources values (?, ?, ?, current_timestamp::timestamp)", [source, path, added])
        if added:
            self._run(
                "insert into players select row_number() over (order by name) + (select coalesce(max(id), 0) from"
                " players), name from (select black_name as name from fresh_games semi join numbered on"
                " fresh_games.id = numbered.made union select white_name from fresh_games semi join numbered on"
                " fresh_games.id = numbered.made) where name <> '' and name not in (select name from players)"
            )
            ((moved,),) = self._run(
                "insert into games by name select f.* exclude (black_name, white_name)"
                " replace (n.id as id, b.id as black, w.id as white), ? as source"
                " from fresh_games f join numbered n on f.id = n.made"
                " left join players b on b.name = f.black_name left join players w on w.name = f.white_name"
                " order by n.id",
                [source],
            )
            self._count(moved, added)
            ((moved,),) = self._run(
                "insert into new_positions select p.key, n.id, p.ply, p.move from fresh_positions p"
                " join numbered n on p.game = n.made"
            )
            if added == games:
                self._count(moved, self._staged)
            self._new += moved
        self._run("drop table numbered")
        return int(added)


def _chunks(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    chunk: list[Entry] = []
    for entry in entries:
        chunk.append(entry)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


class _Rows:
    """The rows of a chunk of games."""

    def __init__(self, before: int) -> None:
        self.games: list[tuple[Any, ...]] = []
        self._next = before
        self._ids: list[int] = []
        self._moves = bytearray()
        self._counts = array("i")
        self._black = array("Q")
        self._white = array("Q")
        self._turns = bytearray()
        self._slow: list[tuple[bytes, bytes, bytes, list[int]]] = []

    def add(self, entry: Entry, seen: Counter[bytes]) -> None:
        """Make the rows of one game."""
        record = entry.record
        facts = facts_of(record)
        digest = identity(record)
        seen[digest] += 1
        self._next += 1
        winner = 2 if not facts.decided else {Color.BLACK: 1, Color.WHITE: -1, None: 0}[facts.winner]
        start = record.start
        plain = _is_plain(record.line)
        moves = [node.move.index for node in record.line.nodes]
        self.games.append(
            (
                self._next,
                entry.number,
                facts.black,
                facts.white,
                _NO_NUMBER if facts.year is None else facts.year,
                facts.event,
                record.result,
                _NO_NUMBER if facts.score is None else facts.score,
                winner,
                facts.finished,
                facts.legal,
                facts.plies,
                facts.passes,
                facts.opening.opening.name if facts.opening else "",
                str(record.rules),
                ""
                if start == (_START if record.rules == OTHELLO else Position(record.rules))
                else format_board(start),
                "".join([_WORDS[move] for move in moves]),
                json.dumps(record.tags.pairs, ensure_ascii=False, separators=(",", ":")),
                "" if plain else write_record(record),
                int.from_bytes(digest[:8], "little"),
                int.from_bytes(digest[8:], "little"),
                min(seen[digest], 65535),
            )
        )
        if record.rules == OTHELLO and (plain or all(node.flips is None for node in record.line.nodes)):
            self._ids.append(self._next)
            self._moves += bytes(moves[: facts.plies])
            self._counts.append(facts.plies)
            self._black.append(start.black)
            self._white.append(start.white)
            self._turns.append(start.to_move is Color.WHITE)
        else:
            self._slow.append(_positions_of(record, facts, self._next))

    def positions(self) -> Iterator[tuple[bytes, bytes, bytes, list[int]]]:
        """For some games at a time: the keys and the moves of all positions, how many each game has, the games."""
        keys, moves, counts, *_ = batch_keys(self._moves, self._counts, self._black, self._white, self._turns)
        yield keys, moves, counts, self._ids
        if self._slow:
            keys, moves, counts = (
                b"".join(parts) for parts in zip(*(slow[:3] for slow in self._slow), strict=True)
            )
            yield keys, moves, counts, [game for slow in self._slow for game in slow[3]]


def _is_plain(line: Line) -> bool:
    """Whether a line is nothing but moves."""
    return not line.comments and list(map(_notes_of, line.nodes)).count(_NO_NOTES) == len(line.nodes)


# what a turn has beside its move, and a move alone does not
_NOTES: Final = tuple(field.name for field in fields(Node) if field.compare and field.name != "move")
_notes_of: Final = attrgetter(*_NOTES)
_NO_NOTES: Final = _notes_of(Node(PASS))


def _positions_of(record: Record, facts: GameFacts, game: int) -> tuple[bytes, bytes, bytes, list[int]]:
    salt = rules_salt(record.rules)
    keys, moves = array("Q"), bytearray()
    nodes = record.line.nodes[: facts.plies]
    for ply, position in enumerate(positions(nodes, record.start)):
        keys.append(canonical_key(position, salt))
        moves.append(255 if ply == facts.plies else canonical_square(position, nodes[ply].move))
    return keys.tobytes(), bytes(moves), array("i", [len(moves)]).tobytes(), [game]
