"""The order of games: by year, event, player, opening, score or length; and the twins among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reversi._system.temporary_list import TemporaryList
from reversi.arguments import check_count, check_type, excerpt
from reversi.errors import ArgumentError
from reversi.games.aliases import Aliases
from reversi.games.identity import identify
from reversi.games.selection import Selection, SelectionError, numbers_of
from reversi.records.entry import Entry
from reversi.records.facts import facts_of, theory_of
from reversi.records.record import Record

SORTS: Final = ("year", "event", "black", "white", "opening", "score", "plies", "margin", "theory", "theory-error")
"""What games are sorted by: names and years upward, numbers of discs and plies downward."""

Found: TypeAlias = tuple[str, Entry]
"""A game, and what messages call its file."""

_Key: TypeAlias = list[Any]
_UPWARD: Final = ("year", "event", "black", "white", "opening")
_WAYS: Final = ("asc", "desc")


@dataclass(frozen=True, slots=True)
class Order:
    """In which order games come, and how many of them.

    Attributes:
        sort: ``year``, ``event``, ``black``, ``white``, ``opening`` (upward), ``score`` (Black's), ``plies``,
            ``margin``, ``theory`` or ``theory-error`` (downward, see `Selection`); the other way with ``:asc`` or
            ``:desc``, as in ``score:asc``. Of several the first counts most. Unknown values come last, equal games
            as they are found, and all without a word.
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
                f"sort must be several words, not one text; put it into a tuple, ({excerpt(self.sort)},)"
            )
        for word in self.sort:
            check_type("a word of the sort", word, str)
            what, colon, way = word.partition(":")
            if what not in SORTS or (colon and way not in _WAYS):
                raise SelectionError(
                    f"{excerpt(word)} sorts no games; give one of {', '.join(SORTS)}, perhaps with :asc or :desc"
                )
        if self.limit is not None:
            check_count("limit", self.limit, least=0)

    @property
    def keys(self) -> Iterator[tuple[str, bool]]:
        """What the games are sorted by, each with whether the highest comes first."""
        for word in self.sort:
            what, _, way = word.partition(":")
            yield what.replace("-", "_"), way == "desc" or (not way and what not in _UPWARD)

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
                    keys.append(_key(record, [what for what, _ in self.keys], selection.aliases))
                    kept.append(game)
            twins = (number for play, same in plays.items() if len(names[play]) > 1 for number in same)
            for number in self._sorted(keys, twins if self.twins else range(len(keys))):
                yield kept[number]

    def _sorted(self, keys: list[_Key], games: Iterable[int]) -> list[int]:
        numbers = sorted(games)
        for at, (_, down) in reversed(list(enumerate(self.keys))):
            known = [number for number in numbers if keys[number][at] is not None]
            unknown = [number for number in numbers if keys[number][at] is None]
            numbers = sorted(known, key=lambda number: keys[number][at], reverse=down) + unknown
        return numbers


AS_FOUND: Final = Order()
"""The order of the files, and of the games in them."""


def _key(record: Record, sorts: Iterable[str], aliases: Aliases) -> _Key:
    """Return what a game is sorted by, ``None`` for what is unknown."""
    facts = facts_of(record)
    values = {
        "event": aliases.events.name_of(facts.event),
        "black": aliases.name_of(facts.black),
        "white": aliases.name_of(facts.white),
        "opening": facts.opening.opening.name if facts.opening else "",
    }
    known: dict[str, str | int | None] = {what: text.lower() or None for what, text in values.items()}
    known |= {"year": facts.year, "plies": facts.plies, **numbers_of(facts, theory_of(record.tags))}
    return [known[what] for what in sorts]
