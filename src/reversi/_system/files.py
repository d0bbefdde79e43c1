"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from reversi._system.locks import lock_descriptor

__all__ = ["atomic_stream", "write_atomically"]

_TEMPORARY: Final = re.compile(r"\.reversi-[0-9a-f]{16}\.tmp")
_TRIES: Final = 100


def write_atomically(path: Path, text: str) -> None:
    """Put ``text`` into a file as UTF-8, with lines as they are, so that no crash leaves half of it.

    As `atomic_stream` does it.

    Raises:
        OSError: the file cannot be written; the temporary file is gone then.
    """
    data = text.encode("utf-8", "surrogateescape")
    with atomic_stream(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def atomic_stream(path: Path) -> Iterator[BinaryIO]:
    """A stream to write a file with, which is there as a whole when the ``with`` statement ends, and not before.

    The bytes go to a temporary file beside it, are brought to the disk, and take the name over; until then, and
    when an error ends the statement, the file stays as it was. Links are followed and permissions kept. What is no
    regular file (a device, a pipe) is written to directly. What killed programs left in the folder goes when the
    first file is written there.

    Raises:
        OSError: the file cannot be written; the temporary file is gone then.
    """
    target = Path(os.path.realpath(path))
    try:
        known = target.stat().st_mode
    except FileNotFoundError:
        known = None
    if known is not None and not stat.S_ISREG(known):
        with target.open("wb") as stream:
            yield stream
        return
    if known is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    _remove_stale(target.parent)
    temporary, descriptor = _temporary_in(target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":  # while it is open it is locked, and nobody takes it for a stale one
                _take_over(temporary, target, known)
        if sys.platform == "win32":  # an open file cannot be renamed there
            _take_over(temporary, target, known)
    except BaseException:  # an interrupt too
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _take_over(temporary: Path, target: Path, known: int | None) -> None:
    """Give a file the name of another, with the mode that this one had."""
    if known is not None:
        temporary.chmod(stat.S_IMODE(known))
    temporary.replace(target)


def _temporary_in(folder: Path) -> tuple[Path, int]:
    """A new file to write, open and locked: the lock says that its program lives."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for _ in range(_TRIES):
        path = folder / f".reversi-{os.urandom(8).hex()}.tmp"
        descriptor = os.open(path, flags, 0o666)
        if lock_descriptor(descriptor) and os.fstat(descriptor).st_nlink:
            return path, descriptor
        os.close(descriptor)  # another program has just taken it for a stale one
        with contextlib.suppress(OSError):
            path.unlink()
    raise FileExistsError(17, "temporary files beside it are taken away", str(folder))


@functools.cache
def _remove_stale(folder: Path) -> None:
    """Remove the temporary files of programs that were killed, once for each folder."""
    if sys.platform == "win32":  # a file is closed before it is renamed there: no lock tells a stale one
        return
    with contextlib.suppress(OSError):
        for path in [path for path in folder.iterdir() if _TEMPORARY.fullmatch(path.name)]:
            with contextlib.suppress(OSError):
                descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
                try:
                    if lock_descriptor(descriptor, without=False):
                        path.unlink()
                finally:
                    os.close(descriptor)
