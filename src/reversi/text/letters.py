"""Letters with accents and strokes, and the plain ones in their place."""

from __future__ import annotations

import unicodedata
from typing import Final

# letters that Unicode does not take apart, as programs without them write them
_PLAIN: Final = str.maketrans({
    **dict(zip("ØøŁłĐđÐðĦħŦŧı", "OoLlDdDdHhTti", strict=True)),
    **{"Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Þ": "Th", "þ": "th"},
})  # fmt: skip
_MARKS: Final = str.maketrans({
    **dict.fromkeys("‘’ʼʹ′", "'"),
    **dict.fromkeys("“”″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
})  # fmt: skip


def without_accents(text: str) -> str:
    """Return a text with the plain letters of those that have accents or strokes: Lukasz Odegard."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def windows_1252(text: str) -> bytes:
    """Return a text in Windows-1252. Other letters and marks become plain ones, or question marks."""
    letters = unicodedata.normalize("NFC", text).translate(_MARKS)
    return "".join(map(_held, letters)).encode("cp1252", "replace")


def _held(letter: str) -> str:
    """Return a letter that Windows-1252 has, or plain ones in its place."""
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return without_accents(letter)
    return letter
