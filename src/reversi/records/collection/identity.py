"""When two records have the same game: the same moves, up to symmetry, the same players, and nothing that differs.

Archives that normalize the first move, and those that do not, hold the same games in different orientations.
"""

from __future__ import annotations

import enum
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from reversi._core import SQUARES, Position, Square, transform_square
from reversi.records.collection.facts import known, year_of
from reversi.records.collection.names import name_identity
from reversi.records.dates import parts_of
from reversi.records.record import Record
from reversi.rules import BoardSize, Rules

__all__ = [
    "Duplicate",
    "Duplicates",
    "Identity",
    "Twins",
    "Why",
    "details",
    "differ",
    "identify",
    "moves_identity",
    "play_identity",
    "players",
    "players_identity",
    "reasons_in_words",
]

_DIGITS: Final = 10  # of the number of a round


@cache
def _translations(board: BoardSize) -> tuple[bytes, ...]:
    """For each symmetry of a board the table that takes the numbers of squares to their images."""
    rules = Rules(board=board)
    inside = [square for square in SQUARES if square.row < board.rows and square.column < board.columns]
    tables = []
    for index in range(8 if board.rows == board.columns else 4):
        table = bytearray(range(256))
        for square in inside:
            table[square.index] = transform_square(square, index, rules).index
        tables.append(bytes(table))
    return tuple(tables)


@lru_cache(64)
def _least(start: Position) -> tuple[bytes, tuple[bytes, ...]]:
    """Return the least symmetric image of a start as bytes, and the tables of the symmetries that give it."""
    images = [(image.black, image.white) for image in start.symmetries()]
    least = min(images)
    text = f"{start.rules} {least[0]:x} {least[1]:x} {start.to_move.symbol} {start.state.value}\n"
    tables = _translations(start.rules.board)
    return text.encode(), tuple(table for image, table in zip(images, tables, strict=True) if image == least)


def moves_identity(record: Record) -> bytes:
    """Return a digest of the rules, the start and the moves of a game, the same for its symmetric images.

    Flips by hand count; comments and variations do not. 16 bytes: two different games share one
    by chance only, which no archive is large enough for.
    """
    line = record.line
    moves = line.numbers
    nodes = line.nodes if line.bare is None else ()
    flipped = [(ply, node.flips) for ply, node in enumerate(nodes) if node.flips is not None]
    start, tables = _least(record.start)
    if flipped:
        images = [(moves.translate(table), _by_hand(flipped, table)) for table in tables]
    else:
        images = [(moves.translate(table), b"") for table in tables]
    digest = hashlib.blake2b(start, digest_size=16)
    for part in min(images):
        digest.update(len(part).to_bytes(4, "little") + part)
    return digest.digest()


def _by_hand(flipped: list[tuple[int, tuple[Square, ...]]], table: bytes) -> bytes:
    """Return the discs flipped by hand, seen through a symmetry."""
    return repr([(ply, sorted(table[square.index] for square in squares)) for ply, squares in flipped]).encode()


def play_identity(record: Record, *, undated: bool = False) -> bytes:
    """Return a digest of the moves of a game, as `moves_identity` has them, and its year, or an unknown one."""
    return _in_year(moves_identity(record), None if undated else year_of(record))


def _in_year(moves: bytes, year: int | None) -> bytes:
    return hashlib.blake2b(moves + repr(year).encode(), digest_size=16).digest()


def players_identity(play: bytes, black: str, white: str) -> bytes:
    """Return a digest of a game, given that of its play and the names of its players; an unknown one is empty."""
    who = f"{name_identity(black)}\n{name_identity(white)}"
    return hashlib.blake2b(play + who.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def players(record: Record) -> tuple[str, str]:
    """Who has Black and White: names, or the numbers that WTHOR has for them; empty while unknown."""
    return _player(record, "Black"), _player(record, "White")


def _player(record: Record, side: str) -> str:
    name = known(record.tags[side])
    if name:
        return name
    number = record.tags.get(f"Wthor{side}", "0")
    return "" if number == "0" else f"wthor {number}"


class Identity(NamedTuple):
    """What tells whether a game is the same as another.

    Attributes:
        game: a digest of its moves and its players.
        play: a digest of its moves and its year, which games under other names share; empty when only moves count.
        details: what else is known about it; see `details`.
    """

    game: bytes
    play: bytes
    details: tuple[str, ...]


def identify(record: Record, *, moves_only: bool = False) -> Identity:
    """Return the identity of a game.

    Args:
        record: the game.
        moves_only: whether nothing but the moves counts, so that two games with the same moves are one.
    """
    moves = moves_identity(record)
    if moves_only:
        return Identity(moves, b"", ())
    return Identity(players_identity(moves, *players(record)), _in_year(moves, year_of(record)), details(record))


def details(record: Record) -> tuple[str, ...]:
    """Return what is known about a game beside its moves and players, as texts of a name, a blank and a value.

    Two games differ if they have different values under one name: in their ids (`GameId`), years, months, days,
    rounds or events. WTHOR spells events in its own way, so the events of its games have a name of their own.
    """
    tags = record.tags
    parts = [f"id {value}"] if (value := known(tags.get("GameId", ""))) else []
    parts += parts_of(tags["Date"])
    if value := known(tags["Round"]):
        value = value.casefold().removeprefix("round").strip()
        parts.append(
            f"round {int(value) if value.isdecimal() and value.isascii() and len(value) < _DIGITS else value}"
        )
    event = name_identity(known(tags["Event"])).strip()
    if "WthorTournament" not in tags:
        if event:
            parts.append(f"event {event}")
    elif event:
        parts.append(f"wthor-event {event}")
    elif tags["WthorTournament"] != "0":
        parts.append(f"wthor-tournament {tags['WthorTournament']}")
    return tuple(parts)


def _values(details: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, _, value in (detail.partition(" ") for detail in details)}


def differ(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two games differ in details that both have."""
    values = _values(other)
    return any(values.get(name, value) != value for name, value in _values(one).items())


class Why(enum.Enum):
    """Why a game is left out; the value completes a sentence about it and the game that stays.

    Attributes:
        REPEATS: no more and no less is known about it.
        LESS: something that is known about the other is unknown about it.
        OTHER: each has something that is unknown about the other, and nothing differs.
        SEVERAL: it could be each of several different games.
    """

    REPEATS = "repeats"
    LESS = "says less than"
    OTHER = "has nothing that differs from"
    SEVERAL = "could be several games; one is"


_COUNTED: Final = {
    Why.REPEATS: "repeated",
    Why.LESS: "with fewer details",
    Why.OTHER: "with other details",
    Why.SEVERAL: "that could be several games",
}


def reasons_in_words(reasons: Iterable[Why]) -> str:
    """Return how many games are left out for each reason."""
    counts = Counter(reasons)
    return ", ".join(f"{counts[why]} {_COUNTED[why]}" for why in Why if counts[why])


class Duplicate(NamedTuple):
    """A game that is left out.

    Attributes:
        kept: the game that stays, counted from 0.
        why: why it is left out.
    """

    kept: int
    why: Why


@dataclass(slots=True, eq=False)
class _Same:
    """Games that are one.

    Attributes:
        kept: the game that stays.
        details: what is known about it.
        all: what is known about any of them.
    """

    kept: int
    details: frozenset[str]
    all: dict[str, str]

    def fits(self, values: dict[str, str]) -> bool:
        """Return whether nothing differs from what is known."""
        return all(self.all.get(name, value) == value for name, value in values.items())


class Duplicates:
    """Finds the games that are the same: the same moves, rules and players, and nothing known that differs.

    The order of the games does not change what is found. Of games that are the same, the one with the most details
    stays. A game that could be several different games is left out, and they all stay.
    """

    def __init__(self) -> None:
        self._count = 0
        self._first: dict[bytes, int] = {}
        self._more: dict[bytes, list[int]] = {}  # all games of a digest that several have
        self._details: list[tuple[str, ...]] = []
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, identity: Identity) -> None:
        """Add the next game."""
        first = self._first.setdefault(identity.game, self._count)
        if first != self._count:
            self._more.setdefault(identity.game, [first]).append(self._count)
        self._details.append(self._shared.setdefault(identity.details, identity.details))
        self._count += 1

    def found(self, text: Callable[[int], str]) -> dict[int, Duplicate]:
        """Return the games to leave out, counted from 0.

        Args:
            text: returns a game as text. Of games with the same details, the longest stays.
        """
        duplicates: dict[int, Duplicate] = {}
        for games in self._more.values():
            self._divide(games, text, duplicates)
        return duplicates

    def _divide(self, games: list[int], text: Callable[[int], str], duplicates: dict[int, Duplicate]) -> None:
        """Divide games with the same moves and players into those that are the same."""
        alike: dict[tuple[str, ...], list[int]] = {}
        for game in games:
            alike.setdefault(self._details[game], []).append(game)
        named: dict[str, list[_Same]] = {}  # by id, empty while unknown
        # those that say most come first, in an order that does not depend on that of the games
        for details in sorted(alike, key=lambda details: (-len(details), details)):
            values = _values(details)
            ids = ("", values["id"]) if "id" in values else named
            fitting = [group for id_ in ids for group in named.get(id_, ()) if group.fits(values)]
            best = self._best(alike[details], text)
            if not fitting:
                named.setdefault(values.get("id", ""), []).append(_Same(best, frozenset(details), values))
                kept, why = best, Why.REPEATS
            else:
                group = next((group for group in fitting if values.items() <= group.all.items()), fitting[0])
                if "id" in values and "id" not in group.all:
                    named[""].remove(group)
                    named.setdefault(values["id"], []).append(group)
                group.all |= values
                kept, why = group.kept, Why.LESS if group.details.issuperset(details) else Why.OTHER
                if len(fitting) > 1:
                    why = Why.SEVERAL
                duplicates[best] = Duplicate(kept, why)
            for game in alike[details]:
                if game != best:
                    duplicates[game] = Duplicate(kept, why)

    @staticmethod
    def _best(games: list[int], text: Callable[[int], str]) -> int:
        """Return which of the games with the same details stays: the longest text, or the first in their order."""
        best = games[0]
        if len(games) > 1:
            least = text(best)
            for game in games[1:]:
                other = text(game)
                if (-len(other), other) < (-len(least), least):
                    best, least = game, other
        return best


class Twins:
    """Finds games with the moves and the year of an earlier game, and other names.

    Attributes:
        count: how many there are.
    """

    def __init__(self) -> None:
        self.count = 0
        self._played: dict[bytes, bytes] = {}

    def add(self, identity: Identity) -> bool:
        """Return whether the next game has the moves and the year of an earlier one, and other names."""
        game, play, _ = identity
        if not play:
            return False
        before = self._played.setdefault(play, game)
        is_twin = before != game
        if is_twin:
            self._played[play] = b""  # several
            self.count += 1
        return is_twin
