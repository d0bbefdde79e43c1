"""Opening books made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from reversi import Move
from reversi.engine.book_graph import BookGraph, line_of
from reversi.openings import Book
from reversi.openings.book import BookEntry, BookNotes, pack_book
from reversi.rules import OTHELLO, Rules


def write_book(
    path: Path, entries: Mapping[int, BookEntry], rules: Rules = OTHELLO, notes: BookNotes | None = None
) -> None:
    """Write a book with these entries, by the keys of their positions; one that is open stays as it is."""
    path.unlink(missing_ok=True)
    path.write_bytes(pack_book(entries, rules, notes or BookNotes()))


def plan_book(games: Iterable[Sequence[Move]], *, plies: int = 20, least: int = 20) -> BookGraph:
    """Return the positions that enough games reached, not searched yet."""
    graph = BookGraph()
    graph.add_games((line_of(moves, plies) for moves in games), least)
    return graph


def checked_values(path: Path) -> Book:
    """Return a book, not searched everywhere, in which every value is that of the best move."""
    book = Book(path)
    for position in book.walk():
        values = [choice.score.value for choice in book.moves(position)]
        beside = book.beside(position)
        assert book[position].value == max(values + ([] if beside is None else [beside[1].value]))
    return book
