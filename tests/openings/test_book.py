"""Opening books: the file, look-ups in any orientation, and what a damaged file is called."""

from __future__ import annotations

import copy
import pickle
import random
import re
import struct
from pathlib import Path

import pytest

from books import write_book
from files import new_file
from reversi import PASS, Kind, MissingFileError, Move, Position, parse_rules
from reversi._core import canonical_square
from reversi.engine import Engine
from reversi.openings import Book, BookEntry, BookError, default_book, open_books
from reversi.openings.book import BookNotes, book_key

START = Position()
F5 = START.play("f5")
LINE = [START, F5, F5.play("d6"), F5.play("f6"), F5.play("d6").play("c3")]


def entries() -> dict[int, BookEntry]:
    values = [0, 0, 1, -1, -1]
    beside = Move.parse("f4")
    found = {
        book_key(position): BookEntry(value, 100 - number, depth=14)
        for number, (position, value) in enumerate(zip(LINE, values, strict=True))
    }
    found[book_key(F5)] = BookEntry(0, 99, canonical_square(F5, beside), -7, 14, Kind.HEURISTIC)
    return found


@pytest.fixture
def book(tmp_path: Path) -> Book:
    path = tmp_path / "small.book"
    write_book(path, entries())
    return Book(path)


def test_what_is_written_is_read(book: Book) -> None:
    assert len(book) == 5
    for position in LINE:
        assert book.get(position) == entries()[book_key(position)]
    assert book.get(F5.play("f4")) is None
    assert str(book.rules) == "othello"


def test_moves_have_the_values_of_the_positions_after_them(book: Book) -> None:
    assert [(str(choice.move), choice.score.value, choice.games) for choice in book.moves(F5)] == [
        ("f6", 1, 97),
        ("d6", -1, 98),
    ]
    score = book.moves(F5)[0].score
    assert (score.kind, score.lower, score.upper, score.depth, str(score)) == (Kind.BOOK, -64, 64, 15, "+1 book")
    # the first move has four images, and the book one position
    assert [(str(choice.move), choice.score.value) for choice in book.moves(START)] == [
        ("d3", 0),
        ("c4", 0),
        ("f5", 0),
        ("e6", 0),
    ]
    assert book.moves(LINE[4]) == []
    assert book.moves(F5.play("f4")) == []


def test_a_move_beside_the_book(book: Book) -> None:
    beside = book.beside(F5)
    assert beside is not None
    moves, score = beside
    assert (moves, str(score), score.depth) == ((Move.parse("f4"),), "-7 heuristic", 14)
    assert book.beside(START) is None


def test_values_are_those_of_all_known_moves(book: Book) -> None:
    for position in book.walk():
        values, beside = book.values(position), book.beside(position)
        own = {choice.move: choice.score for choice in book.moves(position)}
        assert values == ((dict.fromkeys(*beside) if beside else {}) | own)
        assert [*values.values()] == sorted(values.values(), key=lambda value: -value.value)


def test_every_orientation_is_the_same_position(book: Book) -> None:
    for position in LINE:
        for index in range(8):
            image = position.symmetry(index)
            assert book.get(image) == book.get(position)
            values = sorted(choice.score.value for choice in book.moves(image))
            assert values == sorted(choice.score.value for choice in book.moves(position))
            assert all(image.is_legal(choice.move) for choice in book.moves(image))


def test_lines_and_walks(book: Book) -> None:
    assert list(map(str, book.line(F5))) == ["f6"]
    assert {book_key(position) for position in book.walk()} == set(entries())
    assert [position.empties for position in book.walk()] == [60, 59, 58, 58, 57]


def test_books_can_be_copied_and_sent(book: Book) -> None:
    for each in (copy.deepcopy(book), pickle.loads(pickle.dumps(book))):
        assert [each.get(position) for position in LINE] == [book.get(position) for position in LINE]
    assert pickle.loads(pickle.dumps(default_book())) is default_book()
    assert pickle.loads(pickle.dumps(Engine(3, book=book))).book.get(F5) == book.get(F5)


def test_the_first_book_with_a_move_answers(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "mine.book"
    write_book(path, {book_key(START): BookEntry(2, 7), book_key(F5): BookEntry(-2, 5)})
    mine, standard = Book(path), default_book()
    books = open_books([path, tmp_path / "small.book", "standard"])
    assert books.names == (str(path), str(tmp_path / "small.book"), "standard")
    assert str(books) == "mine.book, small.book, standard"
    assert (books.get(START), books.moves(START)) == (mine.get(START), mine.moves(START))
    # the first book has this position too, but no move there
    assert (books[F5], books.moves(F5), books.beside(F5)) == (book[F5], book.moves(F5), book.beside(F5))
    assert books.moves(LINE[4]) == standard.moves(LINE[4])
    first = mine.moves(START)[0].move
    assert books.line(START)[0] == first
    assert books.line(START)[1:] == books.line(START.play(first))
    assert open_books([path]).get(F5) == mine.get(F5)  # a position without a move is better than nothing
    assert START.play("f5").play("f4") in books
    assert Position(parse_rules("adjacent")) not in books
    again = pickle.loads(pickle.dumps(Engine(3, book=books))).book
    assert (again.names, again.moves(F5)) == (books.names, books.moves(F5))


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("none.book", MissingFileError, "no such file"),
        ("text.book", BookError, "not an opening book"),
        ("folder.book", BookError, "cannot read: "),
        ("misere.book", BookError, "a book for othello,misere, not for othello"),
    ],
)
def test_books_that_cannot_be_opened(name: str, kind: type[Exception], message: str, tmp_path: Path) -> None:
    misere = parse_rules("othello,misere")
    write_book(tmp_path / "misere.book", {}, misere)
    new_file(tmp_path / "text.book", "my notes")
    (tmp_path / "folder.book").mkdir()
    with pytest.raises(kind, match=re.escape(f"{tmp_path / name}: {message}")):
        open_books(["standard", tmp_path / name], [START.rules])
    # the built-in book is for no game of other rules, and in no way there
    assert open_books(["standard", tmp_path / "misere.book"], [misere]).names[0] == "standard"


def test_how_the_values_of_a_book_were_found(book: Book) -> None:
    assert book.searches() == {(None, None, 14): 4, (Kind.HEURISTIC, None, 14): 1}


def test_other_rules_have_no_entries(book: Book) -> None:
    assert book.get(Position(parse_rules("othello,misere"))) is None
    assert book.get(Position(parse_rules("othello,full-board"))) is not None  # plays alike
    assert book.moves(Position(parse_rules("adjacent"))) == []


@pytest.mark.parametrize(
    ("kind", "confidence"),
    [(None, None), (Kind.EXACT, 100), (Kind.HEURISTIC, None), (Kind.BOOK, None)]
    + [(Kind.SELECTIVE, percent) for percent in (1, 73, 99)],
)
def test_a_move_beside_the_book_says_how_it_was_found(
    kind: Kind | None, confidence: int | None, tmp_path: Path
) -> None:
    square = canonical_square(F5, Move.parse("f4"))
    entry = BookEntry(-3, 0, square, -3, 30, kind, confidence)
    write_book(tmp_path / "a.book", {book_key(F5): entry})
    book = Book(tmp_path / "a.book")
    assert book[F5] == entry
    beside = book.beside(F5)
    assert beside is not None
    score = beside[1]
    assert (score.value, score.kind, score.confidence) == (-3, kind or Kind.BOOK, confidence)
    assert (score.lower, score.upper) == ((-3, -3) if kind is Kind.EXACT else (-64, 64))


def test_notes_say_where_a_book_comes_from_and_where_lines_begin(tmp_path: Path) -> None:
    root = Position.from_moves("f5f4e3")
    notes = BookNotes(("made from 7 games – é", "grown"), (root,), "abc")
    known = {book_key(position): BookEntry(0, 0) for position in (root, root.play("d6"))}
    write_book(tmp_path / "a.book", known, notes=notes)
    book = Book(tmp_path / "a.book")
    assert book.notes == notes
    assert list(book.walk()) == [root, root.play("d6")]
    assert pickle.loads(pickle.dumps(notes)) == notes


def test_a_walk_goes_through_passes_in_the_order_of_the_discs(tmp_path: Path) -> None:
    """A position that is reached with a pass and without comes once, after all that have fewer discs."""
    line = line_with_a_pass()
    write_book(tmp_path / "a.book", {book_key(position): BookEntry(0, 0) for position in line})
    walked = list(Book(tmp_path / "a.book").walk())
    assert {book_key(position) for position in walked} == {book_key(position) for position in line}
    assert len({book_key(position) for position in walked}) == len(walked)
    assert [position.empties for position in walked] == sorted((each.empties for each in walked), reverse=True)


def line_with_a_pass() -> list[Position]:
    chance = random.Random(3)
    while True:
        position, line = Position(), [Position()]
        while not position.is_over:
            position = position.play(chance.choice([*position.legal_moves]))
            line.append(position)
        if any([*position.legal_moves] == [PASS] for position in line):
            return line[:-1]


def test_the_longest_rules_are_kept(tmp_path: Path) -> None:
    rules = parse_rules("adjacent,mandatory-capture,optional-skip,board=6x8,start=parallel,misere,discs-only")
    position = Position(rules)
    write_book(tmp_path / "long.book", {book_key(position): BookEntry(0, 1)}, rules)
    book = Book(tmp_path / "long.book")
    assert (book.rules, position in book) == (rules, True)


def test_an_empty_book(tmp_path: Path) -> None:
    path = tmp_path / "empty.book"
    write_book(path, {})
    assert len(Book(path)) == 0
    assert Book(path).moves(START) == []
    assert list(Book(path).walk()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "not an opening book"),
        (lambda data: b"PNG" + data[3:], "not an opening book"),
        (
            lambda data: data[:8] + struct.pack("<H", 9) + data[10:],
            "saved in format 9; this version reads format 1",
        ),
        (lambda data: data[:-1], "damaged: "),
        (lambda data: data + b"\0", "damaged: "),
        (lambda data: data[:16] + b"chess" + data[21:], "damaged: "),
        (lambda data: data[:16] + b"\xff" + data[17:], "damaged: "),
        (lambda data: data[:96] + b"[" + data[97:], "damaged: "),
        (lambda data: data.replace(b'"history"', b'"History"'), "damaged: the notes lack their parts"),
        (lambda data: data[:152] + b"\xff" * 8 + data[160:], "damaged: "),
        (lambda data: data[:-25] + b"\x41" + data[-24:], "damaged: a value of +65 discs"),
        (lambda data: data[:-11] + b"\x80" + data[-10:], "damaged: a value of -128 discs"),
    ],
)
def test_damaged_files(tmp_path: Path, change, message: str) -> None:
    path = tmp_path / "small.book"
    write_book(path, entries())
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(BookError) as error:
        Book(path)
    assert str(error.value).startswith(f"{path}: {message}")


def test_a_damaged_file_never_crashes(tmp_path: Path) -> None:
    path, chance = tmp_path / "small.book", random.Random(1)
    write_book(path, entries())
    good = path.read_bytes()
    for number in range(300):
        data = bytearray(good)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        broken = new_file(tmp_path / f"{number}.book", bytes(data))
        try:
            book = Book(broken)
        except BookError:
            continue
        for position in LINE:
            assert all(position.is_legal(choice.move) for choice in book.moves(position))
            book.beside(position)


def test_the_book_of_the_package() -> None:
    book = default_book()
    assert len(book) > 10_000
    assert {str(choice.move) for choice in book.moves(START)} == {"d3", "c4", "f5", "e6"}
    by_reply = {str(choice.move): choice for choice in book.moves(F5)}
    assert set(by_reply) == {"d6", "f6", "f4"}
    assert by_reply["d6"].games > by_reply["f4"].games
    assert by_reply["f4"].score.value < min(by_reply["d6"].score.value, by_reply["f6"].score.value)


def test_the_values_of_the_book_are_consistent() -> None:
    """A position is worth as much as its best move, in the book or beside it."""
    book = default_book()
    for number, position in enumerate(book.walk()):
        if position.empties < 46:
            break
        if number % 3:
            continue
        entry = book.get(position)
        assert entry is not None
        values = [choice.score.value for choice in book.moves(position)]
        if (beside := book.beside(position)) is not None:
            values.append(beside[1].value)
            assert not {choice.move for choice in book.moves(position)} & set(beside[0])
        assert entry.value == max(values)
        assert entry.games >= 8
