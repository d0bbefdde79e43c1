"""Write files whole or not at all: aside, and renamed at the end."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from reversi._system.locks import lock_descriptor

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["AtomicFiles", "atomic_stream", "write_atomically"]

# The lock on a file without a number says that the program lives which writes it and those with its digits.
_TEMPORARY: Final = re.compile(r"(\.reversi-[0-9a-f]{16})(?:-[0-9]+)?\.tmp")
_TRIES: Final = 100


def write_atomically(path: Path, text: str) -> None:
    """Write ``text`` to a file as UTF-8, with its line ends as they are, as `atomic_stream` does.

    Raises:
        OSError: the file cannot be written; the temporary file is gone then.
    """
    data = text.encode("utf-8", "surrogateescape")
    with atomic_stream(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def atomic_stream(path: Path) -> Iterator[BinaryIO]:
    """Open a stream to write a file with; the file appears as a whole at the end of the ``with`` statement.

    The bytes go to a temporary file beside it, are brought to the disk, and take the name over; until then, and
    when an error ends the statement, the file stays as it was. Links are followed and permissions kept. A device
    or a pipe is written to directly. The first write in a folder removes what killed programs left there.

    Raises:
        OSError: the file cannot be written; the temporary file is gone then.
    """
    target = _Target.of(path)
    if not target.is_regular:
        with target.path.open("wb") as stream:
            yield stream
        return
    _remove_stale(target.path.parent)
    temporary, descriptor = _temporary_in(target.path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":  # while it is open it is locked, and nobody takes it for a stale one
                target.take(temporary)
        if sys.platform == "win32":  # an open file cannot be renamed there
            target.take(temporary)
    except BaseException:  # an interrupt too
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


class AtomicFiles:
    """Many files that are written aside, piece by piece, and appear together at the end of a ``with`` statement.

    They are written as `atomic_stream` writes one; an error within the statement leaves all of them as they were.
    Only the renaming at the end is one file after the other. The files are open only while a piece is written.
    """

    def __init__(self) -> None:
        self._owners: dict[Path, tuple[Path, int]] = {}  # for each folder the locked file, and its descriptor
        self._files: dict[Path, tuple[_Target, Path]] = {}

    def __enter__(self) -> AtomicFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()

    def commit(self) -> None:
        """Give the files their names. Files may be appended to afterwards: they are written anew.

        Raises:
            OSError: they cannot be written; those without their names are gone then.
        """
        try:
            for _, temporary in self._files.values():
                with temporary.open("rb+") as stream:
                    os.fsync(stream.fileno())
            for target, temporary in self._files.values():
                target.take(temporary)
        finally:
            self.discard()

    def discard(self) -> None:
        """Leave the files as they were."""
        for _, temporary in self._files.values():
            with contextlib.suppress(OSError):
                temporary.unlink()  # after `commit` it has another name
        for owner, descriptor in self._owners.values():
            os.close(descriptor)
            with contextlib.suppress(OSError):
                owner.unlink()
        self._files, self._owners = {}, {}

    def append(self, path: Path, data: bytes) -> None:
        """Write a piece to the end of a file; the first one begins it anew.

        Raises:
            OSError: the file cannot be written, or is not a regular file.
        """
        if path not in self._files:
            self._files[path] = self._begun(_Target.of(path))
        with self._files[path][1].open("ab") as stream:
            stream.write(data)

    def _begun(self, target: _Target) -> tuple[_Target, Path]:
        if not target.is_regular:
            raise OSError(errno.EINVAL, "not a regular file", str(target.path))
        folder = target.path.parent
        if folder not in self._owners:
            _remove_stale(folder)
            self._owners[folder] = _temporary_in(folder)
        owner, _ = self._owners[folder]
        return target, owner.with_name(f"{owner.stem}-{len(self._files)}.tmp")


class _Target(NamedTuple):
    """A file to write: where it is, links followed, and its mode; ``None`` for a new one."""

    path: Path
    mode: int | None

    @classmethod
    def of(cls, path: Path) -> _Target:
        """Return the file that a path stands for.

        Raises:
            OSError: it cannot be written.
        """
        target = Path(os.path.realpath(path))
        try:
            known = target.stat().st_mode
        except FileNotFoundError:
            return cls(target, None)
        if stat.S_ISREG(known) and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return cls(target, known)

    @property
    def is_regular(self) -> bool:
        """Whether it is a regular file, or becomes one."""
        return self.mode is None or stat.S_ISREG(self.mode)

    def take(self, temporary: Path) -> None:
        """Give a temporary file the name, and the mode that the file had."""
        if self.mode is not None:
            temporary.chmod(stat.S_IMODE(self.mode))
        temporary.replace(self.path)


def _temporary_in(folder: Path) -> tuple[Path, int]:
    """Return a new file to write, open and locked: the lock says that its program lives."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for _ in range(_TRIES):
        path = folder / f".reversi-{os.urandom(8).hex()}.tmp"
        descriptor = os.open(path, flags, 0o666)
        if lock_descriptor(descriptor) and os.fstat(descriptor).st_nlink:
            return path, descriptor
        os.close(descriptor)  # another program has just taken it for a stale one
        with contextlib.suppress(OSError):
            path.unlink()
    raise FileExistsError(errno.EEXIST, "another program removes the temporary files beside it", str(folder))


@functools.cache
def _remove_stale(folder: Path) -> None:
    """Remove the temporary files of programs that were killed, once for each folder."""
    if sys.platform == "win32":  # a file is closed before it is renamed there: a lock cannot mark a stale one
        return
    with contextlib.suppress(OSError):
        names = {path.name: match[1] for path in folder.iterdir() if (match := _TEMPORARY.fullmatch(path.name))}
        for owner in set(names.values()):
            with contextlib.suppress(OSError), _owned(folder / f"{owner}.tmp") as is_stale:
                for name in (name for name, known in names.items() if is_stale and known == owner):
                    (folder / name).unlink()


@contextlib.contextmanager
def _owned(path: Path) -> Iterator[bool]:
    """Hold the lock of a temporary file where its program has ended; say whether it has."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        yield True
        return
    try:
        yield lock_descriptor(descriptor, without=False)
    finally:
        os.close(descriptor)
