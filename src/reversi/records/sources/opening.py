"""Open a file of games or standard input: recognize it by its content, and give its games one at a time."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from reversi._system.paths import STANDARD_INPUT, source_name
from reversi._system.zip_files import ZIP, open_path, zipped_size
from reversi.errors import InputError
from reversi.records.entry import Entry, noted
from reversi.records.formats.database.reader import DATABASE
from reversi.records.formats.format import BinaryFormat, TextFormat
from reversi.records.formats.registry import read_games, recognize, table_format, target_format
from reversi.records.formats.tables.columns import Row
from reversi.records.formats.tables.table import BinaryTableFormat, TableFormat, TableOptions, read_table
from reversi.records.limits import give_up
from reversi.records.sources.cutting import CutError, Piece, cut_file, read_pieces
from reversi.records.sources.decoding import MAX_BYTES, text_chunks
from reversi.records.sources.encodings import likelier_reading, recoded
from reversi.records.sources.finding import FoundFile
from reversi.records.sources.kinds import HEAD_BYTES, FileKind, Recognized, recognize_file
from reversi.records.sources.packing import is_packed, unpacked
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import decode_text

LONG_BYTES: Final = 1 << 23
"""The size of a file of text from which its games are read in pieces, where the format allows it."""

_PIECE: Final = 1 << 24  # bytes that are read at once
_OTHERS: Final = (".jou", ".trn", ".zip", ".duckdb")  # names; a zip or a database in a zip


class GameSource:
    """A file of games, or standard input, opened and recognized. Close it, or use it in a ``with`` statement.

    Attributes:
        path: the file, or ``-``.
        kind: what it is.
        format_: the format of games that are not text, ``None`` for text.
        problems: what was not found or not readable beside the games, a line each (damaged WTHOR names).
        notes: how its games are read where it does not say so itself, a line each (the columns of a table).
    """

    def __init__(
        self,
        path: str,
        stream: BinaryIO,
        head: bytes,
        recognized: Recognized,
        *,
        packed: bool = False,
        encoding: str = "",
    ) -> None:
        self.path = path
        self.kind: FileKind = recognized.kind
        self.format: BinaryFormat | None = recognized.format
        self.problems: list[str] = []
        self.notes: list[str] = []
        self._stream = stream
        self._head = head
        self._packed = packed
        self._encoding = encoding

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
        text = "".join(text_chunks(self.stream(), name, _PIECE))
        if not text or text.isspace():
            raise InputError("empty, nothing in it", source=name)
        return text

    def head(self) -> str:
        """Return its first lines."""
        end = self._head.rfind(b"\n") + 1 if len(self._head) >= HEAD_BYTES else 0
        return decode_text(self._head[: end or len(self._head)], source_name(self.path))

    def table(
        self, format_: TextFormat | None = None, options: TableOptions | None = None
    ) -> Iterator[Row] | None:
        """Return its rows where it is a table, which is read in one go; ``None`` for any other file.

        Args:
            format_: what the text is; recognized when not given.
            options: how tables are read. With columns, any text is a table.
        """
        if isinstance(self.format, BinaryTableFormat):
            return self.format.table(self.stream())
        text_format = self.table_format(format_, options)
        if text_format is None:
            return None
        return text_format.table(text_chunks(self.stream(), source_name(self.path)))

    def table_format(
        self, format_: TextFormat | None = None, options: TableOptions | None = None
    ) -> TableFormat | None:
        """Return the format of a table of text, ``None`` for any other file."""
        if self.kind is FileKind.TEXT and format_ is None:
            head = self.head()
            format_ = recognize(head)
            if options is not None and options.columns and not isinstance(format_, TableFormat):
                format_ = table_format(head)
        return format_ if isinstance(format_, TableFormat) and self.kind is FileKind.TEXT else None

    def entries(
        self,
        *,
        rules: Rules = OTHELLO,
        format_: TextFormat | None = None,
        options: TableOptions | None = None,
    ) -> Iterator[Entry]:
        """Read its games, one at a time. Call it once.

        Args:
            rules: the rules of games that do not name their own.
            format_: what the text is; recognized when not given.
            options: how tables are read.

        Raises:
            InputError: it holds no games, or none that this program reads.
            OSError: it cannot be read.
        """
        table = self.table(format_, options)
        if table is not None:
            name = source_name(self.path)
            return give_up(read_table(table, rules, options=options, notes=self.notes, name=name))
        if self.format is not None:
            path = None if self.path == STANDARD_INPUT else Path(self.path)
            return self.format.read(self.stream(), path, self.problems, self._encoding)
        if self.kind is FileKind.WTHOR_NAMES:
            raise InputError("WTHOR names, no games", source=source_name(self.path))
        if self.is_long:
            entries = self._long_entries(rules, format_)
        else:
            entries = read_games(self.text(), rules=rules, format_=format_)
        return noted(entries, self.notes, source_name(self.path))

    @property
    def is_long(self) -> bool:
        """Whether it is a long file of text, whose games are read in pieces."""
        if self.kind is not FileKind.TEXT or self.path == STANDARD_INPUT or not self._stream.seekable():
            return False
        if not self._packed:
            return os.fstat(self._stream.fileno()).st_size >= LONG_BYTES
        self._head += self._stream.read(LONG_BYTES - len(self._head))
        return len(self._head) >= LONG_BYTES

    def pieces(self, format_: TextFormat | None = None) -> Iterator[tuple[TextFormat, Piece]]:
        """Cut its text into pieces while it is read; see `reversi.records.sources.cutting.cut_file`."""
        return cut_file(self.stream(), source_name(self.path), format_)

    def _long_entries(self, rules: Rules, format_: TextFormat | None) -> Iterator[Entry]:
        count = 0
        try:
            for entry in read_pieces(self.pieces(format_), rules):
                yield entry
                count += 1
        except (CutError, InputError):  # what a piece cannot be, the whole text may
            yield from islice(read_games(self.text(), rules=rules, format_=format_), count, None)


def open_source(path: str, stdin: BinaryIO | None = None, encoding: str = "") -> GameSource:
    """Open a file of games and recognize it by its content. One that is packed (gzip, zstd, zip) is unpacked.

    Args:
        path: the file, as ``a.zip/x.pgn`` in a zip, or ``-``.
        stdin: what ``-`` reads.
        encoding: the encoding of a text, where it is not what the text itself says or is read as.

    Raises:
        InputError: it holds no games that this program reads; the message says what it is.
        OSError: it cannot be read.
        InputError: ``-`` without ``stdin``.
    """
    if path != STANDARD_INPUT:
        stream = open_path(path, MAX_BYTES)
        try:
            return _opened(path, stream, encoding)
        except (InputError, OSError):
            stream.close()
            raise
    if stdin is None:
        raise InputError("- needs stdin, a stream to read")
    return _opened(path, stdin, encoding)


def _opened(path: str, stream: BinaryIO, encoding: str) -> GameSource:
    name, problems, head = source_name(path), list[str](), stream.read(HEAD_BYTES)
    size, zipped = _known_size(head), None
    if path != STANDARD_INPUT and (zipped := zipped_size(path)) is not None:
        size = zipped
        if head.startswith(ZIP):
            raise InputError("a zip in a zip; unpack the outer one", source=path)
    elif path != STANDARD_INPUT:
        mode = os.fstat(stream.fileno())
        size = mode.st_size if stat.S_ISREG(mode.st_mode) else len(head)
    packed = is_packed(head)
    if packed:
        stream = _unpacked(stream, head, name, problems)
        head = stream.read(HEAD_BYTES)
        size = _known_size(head)
    recognized = recognize_file(head, size)
    packed = packed or zipped is not None
    if recognized.format is DATABASE and packed:
        raise InputError("a database that is packed; unpack it", source=name)
    is_text = recognized.kind is FileKind.TEXT or (encoding and recognized.kind is FileKind.OTHER)
    if is_text and (text := recoded(stream, head, encoding, name, problems)) is not None:
        if path != STANDARD_INPUT:
            stream.close()
        stream, packed = text, True
        head = stream.read(HEAD_BYTES)
        recognized = recognize_file(head, _known_size(head))
    if recognized.kind is FileKind.OTHER:
        raise InputError(recognized.why, source=name)
    if recognized.kind is FileKind.TEXT and not encoding:
        whole = head.rfind(b"\n") + 1 if len(head) == HEAD_BYTES else 0
        if likelier := likelier_reading(head[: whole or len(head)]):
            problems.append(f"{name}: {likelier}")
    source = GameSource(path, stream, head, recognized, packed=packed, encoding=encoding)
    source.problems = problems  # reading adds to them
    return source


def _known_size(head: bytes) -> int:
    """Return the bytes of a file by its first ones; 0 while nobody knows."""
    return len(head) if len(head) < HEAD_BYTES else 0


def _unpacked(stream: BinaryIO, head: bytes, name: str, problems: list[str]) -> BinaryIO:
    """Return the unpacked bytes of a stream of which the first bytes are read."""
    if stream.seekable():
        stream.seek(0)
        return unpacked(stream, head, name, problems)
    return unpacked(io.BufferedReader(_Rejoined(head, stream)), head, name, problems)


def why_skipped(file: FoundFile) -> str:
    """Return why a file among the games of a folder is none of them, such as a README; empty for one to read.

    A file is skipped if it was found in a folder, no format recognizes it, and its name has no suffix of a format.
    """
    suffixes = Path(file.path).suffixes
    if not file.in_folder or any(target_format(suffix) or suffix.lower() in _OTHERS for suffix in suffixes):
        return ""
    try:
        with open_source(file.path) as source:
            if source.kind is not FileKind.TEXT or source.is_long or recognize(source.text()) is not None:
                return ""
    except InputError as error:
        return error.naming(file.path)
    except (OSError, ValueError):
        return ""  # reading it says why
    return f"{file.path}: no games in a known format"


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
