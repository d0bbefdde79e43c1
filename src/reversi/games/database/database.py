"""The database of games: open it, import games, explore positions, find games."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from reversi._core import Position
from reversi._system.paths import may_exist
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_count, check_type, excerpt
from reversi.errors import InputError
from reversi.games.aliases import Aliases
from reversi.games.database.views import ORDER, PART, TABLES
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.sorting import AS_FOUND, Order
from reversi.records.formats.database.file import (
    DatabaseError as DatabaseError,  # noqa: PLC0414 - a public name of the package
    DatabaseFile,
    DatabaseMemoryError as DatabaseMemoryError,  # noqa: PLC0414 - a public name of the package
    DatabaseMissingError as DatabaseMissingError,  # noqa: PLC0414 - a public name of the package
    DatabaseWriteError,
    duckdb_errors,
    in_use,
    log_of,
    remove_file,
)
from reversi.records.formats.database.layout import SCHEMA, VERSION
from reversi.records.formats.database.opening import check_layout, connect, memory_for, tables_in
from reversi.rules import OTHELLO, Rules

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from reversi.games.database.answers import SqlQuery
    from reversi.games.database.editing import Aliased, Removed, Renamed
    from reversi.games.database.importing import Import, Imported
    from reversi.games.exploring import Exploration
    from reversi.games.identity import Same
    from reversi.games.statistics.results import GameResult
    from reversi.records.record import Record


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """What a database contains.

    Attributes:
        games: how many games.
        positions: how many positions of games; a position of several games counts several times.
        players: how many names.
        sources: how many imported files.
        first: the first year, `None` without any.
        last: the last year, `None` without any.
    """

    games: int
    positions: int
    players: int
    sources: int
    first: int | None
    last: int | None


class Database(DatabaseFile):
    """A database of games. Close it with `close`, or use it in a ``with`` statement.

    One process can write to it, or several can read it. Threads that ask at the same time each need a database
    of their own.

    Args:
        path: the file.
        create: open it for writing, and create the file if it does not exist.
        write: open it for writing.
        low_memory: keep little of the file in memory, for reading tables from their beginning to their end.
        memory_mb: the most memory in MB that DuckDB may take. Without it, half of what this process may use for
            questions, an eighth for imports, other changes and `low_memory`; at least 256.

    Raises:
        DatabaseError: the file does not exist, is not a database of games, is damaged, of another version or in
            use; or DuckDB is not installed.
        DatabaseWriteError: the file cannot be written.
        DatabaseMemoryError: DuckDB needs more memory than it may take; any question or change can raise it, too.
        OSError: a file cannot have that name.

    Attributes:
        path: the file.
    """

    def __init__(
        self,
        path: FilePath,
        *,
        create: bool = False,
        write: bool = False,
        low_memory: bool = False,
        memory_mb: int | None = None,
    ) -> None:
        path = Path(path)
        if memory_mb is not None:
            check_count("memory_mb", memory_mb)
        new = not may_exist(path)
        if new and not create:
            raise DatabaseMissingError(f"{path}: does not exist; an import creates it")
        write = write or create
        if new and may_exist(log_of(path)):  # DuckDB would remove it
            raise DatabaseWriteError(
                f"{path}: does not exist, but its log {log_of(path)} does; put the database back, or move the log"
                " away"
            )
        with duckdb_errors(path, write=write):
            try:
                memory = memory_for(least=low_memory or write) if memory_mb is None else memory_mb
                connection = connect(path, read_only=not write, memory_mb=memory)
            except BaseException as error:
                if new and not in_use(error):
                    remove_file(path)
                raise
            try:
                new = new and not tables_in(connection)  # another process may have been faster
                if new:
                    connection.execute("begin")
                    connection.execute(SCHEMA)
                    connection.execute("insert into reversi_library values (?, '')", [VERSION])
                    connection.execute("commit")
                else:
                    check_layout(connection, path)
            except BaseException:
                connection.close()
                if new:
                    remove_file(path)
                raise
        super().__init__(connection, path, new=new)

    def info(self) -> DatabaseInfo:
        """Return what the database contains.

        Raises:
            DatabaseError: the file cannot be read.
        """
        (row,) = self.rows(
            "select (select count(*) from games), (select count(*) from positions),"
            " (select count(*) from players), (select count(*) from sources),"
            " (select min(year) from games), (select max(year) from games)"
        )
        return DatabaseInfo(*row)

    def importing(self, same: Same | None = None) -> Import:
        """Begin an import: one transaction, which adds all its games or none. Only one import can run at a time.

        Args:
            same: what makes two games the same; `None` for what earlier imports have, at first all that is known.

        Raises:
            InputError: earlier imports have another `same`.
            DatabaseError: the database is not open for writing, or NumPy is not installed.
        """
        from reversi.games.database.importing import Import
        from reversi.games.identity import Same

        check_type("same", same, Same, NoneType)
        return Import(self, self._connection, same)

    def add(self, *paths: FilePath, rules: Rules = OTHELLO, replace: bool = False) -> Imported:
        """Import the games of files and folders of any format, in one transaction; skip games that it has.

        A game with an illegal move is part of the database without its positions. `importing` says more, and takes
        games from elsewhere.

        Args:
            paths: files, folders with everything below them, or patterns such as ``games/*.pgn``.
            rules: the rules of games that do not name their own.
            replace: whether the games of a file come in place of those that an earlier import of it brought. It is
                the file that had the same name, or the only one with that name in another folder, if the new one
                has at least half of its games.

        Returns:
            The sums of all files.

        Raises:
            MissingFileError: a path names no file; the database is unchanged, as after the other errors.
            RecordError: a file is not a file of games, or a game is malformed; the message says where.
            InputError: several files that were imported have the name of one that replaces them, or the only one
                in another folder has other games.
            DatabaseError: the database is not open for writing, or NumPy is not installed.
        """
        from reversi.games.database.importing import Imported
        from reversi.games.files import FileGames
        from reversi.games.reading import first_problem_raised

        for path in paths:
            check_type("path", path, str, os.PathLike, advice="add takes paths one by one, add(*paths)")
        names = [os.fspath(path) for path in paths]
        total = Imported(", ".join(names), 0, 0, 0)
        with first_problem_raised() as report, self.importing() as importing:
            games = FileGames(names, report, rules, beside=self.path)
            for name, entries in games.sources():
                total += importing.add_source(name, entries, replace=importing.earlier(name) if replace else ())
            games.check()
        return total

    def explore(self, position: Position, selection: Selection = EVERY_GAME, *, minimum: int = 1) -> Exploration:
        """Return what was played in a position, in any order of moves, mirrored and rotated games included.

        Args:
            position: the position.
            selection: which games count.
            minimum: leave out moves that fewer games play.

        Raises:
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.counting import counts_in
        from reversi.games.exploring import exploration_of

        advice = f"opening_named(name).position takes a name, {TEXT_TO_POSITION}"
        check_type("position", position, Position, advice=advice)
        check_type("selection", selection, Selection)
        check_count("minimum", minimum, least=0)
        return exploration_of(position, counts_in(self, position, selection), minimum)

    def sql(self, query: str) -> SqlQuery:
        """Return the answer to one statement of SQL about the tables `games` and `positions` of docs/database.md.

        SQL cannot read or write other files. A database that is open for reading does not change.

        Raises:
            QueryError: DuckDB refuses the query.
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.answers import ask

        return ask(self.path, self._connection, query)

    def table(self, name: str, selection: Selection = EVERY_GAME) -> SqlQuery:
        """Return a table, `games` or `positions`, in the order of the games and their plies.

        The page *Game database* lists the columns; the schema of Arrow describes them.

        Args:
            name: its name.
            selection: the games whose rows it has.

        Raises:
            InputError: it is another name.
            DatabaseError: the file cannot be read.
        """
        check_type("name", name, str)
        check_type("selection", selection, Selection)
        if name not in TABLES:
            raise InputError(f"{excerpt(name)} is not a table; the tables are {' and '.join(TABLES)}")
        from reversi.games.database.answers import ask
        from reversi.games.database.boards import completed_table

        added = " exclude (board, mover, empties)" if name == "positions" else ""  # faster game by game
        whole, order, step = f"select *{added} from {name}", f"order by {ORDER[name]}", PART[name]
        if selection == EVERY_GAME:
            ((last,),) = self.rows("select coalesce(max(id), 0) from games")
            wanted = [f"between {first} and {first + step - 1}" for first in range(0, last + 1, step)]
        else:
            from reversi.games.database.searching import numbers_of

            games = numbers_of(self, selection)
            step = min(step, PART["positions"])  # a question names its games
            wanted = [f"in {(*games[at : at + step], 0)}" for at in range(0, len(games), step)] or ["= 0"]
        parts = [f"{whole} where game {part} {order}" for part in wanted]
        every = "" if selection == EVERY_GAME else f"where game {' or game '.join(wanted)}"
        return ask(self.path, self._connection, f"{whole} {every} {order}", parts, completed_table(self, name))

    def to_arrow(self, table: str = "games", selection: Selection = EVERY_GAME) -> pa.Table:
        """Return the table `games` or `positions` as a table of Arrow.

        Args:
            table: its name.
            selection: the games whose rows it has.

        Raises:
            InputError: it is another name.
            MissingExtraError: the extra `tables` is not installed.
            DatabaseError: the file cannot be read.
        """
        return self.table(table, selection).to_arrow()

    def to_polars(self, table: str = "games", selection: Selection = EVERY_GAME) -> pl.DataFrame:
        """Return the table `games` or `positions` as a data frame of polars.

        Args:
            table: its name.
            selection: the games whose rows it has.

        Raises:
            InputError: it is another name.
            MissingExtraError: the extra `tables` is not installed.
            DatabaseError: the file cannot be read.
        """
        return self.table(table, selection).to_polars()

    def remove_source(self, source: int, *, dry_run: bool = False) -> Removed:
        """Remove an imported file: its games, their positions, and names that no other game has.

        Games that another file has, too, stay.

        Args:
            source: its number, the column `id` of the table `sources`.
            dry_run: change nothing, and return what would go.

        Raises:
            InputError: the source does not exist.
            DatabaseError: the database is not open for writing, or its file cannot be read or written; it is
                unchanged.
        """
        from reversi.games.database.editing import remove_source

        return remove_source(self, self._connection, source, dry_run=dry_run)

    def rename_player(self, old: str, new: str, *, dry_run: bool = False) -> Renamed:
        """Give a player a new name, in all games.

        Args:
            old: the whole name.
            new: the new name, which no player has.
            dry_run: change nothing, and return what would change.

        Raises:
            InputError: the player does not exist, or another one has the new name.
            DatabaseError: as for `remove_source`.
        """
        check_type("old", old, str)
        check_type("new", new, str)
        from reversi.games.database.editing import rename

        return rename(self, self._connection, [old], new, merge=False, dry_run=dry_run)

    def merge_players(self, name: str, others: Sequence[str], *, dry_run: bool = False) -> Renamed:
        """Give the games of some players the name of another: all are one person.

        Games of two sources that are the same then become one: the first.

        Args:
            name: the whole name of the player who stays.
            others: the whole names that go.
            dry_run: change nothing, and return what would change.

        Raises:
            InputError: a player does not exist.
            DatabaseError: as for `remove_source`.
        """
        check_type("name", name, str)
        check_type("others", others, Sequence)
        from reversi.games.database.editing import rename

        return rename(self, self._connection, others, name, merge=True, dry_run=dry_run)

    def aliases(self) -> Aliases:
        """Return the names that players and events had before they got others; imports give them these, too.

        Raises:
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.players import kept_aliases

        return kept_aliases(self.rows)

    def apply_aliases(self, aliases: Aliases, *, dry_run: bool = False) -> Aliased:
        """Give players and events the names that their aliases stand for, in all games.

        Games that are then the same become one: the first.

        Args:
            aliases: the names.
            dry_run: change nothing, and return what would change.

        Raises:
            DatabaseError: as for `remove_source`.
        """
        check_type("aliases", aliases, Aliases)
        from reversi.games.database.editing import apply_aliases

        return apply_aliases(self, self._connection, aliases, dry_run=dry_run)

    def records(self, selection: Selection = EVERY_GAME, order: Order = AS_FOUND) -> Iterator[Record]:
        """Yield the records of the games that a selection takes, as they were imported.

        Args:
            selection: the conditions that a game must meet.
            order: in which order; by default that of their numbers in the database.

        Raises:
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.searching import entries

        check_type("selection", selection, Selection)
        check_type("order", order, Order)
        return (entry.record for entry in entries(self, selection, order))

    def results(self, selection: Selection = EVERY_GAME) -> Iterator[GameResult]:
        """Yield the results of games, in the order of their numbers, for the statistics of `reversi.games`.

        Players have the names that the aliases of the selection give them.

        Raises:
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.searching import results

        check_type("selection", selection, Selection)
        return results(self, selection)

    def count(self, selection: Selection = EVERY_GAME, *, twins: bool = False) -> int:
        """Return how many games a selection takes.

        Args:
            selection: the conditions that a game must meet.
            twins: count only games with the same moves and year as another game and other names.

        Raises:
            DatabaseError: the file cannot be read.
        """
        from reversi.games.database.searching import count

        check_type("selection", selection, Selection)
        return count(self, selection, twins=twins)

    def record(self, game: int) -> Record:
        """Return the whole record of a game, as it was imported.

        Args:
            game: its number in the database.

        Raises:
            DatabaseError: the game does not exist, or the file cannot be read.
        """
        from reversi.games.database.searching import record

        check_type("game", game, int)
        return record(self, game)
