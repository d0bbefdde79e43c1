"""Files of records: bytes to text, within stated limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from reversi.errors import InputError
from reversi.text.decoding import decode_text

MAX_BYTES: Final = 1 << 30
"""The largest file of text that is read, in bytes: about two million games."""
TOO_LARGE: Final = f"more than {MAX_BYTES >> 30} GiB; split it between two games"

_CHUNK: Final = 1 << 20  # bytes that are read at once

MAX_LINE_BYTES: Final = 1 << 20
"""The longest line of a file of records, in bytes. No record has one nearly as long."""


def check_lines(data: bytes, name: str, lines: int = 0) -> int:
    """Refuse a line of more than `MAX_LINE_BYTES` bytes.

    Args:
        data: the file, or a part of it that begins with a line.
        name: what messages call the file.
        lines: the number of lines before the part.

    Returns:
        Where the last line that the data begins, begins.

    Raises:
        InputError: a line is too long; the message names it.
    """
    begin = 0
    while True:  # from each line end to the last one that is near enough: two steps pass more than a longest line
        near = begin + MAX_LINE_BYTES + 1
        end = data.rfind(b"\n", begin, near)
        end = max(end, data.rfind(b"\r", max(begin, end), near))
        if end >= 0:
            begin = end + 1
        elif len(data) < near:
            return begin
        else:
            line = lines + data.count(b"\n", 0, begin) + 1
            raise InputError(
                f"line {line} has more than {MAX_LINE_BYTES} bytes: this is not a record", source=name
            )


def text_chunks(stream: BinaryIO, name: str, first: int = 0) -> Iterator[str]:
    """Yield the text of a file in chunks of whole lines.

    Args:
        stream: the file, from its beginning.
        name: what messages call it.
        first: the bytes of the first chunk, if it is to be longer than the others.

    Raises:
        InputError: binary data, or a file or a line that is too long.
    """
    rest, lines, size = b"", 0, 0
    while data := stream.read(max(_CHUNK, first) if not size else _CHUNK):
        size += len(data)
        if size > MAX_BYTES:
            raise InputError(TOO_LARGE, source=name)
        if b"\0" in data:
            raise InputError("binary data, not text", source=name)
        data = rest + data
        begin = check_lines(data, name, lines)
        if begin == len(data) and data.endswith(b"\r"):  # a line feed may follow
            begin = check_lines(data[:-1], name, lines)
        chunk, rest = data[:begin], data[begin:]
        if chunk:
            yield decode_text(chunk, name)
            lines += chunk.count(b"\n")
    if rest:
        yield decode_text(rest, name)


def decode_records(data: bytes, name: str, encoding: str = "") -> str:
    """Return the text of a file of records.

    Args:
        data: the whole file.
        name: what messages call it.
        encoding: its encoding, where somebody names it.

    Raises:
        InputError: binary data, a file or a line that is too long, or nothing but blanks.
    """
    if len(data) > MAX_BYTES:
        raise InputError(TOO_LARGE, source=name)
    if b"\0" not in data:
        check_lines(data, name)
    text = decode_text(data, name, encoding)
    if not text or text.isspace():
        raise InputError("empty, nothing in it", source=name)
    return text
