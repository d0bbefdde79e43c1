"""Making opening books: the positions that games reach often enough, searched; and merging books."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace

from reversi._core import Move, Position, canonical_square
from reversi.engine.book_graph import NOTHING, BookGraph, Searched, line_of
from reversi.engine.search import Searcher
from reversi.openings.book import NO_SQUARE, Book, BookEntry, book_key
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind
from reversi.work.cancel import Cancel


def plan_book(
    games: Iterable[Sequence[Move]],
    *,
    plies: int = 20,
    least: int = 20,
    most: int | None = None,
    rules: Rules = OTHELLO,
) -> BookGraph:
    """Return the positions that enough games reached, on lines from the start that enough games reached.

    Args:
        games: the moves of each game from the start; the ply of a move that is not legal ends the game.
        plies: plies of each game that count, passes included.
        least: games that reach a position of the book.
        most: positions of the book; the most frequent ones are taken.
        rules: the rules of the games.
    """
    graph = BookGraph(rules)
    graph.add_games((line_of(moves, plies, rules) for moves in games), least, most)
    return graph


def leaving_moves(inside: Container[int], position: Position) -> list[Move]:
    """Return the moves that lead to none of the positions of a book, given by their keys."""
    return [
        move
        for move in position.legal_moves
        if (after := position.play(move)).is_over or book_key(after) not in inside
    ]


def leaving_squares(position: Position, moves: Iterable[Move]) -> int:
    """Return the canonical squares of moves as a set of bits, the same for symmetric positions."""
    return sum({1 << canonical_square(position, move) for move in moves})


def search_leaving(
    inside: Container[int], position: Position, searcher: Searcher, depth: int, cancel: Cancel | None = None
) -> Searched | None:
    """Return the best move that leaves the book in one of its positions; ``None`` when ``cancel`` stops it.

    The searcher forgets everything first: the answer does not depend on what it searched before.
    """
    among = leaving_moves(inside, position)
    if not among:
        return NOTHING
    searcher.clear()
    answer = searcher.search(position, depth=depth, among=among, cancel=cancel)
    if cancel is not None and cancel.cancelled:
        return None
    best, score = answer.moves[0].move, answer.moves[0].score
    return Searched(canonical_square(position, best), score.value, score.depth, score.kind, score.confidence)


def merged(books: Collection[Book]) -> BookGraph:
    """Return the positions of several books under the same rules as those of one book.

    Games are added up. Of two searches of a position the exact or deeper one stays, unless its move is in the book
    now. Values are made consistent again.

    Args:
        books: at least one; an earlier one wins between equal searches.
    """
    entries: dict[int, BookEntry] = {}
    for book in books:
        for key, entry in book.items():
            known = entries.get(key, entry)
            games = entry.games + (known.games if key in entries else 0)
            entries[key] = replace(max(known, entry, key=_sureness), games=games)
    graph = BookGraph(next(iter(books)).rules)
    graph.loose = entries
    graph.history += dict.fromkeys(sentence for book in books for sentence in book.notes.history)
    graph.add_roots(root for book in books for root in book.notes.roots)
    for key in sorted(graph.stale):
        graph.set_searched(key, NOTHING)
    graph.settle()
    return graph


def _sureness(entry: BookEntry) -> tuple[bool, bool, int]:
    return entry.beside_square != NO_SQUARE, entry.kind is Kind.EXACT, entry.depth
