"""What a file is, told from its bytes."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile

import pytest
from hypothesis import given, strategies as st

from record_samples import random_record
from reversi.records import format_record
from reversi.records.sources.decoding import MAX_BYTES
from reversi.records.sources.kinds import HEAD_BYTES, FileKind, recognize_file
from wthor_samples import jou, random_game, trn, wtb

ONLY = "only games on 8x8 boards are read"
TEXT = format_record(random_record(1)).encode()


OFFICE = "an Office document; save its table as CSV, or its text as plain text"


def office_file(name: str, content: str = "<Types/>") -> bytes:
    """Return a document as Office and LibreOffice pack it, given its first file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        (b"", FileKind.OTHER, "empty, nothing in it"),
        (TEXT, FileKind.TEXT, ""),
        ("Björn".encode("latin-1"), FileKind.TEXT, ""),
        (wtb([random_game(1)]), FileKind.GAMES, ""),
        (wtb([random_game(1)])[:-1], FileKind.GAMES, ""),
        (jou(), FileKind.WTHOR_NAMES, ""),
        (trn(), FileKind.WTHOR_NAMES, ""),
        (
            wtb([b"\0" * 104], board=10),
            FileKind.OTHER,
            "WTHOR games on 10x10 boards; only games on 8x8 boards are read",
        ),
        (wtb([b"\0" * 548], kind=1), FileKind.OTHER, f"WTHOR solitaires; {ONLY}"),
        (trn()[:-1], FileKind.OTHER, "WTHOR names, cut off or damaged"),
        (wtb([random_game(1)], date=(0, 0, 0, 0)), FileKind.GAMES, ""),
        (gzip.compress(TEXT, mtime=0), FileKind.OTHER, "packed with gzip; unpack it first"),
        (lzma.compress(TEXT), FileKind.OTHER, "packed with xz; unpack it first"),
        (
            b"PK\x03\x04" + TEXT,
            FileKind.OTHER,
            "packed with zip; name it so that it ends in .zip, and it is read as a folder",
        ),
        (office_file("[Content_Types].xml"), FileKind.OTHER, OFFICE),
        (office_file("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), FileKind.OTHER, OFFICE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), FileKind.OTHER, OFFICE),
        (b"{\\rtf1\\ansi f5d6c3\\par}\n", FileKind.OTHER, OFFICE),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", FileKind.OTHER, "a JPEG picture, not records"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", FileKind.OTHER, "a PNG picture, not records"),
        (b"%PDF-1.7\n% a comment\n", FileKind.OTHER, "a PDF document, not records"),
        (b"\x7fELF\2\1\1\0", FileKind.OTHER, "a program, not records"),
        (b"\0" * 8 + b"DUCK\0\0", FileKind.GAMES, ""),
        (b"\0" * HEAD_BYTES, FileKind.OTHER, "nothing but zero bytes, no game in it"),
        (TEXT + b"\0", FileKind.OTHER, "binary data, not text"),
        (TEXT.decode().encode("utf-16"), FileKind.TEXT, ""),
    ],
)
def test_kinds(data: bytes, kind: FileKind, why: str) -> None:
    found = recognize_file(data[:HEAD_BYTES], len(data))
    assert (found.kind, found.why) == (kind, why)


def test_a_file_that_is_too_long() -> None:
    assert recognize_file(TEXT, MAX_BYTES).kind is FileKind.TEXT
    assert recognize_file(TEXT, MAX_BYTES + 1).why == "more than 1 GiB; split it between two games"


@given(st.binary(max_size=200) | st.sampled_from([TEXT, wtb([random_game(1)]), jou()]), st.integers(0, 1 << 40))
def test_anything_is_something(data: bytes, size: int) -> None:
    found = recognize_file(data, size)
    assert (found.why == "") == (found.kind is not FileKind.OTHER)
