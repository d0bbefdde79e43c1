"""Files of records: bytes to text, within stated limits."""

from __future__ import annotations

import re
from typing import Final

from reversi.errors import InputError
from reversi.text.decoding import decode_text

__all__ = ["MAX_BYTES", "MAX_LINE_BYTES", "decode_records"]

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
