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

`open_books` opens several: the first that has a move for a position answers.

The file has, in little-endian order: 8 bytes ``REVBOOK`` and a line feed, the version (2 bytes), 2 bytes 0, the
number of positions (4), the rules as text (128, filled with zeros), and the length of the notes (8). The notes are
`BookNotes` as JSON, filled with blanks to a multiple of 8 bytes. Then come columns over all positions, sorted by
their keys: the keys (8 bytes each, see `book_key`), the games (4), and one byte each for the value, the best move
beside those of the book (its canonical square, 65 for none), that move's value, the depth of its search, and what
that search says: 0 nothing, up to 99 a selective value of this confidence, 100 an exact one, 101 a heuristic one,
102 the value of a book of another program. A look-up is a binary search in the mapped file.
"""

from __future__ import annotations

import json
import mmap
import struct
import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, Literal

from reversi._core import Move, Position, canonical_key, canonical_square
from reversi._system.paths import expanded
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_type, open_file
from reversi.color import Color
from reversi.errors import InputError, MissingFileError
from reversi.rules import Rules, parse_rules
from reversi.score import Kind, MoveValue

STANDARD: Final = "standard"
"""The name of the book that comes with the package."""
FILE_NAME: Final = f"{STANDARD}.book"
_OURS: Final = Path(__file__).absolute().with_name(FILE_NAME)
FORMAT: Final = 1
NO_SQUARE: Final = 65
"""The square of an entry without a move beside those of the book."""

DEEP: Final = 20
"""Placements that a search looks ahead whose value a book can be trusted for."""

_MAGIC: Final = b"REVBOOK\n"
_NO_BOOK: Final = "not an opening book of ours; 'reversi book convert' reads those of Edax and Egaroucid"
_HEADER = struct.Struct("<8sHHI128sQ")
_BYTES: Final = 8 + 4 + 5  # of a position
_EXACT: Final = 100
_CODES: Final = {Kind.EXACT: _EXACT, Kind.HEURISTIC: 101, Kind.BOOK: 102}
_KINDS: Final = {code: kind for kind, code in _CODES.items()}


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
        depth: placements that the search of that move looked ahead; the level of a book of another program.
        kind: what the value of that move states: ``EXACT``, ``SELECTIVE``, ``HEURISTIC``, or ``BOOK`` where a book
            of another program says it; ``None`` without such a move.
        confidence: percent of a selective value, 100 of an exact one, else ``None``.
    """

    value: int
    games: int
    beside_square: int = NO_SQUARE
    beside_value: int = 0
    depth: int = 0
    kind: Kind | None = None
    confidence: int | None = None

    @property
    def is_deep(self) -> bool:
        """Whether the value of that move is exact, or from a search that looked at least 20 placements ahead."""
        return self.kind is Kind.EXACT or (self.kind is not None and self.depth >= DEEP)


def sureness(kind: Kind | None, confidence: int | None) -> int:
    """Return the byte of a file for the kind of a value and its confidence."""
    return (confidence or 0) if kind is None or kind is Kind.SELECTIVE else _CODES[kind]


def kind_of(sureness: int) -> tuple[Kind | None, int | None]:
    """Return what a byte of `sureness` stands for."""
    if 0 < sureness < _EXACT:
        return Kind.SELECTIVE, sureness
    return _KINDS.get(sureness), _EXACT if sureness == _EXACT else None


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


@dataclass(frozen=True, slots=True)
class BookNotes:
    """What a book says about itself.

    Attributes:
        history: how it was made and changed, a sentence each, oldest first.
        roots: positions, beside the start, from which the lines of the book begin.
        journal: which games of the journal beside the book it has taken in.
    """

    history: tuple[str, ...] = ()
    roots: tuple[Position, ...] = ()
    journal: str = ""

    @classmethod
    def read(cls, data: bytes, rules: Rules) -> BookNotes:
        """Return the notes that bytes of a file hold.

        Raises:
            ValueError: they hold none.
        """
        fields = json.loads(data)
        if not isinstance(fields, dict):
            raise ValueError("the notes are no object")
        history, roots, journal = (fields.get(name) for name in ("history", "roots", "journal"))
        if not (isinstance(history, list) and isinstance(roots, list) and isinstance(journal, str)):
            raise ValueError("the notes lack their parts")
        return cls(tuple(map(str, history)), tuple(Position.parse(str(root), rules) for root in roots), journal)

    def pack(self) -> bytes:
        """Return the bytes of a file that hold the notes."""
        roots = list(map(str, self.roots))
        data = json.dumps({"history": self.history, "roots": roots, "journal": self.journal}).encode()
        return data.ljust(-len(data) % 8 + len(data))


class Books:
    """Opening books: the first with a move for a position answers, else the first with the position.

    A `Book` is one alone.

    Args:
        books: the books, in this order.
    """

    def __init__(self, *books: Book) -> None:
        for book in books:
            check_type("a book", book, Book, advice="open_books opens files")
        self._books = books

    @property
    def books(self) -> tuple[Book, ...]:
        """The books, in the order in which they are asked."""
        return self._books

    @property
    def names(self) -> tuple[str, ...]:
        """The books as `open_books` takes them: their absolute paths, ``standard`` for that of the package."""
        return tuple(STANDARD if book.path == _OURS else str(book.path) for book in self.books)

    def __repr__(self) -> str:
        return f"Books{self.books}"

    def __str__(self) -> str:
        """The names of the files, without their folders."""
        return ", ".join(Path(name).name for name in self.names)

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
        book = self._answering(position)
        return None if book is None else book.get(position)

    def moves(self, position: Position) -> list[BookMove]:
        """Return the moves of the book in a position, best first; none where the book does not have it."""
        book = self._answering(position)
        return [] if book is None else book.moves(position)

    def beside(self, position: Position) -> tuple[tuple[Move, ...], MoveValue] | None:
        """Return the best move that leaves the book, with its mirror images, and its value; ``None`` for none."""
        book = self._answering(position)
        return None if book is None else book.beside(position)

    def values(self, position: Position) -> dict[Move, MoveValue]:
        """Return the values of the book's moves and of the best one that leaves it, best first."""
        found = {choice.move: choice.score for choice in self.moves(position)}
        squares, value = self.beside(position) or ((), None)
        if value is not None:
            found |= {move: value for move in squares if move not in found}
        return dict(sorted(found.items(), key=lambda item: -item[1].value))

    def line(self, position: Position) -> tuple[Move, ...]:
        """Return the book's best line from a position."""
        line: list[Move] = []
        while moves := self.moves(position):
            line.append(moves[0].move)
            position = position.play(moves[0].move)
        return tuple(line)

    def _answering(self, position: Position) -> Book | None:
        having = [book for book in self.books if book.get(position) is not None]
        return next((book for book in having if book.moves(position)), having[0] if having else None)


class Book(Books):
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
            self.path: Path = Path(path).absolute()
            size = stream.seek(0, 2)
            if size < _HEADER.size:
                raise BookError(_NO_BOOK, source=str(path))
            self._data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        magic, version, _, count, rules, noted = _HEADER.unpack_from(self._data)
        if magic != _MAGIC:
            raise BookError(_NO_BOOK, source=str(path))
        if version != FORMAT:
            raise BookError(f"saved in format {version}; this version reads format {FORMAT}", source=str(path))
        at = _HEADER.size + noted
        if size != at + count * _BYTES:
            raise BookError(f"damaged: {size} bytes instead of {at + count * _BYTES}", source=str(path))
        try:
            self.rules: Rules = parse_rules(rules.rstrip(b"\0").decode())
            self.notes: BookNotes = BookNotes.read(bytes(self._data[_HEADER.size : at]), self.rules)
        except (RecursionError, ValueError) as error:
            raise BookError(f"damaged: {error}", source=str(path)) from None
        self._keys = _column(self._data[at : at + 8 * count], "Q")
        self._games = _column(self._data[at + 8 * count : at + 12 * count], "I")
        at += 12 * count
        values, squares, beside, depths, surenesses = (
            self._data[at + part * count :][:count] for part in range(5)
        )
        cells = self.rules.board.cells
        known = bytes(value & 0xFF for value in range(-cells, cells + 1))
        if unknown := b"".join((values, beside)).translate(None, known):
            value = memoryview(unknown).cast("b")[0]
            raise BookError(f"damaged: a value of {value:+d} discs", source=str(path))
        self._values, self._squares = _column(values, "b"), _column(squares, "B")
        self._beside, self._depths = _column(beside, "b"), _column(depths, "B")
        self._surenesses = _column(surenesses, "B")

    def __reduce__(self) -> tuple[Callable[..., Book], tuple[Path, ...]]:
        return (default_book, ()) if self.path == _OURS else (Book, (self.path,))

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"<Book of {len(self)} positions under {self.rules}>"

    @property
    def books(self) -> tuple[Book, ...]:
        """The book itself."""
        return (self,)

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
        return self._at(at)

    def _at(self, at: int) -> BookEntry:
        found = self._squares[at], self._beside[at], self._depths[at], *kind_of(self._surenesses[at])
        return BookEntry(self._values[at], self._games[at], *found)

    def items(self) -> Iterator[tuple[int, BookEntry]]:
        """Yield the keys of all positions, also of those that no line reaches, each with what the book says."""
        for at, key in enumerate(self._keys):
            yield key, self._at(at)

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

    def beside(self, position: Position) -> tuple[tuple[Move, ...], MoveValue] | None:
        """Return the best move that leaves the book, with its mirror images, and its value; ``None`` for none."""
        entry = self.get(position)
        if entry is None or entry.beside_square == NO_SQUARE:
            return None
        squares = tuple(
            move for move in position.legal_moves if canonical_square(position, move) == entry.beside_square
        )
        if not squares:
            return None
        kind, cells = entry.kind or Kind.BOOK, self.rules.board.cells
        score = MoveValue.stated(entry.beside_value, kind, position.to_move, cells, depth=entry.depth)
        return squares, replace(score, confidence=entry.confidence)

    def searches(self) -> Counter[tuple[Kind | None, int | None, int]]:
        """Return how the values of the moves beside the book were found.

        Returns:
            How many positions have a value of each kind, confidence and depth; see `BookEntry`.
        """
        found = Counter(zip(self._surenesses, self._depths, strict=True))
        return Counter({(*kind_of(sure), depth): number for (sure, depth), number in found.items()})

    def ends(self, position: Position) -> list[BookEntry]:
        """Return what the book says where its best lines from a position leave it: on that its value rests.

        Each position counts once, however many lines end there.
        """
        found: list[BookEntry] = []
        waiting, seen = [position], set[int]()
        while waiting:
            position = waiting.pop()
            entry = self.get(position)
            if entry is None or (key := book_key(position)) in seen:
                continue
            seen.add(key)
            best = [choice.move for choice in self.moves(position) if choice.score.value == entry.value]
            if not best or (entry.beside_square != NO_SQUARE and entry.beside_value == entry.value):
                found.append(entry)
            waiting += map(position.play, best)
        return found

    def walk(self) -> Iterator[Position]:
        """Yield the positions that the book's moves reach from the start, each once, with fewer discs first.

        Lines begin at the roots of the notes, too.
        """
        waiting: dict[int, dict[int, Position]] = {}
        for root in (Position(self.rules), *self.notes.roots):
            if root in self:
                waiting.setdefault(root.empties, {}).setdefault(book_key(root), root)
        for empties in range(self.rules.board.cells, -1, -1):
            known = waiting.pop(empties, {})
            level = list(known.values())
            for position in level:  # which grows: a pass leaves the discs as they are
                yield position
                for choice in self.moves(position):
                    after = position.play(choice.move)
                    following = known if after.empties == empties else waiting.setdefault(after.empties, {})
                    if (key := book_key(after)) not in following:
                        following[key] = after
                        if following is known:
                            level.append(after)


def _column(data: memoryview, code: Literal["Q", "I", "b", "B"]) -> Sequence[int]:
    """Return a column as a sequence of numbers."""
    if sys.byteorder == "little" or struct.calcsize(code) == 1:
        return data.cast(code)
    column = array(code, bytes(data))
    column.byteswap()
    return column


def pack_book(entries: Mapping[int, BookEntry], rules: Rules, notes: BookNotes) -> bytes:
    """Return a file with these entries, by the keys of their positions."""
    keys = sorted(entries)
    columns = [array("Q", keys), array("I", (min(entries[key].games, (1 << 32) - 1) for key in keys))]
    for name, code in (("value", "b"), ("beside_square", "B"), ("beside_value", "b"), ("depth", "B")):
        columns.append(array(code, (getattr(entries[key], name) for key in keys)))
    columns.append(array("B", (sureness(entries[key].kind, entries[key].confidence) for key in keys)))
    if sys.byteorder == "big":
        for column in columns:
            column.byteswap()
    return b"".join((book_header(len(keys), rules, notes), *(column.tobytes() for column in columns)))


def book_header(count: int, rules: Rules, notes: BookNotes) -> bytes:
    """Return what a file begins with."""
    packed = notes.pack()
    return _HEADER.pack(_MAGIC, FORMAT, 0, count, str(rules).encode(), len(packed)) + packed


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


def book_path(name: str, folder: Path = Path()) -> str:
    """Return the absolute path of a book, given relative to a folder; ``standard`` as it is."""
    return name if name == STANDARD else str((folder / expanded(name)).absolute())


def open_books(names: Iterable[FilePath], rules: Collection[Rules] = ()) -> Books:
    """Open opening books, of which the first that has a move for a position answers.

    Args:
        names: their files; ``standard`` is the book of the package.
        rules: each file must be a book for one of these rules; by default for any.

    Raises:
        BookError: a file is not a book, is damaged, cannot be read, or is a book for other rules.
        MissingFileError: it does not exist.
    """
    return Books(*(_opened(name, rules) for name in names))


def _opened(name: FilePath, rules: Collection[Rules]) -> Book:
    if name == STANDARD:
        return default_book()
    try:
        book = Book(name)
    except MissingFileError:
        raise
    except OSError as error:
        raise BookError(f"cannot read: {error.strerror or error}", source=str(name)) from None
    if rules and not any(book.rules.same_play(each) for each in rules):
        wanted = ", ".join(dict.fromkeys(map(str, rules)))
        raise BookError(f"a book for {book.rules}, not for {wanted}", source=str(name))
    return book
