"""The order of games: by year, event, player, opening, score or length; and the twins among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from reversi._system.temporary_list import TemporaryList
from reversi.arguments import check_count, check_type
from reversi.errors import ArgumentError
from reversi.games.aliases import Aliases
from reversi.games.identity import identify
from reversi.games.selection import Selection, SelectionError
from reversi.records.entry import Entry
from reversi.records.facts import facts_of
from reversi.records.record import Record

SORTS: Final = ("year", "event", "black", "white", "opening", "score", "plies")
"""What games are sorted by: names and years upward, the score (Black's lead) and plies downward."""

Found: TypeAlias = tuple[str, Entry]
"""A game, and what messages call its file."""

_Key: TypeAlias = tuple[tuple[bool, int | str], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """In which order games come, and how many of them.

    Attributes:
        sort: ``year``, ``event``, ``black``, ``white``, ``opening`` (upward), ``score`` (Black's) or ``plies``
            (downward); of several the first counts most. Equal games come as they are found, and all without one.
        limit: the most games, ``None`` for all.
        twins: only games with the same moves and year as another game and other names; these follow each other.

    Raises:
        ArgumentError: the words are one text.
        SelectionError: games cannot be sorted by a word.
    """

    sort: tuple[str, ...] = ()
    limit: int | None = None
    twins: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.sort, str):
            raise ArgumentError(
                f"sort must be several words, not one text; put it into a tuple, ({self.sort[:40]!a},)"
            )
        for word in self.sort:
            check_type("a word of the sort", word, str)
            if word not in SORTS:
                raise SelectionError(f"{word[:40]!a} sorts no games; give one of {', '.join(SORTS)}")
        if self.limit is not None:
            check_count("limit", self.limit, least=0)

    def of(self, games: Iterable[Found], selection: Selection) -> Iterator[Found]:
        """Yield the games that a selection takes in this order, whatever the limit.

        To be sorted, they wait in a temporary file. Twins are those of all games, and players have the names that
        the aliases of the selection give them.
        """
        keys: list[_Key] = []
        plays: dict[bytes, list[int]] = {}
        names: dict[bytes, set[bytes]] = {}
        if not self.sort and not self.twins:
            yield from (game for game in games if selection.takes(game[1].record))
            return
        with TemporaryList[Found]() as kept:
            for game in games:
                record = game[1].record
                takes = selection.takes(record)
                if self.twins:
                    identity = identify(record)
                    names.setdefault(identity.play, set()).add(identity.game)
                    plays.setdefault(identity.play, []).extend((len(keys),) if takes else ())
                if takes:
                    keys.append(_key(record, self.sort, selection.aliases))
                    kept.append(game)
            twins = (number for play, same in plays.items() if len(names[play]) > 1 for number in same)
            for number in sorted(twins if self.twins else range(len(keys)), key=keys.__getitem__):
                yield kept[number]


AS_FOUND: Final = Order()
"""The order of the files, and of the games in them."""


def _key(record: Record, sorts: tuple[str, ...], aliases: Aliases) -> _Key:
    facts = facts_of(record)
    name = facts.opening.opening.name if facts.opening else ""
    black, white = aliases.name_of(facts.black), aliases.name_of(facts.white)
    texts = {"event": aliases.events.name_of(facts.event), "black": black, "white": white, "opening": name}
    numbers = {"year": facts.year, "score": None if facts.score is None else -facts.score, "plies": -facts.plies}
    key: list[tuple[bool, int | str]] = []
    for word in sorts:
        if word in texts:
            key.append((not texts[word], texts[word].lower()))
        else:
            number = numbers[word]
            key.append((number is None, number or 0))
    return tuple(key)
