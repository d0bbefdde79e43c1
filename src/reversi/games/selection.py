"""Choosing games: by tags, players, years, results, and by positions that they reached."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from reversi._core import Position, canonical_key
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import ArgumentError, IllegalMoveError, InputError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.names import folded
from reversi.records.entry import Entry
from reversi.records.facts import facts_of, known, year_of
from reversi.records.record import DERIVED_TAGS, Record
from reversi.rules import Rules
from reversi.text import format_board

Words: TypeAlias = str | tuple[str, ...]
"""Words of a name, or several alternatives of such words."""

Span: TypeAlias = tuple[int | None, int | None]
"""The first year and the last, ``None`` for no limit on that side."""

RESULTS = ("black", "white", "draw", "decided", "undecided", "finished", "ended-early", "unfinished", "illegal")
"""The words for how a game ended that a selection takes."""

_YEARS = re.compile(r"([0-9]{4})?(-|\.\.|–)?([0-9]{4})?")


class SelectionError(InputError):
    """A condition on games that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games are wanted: those that meet every condition. It selects games of files and of a database.

    Attributes:
        tags: names of tags and what each must contain, capitals and accents aside; empty: the game has the tag. Of
            several texts for one name, one must fit.
        player: words of the name of either player, as text; of a tuple of two, games between such players.
        black: words of the name of who has Black, or alternatives.
        white: words of the name of who has White, or alternatives.
        event: words of the event, or alternatives.
        years: the first year and the last, ``None`` for no limit on that side; or several such spans.
        results: how the game ended, one of which must fit: ``black``, ``white``, ``draw`` (who won), ``decided``,
            ``undecided``, ``finished``, ``ended-early``, ``unfinished``, ``illegal``.
        positions: positions that the game must reach, up to symmetry and under the same rules, all of them; of a
            tuple of positions, one. A game with an illegal move reaches none.
        aliases: other names that players and events have, too.
    """

    tags: tuple[tuple[str, str], ...] = ()
    player: Words = ""
    black: Words = ""
    white: Words = ""
    event: Words = ""
    years: Span | tuple[Span, ...] = (None, None)
    results: frozenset[str] = frozenset()
    positions: tuple[Position | tuple[Position, ...], ...] = ()
    aliases: Aliases = NO_ALIASES
    _keys: tuple[dict[Rules, list[tuple[int, int]]], ...] = field(
        init=False, repr=False, compare=False, default=()
    )

    def __post_init__(self) -> None:
        for name in ("player", "black", "white", "event"):
            check_type(name, getattr(self, name), str, tuple)
        check_type("tags", self.tags, tuple)
        check_type("positions", self.positions, tuple, advice="one position and a comma make a tuple")
        check_type("aliases", self.aliases, Aliases)
        _check(self.results, self.years)
        seats(self.player)
        groups = (group if isinstance(group, tuple) else (group,) for group in self.positions)
        object.__setattr__(self, "_keys", tuple(map(_by_rules, groups)))

    def takes(self, record: Record) -> bool:
        """Return whether a game meets every condition."""
        has_player, has_event = self.aliases.has_words, self.aliases.events.has_words
        return (
            has_tags(record, self.tags)
            and any(has_player(record.black, words) for words in alternatives(self.black))
            and any(has_player(record.white, words) for words in alternatives(self.white))
            and any(has_event(known(record.tags["Event"]), words) for words in alternatives(self.event))
            and any(
                has_player(record.black, black) and has_player(record.white, white)
                for black, white in seats(self.player)
            )
            and self._in_years(record)
            and all(
                any(_reaches(record, empties, key) for empties, key in group.get(record.rules, ()))
                for group in self._keys
            )
            and not (self._keys and not facts_of(record).legal)
            and (not self.results or not self.results.isdisjoint(_words(record)))
        )

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Return the games that meet every condition, in order."""
        return (entry for entry in entries if self.takes(entry.record))

    def _in_years(self, record: Record) -> bool:
        wanted = spans(self.years)
        if (None, None) in wanted:
            return True
        year = year_of(record)
        return year is not None and any(
            (first is None or year >= first) and (last is None or year <= last) for first, last in wanted
        )


def alternatives(words: Words) -> tuple[str, ...]:
    """Words of a name as alternatives; empty ones, which every name has, where there are none."""
    return (words,) if isinstance(words, str) else words or ("",)


def seats(player: Words) -> tuple[tuple[str, str], ...]:
    """Return the alternatives that the names of Black and White must match, for one player or for a pairing.

    Raises:
        SelectionError: there are more than two players.
    """
    match alternatives(player):
        case (one,):
            return (one, ""), ("", one)
        case (one, other):
            return (one, other), (other, one)
        case more:
            raise SelectionError(f"a game has two players, not {len(more)}")


def _check(results: Collection[str], years: object) -> None:
    """Refuse a word that is none of `RESULTS`, and years that are no spans.

    Raises:
        ArgumentError: the results are no set, or the years no spans.
        SelectionError: another word.
    """
    check_type("results", results, set, frozenset, advice='frozenset({"black"}) is one')
    for word in results:
        if word not in RESULTS:
            raise SelectionError(f"{word!a} is not a result; give one of {', '.join(RESULTS)}")
    several = years if isinstance(years, tuple) and any(isinstance(span, tuple) for span in years) else (years,)
    for span in several:
        if not (
            isinstance(span, tuple)
            and len(span) in (0, 2)
            and all(year is None or (isinstance(year, int) and not isinstance(year, bool)) for year in span)
        ):
            raise ArgumentError(f"years must be the first and the last, such as (2024, 2024), not {span!a}")


def spans(years: Span | tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of years of which one must fit."""
    several = tuple(span for span in years if isinstance(span, tuple))
    if several:
        return several
    first, last = years or (None, None)
    assert not isinstance(first, tuple)
    assert not isinstance(last, tuple)
    return ((first, last),)


def has_tags(record: Record, tags: Iterable[tuple[str, str]]) -> bool:
    """Return whether a game has all tags, each with one of the texts that are given for it; see `Selection`."""
    tags = tuple(tags)
    return all(
        any(_has(record, name, value) for tag, value in tags if tag == name) for name in {name for name, _ in tags}
    )


def _has(record: Record, name: str, value: str) -> bool:
    if name in DERIVED_TAGS:
        own = {"Result": record.result, "Rules": str(record.rules)}.get(name, format_board(record.start))
        return tag_fits(own, value)
    return any(tag == name and tag_fits(text, value) for tag, text in record.tags.pairs)


def tag_fits(text: str, wanted: str) -> bool:
    """Return whether the value of a tag contains a text, capitals and accents aside."""
    return folded(wanted) in folded(text)


def _words(record: Record) -> set[str]:
    facts = facts_of(record)
    words = {"decided" if facts.decided else "undecided"}
    if facts.decided:
        words.add({Color.BLACK: "black", Color.WHITE: "white", None: "draw"}[facts.winner])
    early = "ended-early" if facts.ended_early else "unfinished"
    words.add("illegal" if not facts.legal else "finished" if facts.finished else early)
    return words


def reaches(record: Record, position: Position) -> bool:
    """Return whether a game reaches a position, up to symmetry, by its allowed moves and under the same rules."""
    return record.rules == position.rules and _reaches(record, position.empties, canonical_key(position))


def _by_rules(positions: Iterable[Position]) -> dict[Rules, list[tuple[int, int]]]:
    """Return the empty squares and the key of each position, by rules."""
    keys: dict[Rules, list[tuple[int, int]]] = {}
    for position in positions:
        keys.setdefault(position.rules, []).append((position.empties, canonical_key(position)))
    return keys


def _reaches(record: Record, empties: int, key: int) -> bool:
    now = record.start
    nodes = iter(record.line.nodes)
    while now.empties >= empties:
        if now.empties == empties and canonical_key(now) == key:
            return True
        node = next(nodes, None)
        if node is None:
            return False
        try:
            now = node.played_on(now)
        except IllegalMoveError:
            return False
    return False


def parse_years(text: str) -> tuple[int | None, int | None]:
    """Return the years that ``1997``, ``1990-1999``, ``1990-`` or ``-1999`` name.

    Raises:
        SelectionError: the text has none of these forms, or the span is empty.
    """
    match = _YEARS.fullmatch(text.strip())
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise SelectionError(f"{text[:40]!a} are not years; write 1997, 1990-1999, 1990- or -1999")
    first = int(match[1]) if match[1] else None
    last = int(match[3]) if match[3] else None
    if not match[2]:
        first = last = first if last is None else last
    if first is not None and last is not None and first > last:
        raise SelectionError(f"{text[:40]!a}: the first year comes after the last")
    return first, last


def parse_tag(text: str) -> tuple[str, str]:
    """Return the tag and the value of ``NAME=VALUE``; of ``NAME`` alone, an empty one.

    Raises:
        SelectionError: the name is empty.
    """
    name, _, value = text.partition("=")
    if not name.strip():
        raise SelectionError(f"{text[:40]!a} names no tag: write NAME=VALUE, as in Event=Cambridge")
    return name.strip(), value.strip()


EVERY_GAME: Final = Selection()
"""Without a condition."""
