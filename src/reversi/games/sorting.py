"""The order of games: by year, event, player, opening, score or length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from reversi._system.temporary_list import TemporaryList
from reversi.arguments import check_type
from reversi.games.selection import SelectionError
from reversi.records.entry import Entry
from reversi.records.facts import facts_of
from reversi.records.record import Record

SORTS: Final = ("year", "event", "black", "white", "opening", "score", "plies")
"""What games are sorted by: names and years upward, the score (Black's lead) and plies downward."""

Key: TypeAlias = tuple[tuple[bool, int | str], ...]


def check_sorts(sorts: Iterable[str]) -> None:
    """Refuse a word that is none of `SORTS`.

    Raises:
        SelectionError: it is another word.
    """
    if isinstance(sorts, str):
        raise SelectionError(f"sort must be several words, not one text; put it into a tuple, ({sorts[:40]!a},)")
    for word in sorts:
        check_type("a word of the sort", word, str)
        if word not in SORTS:
            raise SelectionError(f"{word[:40]!a} sorts no games; give one of {', '.join(SORTS)}")


def _key(record: Record, sorts: tuple[str, ...]) -> Key:
    facts = facts_of(record)
    name = facts.opening.opening.name if facts.opening else ""
    texts = {"event": facts.event, "black": facts.black, "white": facts.white, "opening": name}
    numbers = {"year": facts.year, "score": None if facts.score is None else -facts.score, "plies": -facts.plies}
    key: list[tuple[bool, int | str]] = []
    for word in sorts:
        if word in texts:
            key.append((not texts[word], texts[word].lower()))
        else:
            number = numbers[word]
            key.append((number is None, number or 0))
    return tuple(key)


def sorted_games(entries: Iterable[Entry], sorts: Iterable[str]) -> Iterator[Entry]:
    """Yield games in an order; equal ones as they come. Without words this is the order in which they come.

    The games wait in a temporary file.

    Args:
        entries: the games.
        sorts: words of `SORTS`, the first counts most.
    """
    words = tuple(sorts)
    check_sorts(words)
    if not words:
        yield from entries
        return
    keys: list[Key] = []
    with TemporaryList[Entry]() as kept:
        for entry in entries:
            keys.append(_key(entry.record, words))
            kept.append(entry)
        for number in sorted(range(len(keys)), key=keys.__getitem__):
            yield kept[number]
