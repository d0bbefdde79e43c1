"""Where games come from: files of every form, folders of them, patterns, and standard input.

`find_files` gives the files that paths name; `open_source` opens one, recognizes it by its content and
gives its games one at a time, whatever their form.
"""

from __future__ import annotations

import glob
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from reversi.errors import InputError
from reversi.records.cutting import CutError, Piece, cut_file, read_pieces
from reversi.records.entry import Entry
from reversi.records.file_kinds import HEAD_BYTES, FileKind, Recognized, recognize_file
from reversi.records.files import MAX_BYTES, check_lines, decode_records
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import read_games
from reversi.rules import OTHELLO, Rules

__all__ = ["STANDARD_INPUT", "FoundFile", "GameSource", "find_files", "open_source", "source_name"]

STANDARD_INPUT: Final = "-"
"""The path that stands for standard input."""

LONG_BYTES: Final = 1 << 23
"""The size of a file of text from which its games are read in pieces, where the format allows it."""

_PIECE: Final = 1 << 24
_MAGIC: Final = re.compile(r"[*?\[]")
_SLASH: Final = r"[/\\]" if os.sep == "\\" else "/"
_ANY_FOLDERS: Final = re.compile(rf"(?:(?:^|(?<={_SLASH}))\*\*(?:{_SLASH}+|$))+")


def source_name(path: str) -> str:
    """Return what a message calls a source of games."""
    return "standard input" if path == STANDARD_INPUT else path


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a path names.

    Attributes:
        path: the file, ``-`` for standard input; the path as it was given where it names none.
        named: whether it was named itself, not only the folder or the pattern that it was found by.
        error: why the path names no file; empty when it names one.
        missing: whether that is because no file has the name.
    """

    path: str
    named: bool = True
    error: str = ""
    missing: bool = False


def find_files(paths: Iterable[str]) -> Iterator[FoundFile]:
    """Find the files that paths name: files, standard input (``-``), files below folders, files of patterns.

    In folders, names that begin with a dot are skipped, and links to folders are not followed. A pattern has
    ``*``, ``?`` or ``[``; ``**`` stands for any folders except links and those that begin with a dot. A file of
    that literal name wins. Pipes, devices and sockets are read only where they are named themselves. Files come
    in the order of their names.
    """
    for path in paths:
        if path == STANDARD_INPUT or not (_is_folder(path) or (_MAGIC.search(path) and not os.path.lexists(path))):
            yield FoundFile(path)
        elif _is_folder(path):
            yield from _checked(path, _below(path), "no file in this folder", missing=False)
        else:
            files = (file for name in sorted(_matching(path)) for file in _files(name))
            yield from _checked(path, dict.fromkeys(files), "no such file", missing=True)


def _matching(pattern: str) -> Iterator[str]:
    """Yield the files and folders that a pattern stands for."""
    deep = _ANY_FOLDERS.search(pattern)
    if deep is None:
        yield from glob.iglob(pattern)  # noqa: PTH207 - the pattern may be absolute
        return
    head, rest = pattern[: deep.start()], pattern[deep.end() :]
    for base in glob.iglob(head) if _MAGIC.search(head) else (head,):  # noqa: PTH207
        if not rest:
            yield from (base or os.curdir,) if _is_folder(base or os.curdir) else ()
            continue
        # not by "**" of glob, which follows links to folders, and so does not end where they lead back
        for place, folders, _ in os.walk(base or os.curdir):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for found in _matching(os.path.join(glob.escape(place), rest)):  # noqa: PTH118
                if not (os.path.islink(found) and _is_folder(found)):  # noqa: PTH114
                    yield found


def _files(name: str) -> Iterator[str]:
    """Yield the files of a name that was found: all below it where it is a folder."""
    if _is_folder(name):
        yield from _below(name)
    elif _is_regular(name):
        yield _path(name)


def _path(name: str) -> str:
    """Return a path of a file that was found, which is never taken for standard input."""
    path = str(Path(name))
    return path if path != STANDARD_INPUT else os.path.join(os.curdir, path)  # noqa: PTH118


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _checked(path: str, files: Iterable[str], why: str, *, missing: bool) -> Iterator[FoundFile]:
    found = False
    for file in files:
        found = True
        yield FoundFile(file, named=False)
    if not found:
        yield FoundFile(path, error=why, missing=missing)


def _below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = _path(str(Path(place, name)))
            if not name.startswith(".") and _is_regular(path):
                yield path


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - millions of files
    except OSError:
        return True  # opening it says why not


class GameSource:
    """A file of games, or standard input, opened and recognized. Close it, or use it in a ``with`` statement.

    Attributes:
        path: the file, or ``-``.
        kind: what it is.
        form: the format of games that are not text, ``None`` for text.
        problems: what was not found or not readable beside the games, a line each (damaged WTHOR names).
    """

    def __init__(self, path: str, stream: BinaryIO, head: bytes, recognized: Recognized) -> None:
        self.path = path
        self.kind = recognized.kind
        self.form = recognized.form
        self.problems: list[str] = []
        self._stream = stream
        self._head = head

    def __enter__(self) -> GameSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.path != STANDARD_INPUT:
            self._stream.close()

    def stream(self) -> BinaryIO:
        """Return the bytes from the beginning on. Call it once, in place of `text` or `entries`."""
        if self.path != STANDARD_INPUT and self._stream.seekable():
            self._stream.seek(0)
            return self._stream
        return io.BufferedReader(_Rejoined(self._head, self._stream))

    def text(self) -> str:
        """Return the text that it holds.

        Raises:
            InputError: it holds none, it is too long, or has a line that is too long.
            OSError: it cannot be read.
        """
        name = source_name(self.path)
        pieces = [self._head]
        size, lines, tail, piece = len(self._head), 0, b"", self._head
        while piece:  # what is not text is refused before the rest of it is read
            if b"\0" in piece:
                raise InputError("binary data, not text", source=name)
            tail += piece
            begin = check_lines(tail, name, lines)
            lines += tail.count(b"\n", 0, begin)
            tail = tail[begin:]
            piece = self._stream.read(min(_PIECE, MAX_BYTES + 1 - size))
            pieces.append(piece)
            size += len(piece)
        data = b"".join(pieces)
        del pieces, piece, tail  # as large as the file again
        return decode_records(data, name)

    def entries(self, *, rules: Rules = OTHELLO, form: TextFormat | None = None) -> Iterator[Entry]:
        """Read its games, one at a time. Call it once.

        Args:
            rules: the rules of games that do not name their own.
            form: what the text is; recognized when not given.

        Raises:
            InputError: it holds no games, or none that this program reads.
            OSError: it cannot be read.
        """
        if self.form is not None:
            path = None if self.path == STANDARD_INPUT else Path(self.path)
            return self.form.read(self.stream(), path, self.problems)
        if self.kind is FileKind.WTHOR_NAMES:
            raise InputError("WTHOR names, no games", source=source_name(self.path))
        if self.is_long:
            return self._long_entries(rules, form)
        return read_games(self.text(), rules=rules, form=form)

    @property
    def is_long(self) -> bool:
        """Whether it is a long file of text, whose games are read in pieces."""
        if self.kind is not FileKind.TEXT or self.path == STANDARD_INPUT or not self._stream.seekable():
            return False
        return os.fstat(self._stream.fileno()).st_size >= LONG_BYTES

    def pieces(self, form: TextFormat | None = None) -> Iterator[tuple[TextFormat, Piece]]:
        """Cut its text into pieces while it is read; see `reversi.records.cutting.cut_file`."""
        return cut_file(self.stream(), source_name(self.path), form)

    def _long_entries(self, rules: Rules, form: TextFormat | None) -> Iterator[Entry]:
        count = 0
        try:
            for entry in read_pieces(self.pieces(form), rules):
                yield entry
                count += 1
        except (CutError, InputError):  # what a piece cannot be, the whole text may
            self._stream.seek(len(self._head))
            yield from islice(read_games(self.text(), rules=rules, form=form), count, None)


def open_source(path: str, stdin: BinaryIO | None = None) -> GameSource:
    """Open a file of games and recognize it by its content.

    Args:
        path: the file, or ``-``.
        stdin: what ``-`` reads.

    Raises:
        InputError: it holds no games that this program reads; the message says what it is.
        OSError: it cannot be read.
        ValueError: ``-`` without ``stdin``.
    """
    if path == STANDARD_INPUT:
        if stdin is None:
            raise ValueError("- needs stdin, a stream to read")
        stream, head = stdin, stdin.read(HEAD_BYTES)
        size = len(head) if len(head) < HEAD_BYTES else 0  # unknown
    else:
        stream = Path(path).open("rb")  # noqa: SIM115 - the source closes it
        try:
            head = stream.read(HEAD_BYTES)
            mode = os.fstat(stream.fileno())
            size = mode.st_size if stat.S_ISREG(mode.st_mode) else len(head)
        except OSError:
            stream.close()
            raise
    recognized = recognize_file(head, size)
    if recognized.kind is FileKind.OTHER:
        if path != STANDARD_INPUT:
            stream.close()
        raise InputError(recognized.why, source=source_name(path))
    return GameSource(path, stream, head, recognized)


class _Rejoined(io.RawIOBase):
    """A stream with its first bytes put back."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            data = self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
