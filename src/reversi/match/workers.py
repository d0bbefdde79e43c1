"""Processes that play the games of a match: one game each at a time, so that the CPU time of each is known.

A worker ends with the process that started it, and kills the external engines that it runs.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection, Pipe, wait
from typing import Final, Protocol, Self

from reversi._system.processes import worker_process
from reversi.match.playing import GameJob, play_game
from reversi.protocols.process import kill_engines

__all__ = ["Crew", "Playing", "WorkerDied"]

_GOODBYE_S: Final = 2.0


class WorkerDied(Exception):  # noqa: N818 - what happened; the runner decides what it means
    """The process that played a game died.

    Attributes:
        job: the game.
        status: the exit status of the process.
    """

    def __init__(self, job: GameJob, status: int | None) -> None:
        super().__init__(f"the process that played game {job.round} ended with status {status}")
        self.job = job
        self.status = status


class Playing(Protocol):
    """What plays the games of a match: a `Crew` of processes, or a cluster (`reversi.cluster.ClusterCrew`)."""

    @property
    def is_free(self) -> bool:
        """Whether another game can begin."""

    @property
    def is_busy(self) -> bool:
        """Whether a game is being played."""

    def begin(self, job: GameJob) -> None:
        """Begin a game."""

    def finished(self) -> list[tuple[GameJob, str]]:
        """Wait until a game ends, and return those that have ended with their records."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Crew:
    """Processes that play games. Close it, or use it in a ``with`` statement.

    Args:
        size: how many games are played at a time.
    """

    def __init__(self, size: int) -> None:
        self._free: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}
        self._size = size

    @property
    def is_free(self) -> bool:
        """Whether another game can begin."""
        return len(self._busy) < self._size

    @property
    def is_busy(self) -> bool:
        """Whether a game is being played."""
        return bool(self._busy)

    def begin(self, job: GameJob) -> None:
        """Begin a game."""
        worker = self._free.pop() if self._free else _Worker()
        worker.job = job
        worker.connection.send(job)
        self._busy[worker.connection] = worker

    def finished(self) -> list[tuple[GameJob, str]]:
        """Wait until a game ends, and return those that have ended with their records.

        Raises:
            WorkerDied: a process died; its game has no result.
        """
        done: list[tuple[GameJob, str]] = []
        for connection in wait(list(self._busy), timeout=None if not done else 0):
            assert isinstance(connection, Connection)
            worker = self._busy[connection]
            assert worker.job is not None
            try:
                text = connection.recv()
            except (EOFError, OSError):
                if done:
                    break  # the next call meets it again
                del self._busy[connection]
                worker.process.join(_GOODBYE_S)
                raise WorkerDied(worker.job, worker.process.exitcode) from None
            del self._busy[connection]
            self._free.append(worker)
            if isinstance(text, BaseException):
                raise text
            done.append((worker.job, text))
        return done

    def close(self) -> None:
        """End all processes; unfinished games are lost."""
        workers = [*self._free, *self._busy.values()]
        self._free, self._busy = [], {}
        for worker in workers:
            with contextlib.suppress(OSError):
                worker.connection.close()
            worker.process.terminate()
        for worker in workers:
            worker.process.join(_GOODBYE_S)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Worker:
    """A process and the connection to it."""

    def __init__(self) -> None:
        self.connection, other = Pipe()
        self.job: GameJob | None = None
        self.process = worker_process(_work, other)
        self.process.start()
        other.close()


def _work(connection: Connection) -> None:
    """Play the games that come, in the worker's process."""
    signal.signal(signal.SIGTERM, lambda *_: _end())
    threading.Thread(target=_watch, daemon=True).start()
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        answer: object
        try:
            answer = play_game(job)
        except Exception as error:  # a mistake of this program, or too little memory: the runner reports it
            answer = error
        try:
            connection.send(answer)
        except OSError:
            return


def _watch() -> None:
    """Wait for the end of the process that this one works for: killed, it cannot say goodbye."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _end()


def _end() -> None:
    kill_engines()
    sys.stdout.flush()
    os._exit(1)
