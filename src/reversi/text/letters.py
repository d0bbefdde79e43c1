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


def latin_1(text: str) -> bytes:
    """Return a text in Latin-1. Other letters and marks become plain ones, or question marks."""
    letters = unicodedata.normalize("NFC", text).translate(_MARKS)
    plain = "".join(letter if letter <= "\xff" else without_accents(letter) for letter in letters)
    return plain.encode("latin-1", "replace")
