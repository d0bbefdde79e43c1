"""Locks between processes, on files; a lock ends with the process that holds it, even a killed one.

A file system without locks grants every lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from reversi._system.paths import real_path

_TRIES: Final = 100  # of locking a file whose name others take away meanwhile
_POLL_S: Final = 0.01


class LockedError(OSError):
    """Another process holds the lock."""


def lock_descriptor(descriptor: int, *, without: bool = True) -> bool:
    """Lock an open file until it is closed; return false when another open file holds the lock.

    Args:
        descriptor: the open file.
        without: the answer on a file system without locks.
    """
    try:
        return _lock_descriptor(descriptor)
    except OSError:
        return without


class Lock:
    """A lock on a file; `take` it and `release` it."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path, *, create: bool = True, wait_s: float = 0.0) -> Lock | None:
        """Take the lock; return ``None`` when another holder has it.

        Args:
            path: the file.
            create: create a missing file; without this, return ``None`` for one.
            wait_s: seconds to wait for the lock.
        """
        until = time.monotonic() + wait_s
        for _ in range(_TRIES):
            try:
                descriptor = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
            except OSError:
                return cls(path, -1) if create else None  # a folder that cannot be written: saving says so
            while not lock_descriptor(descriptor):
                if time.monotonic() >= until:
                    os.close(descriptor)
                    return None
                time.sleep(_POLL_S)
            if is_at(descriptor, path):
                return cls(path, descriptor)
            os.close(descriptor)  # who had it removed it in between
        return cls(path, -1)  # a file system where this cannot be known has no locks to rely on

    @staticmethod
    def is_held(path: Path) -> bool:
        try:
            descriptor = os.open(path, os.O_RDWR)
        except OSError:
            return False
        try:
            return not lock_descriptor(descriptor)
        finally:
            os.close(descriptor)  # gives the lock back too

    def release(self) -> None:
        """Release the lock and remove its file; a file with content belongs to another program and stays."""
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        ours = os.fstat(descriptor).st_size == 0 and is_at(descriptor, self._path)
        if sys.platform == "win32":  # an open file cannot be removed, another program's neither
            os.close(descriptor)
        if ours:
            with contextlib.suppress(OSError):
                self._path.unlink()  # before others can lock it: they would lock a file without a name
        if sys.platform != "win32":
            os.close(descriptor)


@contextlib.contextmanager
def beside(path: Path, *, wait_s: float) -> Iterator[None]:
    """Hold the lock of a file that is read and replaced: a hidden file beside it; follows links.

    Raises:
        LockedError: another process still has it after ``wait_s`` seconds.
    """
    target = real_path(path)
    lock = Lock.take(target.with_name(f".{target.name}.lock"), wait_s=wait_s)
    if lock is None:
        raise LockedError("another program is writing to it")
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":

    def _lock_descriptor(descriptor: int) -> bool:
        import filelock  # here: loading it takes a while

        return filelock.lock_descriptor(descriptor, blocking=False)

    def is_at(descriptor: int, path: Path) -> bool:
        """Return whether the path still names the open file: always, as Windows does not remove open files."""
        return True

else:
    import fcntl

    def _lock_descriptor(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # some file systems say that it is not permitted
            return False
        return True

    def is_at(descriptor: int, path: Path) -> bool:
        """Return whether the path still names the open file."""
        try:
            return os.path.samestat(os.fstat(descriptor), path.stat())
        except OSError:
            return False
