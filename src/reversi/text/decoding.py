"""Bytes to text, and text to lines, with the cost of hostile input bounded.

UTF-8 (with or without a byte-order mark) and Latin-1 are read, each line of a file as what it is; lines end in LF,
CRLF or CR. Binary data is refused at once, and a line longer than :data:`MAX_LINE` characters is refused without
being copied.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final

from reversi.errors import InputError

__all__ = ["MAX_ENTRY", "MAX_LINE", "decode_text", "excerpt", "is_comment", "iter_lines", "split_lines"]

MAX_LINE: Final = 65_536
"""Characters that one line may have. Longer ones are refused."""

MAX_ENTRY: Final = 4096
"""Characters that one board or one transcript may have, its decoration included. Longer ones are refused."""

# Control characters that no text has; tab, line feed, form feed and carriage return are text.
_CONTROL_BYTES: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_FEW_CONTROLS: Final = 8  # a stray escape sequence in a name does not make a file binary
_CONTROL_SHARE: Final = 50  # one control character in so many bytes does

_PART: Final = 1 << 16  # bytes that are decoded at once where a text is not all UTF-8

_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\n|\r")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def decode_text(data: bytes, name: str) -> str:
    """The text that ``data`` holds: UTF-8, its byte-order mark dropped; lines that are not, as Latin-1.

    Args:
        data: the whole input.
        name: the source that an error names, a file say; empty for none.

    Raises:
        InputError: UTF-16 text, or data that is not text (NUL bytes, or many control characters).
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("UTF-16 text; save it as UTF-8", source=name)
    if b"\0" in data or _has_many_controls(data):
        raise InputError("binary data, not text", source=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "".join(_decoded_parts(data.removeprefix(codecs.BOM_UTF8)))


def _decoded_parts(data: bytes) -> Iterator[str]:
    """The text in parts of many lines where they are UTF-8, line by line where they are not all."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at + _PART) + 1 or len(data)
        part = data[at:end]
        at = end
        try:
            yield part.decode()
        except UnicodeDecodeError:
            yield "".join(map(_decoded_line, part.splitlines(keepends=True)))


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _has_many_controls(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    return controls > _FEW_CONTROLS and controls * _CONTROL_SHARE > len(data)


def iter_lines(text: str, limit: int = MAX_LINE) -> Iterator[tuple[int, str | InputError]]:
    """Each line of ``text`` that is not empty, without its end, with its number from 1, one at a time.

    A line of more than ``limit`` characters comes as the error that says so, and the next lines still follow.
    """
    number, seen = 1, 0
    for match in _LINE.finditer(text):
        begin, end = match.span()
        number += _line_ends(text, seen, begin)
        seen = end
        if end - begin > limit:
            yield number, InputError(f"a line of {end - begin} characters; at most {limit} are read")
        else:
            yield number, match[0]


def _line_ends(text: str, begin: int, end: int) -> int:
    """The line ends between two places that are not inside one."""
    if end - begin < 2:
        return end - begin
    return text.count("\n", begin, end) + text.count("\r", begin, end) - text.count("\r\n", begin, end)


def is_comment(line: str) -> bool:
    """Whether a line is comment alone: it begins with ``%`` (OBF, Zebra's scripts) or ``#``, after blanks."""
    return line.lstrip()[:1] in {"%", "#"}


def split_lines(text: str) -> list[str]:
    """The lines of a short text, without their ends."""
    return _LINE_END.split(text)


def excerpt(text: str, length: int = 40) -> str:
    """The beginning of ``text`` in quotes for a message: one line, no control characters."""
    shown = text[:length] + ("…" if len(text) > length else "")
    return "'" + _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], shown) + "'"
