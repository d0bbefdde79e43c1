"""Names of players and events: which spellings are one name, and which names have some words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import reversi._regex as re
from reversi.text.letters import without_accents

_NUMBER = re.compile("[0-9]+")
# blanks, dots, commas, hyphens and apostrophes of any kind
_SEPARATORS = "\\s.,'`´‘’ʼʹ′\"\u00ad\u2010-\u2015\u2212\ufe63\uff0d\u30fb-"
_NO_LETTERS = re.compile(f"[0-9{_SEPARATORS}]+")  # numbers are compared apart
_BRACKETS = "()\\[\\]{}<>/&+;:_“”«»（）［］【】「」『』"  # these separate words, but count in a name
_PARTS = re.compile(f"[^{_BRACKETS}{_SEPARATORS}]+")
_WORDS = re.compile(f"[^{_BRACKETS}\\s.,]+")


@lru_cache(1 << 14)
def name_identity(name: str) -> str:
    """Return what all spellings of a name have in common.

    Case, accents, blanks, dots, commas, hyphens and apostrophes do not count, nor whether the family name comes
    first or last: Oh Joung-Mok, Oh Joungmok and Joung Mok Oh are one name. Words may be joined, so this compares
    the letters as if they stood in a circle. Numbers count as they stand.
    """
    letters = folded(name)
    numbers = sorted(_NUMBER.findall(letters))
    return _least_rotation(_NO_LETTERS.sub("", letters)) + " ".join(["", *numbers])


def folded_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, without accents, and with the parts of Joung-Mok as one word."""
    return tuple("".join(parts) for letters in _WORDS.findall(folded(name)) if (parts := _PARTS.findall(letters)))


def folded(name: str) -> str:
    """Return a text in lower case and without accents."""
    return without_accents(name).casefold()


def _least_rotation(text: str) -> str:
    """Return the rotation of a text that sorts first, in time linear in its length."""
    size = len(text)
    one, other, same = 0, 1, 0  # where two candidates begin, and how many letters they share
    while max(one, other, same) < size:
        here, there = text[(one + same) % size], text[(other + same) % size]
        if here == there:
            same += 1
            continue
        if here > there:
            one += same + 1
        else:
            other += same + 1
        other += one == other
        same = 0
    begin = min(one, other)
    return text[begin:] + text[:begin]


def has_words(name: str, words: str) -> bool:
    """Return whether a name has all of some words, or words that begin with them.

    Names compare as in `name_identity`: "joungmok", "joung-mok" and "mok" find Oh Joung-Mok, and "joung mok" finds
    Oh Joungmok.
    """
    if not words:
        return True
    spelling, wanted = _spelling(name), _spelling(words)
    return all(spelling.has(word) for word in wanted.words) or spelling.has(wanted.joined)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """A name without case, accents, hyphens and apostrophes.

    Attributes:
        words: its words.
        joined: its words as one, with a blank between two numbers.
        circle: `joined` twice, since any word may come first.
        parts: where each part of a word begins in `circle`, and where that word ends. Joung-Mok has two parts.
        ends: where words end in `circle`.
    """

    words: tuple[str, ...]
    joined: str
    circle: str
    parts: tuple[tuple[int, int], ...]
    ends: frozenset[int]

    def has(self, word: str) -> bool:
        """Return whether a word, or a part of one, begins with `word`, or whole words in a row are `word`."""
        size = len(word)
        return size <= len(self.joined) and any(
            self.circle.startswith(word, begin) and (begin + size <= end or begin + size in self.ends)
            for begin, end in self.parts
        )


@lru_cache(1 << 14)
def _spelling(name: str) -> _Spelling:
    pieces: list[str] = []
    size = 0
    words, parts, ends = [], [], []
    for letters in _WORDS.findall(folded(name)):
        first, begins = len(pieces), []
        for part in _PARTS.findall(letters):
            if pieces and _numbers_meet(pieces[-1], part):
                pieces.append(" ")
                size += 1
            begins.append(size)
            pieces.append(part)
            size += len(part)
        if begins:
            words.append("".join(pieces[first:]).strip())
            parts += [(begin, size) for begin in begins]
            ends.append(size)
    joined = "".join(pieces)
    circle = f"{joined} {joined}" if _numbers_meet(joined, joined) else 2 * joined
    again = len(circle) - size
    return _Spelling(
        tuple(words), joined, circle, tuple(parts), frozenset([*ends, *(end + again for end in ends)])
    )


def _numbers_meet(one: str, other: str) -> bool:
    return one[-1:].isdecimal() and other[:1].isdecimal()
