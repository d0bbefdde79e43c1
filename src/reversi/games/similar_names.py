"""Names that may be one person's by their spelling: candidates for a person to look at, never more."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

import reversi._regex as re
from reversi.games.names import folded_words

_SOUNDS: Final = (
    *(("ph", "f"), ("sch", "s"), ("ch", "k"), ("ck", "k"), ("tz", "z"), ("x", "ks"), ("q", "k"), ("c", "k")),
    *(("w", "v"), ("y", "i"), ("j", "i"), ("z", "s"), ("h", "")),
)
_DOUBLE: Final = re.compile(r"(.)\1+")
_LETTERS: Final = 6  # of names that may differ in a letter
_MOST: Final = 40  # names that look alike; more say nothing


class Likeness(enum.Enum):
    """How two names are alike; the value says it.

    Attributes:
        SPELLING: they are two spellings of one name.
        SOUND: they sound alike, as Aleksandr and Alexandr do.
        LETTER: one letter is different, missing, added or in another place.
        INITIAL: one has an initial where the other has the name.
    """

    SPELLING = "same letters"
    SOUND = "same sound"
    LETTER = "one letter differs"
    INITIAL = "an initial"


class Similar(NamedTuple):
    """Two names that may be one person's.

    Attributes:
        name: the first in the alphabet.
        other: the other.
        likeness: how they are alike.
    """

    name: str
    other: str
    likeness: Likeness


def similar_names(names: Iterable[str]) -> list[Similar]:
    """Return the pairs of names that may be one person's, in the order of the alphabet.

    Case, accents and the order of the words make no difference. Numbers must be the same.
    """
    found: dict[tuple[str, str], Likeness] = {}
    keys: dict[tuple[Likeness, str], set[str]] = defaultdict(set)
    for name in names:
        words = folded_words(name)
        for likeness, key in _keys(words):
            keys[likeness, key].add(name)
    for likeness in Likeness:  # the nearest likeness counts
        for (kind, _), group in keys.items():
            if kind is likeness and 1 < len(group) <= _MOST:
                for pair in combinations(sorted(group), 2):
                    if likeness is not Likeness.INITIAL or _is_initial(*map(folded_words, pair)):
                        found.setdefault(pair, likeness)
    return [Similar(*pair, likeness) for pair, likeness in sorted(found.items())]


def _keys(words: tuple[str, ...]) -> Iterator[tuple[Likeness, str]]:
    """Yield keys that alike names share, with the likeness."""
    ordered = sorted(words)
    yield Likeness.SPELLING, " ".join(ordered)
    if not all(word.isdecimal() for word in words):
        yield Likeness.SOUND, " ".join(sorted(map(_sound, words)))
    if sum(map(len, words)) >= _LETTERS:
        for at, word in enumerate(ordered):
            others = " ".join([*ordered[:at], *ordered[at + 1 :]])
            if not word.isdecimal() and len(word) > 2:
                for place in range(len(word)):
                    yield Likeness.LETTER, f"{others}|{word[:place]}{word[place + 1 :]}"
                yield Likeness.LETTER, f"{others}|{word}"
    for at, word in enumerate(words):
        initials = sorted(other[0] for other in (*words[:at], *words[at + 1 :]))
        if len(word) > 1 and initials:
            yield Likeness.INITIAL, f"{word}|{''.join(initials)}"


def _sound(word: str) -> str:
    for spelling, sound in _SOUNDS:
        word = word.replace(spelling, sound)
    return _DOUBLE.sub(r"\1", word)


def _is_initial(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two names have the same words, where one has only the first letter of some."""
    if len(one) != len(other):
        return False
    rest = list(other)
    for word in sorted(one, key=len, reverse=True):
        fitting = [there for there in rest if there == word]
        fitting += [there for there in rest if 1 in (len(there), len(word)) and there[0] == word[0]]
        if not fitting:
            return False
        rest.remove(fitting[0])
    return True
