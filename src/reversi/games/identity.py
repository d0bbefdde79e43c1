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
from typing import Final, NamedTuple, TypeAlias

from reversi._core import PASS, SQUARES, Position, Square, transform_square
from reversi.games.names import name_identity
from reversi.records.dates import parts_of
from reversi.records.facts import facts_of, known, year_of
from reversi.records.outcome import Outcome
from reversi.records.record import Record
from reversi.rules import BoardSize, Rules

Details: TypeAlias = tuple[str, ...]
"""What is known about a game beside its moves and players; see `details`."""

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


def play_identity(moves: bytes, year: int | None) -> bytes:
    """Return a digest of the moves of a game, as `moves_identity` has them, and its year, or an unknown one."""
    return hashlib.blake2b(moves + repr(year).encode(), digest_size=16).digest()


def players_identity(moves: bytes, black: str, white: str) -> bytes:
    """Return a digest of a game, given that of its moves and the names of its players; an unknown one is empty."""
    who = f"{name_identity(black)}\n{name_identity(white)}"
    return hashlib.blake2b(moves + who.encode("utf-8", "surrogatepass"), digest_size=16).digest()


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
    details: Details


def identify(record: Record, format_: str = "", *, moves_only: bool = False) -> Identity:
    """Return the identity of a game.

    Args:
        record: the game.
        format_: the name of the format of its file; see `details`.
        moves_only: whether nothing but the moves counts, so that two games with the same moves are one.
    """
    moves = moves_identity(record)
    if moves_only:
        return Identity(moves, b"", ())
    play = play_identity(moves, year_of(record))
    return Identity(players_identity(moves, *players(record)), play, details(record, format_))


def details(record: Record, format_: str = "", *, ended: bool | None = None) -> Details:
    """Return what is known about a game beside its moves and players, as texts of a name, a blank and a value.

    Two games differ if they have different values under one name: in their ids (`GameId`), years, months, days,
    times, rounds or events; and in their winners, where the game does not end on the board. Each format spells
    events in its own way, so events have a name of their own for each. In games of WTHOR, whatever their file, the
    number of the tournament stands for the event.

    Args:
        record: the game.
        format_: the name of the format of its file, as an `Entry` has it.
        ended: whether it ends on the board, found out when not given.
    """
    tags = record.tags
    parts = [f"id {value}"] if (value := known(tags.get("GameId", ""))) else []
    parts += parts_of(tags["Date"])
    if "Time" in tags and (value := known(tags["Time"])):
        parts.append(f"time {value}")
    if value := known(tags["Round"]):
        value = value.casefold().removeprefix("round").strip()
        is_number = value.isdecimal() and value.isascii() and len(value) < _DIGITS
        parts.append(f"round {int(value) if is_number else value}")
    if tags.get("WthorTournament", "0") != "0":
        parts.append(f"wthor-tournament {tags['WthorTournament']}")
    elif value := name_identity(known(tags["Event"])).strip():
        parts.append(f"{'wthor' if 'WthorTournament' in tags else format_ or 'pgn'}-event {value}")
    if not (_ended(record) if ended is None else ended) and (value := _recorded_winner(record)):
        parts.append(f"winner {value}")
    return tuple(parts)


def _ended(record: Record) -> bool:
    """Return whether a game ends on the board."""
    moves = record.line.numbers
    return len(moves) - moves.count(PASS.index) >= record.start.empties or facts_of(record).finished


def _recorded_winner(record: Record) -> str:
    """Return who won by the recorded result, empty while unknown."""
    outcome = Outcome.of(record)
    if not outcome.is_decided:
        return ""
    return "nobody" if outcome.winner is None else outcome.winner.name.casefold()


def _values(details: Details) -> dict[str, str]:
    return {name: value for name, _, value in (one.partition(" ") for one in details)}


class Why(enum.Enum):
    """Why a game is left out; the value completes a sentence about it and the game that stays.

    Attributes:
        REPEATS: no more and no less is known about it.
        LESS: something that is known about the other is unknown about it.
        MORE: it has all that is known about the other, and more; a database takes it over.
        OTHER: each has something that is unknown about the other, and nothing differs.
        SEVERAL: it could be each of several different games.
    """

    REPEATS = "repeats"
    LESS = "says less than"
    MORE = "says more than"
    OTHER = "has nothing that differs from"
    SEVERAL = "could be several games; one is"


_COUNTED: Final = {
    Why.REPEATS: "repeated",
    Why.LESS: "with fewer details",
    Why.MORE: "with more details",
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


class Place(NamedTuple):
    """Where games with the same moves, players and details belong.

    Attributes:
        kept: the details of the game that stays.
        why: why they are that game.
        within: all details that say everything that these do, and more.
    """

    kept: Details
    why: Why
    within: tuple[Details, ...] = ()


@dataclass(slots=True, eq=False)
class _Same:
    """Details of games that are one.

    Attributes:
        kept: the details of the game that stays.
        all: what is known about any of the games.
        found: the details of all.
    """

    kept: Details
    all: dict[str, str]
    found: list[Details]

    def fits(self, values: dict[str, str]) -> bool:
        """Return whether nothing differs from what is known."""
        return all(self.all.get(name, value) == value for name, value in values.items())


def divide(found: Iterable[Details]) -> dict[Details, Place]:
    """Divide games with the same moves and players into those that are the same: nothing that is known differs.

    This decides what one game is, for everybody. The games that say most stay. A game that could be several
    different ones is never a bridge between these. The order of the games does not matter. Details that are within
    others change nothing for them: without the former, the latter have the same places.

    Args:
        found: the details of each game.

    Returns:
        The place of all details, those that say most first.
    """
    places: dict[Details, Place] = {}
    named: dict[str, list[_Same]] = {}  # by id, empty while unknown
    for details in sorted(set(found), key=says_most):
        values = _values(details)
        ids = ("", values["id"]) if "id" in values else tuple(named)
        fitting = [one for id_ in ids for one in named.get(id_, ()) if one.fits(values)]
        if not fitting:
            named.setdefault(values.get("id", ""), []).append(_Same(details, values, [details]))
            places[details] = Place(details, Why.REPEATS)
            continue
        within = tuple(more for one in fitting for more in one.found if set(details) < set(more))
        one = next((one for one in fitting if values.items() <= one.all.items()), fitting[0])
        if "id" in values and "id" not in one.all:
            named[""].remove(one)
            named.setdefault(values["id"], []).append(one)
        one.all |= values
        one.found.append(details)
        why = Why.LESS if set(details) <= set(one.kept) else Why.OTHER
        places[details] = Place(one.kept, Why.SEVERAL if len(fitting) > 1 else why, within)
    return places


def says_most(details: Details) -> tuple[int, Details]:
    """Return a key that sorts those first that say most, in an order that does not depend on that of the games."""
    return -len(details), details


class Duplicates:
    """Finds the games that are the same: the same moves, rules and players, and nothing known that differs.

    The order of the games does not change what is found. Of games that are the same, the one with the most details
    stays. A game that could be several different games is left out, and they all stay.
    """

    def __init__(self) -> None:
        self._count = 0
        self._first: dict[bytes, int] = {}
        self._more: dict[bytes, list[int]] = {}  # all games of a digest that several have
        self._details: list[Details] = []
        self._shared: dict[Details, Details] = {}

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
        alike: dict[Details, list[int]] = {}
        for game in games:
            alike.setdefault(self._details[game], []).append(game)
        best: dict[Details, int] = {}
        for details, (kept, why, _) in divide(alike).items():
            best[details] = self._best(alike[details], text)
            for game in alike[details]:
                if game != best[kept]:
                    duplicates[game] = Duplicate(best[kept], why)

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
