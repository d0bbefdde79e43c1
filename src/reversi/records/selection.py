"""Choosing games: by tags, players, years, results, and by positions that they reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reversi._core import Position, canonical_key
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError
from reversi.records.entry import Entry
from reversi.records.facts import facts_of, year_of
from reversi.records.identity import plain_name
from reversi.records.record import DERIVED_TAGS, Record
from reversi.records.replay import play_node

__all__ = ["RESULTS", "Selection", "SelectionError", "has_words", "parse_tag", "parse_years", "reaches"]

RESULTS = ("black", "white", "draw", "decided", "undecided", "finished", "unfinished", "illegal")
"""The words for how a game ended that a selection takes."""

_YEARS = re.compile(r"([0-9]{4})?(-|\.\.|–)?([0-9]{4})?")


class SelectionError(InputError):
    """A condition on games that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games are wanted: those that meet every condition.

    Attributes:
        tags: names of tags and what each must contain, capitals and accents aside; empty: the game has the tag.
        player: words of the name of either player.
        black: words of the name of who has Black.
        white: words of the name of who has White.
        years: the first year and the last, ``None`` for no limit on that side.
        results: words of :data:`RESULTS`, of which one must fit.
        positions: positions that the game must reach, up to symmetry and under the same rules, all of them.
    """

    tags: tuple[tuple[str, str], ...] = ()
    player: str = ""
    black: str = ""
    white: str = ""
    years: tuple[int | None, int | None] = (None, None)
    results: frozenset[str] = frozenset()
    positions: tuple[Position, ...] = ()
    _keys: tuple[tuple[Position, int], ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        if wrong := self.results - set(RESULTS):
            raise SelectionError(f"no games end {min(wrong)!a}: {', '.join(RESULTS)}")
        keys = tuple((position, canonical_key(position)) for position in self.positions)
        object.__setattr__(self, "_keys", keys)

    def takes(self, record: Record) -> bool:
        """Whether a game meets every condition."""
        return (
            all(_has(record, name, value) for name, value in self.tags)
            and has_words(record.black, self.black)
            and has_words(record.white, self.white)
            and (has_words(record.black, self.player) or has_words(record.white, self.player))
            and self._in_years(record)
            and all(_reaches(record, position, key) for position, key in self._keys)
            and (not self.results or not self.results.isdisjoint(_words(record)))
        )

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The games that meet every condition, in order."""
        return (entry for entry in entries if self.takes(entry.record))

    def _in_years(self, record: Record) -> bool:
        first, last = self.years
        if first is None and last is None:
            return True
        year = year_of(record)
        return year is not None and (first is None or year >= first) and (last is None or year <= last)


def has_words(name: str, words: str) -> bool:
    """Whether a name has all of some words, or words that begin with them; capitals and accents do not count."""
    if not words:
        return True
    parts = plain_name(name).split()
    return all(any(part.startswith(word) for part in parts) for word in plain_name(words).split())


def _has(record: Record, name: str, value: str) -> bool:
    wanted = value.casefold()
    if name in DERIVED_TAGS:
        own = {"Result": record.result, "Rules": str(record.rules)}.get(name, str(record.start))
        return wanted in own.casefold()
    return any(known == name and wanted in text.casefold() for known, text in record.tags.pairs)


def _words(record: Record) -> set[str]:
    facts = facts_of(record)
    words = {"decided" if facts.decided else "undecided"}
    if facts.decided:
        words.add({Color.BLACK: "black", Color.WHITE: "white", None: "draw"}[facts.winner])
    words.add("illegal" if not facts.legal else "finished" if facts.finished else "unfinished")
    return words


def reaches(record: Record, position: Position) -> bool:
    """Whether a game reaches a position, up to symmetry, by its allowed moves and under the same rules."""
    return _reaches(record, position, canonical_key(position))


def _reaches(record: Record, position: Position, key: int) -> bool:
    if record.rules != position.rules:
        return False
    now = record.start
    nodes = iter(record.line.nodes)
    while now.empties >= position.empties:
        if now.empties == position.empties and canonical_key(now) == key:
            return True
        node = next(nodes, None)
        if node is None:
            return False
        try:
            now = play_node(now, node)
        except IllegalMoveError:
            return False
    return False


def parse_years(text: str) -> tuple[int | None, int | None]:
    """The years that ``1997``, ``1990-1999``, ``1990-`` or ``-1999`` name.

    Raises:
        SelectionError: it is none of these, or no year is between them.
    """
    match = _YEARS.fullmatch(text.strip())
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise SelectionError(f"{text[:40]!a} are no years: write 1997, 1990-1999, 1990- or -1999")
    first = int(match[1]) if match[1] else None
    last = int(match[3]) if match[3] else None
    if not match[2]:
        first = last = first if last is None else last
    if first is not None and last is not None and first > last:
        raise SelectionError(f"{text[:40]!a}: there is no year from {first} to {last}")
    return first, last


def parse_tag(text: str) -> tuple[str, str]:
    """The tag and the value of ``NAME=VALUE``; of ``NAME`` alone, an empty one.

    Raises:
        SelectionError: there is no name.
    """
    name, _, value = text.partition("=")
    if not name.strip():
        raise SelectionError(f"{text[:40]!a} names no tag: write NAME=VALUE, as in Event=Cambridge")
    return name.strip(), value.strip()
