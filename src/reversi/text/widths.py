"""How many cells of a terminal a text takes, and texts cut, filled and broken to cells.

A character of an East Asian script takes two cells, a combining one none.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_MORE: Final = " ..."


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width_of(text: str) -> int:
    """Return how many cells a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut(text: str, width: int, end: str = "") -> str:
    """Return a text cut to at most ``width`` cells; what was cut ends with ``end``."""
    if width_of(text) <= width:
        return text
    room, taken = width - width_of(end), 0
    for at, character in enumerate(text):
        taken += _width(character)
        if taken > room:
            return text[:at] + end if room >= 0 else cut(end, width)
    return text


def filled(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with blanks after it, or before it, so that it takes at least ``width`` cells."""
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, width: int, *, most: int = 0) -> list[str]:
    """Return a text broken between words into lines of at most ``width`` cells; a longer word is broken, too.

    Args:
        text: the text; runs of white space count as one blank.
        width: cells of a line, at least 2.
        most: how many lines at most; 0 is no limit. A text that has more ends in ``...``.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        rest = word
        joined = f"{line} {rest}" if line else rest
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        while width_of(rest) > width:
            piece = cut(rest, width) or rest[0]
            lines.append(piece)
            rest = rest[len(piece) :]
        line = rest
    if line:
        lines.append(line)
    if most and len(lines) > most:
        last = lines[most - 1].split(" ")
        while len(last) > 1 and width_of(" ".join(last) + _MORE) > width:
            del last[-1]
        return [*lines[: most - 1], cut(" ".join(last), width - len(_MORE)) + cut(_MORE, width)]
    return lines
