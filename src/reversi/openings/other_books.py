"""Opening books of other programs: those of Edax and Egaroucid are read, those of Edax written.

Sources: Edax 4.5, ``src/book.c``; Egaroucid 7, "Book Details". All numbers are little-endian. A book of Edax has
links between its positions and, for each, the best move that leaves the book; one of Egaroucid (``.egbk3``) has
that move alone, and so has the text that Edax exports. Our books find links by the moves themselves.
"""

from __future__ import annotations

import heapq
import struct
import sys
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import IO, BinaryIO, Final, NamedTuple, TypeAlias

import reversi._regex as re
from reversi._core import SQUARES, Position, canonical_square
from reversi.arguments import FilePath, open_file
from reversi.errors import InputError
from reversi.openings.book import NO_SQUARE, Book, BookError, BookNotes, book_header, book_key, sureness
from reversi.rules import OTHELLO
from reversi.score import Kind

EDAX_SUFFIX: Final = ".dat"

_EDAX: Final = b"XADEKOOB"
_EDAX_HEAD = struct.Struct("<8s2B7sx5iI")
_EDAX_POSITION = struct.Struct("<QQ4I3h2B")
_LINK = struct.Struct("<bB")
_EDAX_LINE: Final = re.compile(rb"([XO-]{64}) X,(\d{1,2}),([A-H][1-8]|--),(-?\d{1,3})\r?\n?")
_NO_VALUE: Final = -127
_EGAROUCID: Final = (b"DICUORAGE", b"EGAROUCID")
_EGAROUCID_HEAD = struct.Struct("<9sBI")
_EGAROUCID_POSITION = struct.Struct("<8s8sbBIbBb")
_LEAVES: Final = {str(square).upper(): square.index for square in SQUARES}
_HEAD: Final = 80  # bytes that say what a file is
_MIRRORED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

_ROW = struct.Struct(
    ">QIbBbBB7x"
)  # the key first, so that rows sort by it; whole words, so that columns are slices
_RUN: Final = 1 << 20  # rows that are sorted at once
_PIECE: Final = 1 << 16  # rows


class _Found(NamedTuple):
    """A position of a book. The leaf is the best move that leaves the book, as the number of its square, or -1."""

    player: int
    opponent: int
    value: int
    games: int
    leaf: int
    leaf_value: int
    depth: int


@dataclass(slots=True)
class ReadBook:
    """What a book of another program has.

    Attributes:
        program: the program that wrote it.
        positions: how many positions were taken, each once.
        lost: what the book has and ours do not hold, with the number of positions.
    """

    program: str
    positions: int = 0
    lost: Counter[str] = field(default_factory=Counter)


_Reader: TypeAlias = Callable[[FilePath, ReadBook], Iterator[tuple[int, _Found]]]


def is_other_book(path: FilePath) -> bool:
    """Return whether a file is a book of another program that `read_other_book` reads.

    Raises:
        OSError: the file cannot be read.
    """
    return _reader_of(path) is not None


def _reader_of(path: FilePath) -> tuple[str, _Reader] | None:
    """Return the program that wrote a book, and what reads it."""
    with open_file(path) as stream:
        head = stream.read(_HEAD)
    if head.startswith(_EGAROUCID):
        return "Egaroucid", _egaroucid
    if head.startswith(_EDAX):
        return "Edax", _edax
    return ("Edax", _edax_text) if _EDAX_LINE.match(head) else None


def read_other_book(
    path: FilePath, check: Callable[[int, int], None] = lambda done, all_: None
) -> tuple[ReadBook, Iterator[bytes]]:
    """Read a book of another program; return what it has, and the bytes of a book of ours, piece by piece.

    The memory does not grow with the book: it is sorted on the disk, in a temporary file. Only the text of Edax,
    which has no values of positions, is kept in the memory.

    Args:
        path: the file.
        check: called now and then with the number of positions read and of all; may raise.

    Raises:
        BookError: the file is no such book, or is damaged.
        OSError: a file cannot be read or written.
    """
    reader = _reader_of(path)
    if reader is None:
        raise BookError("not a book of Edax or Egaroucid", source=str(path))
    read = ReadBook(reader[0])
    return read, _pieces(reader[1](path, read), read, path, check)


# --- reading


def _edax(path: FilePath, read: ReadBook) -> Iterator[tuple[int, _Found]]:
    with open_file(path) as stream:
        head = _exactly(stream, _EDAX_HEAD.size, path)
        *_, positions = _EDAX_HEAD.unpack(head)
        for _ in range(positions):
            fields = _EDAX_POSITION.unpack(_exactly(stream, _EDAX_POSITION.size, path))
            player, opponent, wins, draws, losses, _, value, lower, upper, links, level = fields
            _exactly(stream, links * _LINK.size, path)
            leaf_value, leaf = _LINK.unpack(_exactly(stream, _LINK.size, path))
            if lower != value or upper != value:
                read.lost["bounds"] += 1
            games = min(wins + draws + losses, (1 << 32) - 1)
            leaf = leaf if leaf < len(SQUARES) else -1
            yield positions, _Found(player, opponent, value, games, leaf, leaf_value, level)
        _end(stream, path)


def _edax_text(path: FilePath, _: ReadBook) -> Iterator[tuple[int, _Found]]:
    """Yield the positions of the text that Edax exports, with the values that negamax gives them."""
    leaves: dict[int, tuple[Position, _Found]] = {}
    with open_file(path) as stream:
        for number, line in enumerate(stream, 1):
            if (match := _EDAX_LINE.fullmatch(line)) is None:
                raise BookError(f"line {number} is not one of a book of Edax", source=str(path))
            board, level, square, value = (part.decode() for part in match.groups())
            player, opponent = (sum(1 << at for at, cell in enumerate(board) if cell == disc) for disc in "XO")
            leaf = _LEAVES.get(square, -1)
            found = _Found(player, opponent, int(value), 0, leaf, int(value), int(level))
            position = _position(found, path)
            leaves[book_key(position)] = position, found
    values: dict[int, int] = {}
    for key, (position, found) in sorted(leaves.items(), key=lambda item: item[1][0].empties):
        after = (values.get(book_key(position.play(move))) for move in position.legal_moves)
        known = [-value for value in after if value is not None] + ([found.leaf_value] if found.leaf >= 0 else [])
        if not known:
            raise BookError(f"{position} has neither a move nor a position that follows it", source=str(path))
        values[key] = max(known)
        yield len(leaves), found._replace(value=values[key])


def _egaroucid(path: FilePath, read: ReadBook) -> Iterator[tuple[int, _Found]]:
    turned = _is_turned(path)
    for positions, found in _egaroucid_positions(path, read):
        leaf = len(SQUARES) - 1 - found.leaf if turned and found.leaf >= 0 else found.leaf
        yield positions, found._replace(leaf=leaf)


def _egaroucid_positions(path: FilePath, read: ReadBook) -> Iterator[tuple[int, _Found]]:
    with open_file(path) as stream:
        _, version, positions = _EGAROUCID_HEAD.unpack(_exactly(stream, _EGAROUCID_HEAD.size, path))
        if version != 3:
            raise BookError(f"a book of Egaroucid in format {version}; save it as .egbk3", source=str(path))
        for _ in range(positions):
            fields = _EGAROUCID_POSITION.unpack(_exactly(stream, _EGAROUCID_POSITION.size, path))
            player, opponent, value, level, lines, leaf_value, leaf, leaf_level = fields
            read.lost["numbers of lines"] += lines > 0
            square = leaf if leaf_level >= 0 and leaf < len(SQUARES) else -1
            depth = max(leaf_level, 0) if square >= 0 else level
            yield positions, _Found(_board(player), _board(opponent), value, 0, square, leaf_value, depth)
        _end(stream, path)


def _board(word: bytes) -> int:
    """Return the discs of a board whose highest bit is a1."""
    return int.from_bytes(word[::-1].translate(_MIRRORED), "little")


def _is_turned(path: FilePath) -> bool:
    """Return whether the moves of a book of Egaroucid count from h8, as its boards do: they must be legal.

    Where both ways fit, as in a book of few positions, they count as the boards do.
    """
    fits = {True, False}
    for _, found in _egaroucid_positions(path, ReadBook("")):
        if found.leaf >= 0:
            legal = _position(found, path).legal_moves
            fits = {turned for turned in fits if SQUARES[63 - found.leaf if turned else found.leaf] in legal}
            if not fits:
                why = "damaged: its moves are not legal, whether they count from a1 or from h8"
                raise BookError(why, source=str(path))
    return True in fits


def _exactly(stream: BinaryIO, size: int, path: FilePath) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise BookError("damaged: the file is cut off", source=str(path))
    return data


def _end(stream: BinaryIO, path: FilePath) -> None:
    if stream.read(1):
        raise BookError("damaged: the file goes on after its last position", source=str(path))


def _position(found: _Found, path: FilePath) -> Position:
    try:
        return Position.from_discs(found.player, found.opponent)
    except InputError as error:
        raise BookError(f"damaged: {error}", source=str(path)) from None


# --- sorting


def _pieces(
    found: Iterator[tuple[int, _Found]], read: ReadBook, path: FilePath, check: Callable[[int, int], None]
) -> Iterator[bytes]:
    """Yield a book of ours, piece by piece."""
    with tempfile.TemporaryFile(prefix="reversi-") as store, tempfile.TemporaryFile(prefix="reversi-") as rows:
        for row in _each_once(heapq.merge(*_runs(found, store, path, check)), read):
            rows.write(row)
        yield book_header(read.positions, OTHELLO, BookNotes((f"converted from a book of {read.program}",)))
        for at, code in ((0, "Q"), (8, "I"), (12, "b"), (13, "B"), (14, "b"), (15, "B"), (16, "B")):
            rows.seek(0)
            while piece := rows.read(_PIECE * _ROW.size):
                column = array(code, piece)[at // array(code).itemsize :: _ROW.size // array(code).itemsize]
                if sys.byteorder == "little":  # rows have the first byte first, so that they sort
                    column.byteswap()
                yield column.tobytes()


def _runs(
    found: Iterator[tuple[int, _Found]], store: IO[bytes], path: FilePath, check: Callable[[int, int], None]
) -> list[Iterator[bytes]]:
    """Return the rows of a book in sorted runs, all but the last of them on the disk."""
    runs: list[Iterator[bytes]] = []
    rows: list[bytes] = []
    for done, (positions, one) in enumerate(found, 1):
        rows.append(_row(one, path))
        if len(rows) == _RUN:
            check(done, positions)
            runs.append(_stored(store, store.tell(), len(rows)))
            store.write(b"".join(sorted(rows)))
            rows.clear()
    return [*runs, iter(sorted(rows))]


def _stored(store: IO[bytes], at: int, count: int) -> Iterator[bytes]:
    """Yield the rows of a run on the disk."""
    size = _ROW.size
    for first in range(0, count, _PIECE):
        store.seek(at + first * size)
        piece = store.read(min(_PIECE, count - first) * size)
        yield from (piece[place : place + size] for place in range(0, len(piece), size))


def _row(found: _Found, path: FilePath) -> bytes:
    position = _position(found, path)
    square, value, kind = NO_SQUARE, 0, None
    if found.leaf >= 0:
        if not position.is_legal(SQUARES[found.leaf]):
            raise BookError(f"damaged: {SQUARES[found.leaf]} is not legal in {position}", source=str(path))
        square, value, kind = canonical_square(position, SQUARES[found.leaf]), found.leaf_value, Kind.BOOK
    cells = len(SQUARES)
    if not (-cells <= found.value <= cells and -cells <= value <= cells):
        why = f"damaged: {position} has a value of {found.value:+d} or {value:+d} discs"
        raise BookError(why, source=str(path))
    sure = sureness(kind, None)
    return _ROW.pack(book_key(position), found.games, found.value, square, value, found.depth, sure)


def _each_once(rows: Iterable[bytes], read: ReadBook) -> Iterator[bytes]:
    """Yield the deepest row of each position."""
    for _, same in groupby(rows, itemgetter(slice(8))):
        first, *others = same
        read.lost["positions that are there again"] += len(others)
        read.positions += 1
        yield max((first, *others), key=itemgetter(15))


# --- writing


def edax_book(book: Book, made: datetime) -> tuple[ReadBook, Iterator[bytes]]:
    """Return the bytes of a book of Edax with the positions that the moves of a book reach, piece by piece.

    Args:
        book: the book, of standard Othello.
        made: when it was made.

    Raises:
        BookError: the book has other rules.
    """
    if not book.rules.same_play(OTHELLO):
        raise BookError(f"Edax has books of standard Othello only, not of {book.rules}")
    read = ReadBook("reversi")
    return read, _edax_pieces(book, made, read)


def _edax_pieces(book: Book, made: datetime, read: ReadBook) -> Iterator[bytes]:
    positions = list(book.walk())
    read.positions = len(positions)
    read.lost["positions that no move of the book reaches"] = len(book) - len(positions)
    deepest = max((book[position].depth for position in positions), default=0)
    least = min((position.empties for position in positions), default=60)
    date = struct.pack("<H5B", made.year, made.month, made.day, made.hour, made.minute, made.second)
    yield _EDAX_HEAD.pack(_EDAX, 4, 5, date, deepest, least, 0, 0, 0, len(positions))
    for position in positions:
        entry = book[position]
        least_image = min(position.symmetries(), key=lambda image: (image.player, image.opponent))
        links = book.moves(least_image)
        beside = book.beside(least_image)
        leaf = (
            _LINK.pack(_NO_VALUE, NO_SQUARE) if beside is None else _LINK.pack(beside[1].value, beside[0][0].index)
        )
        discs = least_image.player, least_image.opponent
        bounds = (entry.value,) * 3
        counts = 0, entry.games, 0, entry.games
        yield b"".join(
            (
                _EDAX_POSITION.pack(*discs, *counts, *bounds, len(links), entry.depth),
                *(_LINK.pack(link.score.value, link.move.index) for link in links),
                leaf,
            )
        )
