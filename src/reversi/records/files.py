"""Files of records: bytes to text within stated limits, and writing that a crash cannot spoil."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from reversi.errors import InputError
from reversi.text.decoding import decode_text

__all__ = ["MAX_BYTES", "MAX_LINE_BYTES", "decode_records", "write_atomically"]

MAX_BYTES: Final = 1 << 30
"""The largest file that is read, in bytes: about two million games. Its text is held in memory."""

MAX_LINE_BYTES: Final = 1 << 20
"""The longest line of a file of records, in bytes. No record has one nearly as long."""

_LONG_LINE = re.compile(rb"^[^\r\n]{%d}" % (MAX_LINE_BYTES + 1), re.MULTILINE)


def decode_records(data: bytes, name: str) -> str:
    """The text of a file of records.

    Args:
        data: the whole file.
        name: what messages call it.

    Raises:
        InputError: binary data, a file or a line that is too long, or nothing but blanks.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"{name}: more than {MAX_BYTES} bytes; split it")
    long = _LONG_LINE.search(data)
    if long and b"\0" not in data:
        line = data.count(b"\n", 0, long.start()) + 1
        raise InputError(f"{name}: line {line} has more than {MAX_LINE_BYTES} bytes: this is no record")
    text = decode_text(data, name)
    if not text or text.isspace():
        raise InputError(f"{name}: empty, no game in it")
    return text


def write_atomically(path: Path, pieces: Iterable[str]) -> None:
    """Write a text file so that there is, at every moment, either the old file or the whole new one.

    The text goes to a temporary file in the same folder, which then takes the place of the old one and keeps its
    permissions. A link is followed. What is no regular file (a device, a pipe) is written to directly.

    Args:
        path: the file.
        pieces: the text, piece by piece; written as UTF-8, line ends as they are.

    Raises:
        OSError: the file cannot be written. Then, and when ``pieces`` raises, the old file stays as it was.
    """
    target = path.resolve()
    old = None
    with contextlib.suppress(FileNotFoundError):
        old = target.stat()
    if old is not None and not stat.S_ISREG(old.st_mode):
        with target.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
        return
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        if old is not None:
            temporary.chmod(stat.S_IMODE(old.st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
