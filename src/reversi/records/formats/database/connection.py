"""A connection to DuckDB. Its statements run in threads of their own, so that signals can interrupt them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, Self, TypeVar

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

_P = ParamSpec("_P")
_T = TypeVar("_T")
_ROWS: Final = 10000  # per fetch of many
_LOOK_S: Final = 0.05  # how often a wait looks for signals, where they do not end it


class Connection:
    """A connection to DuckDB. Python's signal handlers run while it works, and what they raise ends the work.

    DuckDB itself does not look at Python's signals, or drops what their handlers raise, depending on its version.
    """

    def __init__(self, raw: DuckDBPyConnection) -> None:
        self._raw = raw

    def cursor(self) -> Connection:
        """Return another connection to the same database."""
        return Connection(self._raw.cursor())

    def close(self) -> None:
        """Close it. Closing twice is allowed."""
        self.run(self._raw.close)

    def interrupt(self) -> None:
        """End the statement that another thread runs, with an error there; before a statement it has no effect."""
        self._raw.interrupt()

    def execute(self, query: str, parameters: list[Any] | None = None) -> Self:
        """Run statements; the rows of the last one can be fetched."""
        self.run(self._raw.execute, query, parameters)
        return self

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """Return the next rows, ``size`` of them at most; none at the end."""
        return self.run(self._raw.fetchmany, size)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows that are left."""
        rows: list[tuple[Any, ...]] = []
        while part := self.fetchmany(_ROWS):
            rows += part
        return rows

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run statements, and return all rows of the last one."""
        return self.execute(query, parameters or []).fetchall()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the rows."""
        return tuple(str(column[0]) for column in self._raw.description or ())

    def relation(self, query: str) -> Any:
        """Return the relation of DuckDB that a query describes, `None` for a statement without rows."""
        return self.run(self._raw.sql, query)

    def statements(self, query: str) -> list[Statement]:
        """Return the statements of a text."""
        return self.run(self._raw.extract_statements, query)

    def register(self, name: str, columns: dict[str, Any]) -> None:
        """Make arrays of NumPy a table."""
        self.run(self._raw.register, name, columns)

    def add_function(
        self, name: str, call: Callable[..., object], parameters: tuple[str, ...], result: str
    ) -> None:
        """Let SQL call a function of Python."""
        self.run(lambda: self._raw.create_function(name, call, list(parameters), result))

    def run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a call of DuckDB on this connection returns.

        If a signal's handler raises, DuckDB is interrupted, and the handler's exception is raised when it has
        stopped.
        """
        if threading.current_thread() is not threading.main_thread():
            return call(*args, **kwargs)  # signals arrive in the main thread only
        job = _Job(lambda: call(*args, **kwargs))
        try:
            threading.Thread(target=job.work, name="reversi-duckdb", daemon=True).start()
            job.wait()
        except BaseException:
            job.stop(self._raw.interrupt)
            raise
        return job.result()


class _Job(Generic[_T]):
    """A call in a thread."""

    def __init__(self, call: Callable[[], _T]) -> None:
        self._call = call
        self._claim = threading.Lock()  # of the thread that begins the call, or of the one that gives it up
        self._ended = threading.Event()
        self._values: list[_T] = []
        self._error: BaseException | None = None

    def work(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        try:
            self._values.append(self._call())
        except BaseException as error:
            self._error = error
        finally:
            self._ended.set()

    def wait(self) -> None:
        while not self._ended.wait(_LOOK_S):  # no signal ends a wait without a limit on Windows
            pass

    def stop(self, interrupt: Callable[[], None]) -> None:
        """Interrupt the call, again and again: an interrupt before a statement begins has no effect."""
        if self._claim.acquire(blocking=False):
            return
        while not self._ended.is_set():
            with contextlib.suppress(BaseException):  # another signal: the first one counts
                interrupt()
            with contextlib.suppress(BaseException):
                self._ended.wait(_LOOK_S)

    def result(self) -> _T:
        if self._error is not None:
            raise self._error
        return self._values[0]
