"""Bytes to text, and text to lines, at a bounded cost for hostile input.

Each line of a file is UTF-8 or Windows-1252; lines end in LF, CRLF or CR. Text with the mark of UTF-16 is that.
Byte-order marks where a line begins, as joined files have them, are nothing, and so is the sign that DOS ends a
file with. Binary data is refused at once, and a line of more than `MAX_LINE` characters without a copy.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.errors import InputError

MAX_LINE: Final = 65_536
"""The most characters of a line."""

MAX_ENTRY: Final = 4096
"""The most characters of a board or a transcript, decoration included."""

# Control characters that do not occur in text; tab, line feed, form feed and carriage return do.
_CONTROL_BYTES: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_FEW_CONTROLS: Final = 8  # a stray escape sequence in a name does not make a file binary
_CONTROL_SHARE: Final = 50  # one control character in 50 bytes does

_PART: Final = 1 << 16  # bytes to decode at once when the text is not all UTF-8

UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""What a text in UTF-16 begins with."""

_MARKS = re.compile(r"(?:\A|(?<=[\r\n]))[\ufeff\x1a]+")
_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\n|\r")


def check_encoding(name: str) -> str:
    """Return the name of an encoding as given, which may be empty.

    Raises:
        InputError: there is no encoding of text of that name.
    """
    if name and codec_of(name) is None:
        raise InputError(
            f"{excerpt(name)} is not an encoding; some are utf-8, cp1252, shift_jis, gb18030 and big5"
        )
    return name


def codec_of(name: str) -> str | None:
    """Return Python's name for an encoding of text, ``None`` if there is none of that name."""
    try:
        "".encode(name)
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


def decode_text(data: bytes, name: str, encoding: str = "") -> str:
    """Decode ``data`` as UTF-8 or, by its mark, UTF-16; lines that are not UTF-8, as Windows-1252.

    Args:
        data: the whole input.
        name: the source that an error names, for example a file; empty for none.
        encoding: the encoding, where somebody names it.

    Raises:
        InputError: there is no such encoding, or the data is binary (NUL bytes, or many control characters).
    """
    if check_encoding(encoding):
        return without_marks(data.decode(encoding, "replace"))
    if data.startswith(UTF_16_MARKS):
        return without_marks(data.decode("utf-16", "replace"))
    if b"\0" in data or _has_many_controls(data):
        raise InputError("binary data, not text", source=name)
    return without_marks(decode_lines(data))


def decode_lines(data: bytes) -> str:
    """Decode data as UTF-8; lines that are not UTF-8, as Windows-1252."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(_decoded_parts(data))


def without_marks(text: str) -> str:
    """Return a text without byte-order marks and DOS's end of a file where a line begins."""
    return _MARKS.sub("", text) if "\ufeff" in text or "\x1a" in text else text


def _decoded_parts(data: bytes) -> Iterator[str]:
    """Decode data in parts: many lines at once when they are UTF-8, else line by line."""
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
        return line.decode("cp1252", "replace")


def _has_many_controls(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    return controls > _FEW_CONTROLS and controls * _CONTROL_SHARE > len(data)


def iter_lines(text: str) -> Iterator[tuple[int, str | InputError]]:
    """Yield each line of ``text`` that is not empty, without its end, with its number from 1.

    A line of more than `MAX_LINE` characters yields an error in its place; the next lines follow.
    """
    number, seen = 1, 0
    text = without_marks(text)
    for match in _LINE.finditer(text):
        begin, end = match.span()
        number += _line_ends(text, seen, begin)
        seen = end
        if end - begin > MAX_LINE:
            yield number, InputError(f"the line has {end - begin} characters; the limit is {MAX_LINE}")
        else:
            yield number, match[0]


def _line_ends(text: str, begin: int, end: int) -> int:
    """Count the line ends between two places, neither of which is inside one."""
    if end - begin < 2:
        return end - begin
    return text.count("\n", begin, end) + text.count("\r", begin, end) - text.count("\r\n", begin, end)


def is_comment(line: str) -> bool:
    """Return whether a line is a comment: it begins with ``%`` (OBF, Zebra's scripts) or ``#``, after blanks."""
    return line.lstrip()[:1] in {"%", "#"}


def split_lines(text: str) -> list[str]:
    """Split a short text into lines, without their ends."""
    return _LINE_END.split(text)
