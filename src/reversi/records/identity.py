"""When two records tell the same game: the same moves, perhaps mirrored or turned, by the same players.

Archives that normalise the first move, and those that do not, hold the same games in different orientations.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from reversi._core import SQUARES, Position, Square, transform_square
from reversi.records.entry import Entry
from reversi.records.facts import known, year_of
from reversi.records.record import Record
from reversi.rules import BoardSize, Rules

__all__ = ["Duplicates", "identity", "moves_identity", "plain_name"]


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
    """What a start is up to symmetry, as bytes, and the tables of the symmetries that show it so."""
    images = [(image.black, image.white) for image in start.symmetries()]
    least = min(images)
    text = f"{start.rules} {least[0]:x} {least[1]:x} {start.to_move.symbol} {start.state.value}\n"
    tables = _translations(start.rules.board)
    return text.encode(), tuple(table for image, table in zip(images, tables, strict=True) if image == least)


def moves_identity(record: Record) -> bytes:
    """A digest of the rules, the start and the moves of a game, the same for its mirrored and turned images.

    Discs that were turned by hand count; comments and variations do not. 16 bytes: two different games share one
    by chance only, which no archive is large enough for.
    """
    nodes = record.line.nodes
    moves = bytes([node.move.index for node in nodes])
    turned = [(ply, node.flips) for ply, node in enumerate(nodes) if node.flips is not None]
    start, tables = _least(record.start)
    if turned:
        images = [(moves.translate(table), _by_hand(turned, table)) for table in tables]
    else:
        images = [(moves.translate(table), b"") for table in tables]
    digest = hashlib.blake2b(start, digest_size=16)
    for part in min(images):
        digest.update(len(part).to_bytes(4, "little") + part)
    return digest.digest()


def _by_hand(turned: list[tuple[int, tuple[Square, ...]]], table: bytes) -> bytes:
    """The discs turned by hand, seen through a symmetry."""
    return repr([(ply, sorted(table[square.index] for square in squares)) for ply, squares in turned]).encode()


@lru_cache(1 << 14)
def plain_name(name: str) -> str:
    """A name as it is compared: capitals, accents, dots, commas and the order of its words do not count."""
    letters = "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)
    ).casefold()
    return " ".join(sorted(letters.replace(".", " ").replace(",", " ").split()))


def identity(record: Record) -> bytes:
    """A digest of a game and of who played it when: moves, players and year. Unknown is a value of its own."""
    who = (plain_name(known(record.black)), plain_name(known(record.white)), year_of(record))
    return hashlib.blake2b(moves_identity(record) + repr(who).encode(), digest_size=16).digest()


class Duplicates:
    """Tells the games that were there before.

    Args:
        moves_only: whether players and year do not count, so that any two games with the same moves are one.
    """

    def __init__(self, *, moves_only: bool = False) -> None:
        self.count = 0
        """How many games were there before."""
        self._digest = moves_identity if moves_only else identity
        self._seen: set[bytes] = set()

    def is_new(self, record: Record) -> bool:
        """Whether a game is none of those that were asked about before; from now on it is one of them."""
        digest = self._digest(record)
        if digest in self._seen:
            self.count += 1
            return False
        self._seen.add(digest)
        return True

    def new_ones(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The first of all games that are the same, in order."""
        return (entry for entry in entries if self.is_new(entry.record))
