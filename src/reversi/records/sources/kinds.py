"""What a file is, by its first bytes and its size: games in a binary format, text, or neither.

Names and suffixes do not count. `reversi.records.recognize` recognizes the format of a text.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

import reversi._regex as re
from reversi._system.zip_files import ZIP
from reversi.errors import InputError
from reversi.records.formats.database.reader import DATABASE
from reversi.records.formats.format import BinaryFormat
from reversi.records.formats.registry import FORMATS, known_formats, recognize_binary
from reversi.records.formats.wthor.header import HEADER_BYTES, WthorHeader, WthorKind, wthor_kind
from reversi.records.sources.decoding import MAX_BYTES, TOO_LARGE
from reversi.text.decoding import decode_text

HEAD_BYTES: Final = 1 << 16
"""The first bytes of a file that show what it is."""


class FileKind(enum.Enum):
    """What can be done with a file."""

    TEXT = "text"
    """It may hold games as text."""
    GAMES = "games"
    """It holds games in a format that is not text."""
    WTHOR_NAMES = "names"
    """It holds the names that games in WTHOR refer to."""
    OTHER = "other"
    """It holds no games that this program reads."""


@dataclass(frozen=True, slots=True)
class Recognized:
    """What a file is.

    Attributes:
        kind: what can be done with it.
        why: for ``OTHER``, what the file is and what to do about it, in words.
        format_: for ``GAMES``, the format.
    """

    kind: FileKind
    why: str = ""
    format: BinaryFormat | None = None


_PACKED: Final = "packed with {}; unpack it first"
_OFFICE: Final = "an Office document; save its table as CSV, or its text as plain text"
_OFFICE_ZIP: Final = re.compile(  # by the name of its first file
    rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/|word/|mimetypeapplication/)", re.DOTALL
)
_SIGNATURES: Final = (
    (b"\x1f\x8b", _PACKED.format("gzip")),
    (b"BZh", _PACKED.format("bzip2")),
    (b"\xfd7zXZ\0", _PACKED.format("xz")),
    (b"\x28\xb5\x2f\xfd", _PACKED.format("zstd")),
    (ZIP, "packed with zip; name it so that it ends in .zip, and it is read as a folder"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OFFICE),
    (b"{\\rtf", _OFFICE),
    (b"7z\xbc\xaf\x27\x1c", _PACKED.format("7-Zip")),
    (b"Rar!\x1a\x07", _PACKED.format("RAR")),
    (b"\xff\xd8\xff", "a JPEG picture, not records"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture, not records"),
    (b"GIF87a", "a GIF picture, not records"),
    (b"GIF89a", "a GIF picture, not records"),
    (b"%PDF-", "a PDF document, not records"),
    (b"\x7fELF", "a program, not records"),
    (b"SQLite format 3\0", "an SQLite database, not records"),
    (b"WZebra Revision", "games of WZebra, which this program does not read; export them as text"),
)


def recognize_file(head: bytes, size: int) -> Recognized:
    """Return what a file is.

    Args:
        head: its first bytes: `HEAD_BYTES`, or all of a smaller file.
        size: the bytes of the whole file, as far as they are known.
    """
    if not head:
        return _other("empty, nothing in it")
    if _OFFICE_ZIP.match(head):
        return _other(_OFFICE)
    for signature, why in _SIGNATURES:
        if head.startswith(signature):
            return _other(why)
    format_ = recognize_binary(head, size, (DATABASE, *FORMATS))
    if format_ is not None:
        return Recognized(FileKind.GAMES, format=format_)
    wthor = wthor_kind(head, size)
    if wthor in (WthorKind.PLAYERS, WthorKind.TOURNAMENTS):
        return Recognized(FileKind.WTHOR_NAMES)
    if wthor is not None:
        return _other(f"{wthor.value}; only games on 8x8 boards are read")
    if len(head) >= HEADER_BYTES and WthorHeader.parse(head).kind is WthorKind.PLAYERS:
        return _other("WTHOR names, cut off or damaged")
    if not head.strip(b"\0"):
        return _other("nothing but zero bytes, no game in it")
    if size > MAX_BYTES:
        return _other(TOO_LARGE)
    try:
        decode_text(head, "")
    except InputError as error:
        format_ = recognize_binary(head, size, known_formats())
        return _other(str(error)) if format_ is None else Recognized(FileKind.GAMES, format=format_)
    return Recognized(FileKind.TEXT)


def _other(why: str) -> Recognized:
    return Recognized(FileKind.OTHER, why)
