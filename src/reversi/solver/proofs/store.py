"""The file of a proof: every bound that is proved, and what searches expect. SQLite keeps it whole at any moment.

The file belongs to one position or to one list of tasks, whatever is asked about them: bounds stay true when the
question, the frontier or the machine changes.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from reversi._core import Position
from reversi._system.paths import may_exist
from reversi._version import __version__
from reversi.arguments import FilePath, check_type
from reversi.errors import InputError, ReversiError
from reversi.rules import parse_rules
from reversi.text.boards import format_board

FORMAT: Final = 1
_APPLICATION: Final = 0x52505246  # "RPRF": tells these files from other databases
_COMMIT_S: Final = 0.2  # what a killed process may lose
_TABLES: Final = """
create table about (name text primary key, value text not null) without rowid;
create table bounds (position text primary key, lower int not null, upper int not null) without rowid;
create table looks (position text, at_least int, holds int not null, best text not null,
    primary key (position, at_least)) without rowid;
create table counts (name text primary key, value int not null) without rowid;
"""


class StoreError(InputError):
    """A file that is not a store, belongs to another position, or is in use; the message names it."""


class StoreWriteError(ReversiError):
    """A store that cannot be created or written; the message names the file."""


class ProofStore:
    """The bounds that are proved, in a file or in memory.

    Args:
        path: the file, which is created if it does not exist; ``None`` keeps everything in memory.
        rules: the rules, as text; those of the first position if empty.
        subject: what the proof is about, as text: a position, or the checksum of a list of tasks.

    Raises:
        StoreError: the file is something else, belongs to another subject or is in use.
        StoreWriteError: the file cannot be created.
        RulesError: the text names no rules.
    """

    def __init__(self, path: FilePath | None, rules: str, subject: str) -> None:
        path = None if path is None else Path(path)
        check_type("rules", rules, str)
        check_type("subject", subject, str)
        self.path = path
        self._rules = parse_rules(rules) if rules else None
        self._closed = False
        self._committed = time.monotonic()
        self._counts: dict[str, int] = {}
        is_new = path is not None and not may_exist(path)
        with self._errors():
            # one thread at a time uses it, but not always the same one
            self._db = sqlite3.connect(
                path or ":memory:", timeout=0, isolation_level=None, check_same_thread=False
            )
        try:
            with self._errors():
                self._open(rules, subject)
        except BaseException as error:
            self._db.close()
            if path is not None and is_new and isinstance(error, StoreWriteError):
                path.unlink(missing_ok=True)
            raise

    def _open(self, rules: str, subject: str) -> None:
        run = self._db.execute
        run("pragma locking_mode = exclusive")
        run("pragma synchronous = normal")
        run("begin exclusive")
        (application,) = run("pragma application_id").fetchone()
        (version,) = run("pragma user_version").fetchone()
        (tables,) = run("select count(*) from sqlite_master").fetchone()
        about = {"rules": rules, "subject": subject}
        if not (application or version or tables):
            for statement in _TABLES.split(";"):
                run(statement)
            run(f"pragma application_id = {_APPLICATION}")
            run(f"pragma user_version = {FORMAT}")
            run("insert into about values ('package', ?)", (__version__,))
            self._db.executemany("insert into about values (?, ?)", about.items())
        elif application != _APPLICATION:
            raise StoreError(f"{self.path}: another database, not a store of reversi prove; give another file")
        elif version != FORMAT:
            raise StoreError(f"{self.path}: saved in format {version}; this version reads format {FORMAT}")
        else:
            stored = dict(run("select name, value from about").fetchall())
            for name, value in about.items():
                if stored.get(name) != value:
                    what = "rules" if name == "rules" else "positions"
                    wrong = f"belongs to other {what}: {stored.get(name)}, not {value}"
                    raise StoreError(f"{self.path}: {wrong}; give another file")
        self._counts = dict(run("select name, value from counts").fetchall())
        if self.path is not None and may_exist(f"{self.path}-journal"):
            run(
                f"pragma user_version = {FORMAT}"
            )  # SQLite removes the file of a killed process only after a write
        run("commit")
        run("begin")

    def _key(self, position: Position) -> str:
        """Return what the file calls a position; under other rules the same board has another value."""
        if self._rules is None:
            self._rules = position.rules
        elif position.rules != self._rules:
            raise StoreError(
                f"{self.path or 'the store'}: is for positions under {self._rules}, not under {position.rules};"
                " use another one"
            )
        return format_board(position)

    # --- what is known

    def bounds(self, position: Position) -> tuple[int, int]:
        """Return the proved bounds of a canonical position; those of the board if none are known.

        Raises:
            StoreError: the position is under other rules; so for the methods below.
        """
        cells = position.rules.board.cells
        with self._errors():
            row = self._db.execute(
                "select lower, upper from bounds where position = ?", (self._key(position),)
            ).fetchone()
        return (-cells, cells) if row is None else (int(row[0]), int(row[1]))

    def look(self, position: Position, at_least: int) -> tuple[bool, str] | None:
        """Return what a selective search expected of a claim; ``None`` if there was no search.

        The text is the position after the move that it prefers, or empty.
        """
        with self._errors():
            row = self._db.execute(
                "select holds, best from looks where position = ? and at_least = ?",
                (self._key(position), at_least),
            ).fetchone()
        return None if row is None else (bool(row[0]), str(row[1]))

    def count(self, name: str) -> int:
        """Return a number that `add` has counted, in all sessions."""
        return self._counts.get(name, 0)

    # --- what is new

    def save_bounds(self, bounds: Iterable[tuple[Position, int, int]]) -> None:
        """Save the bounds of canonical positions."""
        rows = [(self._key(position), lower, upper) for position, lower, upper in bounds]
        with self._errors():
            self._db.executemany(
                "insert into bounds values (?, ?, ?) on conflict do update set"
                " lower = max(lower, excluded.lower), upper = min(upper, excluded.upper)",
                rows,
            )

    def save_look(self, position: Position, at_least: int, holds: bool, best: Position | None) -> None:
        """Save what a selective search expects of a claim, with the position after the move that it prefers."""
        row = self._key(position), at_least, int(holds), "" if best is None else self._key(best)
        with self._errors():
            self._db.execute("insert or replace into looks values (?, ?, ?, ?)", row)

    def add(self, name: str, amount: int) -> None:
        """Count."""
        self._counts[name] = self.count(name) + amount
        with self._errors():
            self._db.execute("insert or replace into counts values (?, ?)", (name, self._counts[name]))

    def commit(self, *, now: bool = False) -> None:
        """Bring what is new to the file, if the last time was a while ago.

        Raises:
            StoreWriteError: it cannot be written.
        """
        moment = time.monotonic()
        if now or moment - self._committed >= _COMMIT_S:
            self._committed = moment
            with self._errors():
                self._db.execute("commit")
                self._db.execute("begin")

    def close(self) -> None:
        """Bring everything to the file, and close it. Closing twice is allowed.

        Raises:
            StoreWriteError: it cannot be written.
        """
        if self._closed:
            return
        self._closed = True
        try:
            with self._errors():
                self._db.execute("commit")
        finally:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            with contextlib.suppress(ReversiError):  # the error under way says more
                self.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise the errors of SQLite in one line that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            if self._closed:
                raise StoreError(f"{self.path or 'the store'}: was closed") from None
            text = " ".join(str(error).split())
            name = getattr(error, "sqlite_errorname", "")
            if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise StoreError(f"{self.path}: in use by another process; wait for it to end") from None
            if name.startswith("SQLITE_NOTADB"):
                raise StoreError(f"{self.path}: not a store of reversi prove; give another file") from None
            if name.startswith("SQLITE_CORRUPT"):
                raise StoreError(f"{self.path}: damaged; give another file, and the proof begins again") from None
            if self.path is not None and not may_exist(self.path.parent):
                text = f"folder {self.path.parent} does not exist; create it first"
            raise StoreWriteError(f"{self.path}: cannot write: {text}") from None
