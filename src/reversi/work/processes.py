"""Workers that are processes of this machine: for work that keeps the interpreter busy, or must be alone.

A process does one job at a time. It ends with the process that started it, even if that is killed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from multiprocessing.context import SpawnProcess
from typing import Any, Final, TypeVar

from reversi._system.children import begin_process, starting_processes
from reversi.errors import ResourceError
from reversi.work.jobs import Job, Work
from reversi.work.threads import Threads

_GOODBYE_S: Final = 2.0
_UNGUARDED: Final = 97
"""The status of a process whose main module wants processes of its own while it is imported."""

K = TypeVar("K")
A = TypeVar("A")


class WorkerDied(Exception):  # noqa: N818 - what happened; the caller decides what it means
    """The process that did a job died, or could not start.

    Attributes:
        status: the exit status of the process; ``None`` if it could not start.
    """

    def __init__(self, status: int | None) -> None:
        super().__init__("no process can start" if status is None else f"the process ended with status {status}")
        self.status = status


class Processes(Threads[K, A]):
    """Processes of this machine; each starts when there is a job for it, and a dead one has a successor.

    The processes import the main module anew: a script does its work below ``if __name__ == "__main__":``. An
    interrupt is the business of this process. Cancelling a job ends the process that does it. The error of a job
    whose process dies is `WorkerDied`; if the first process dies before it begins, no other one starts. Where the
    script lacks that line, the error is a `ResourceError` that asks for it.

    Args:
        threads: how many.
        ahead: how many jobs to take for each, so that none waits.
        at_end: what a process calls before it ends early; a function of a module.
    """

    def __init__(self, threads: int, *, ahead: int = 1, at_end: Callable[[], object] | None = None) -> None:
        super().__init__(threads, ahead=ahead)
        self._at_end = at_end
        self._mine = threading.local()  # the process of a thread
        self._can_start: bool | None = None  # not known yet
        self._status: int | None = None  # of the first process that could not

    def _serve(self) -> None:
        """Do jobs until there is none; this thread waits for its process."""
        try:
            super()._serve()
        finally:
            if (process := getattr(self._mine, "process", None)) is not None:
                process.close()

    def _begin(self, job: Job[K, A]) -> None:
        if getattr(multiprocessing.current_process(), "_inheriting", False):  # Python would refuse to start any
            raise SystemExit(_UNGUARDED)
        super()._begin(job)

    def _answer(self, job: Job[K, A]) -> A | None:
        process: _Process | None = getattr(self._mine, "process", None)
        if process is None:
            process = self._mine.process = self._started_process()
        try:
            with job.cancel.ends(process.terminate):
                if not process.is_ready:
                    process.await_start()
                    self._can_start = True
                answer, error = process.ask(job.work)
        except (EOFError, OSError):
            self._mine.process = None
            status = process.close()
            if job.cancel.cancelled:
                return None
            self._can_start, self._status = bool(self._can_start), status
            raise self._death(status) from None
        if job.cancel.cancelled:  # too late: the process ends all the same
            self._mine.process = None
            process.close()
        if error is not None:
            raise error
        found: A | None = answer
        return found

    def _started_process(self) -> _Process:
        if self._can_start is not False:
            with contextlib.suppress(OSError):
                return _Process(self._at_end)
            self._can_start = bool(self._can_start)
        raise self._death(self._status)

    def _death(self, status: int | None) -> WorkerDied | ResourceError:
        if status != _UNGUARDED or self._can_start:
            return WorkerDied(status)
        guard = "a script that starts processes needs: if __name__ == '__main__':"
        return ResourceError(f"cannot start processes: they end at once; {guard}")


class _Process:
    """A process, and the connection to it."""

    def __init__(self, at_end: Callable[[], object] | None) -> None:
        self.is_ready = False
        self._connection, other = Pipe()
        self._process = SpawnProcess(target=_work, args=(other, at_end), daemon=True)
        with contextlib.closing(other), starting_processes():
            self._process.start()

    def await_start(self) -> None:
        """Wait until the process has imported what it needs."""
        self._connection.recv()
        self.is_ready = True

    def ask(self, work: Work[Any]) -> tuple[Any, BaseException | None]:
        """Return the answer of the process, or its error."""
        self._connection.send(work)
        received: tuple[Any, BaseException | None] = self._connection.recv()
        return received

    def terminate(self) -> None:
        """End the process; it may kill what it has started."""
        self._process.terminate()

    def close(self) -> int | None:
        """End the process for sure; return its exit status."""
        self._connection.close()
        self._process.join(_GOODBYE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        return self._process.exitcode


def _work(connection: Connection, at_end: Callable[[], object] | None) -> None:
    """Do the jobs that come, in a process of their own."""

    def end() -> None:
        if at_end is not None:
            at_end()
        sys.stdout.flush()
        os._exit(1)

    def watch() -> None:
        """Wait for the end of the process that this one works for: killed, it cannot say goodbye."""
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            end()

    begin_process()
    signal.signal(signal.SIGTERM, lambda *_: end())
    threading.Thread(target=watch, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        connection.send(None)
        while True:
            connection.send(_answered(connection.recv_bytes()))


def _answered(data: bytes) -> tuple[object, Exception | None]:
    """Do the work that came; return its answer or its error."""
    try:
        work = pickle.loads(data)
        return work.do(Job(None, work)), None
    except Exception as error:
        return None, error
