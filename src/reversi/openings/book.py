"""Opening books: positions with the values of their moves, one entry for a position and its mirror images.

A book is data: for each position the value for its player to move, as negamax gives it from the searches behind
the book, and how many games of an archive reached it. A move of the book leads to another position of the book.

>>> from reversi import Position
>>> from reversi.openings import default_book
>>> moves = default_book().moves(Position())
>>> [str(choice.move) for choice in moves]
['d3', 'c4', 'f5', 'e6']
>>> default_book()[Position().play("f5")].value, Position() in default_book()
(1, True)

The file has, in little-endian order: 8 bytes ``REVBOOK`` and a line feed, the version (2 bytes), 2 bytes 0, the
number of positions (4), the rules as text (64, filled with zeros), 8 bytes 0. Then come columns over all
positions, sorted by their keys: the keys (8 bytes each, see `book_key`), the games (4), and one byte each for the
value, the best move beside those of the book (its canonical square, 65 for none), that move's value, and the depth
of its search. A look-up is a binary search in the mapped file.
"""

from __future__ import annotations

import mmap
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from reversi._core import Move, Position, canonical_key, canonical_square
from reversi._system.files import atomic_stream
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_type, open_file
from reversi.color import Color
from reversi.errors import InputError, RulesError
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.score import Kind, MoveValue

FILE_NAME: Final = "standard.book"
_OURS: Final = Path(__file__).absolute().with_name(FILE_NAME)
FORMAT: Final = 1
NO_SQUARE: Final = 65
"""The square of an entry without a move beside those of the book."""

_MAGIC: Final = b"REVBOOK\n"
_HEADER = struct.Struct("<8sHHI64sQ")
_BYTES: Final = 8 + 4 + 4  # of a position


def book_key(position: Position) -> int:
    """Return the key of a position: the same for its mirror images, and with the colors exchanged."""
    player, opponent = position.player, position.opponent
    return canonical_key(Position.from_discs(player, opponent, Color.BLACK, position.rules, position.state))


class BookError(InputError):
    """A file that is not a book, or is damaged."""


@dataclass(frozen=True, slots=True)
class BookEntry:
    """What a book says about a position.

    Attributes:
        value: discs, for the player to move.
        games: games of the archive that reached the position.
        beside_square: the canonical square of the best move that leaves the book, 65 for none;
            `Book.beside` gives the move itself.
        beside_value: the value of that move.
        depth: placements that the search of that move looked ahead.
    """

    value: int
    games: int
    beside_square: int
    beside_value: int
    depth: int


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book.

    Attributes:
        move: the move.
        score: its value for the player who makes it, of the kind ``BOOK``.
        games: games of the archive that reached the position after it.
    """

    move: Move
    score: MoveValue
    games: int


class Book:
    """An opening book in a file.

    Pickles and copies name the file and open it again; the book of the package is that of the reader's package.

    Args:
        path: the file.

    Raises:
        BookError: the file is not a book, or is damaged.
        MissingFileError: the file does not exist.
        OSError: the file cannot be read.
    """

    def __init__(self, path: FilePath) -> None:
        with open_file(path) as stream:
            self._path = Path(path).absolute()
            size = stream.seek(0, 2)
            if size < _HEADER.size:
                raise BookError("not an opening book", source=str(path))
            self._data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        magic, version, _, count, rules, _ = _HEADER.unpack_from(self._data)
        if magic != _MAGIC:
            raise BookError("not an opening book", source=str(path))
        if version != FORMAT:
            raise BookError(f"saved in format {version}; this version reads format {FORMAT}", source=str(path))
        if size != _HEADER.size + count * _BYTES:
            raise BookError(f"damaged: {size} bytes instead of {_HEADER.size + count * _BYTES}", source=str(path))
        try:
            self.rules: Rules = parse_rules(rules.rstrip(b"\0").decode())
        except (RulesError, UnicodeDecodeError) as error:
            raise BookError(f"damaged: {error}", source=str(path)) from None
        at = _HEADER.size
        self._keys = _column(self._data[at : at + 8 * count], "Q")
        self._games = _column(self._data[at + 8 * count : at + 12 * count], "I")
        at += 12 * count
        values, squares, beside, depths = (self._data[at + part * count :][:count] for part in range(4))
        self._values, self._squares = _column(values, "b"), _column(squares, "B")
        self._beside, self._depths = _column(beside, "b"), _column(depths, "B")

    def __reduce__(self) -> tuple[Callable[..., Book], tuple[Path, ...]]:
        return (default_book, ()) if self._path == _OURS else (Book, (self._path,))

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"<Book of {len(self)} positions under {self.rules}>"

    def __getitem__(self, position: Position) -> BookEntry:
        """Return what the book says about a position.

        Raises:
            KeyError: the book does not have it.
        """
        entry = self.get(position)
        if entry is None:
            raise KeyError(position)
        return entry

    def __contains__(self, position: object) -> bool:
        """Return whether the book has a position."""
        return isinstance(position, Position) and self.get(position) is not None

    def get(self, position: Position) -> BookEntry | None:
        """Return what the book says about a position; ``None`` where it does not have it."""
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if not position.rules.same_play(self.rules):
            return None
        return self._entry(book_key(position))

    def _entry(self, key: int) -> BookEntry | None:
        at = bisect_left(self._keys, key)
        if at == len(self._keys) or self._keys[at] != key:
            return None
        return BookEntry(self._values[at], self._games[at], self._squares[at], self._beside[at], self._depths[at])

    def moves(self, position: Position) -> list[BookMove]:
        """Return the moves of the book in a position, best first; none where the book does not have it."""
        if self.get(position) is None or position.is_over:
            return []
        cells = self.rules.board.cells
        moves = []
        for move in position.legal_moves:
            after = position.play(move)
            entry = None if after.is_over else self.get(after)
            if entry is not None:
                depth = min(entry.depth + 1, position.empties)
                score = MoveValue.stated(-entry.value, Kind.BOOK, position.to_move, cells, depth=depth)
                moves.append(BookMove(move, score, entry.games))
        return sorted(moves, key=lambda choice: (-choice.score.value, choice.move))

    def beside(self, position: Position) -> tuple[tuple[Move, ...], int] | None:
        """Return the best move that leaves the book, with its mirror images, and its value; ``None`` for none."""
        entry = self.get(position)
        if entry is None or entry.beside_square == NO_SQUARE:
            return None
        squares = tuple(
            move for move in position.legal_moves if canonical_square(position, move) == entry.beside_square
        )
        return (squares, entry.beside_value) if squares else None

    def line(self, position: Position) -> tuple[Move, ...]:
        """Return the book's best line from a position."""
        line: list[Move] = []
        while moves := self.moves(position):
            line.append(moves[0].move)
            position = position.play(moves[0].move)
        return tuple(line)

    def walk(self) -> Iterator[Position]:
        """Yield the positions that the book's moves reach from the start, each once, with fewer discs first."""
        start = Position(self.rules)
        level = {book_key(start): start} if self.get(start) is not None else {}
        while level:
            yield from level.values()
            following: dict[int, Position] = {}
            for position in level.values():
                for choice in self.moves(position):
                    after = position.play(choice.move)
                    following.setdefault(book_key(after), after)
            level = following


def _column(data: memoryview, code: Literal["Q", "I", "b", "B"]) -> Sequence[int]:
    """Return a column as a sequence of numbers."""
    if sys.byteorder == "little" or struct.calcsize(code) == 1:
        return data.cast(code)
    column = array(code, bytes(data))
    column.byteswap()
    return column


def write_book(path: FilePath, entries: Mapping[int, BookEntry], rules: Rules = OTHELLO) -> None:
    """Write a book, completely or not at all.

    Args:
        path: the file.
        entries: the entries by the keys of their positions.
        rules: the rules of the positions.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    with atomic_stream(path) as stream:
        stream.write(pack_book(entries, rules))


def pack_book(entries: Mapping[int, BookEntry], rules: Rules = OTHELLO) -> bytes:
    keys = sorted(entries)
    columns = [array("Q", keys), array("I", (min(entries[key].games, (1 << 32) - 1) for key in keys))]
    for name, code in (("value", "b"), ("beside_square", "B"), ("beside_value", "b"), ("depth", "B")):
        columns.append(array(code, (getattr(entries[key], name) for key in keys)))
    if sys.byteorder == "big":
        for column in columns:
            column.byteswap()
    return b"".join((book_header(len(keys), rules), *(column.tobytes() for column in columns)))


def book_header(count: int, rules: Rules) -> bytes:
    """Return what a file begins with."""
    return _HEADER.pack(_MAGIC, FORMAT, 0, count, str(rules).encode(), 0)


@cache
def default_book() -> Book:
    """Return the book that comes with the package, opened once.

    Raises:
        BookError: the file is missing or damaged.
    """
    try:
        return Book(_OURS)
    except OSError as error:
        raise BookError(
            f"the opening book of this installation cannot be read: {error.strerror or error}"
        ) from None
