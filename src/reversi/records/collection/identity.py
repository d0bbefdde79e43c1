"""When two records have the same game: the same moves, up to symmetry, by the same players.

Archives that normalize the first move, and those that do not, hold the same games in different orientations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from reversi._core import SQUARES, Position, Square, transform_square
from reversi.records.collection.facts import known, year_of
from reversi.records.collection.names import name_identity
from reversi.records.entry import Entry
from reversi.records.record import Record
from reversi.rules import BoardSize, Rules

__all__ = [
    "Duplicates",
    "identity",
    "moves_identity",
    "play_identity",
    "players",
    "players_identity",
]


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
    nodes = record.line.nodes
    moves = bytes([node.move.index for node in nodes])
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


def play_identity(record: Record) -> bytes:
    """Return a digest of the moves of a game, as `moves_identity` has them, and of its year."""
    return hashlib.blake2b(moves_identity(record) + repr(year_of(record)).encode(), digest_size=16).digest()


def players_identity(play: bytes, black: str, white: str) -> bytes:
    """Return a digest of a game, given that of its play and the names of its players; an unknown one is empty."""
    who = f"{name_identity(black)}\n{name_identity(white)}"
    return hashlib.blake2b(play + who.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def identity(record: Record) -> bytes:
    """Return a digest of the moves, players and year of a game. Unknown is a value of its own."""
    return players_identity(play_identity(record), *players(record))


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
    """The identity of a game.

    Attributes:
        game: a digest of the game.
        play: a digest of its moves and its year, which games under other names share; empty when only moves count.
    """

    game: bytes
    play: bytes


def identify(record: Record, *, moves_only: bool = False) -> Identity:
    """Return the identity of a game.

    Args:
        record: the game.
        moves_only: whether players and year do not count, so that two games with the same moves are one.
    """
    if moves_only:
        return Identity(moves_identity(record), b"")
    play = play_identity(record)
    return Identity(players_identity(play, *players(record)), play)


class Duplicates:
    """Finds the games that came before.

    Args:
        moves_only: whether players and year do not count, so that two games with the same moves are one.
    """

    def __init__(self, *, moves_only: bool = False) -> None:
        self.count = 0
        """The number of games that came before."""
        self.twins = 0
        """The number of the others that have the moves and the year of an earlier game, and other names."""
        self.is_twin = False
        """Whether the last game is one of these."""
        self._moves_only = moves_only
        self._seen: set[bytes] = set()
        self._played: set[bytes] = set()

    def is_new(self, record: Record) -> bool:
        """Return whether a game did not come before; from now on it did."""
        return self.is_first(identify(record, moves_only=self._moves_only))

    def is_first(self, identity: Identity) -> bool:
        """Return whether a game with this identity did not come before; from now on it did."""
        digest, play = identity
        self.is_twin = False
        if digest in self._seen:
            self.count += 1
            return False
        self._seen.add(digest)
        if play:
            self.is_twin = play in self._played
            self.twins += self.is_twin
            self._played.add(play)
        return True

    def new_ones(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the first of all games that are the same, in order."""
        return (entry for entry in entries if self.is_new(entry.record))
