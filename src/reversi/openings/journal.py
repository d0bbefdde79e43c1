"""The journal of a book: finished games that wait in a file beside it until the book has taken them in.

It is an ordinary file of games. Every program that writes to it locks it, as `reversi._system.locks.beside` does.
"""

from __future__ import annotations

import contextlib
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from reversi._system.files import atomic_stream
from reversi._system.locks import beside
from reversi._system.paths import real_path
from reversi.arguments import FilePath

JOURNAL_WAIT_S: Final = 3.0
"""How long programs wait for each other."""


def journal_of(book: FilePath) -> Path:
    """Return the journal of a book, whether it exists or not."""
    target = real_path(Path(book))
    return target.with_name(f"{target.name}.games")


def add_to_journal(journal: Path, record: str) -> None:
    """Add a game at the end, wholly or not at all.

    Raises:
        OSError: the file cannot be written, or another program does not release it.
    """
    with beside(journal, wait_s=JOURNAL_WAIT_S), journal.open("ab") as stream:
        size = stream.tell()
        try:
            stream.write(b"\n" * bool(size) + record.encode("utf-8", "surrogateescape"))
            stream.flush()
            os.fsync(stream.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                os.truncate(journal, size)
            raise


def journal_mark(journal: Path) -> str:
    """Return what stands for the games that a journal has now, "" for none; its lock is held.

    Raises:
        OSError: the file cannot be read.
    """
    data = _content(journal)
    return f"{len(data)}:{sha256(data).hexdigest()}" if data.strip() else ""


def _content(journal: Path) -> bytes:
    try:
        return journal.read_bytes()
    except FileNotFoundError:
        return b""


def drop_from_journal(journal: Path, mark: str) -> None:
    """Remove the games that a mark stands for, where a journal begins with them; later ones stay.

    Raises:
        OSError: the file cannot be read or written, or another program does not release it.
    """
    length, _, digest = mark.partition(":")
    if not (digest and length.isdecimal()):
        return
    with beside(journal, wait_s=JOURNAL_WAIT_S):
        data = _content(journal)
        if sha256(data[: int(length)]).hexdigest() != digest:
            return
        rest = data[int(length) :].lstrip(b"\r\n")
        if rest:
            with atomic_stream(journal) as stream:
                stream.write(rest)
        else:
            journal.unlink()
