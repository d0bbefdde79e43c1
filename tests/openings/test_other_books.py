"""Books of Edax and Egaroucid: read into ours, written for Edax, and what a damaged one is called."""

from __future__ import annotations

import struct
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from reversi import SQUARES, Position, Random, Square
from reversi.openings import Book, BookError
from reversi.openings.other_books import edax_book, is_other_book, read_other_book

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "books"
NOW = datetime(2026, 11, 27, 12, 30, 45)
_HEAD, _POSITION, _LINK = struct.Struct("<8s2BH5Bx5iI"), struct.Struct("<QQ4I3h2B"), struct.Struct("<bB")


def sample(name: str) -> Path:
    path = SAMPLES / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def converted(path: Path, to: Path) -> Book:
    read, pieces = read_other_book(path)
    to.write_bytes(b"".join(pieces))
    book = Book(to)
    assert len(book) == read.positions
    return book


def edax(*positions: tuple[Position, int, str, int], links: int = 0) -> bytes:
    """A book of Edax: positions with a value, a leaf and its value."""
    data = _HEAD.pack(b"XADEKOOB", 4, 5, 2026, 11, 27, 1, 2, 3, 12, 20, 0, 0, 0, len(positions))
    for position, value, leaf, leaf_value in positions:
        square = Square(leaf).index if leaf else 65
        discs = position.player, position.opponent
        data += _POSITION.pack(*discs, 3, 2, 1, 9, value, value - 1, value + 1, links, 12)
        data += _LINK.pack(5, 19) * links + _LINK.pack(leaf_value, square)
    return data


def parsed(data: bytes) -> dict[tuple[int, int], tuple[int, set[tuple[int, int]], tuple[int, int], int]]:
    """What a book of Edax says: value, links, leaf and level of each position."""
    *_, count = _HEAD.unpack_from(data)
    at, found = _HEAD.size, {}
    for _ in range(count):
        player, opponent, *_, value, _, _, links, level = _POSITION.unpack_from(data, at)
        at += _POSITION.size
        moves = [_LINK.unpack_from(data, at + number * _LINK.size) for number in range(links + 1)]
        at += len(moves) * _LINK.size
        assert (player, opponent) not in found
        found[player, opponent] = (value, {*moves[:-1]}, moves[-1], level)
    assert at == len(data)
    return found


def test_a_book_of_edax(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    start, after = Position(), Position().play("f5")
    path.write_bytes(edax((start, 1, "", -127), (after, -1, "f6", -3)))
    assert is_other_book(path)
    book = converted(path, tmp_path / "a.book")
    entry = book[after.symmetry(3)]
    assert (entry.value, entry.games, entry.depth) == (-1, 6, 12)
    beside = book.beside(after)
    assert beside is not None
    assert (beside[0], str(beside[1])) == (tuple(after.parse_moves("f6")), "-3 book")
    assert [(str(one.move), one.score.value) for one in book.moves(start)] == [
        (move, 1) for move in ("d3", "c4", "f5", "e6")
    ]
    read, _ = read_other_book(path)
    assert read.program == "Edax"


def test_colors_make_no_other_position(tmp_path: Path) -> None:
    """Edax writes no colors: after a pass White may be to move in what Black was before."""
    position = Position().play("f5").play("d6")
    path = tmp_path / "a.dat"
    path.write_bytes(edax((position, 2, "c3", 2)))
    book = converted(path, tmp_path / "a.book")
    turned = Position.from_discs(position.opponent, position.player, position.to_move.opponent)
    assert book[position] == book[turned]


def test_the_sample_of_edax(tmp_path: Path) -> None:
    data = sample("edax_level4_depth16.dat").read_bytes()
    book = converted(SAMPLES / "edax_level4_depth16.dat", tmp_path / "a.book")
    assert len(book) == 156
    read, pieces = edax_book(book, NOW)
    assert parsed(b"".join(pieces)) == parsed(data)
    assert read.positions == 156
    assert not any(read.lost.values())
    for (player, opponent), (value, _, (leaf_value, leaf), level) in parsed(data).items():
        for index in range(8):
            position = Position.from_discs(player, opponent).symmetry(index)
            assert (book[position].value, book[position].depth) == (value, level)
            beside = book.beside(position)
            if leaf == 65:
                assert beside is None
            else:
                assert beside is not None
                assert beside[1].value == leaf_value
                if index == 0:
                    assert SQUARES[leaf] in beside[0]


def test_the_leaves_are_those_of_the_export_of_edax(tmp_path: Path) -> None:
    book = converted(sample("edax_level4_depth16.dat"), tmp_path / "a.book")
    lines = sample("edax_level4_depth16.txt").read_text(encoding="ascii").splitlines()
    found = 0
    for line in filter(None, lines):
        board, _, move, value = line.split(",")
        position = Position.parse(board)
        beside = book.beside(position)
        if move == "--":
            assert beside is None
        else:
            assert beside is not None
            assert position.parse_moves(move)[0] in beside[0]
            assert beside[1].value == int(value)
        found += 1
    assert found == 156


def test_the_text_that_edax_exports_is_the_same_book(tmp_path: Path) -> None:
    book = converted(sample("edax_level4_depth16.dat"), tmp_path / "a.book")
    text = converted(sample("edax_level4_depth16.txt"), tmp_path / "b.book")
    assert len(text) == 156
    assert list(text.walk()) == list(book.walk())
    for position in book.walk():
        assert replace(book[position], games=0) == text[position]


EDAX_LINE = "---------------------------OX------XO--------------------------- X,4,--,-127\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (EDAX_LINE + "end\n", "line 2 is not one of a book of Edax"),
        (EDAX_LINE + EDAX_LINE[:-9], "line 2 is not one of a book of Edax"),
        (EDAX_LINE.replace("--,-127", "D3,100"), "a value of .100 or .100 discs"),
        (EDAX_LINE.replace("--,-127", "A1,0"), "a1 is not legal"),
        (EDAX_LINE, "has neither a move nor a position that follows it"),
    ],
)
def test_a_wrong_text_of_edax_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="ascii")
    with pytest.raises(BookError, match=message):
        converted(path, tmp_path / "a.book")


def test_the_sample_of_egaroucid(tmp_path: Path) -> None:
    book = converted(sample("egaroucid_one_position.egbk3"), tmp_path / "a.book")
    assert len(book) == 1
    assert Position() in book


@pytest.mark.parametrize("turned", [False, True])
def test_squares_of_egaroucid_are_those_that_are_legal(turned: bool, tmp_path: Path) -> None:
    random, rows, positions = Random(4), b"", []
    for _ in range(20):
        position = Position()
        for _ in range(9):
            position = position.play(position.legal_moves.choice(random))
        positions.append(position)
        leaf = position.legal_moves[0].index
        boards = (int(f"{discs:064b}"[::-1], 2) for discs in (position.player, position.opponent))
        rows += struct.pack("<QQbBIbBb", *boards, 4, 21, 7, 3, 63 - leaf if turned else leaf, 17)
    path = tmp_path / "a.egbk3"
    path.write_bytes(struct.pack("<9sBI", b"DICUORAGE", 3, len(positions)) + rows)
    book = converted(path, tmp_path / "a.book")
    for position in positions:
        beside = book.beside(position)
        assert beside is not None
        assert position.legal_moves[0] in beside[0]
        assert (book[position].value, beside[1].value, book[position].depth) == (4, 3, 17)


@pytest.mark.parametrize("cut", [9, 30, 41, 60, -1, None])
def test_damaged_books(cut: int | None, tmp_path: Path) -> None:
    data = edax((Position(), 1, "", -127), (Position().play("f5"), -1, "f6", -3))
    path = tmp_path / "a.dat"
    path.write_bytes(data[:cut] if cut is not None else data + b"x")
    with pytest.raises(BookError, match="damaged: the file " + ("is cut off" if cut is not None else "goes on")):
        converted(path, tmp_path / "a.book")


@pytest.mark.parametrize(
    ("position", "value", "leaf", "why"),
    [
        (Position(), 99, "", "has a value of +99 or +0 discs"),
        (Position(), 0, "a1", "a1 is not legal in"),
    ],
)
def test_books_that_say_what_cannot_be(
    position: Position, value: int, leaf: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(edax((position, value, leaf, 0)))
    with pytest.raises(BookError, match="damaged: ") as caught:
        converted(path, tmp_path / "a.book")
    assert why in str(caught.value)


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    for data in (b"", b"REVBOOK\n", b"XADE"):
        path.write_bytes(data)
        assert not is_other_book(path)
        with pytest.raises(BookError, match="not a book of Edax or Egaroucid"):
            read_other_book(path)
    path.write_bytes(struct.pack("<9sBI", b"DICUORAGE", 2, 0))
    with pytest.raises(BookError, match=r"in format 2; save it as \.egbk3"):
        converted(path, tmp_path / "a.book")
