"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["atomic_stream", "write_atomically"]


def write_atomically(path: Path, text: str) -> None:
    """Put ``text`` into a file as UTF-8, with lines as they are, so that no crash leaves half of it.

    As :func:`atomic_stream` does it.

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
    regular file (a device, a pipe) is written to directly.

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
    temporary = target.with_name(f".{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o666), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if known is not None:
            temporary.chmod(stat.S_IMODE(known))
        temporary.replace(target)
    except BaseException:  # an interrupt too
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
