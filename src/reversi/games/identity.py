"""When two records have the same game: the same moves, up to symmetry, the same players, and nothing that differs.

Archives that normalize the first move, and those that do not, hold the same games in different orientations. Where
the moves and the players alone say which game it is, only its year, date, round or id can make it another one.
Elsewhere, in short games and those without names, the event and what else is known can, too.
"""

from __future__ import annotations

import enum
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

import reversi._regex as re
from reversi._core import PASS, SQUARES, Position, Square
from reversi.arguments import excerpt
from reversi.errors import InputError
from reversi.games.names import name_identity
from reversi.records.dates import parts_of
from reversi.records.facts import facts_of, known, year_of
from reversi.records.outcome import Outcome
from reversi.records.record import Record, Tags
from reversi.rules import BoardSize, Rules

Details: TypeAlias = tuple[str, ...]
"""What is known about a game beside its moves and players; see `details`."""

_DIGITS: Final = 10  # of the number of a round
_FULL: Final = 3  # parts of a date: year, month and day
_ENOUGH: Final = 20  # placements that two games of two players never share by chance in a year
_END: Final = 24  # letters at the end of an event that are looked at for a year or an edition
_YEAR: Final = re.compile(r"[\s,:(/#–—-]*(1[89]|20)\d\d([/-]\d\d)?[)\].]?$")
_EDITION: Final = re.compile(
    rf"{_YEAR.pattern}|[\s,:(/#–—-]+(\d{{1,3}}(st|nd|rd|th|er|e|è|ème|eme|a|o|º|ª|°)?|[IVXL]+)[)\].]?$",
    re.IGNORECASE,
)


@cache
def _translations(board: BoardSize) -> tuple[bytes, ...]:
    """For each symmetry of a board the table that takes the numbers of squares to their images."""
    rules = Rules(board=board)
    inside = [square for square in SQUARES if square.row < board.rows and square.column < board.columns]
    tables = []
    for index in range(8 if board.rows == board.columns else 4):
        table = bytearray(range(256))
        for square in inside:
            table[square.index] = square.symmetry(index, rules).index
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
    nodes = line.nodes if line.packed is None else ()
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


def _digest(moves: bytes, *texts: str) -> bytes:
    return hashlib.blake2b(moves + "\n".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def players(record: Record) -> tuple[str, str]:
    """Who has Black and White: names, or the numbers that WTHOR has for them; empty while unknown."""
    return _player(record, "Black"), _player(record, "White")


def _player(record: Record, side: str) -> str:
    name = known(record.tags[side])
    if name:
        return name
    number = record.tags.get(f"Wthor{side}", "0")
    return "" if number == "0" else f"wthor {number}"


@lru_cache(1 << 14)
def event_identity(event: str, end: re.Pattern[str] = _EDITION) -> str:
    """Return what all spellings of an event have in common: a year or an edition at its end does not count."""
    short, before = event.strip(), ""
    while short != before:
        before, short = short, short[:-_END] + end.sub("", short[-_END:])
    return name_identity(short) or name_identity(event)


def events_differ(one: str, other: str) -> bool:
    """Return whether two values of the tag Event are different events, as far as both are known."""
    names = [event_identity(name) for event in (one, other) if (name := known(event))]
    return len(set(names)) > 1


_ASKED: Final[dict[str, Callable[[Record], object]]] = {
    "moves": moves_identity,
    "players": lambda record: [name_identity(name) for name in players(record)],
    "year": year_of,
    "date": lambda record: parts_of(record.tags["Date"]),
    "event": lambda record: event_identity(known(record.tags["Event"])),
    "round": lambda record: _round(record.tags),
    "id": lambda record: known(record.tags.get("GameId", "")),
}


@dataclass(frozen=True, slots=True)
class Same:
    """What must be the same in two games that are one.

    Args:
        words: the moves, and which of players, year, date, event, round and id; an unknown value is a value.
            Without any, nothing that is known may differ, and what is unknown never does.

    Raises:
        InputError: a word is another one, or the moves are missing.
    """

    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in self.words:
            if word not in _ASKED:
                raise InputError(f"games have no {excerpt(word)} to compare; choose from {', '.join(_ASKED)}")
        if self.words and "moves" not in self.words:
            raise InputError("games with different moves are never the same; add moves")

    @classmethod
    def of(cls, text: str) -> Same:
        """Read words with commas between them, in any order; an empty text stands for none."""
        words = {word.strip() for word in text.split(",")} if text.strip() else set()
        return cls((*(word for word in _ASKED if word in words), *sorted(words - _ASKED.keys())))

    def __str__(self) -> str:
        return ",".join(self.words)


SAME: Final = Same()
"""The moves and the players are the same, and nothing that is known differs; see `details`."""


class Identity(NamedTuple):
    """What tells whether a game is the same as another.

    Attributes:
        game: a digest of its moves and its players, or of what somebody asked for.
        play: a digest of its moves and its year, which games under other names share; `game` where no name counts.
        details: what else is known about it; see `details`.
        event: its event, where another event makes no other game; `None` elsewhere.
    """

    game: bytes
    play: bytes
    details: Details
    event: str | None = None


def identify(record: Record, format_: str = "", same: Same = SAME, *, ended: bool | None = None) -> Identity:
    """Return the identity of a game.

    Args:
        record: the game.
        format_: the name of the format of its file; see `details`.
        same: what must be the same in two games that are one.
        ended: whether it ends on the board, found out when not given.
    """
    moves = moves_identity(record)
    play = _digest(moves, repr(year_of(record)))
    if same.words:
        game = _digest(moves, *(repr(_ASKED[word](record)) for word in same.words if word != "moves"))
        return Identity(game, play if "players" in same.words else game, (), "")
    black, white = players(record)
    sure = bool(black and white) and (_placements(record) >= _ENOUGH or _ended(record, ended))
    said = details(record, format_, sure=sure, ended=ended)
    game = _digest(moves, name_identity(black), name_identity(white))
    return Identity(game, play, said, known(record.tags["Event"]) if sure else None)


def details(record: Record, format_: str = "", *, sure: bool = False, ended: bool | None = None) -> Details:
    """Return what is known about a game beside its moves and players, as texts of a name, a blank and a value.

    Two games differ if they have different values under one name: in their ids (`GameId`), years, full dates and
    rounds. Where moves and players do not say enough, also in months, days, times and events, and in their winners
    where a game does not end on the board. A year at the end of an event does not count. Each format spells events
    in its own way, so events have a name of their own for each. In games of WTHOR, whatever their file, the number
    of the tournament stands for the event.

    Args:
        record: the game.
        format_: the name of the format of its file, as an `Entry` has it.
        sure: whether both players are known and there are enough moves.
        ended: whether it ends on the board, found out when not given.
    """
    tags = record.tags
    parts = [f"id {value}"] if (value := known(tags.get("GameId", ""))) else []
    date = parts_of(tags["Date"])
    parts += [part for part in date if not (sure and len(date) < _FULL and part.startswith("month"))]
    if value := _round(tags):
        parts.append(f"round {value}")
    if sure:
        return tuple(parts)
    if value := known(tags.get("Time", "")):
        parts.append(f"time {value}")
    if tags.get("WthorTournament", "0") != "0":
        parts.append(f"wthor-tournament {tags['WthorTournament']}")
    elif value := event_identity(known(tags["Event"]), _YEAR).strip():
        parts.append(f"{'wthor' if 'WthorTournament' in tags else format_ or 'pgn'}-event {value}")
    if not _ended(record, ended) and (value := _recorded_winner(record)):
        parts.append(f"winner {value}")
    return tuple(parts)


def _round(tags: Tags) -> str:
    value = known(tags["Round"]).casefold().removeprefix("round").strip()
    return str(int(value)) if value.isdecimal() and value.isascii() and len(value) < _DIGITS else value


def _placements(record: Record) -> int:
    moves = record.line.numbers
    return len(moves) - moves.count(PASS.index)


def _ended(record: Record, ended: bool | None) -> bool:
    """Return whether a game ends on the board."""
    if ended is None:
        return _placements(record) >= record.start.empties or facts_of(record).finished
    return ended


def _recorded_winner(record: Record) -> str:
    """Return who won by the recorded result, empty while unknown."""
    outcome = Outcome.of(record)
    if not outcome.is_decided:
        return ""
    return "nobody" if outcome.winner is None else outcome.winner.name.casefold()


class Why(enum.Enum):
    """Why a game is left out; the value completes a sentence about it and the game that stays.

    Attributes:
        REPEATS: no more and no less is known about it.
        LESS: something that is known about the other is unknown about it.
        MORE: it has all that is known about the other, and more; a database takes it over.
        OTHER: each has something that is unknown about the other, and nothing differs.
        EVENT: only the events differ, in games that their moves and players tell.
        SEVERAL: it could be each of several different games.
    """

    REPEATS = "repeats"
    LESS = "says less than"
    MORE = "says more than"
    OTHER = "has nothing that differs from"
    EVENT = "has another event than"
    SEVERAL = "could be several games; one is"

    @classmethod
    def between(cls, said: Details, kept: Details) -> Why:
        """Return why a game that says something is another one, which differs in nothing."""
        if said == kept:
            return cls.REPEATS
        return cls.LESS if set(said) < set(kept) else cls.MORE if set(said) > set(kept) else cls.OTHER


_COUNTED: Final = {
    Why.REPEATS: "repeated",
    Why.LESS: "with fewer details",
    Why.MORE: "with more details",
    Why.OTHER: "with other details",
    Why.EVENT: "with another event",
    Why.SEVERAL: "that could be several games",
}


def reasons_in_words(reasons: Iterable[Why]) -> str:
    """Return how many games are left out for each reason."""
    counts = Counter(reasons)
    return ", ".join(f"{counts[why]} {_COUNTED[why]}" for why in Why if counts[why])


class Place(NamedTuple):
    """Where games with the same moves, players and details belong.

    Attributes:
        kept: the details of the game that stays.
        several: whether they could be other games, too.
    """

    kept: Details
    several: bool = False


def divide(found: Iterable[Details]) -> dict[Details, Place]:
    """Divide games with the same moves and players into those that are the same: nothing that is known differs.

    This decides what one game is, for everybody. The games that say most stay. A game that could be several
    different ones is never a bridge between these. The order of the games does not matter, nor do details that
    others include.

    Args:
        found: the details of each game.

    Returns:
        The place of all details, those that say most first.
    """
    places: dict[Details, Place] = {}
    named: dict[str, dict[Details, dict[str, str]]] = {}  # by id, empty while unknown: what is known of each game
    for said in sorted(set(found), key=says_most):
        values = {name: value for name, _, value in (one.partition(" ") for one in said)}
        ids = ("", values["id"]) if "id" in values else tuple(named)
        fitting = [
            (id_, kept, there)
            for id_ in ids
            for kept, there in named.get(id_, {}).items()
            if all(there.get(name, value) == value for name, value in values.items())
        ]
        if not fitting:
            named.setdefault(values.get("id", ""), {})[said] = values
            places[said] = Place(said)
            continue
        id_, kept, there = next((one for one in fitting if values.items() <= one[2].items()), fitting[0])
        there |= values
        if "id" in values and not id_:
            named.setdefault(values["id"], {})[kept] = named[""].pop(kept)
        places[said] = Place(kept, len(fitting) > 1)
    return places


def says_most(details: Details) -> tuple[int, Details]:
    """Return a key that sorts those first that say most, in an order that does not depend on that of the games."""
    return -len(details), details


class Duplicate(NamedTuple):
    """A game that is left out.

    Attributes:
        kept: the game that stays, counted from 0.
        why: why it is left out.
    """

    kept: int
    why: Why


class Duplicates:
    """Finds the games that are the same: the same moves, rules and players, and nothing known that differs.

    The order of the games does not change what is found. Of games that are the same, the one with the most details
    stays. A game that could be several different games is left out, and they all stay.
    """

    def __init__(self) -> None:
        self._count = 0
        self._first: dict[bytes, int] = {}
        self._more: dict[bytes, list[int]] = {}  # all games of a digest that several have
        self._said: list[tuple[Details, str | None]] = []
        self._shared: dict[tuple[Details, str | None], tuple[Details, str | None]] = {}

    def add(self, identity: Identity) -> None:
        """Add the next game."""
        first = self._first.setdefault(identity.game, self._count)
        if first != self._count:
            self._more.setdefault(identity.game, [first]).append(self._count)
        said = identity.details, identity.event
        self._said.append(self._shared.setdefault(said, said))
        self._count += 1

    def found(self, text: Callable[[int], str]) -> dict[int, Duplicate]:
        """Return the games to leave out, counted from 0.

        Args:
            text: returns a game as text. Of games with the same details, the longest stays.
        """
        duplicates: dict[int, Duplicate] = {}
        for games in self._more.values():
            alike: dict[Details, list[int]] = {}
            for game in games:
                alike.setdefault(self._said[game][0], []).append(game)
            best: dict[Details, int] = {}
            for said, (kept, several) in divide(alike).items():
                best[said] = _longest(alike[said], text)
                for game in alike[said]:
                    if game != best[kept]:
                        why = Why.SEVERAL if several else Why.between(said, kept)
                        duplicates[game] = Duplicate(best[kept], self._why(game, best[kept], why))
        return duplicates

    def _why(self, game: int, kept: int, why: Why) -> Why:
        event, there = self._said[game][1], self._said[kept][1]
        return Why.EVENT if events_differ(event or "", there or "") else why


def _longest(games: list[int], text: Callable[[int], str]) -> int:
    """Return which of the games with the same details stays: the longest text, or the first in their order."""
    return games[0] if len(games) == 1 else min(games, key=lambda game: (-len(found := text(game)), found))


class Twins:
    """Finds games with the moves and the year of an earlier game, and other names.

    Attributes:
        count: how many there are.
    """

    def __init__(self) -> None:
        self.count: int = 0
        self._played: dict[bytes, bytes] = {}

    def add(self, identity: Identity) -> bool:
        """Return whether the next game has the moves and the year of an earlier one, and other names."""
        before = self._played.setdefault(identity.play, identity.game)
        is_twin = before != identity.game
        if is_twin:
            self._played[identity.play] = b""  # several
            self.count += 1
        return is_twin
