"""Making opening books: the positions that games reach often enough, searched, with values by negamax.

A position's entry has the best move that leaves the book, from a search among those moves alone. Its value is the
larger one of that move's value and of the negated values of the positions that the book's moves lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Final

from reversi._core import PASS, Move, Position, State, canonical_square
from reversi.engine.search import Searcher
from reversi.errors import IllegalMoveError
from reversi.openings.book import NO_SQUARE, Book, BookEntry, BookNotes, book_key
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind
from reversi.work.cancel import Cancel

_WORST: Final = -127


@dataclass(frozen=True, slots=True)
class Searched:
    """The best move that leaves a book in a position.

    Attributes:
        square: its canonical square, `NO_SQUARE` where every move stays in the book.
        value: its value in discs, for the player to move.
        depth: placements that the search looked ahead.
        kind: what the value states; ``None`` where every move stays in the book.
        confidence: percent of a selective value.
    """

    square: int = NO_SQUARE
    value: int = 0
    depth: int = 0
    kind: Kind | None = None
    confidence: int | None = None


@dataclass(frozen=True, slots=True)
class BookPlan:
    """The positions that a book shall have.

    Attributes:
        rules: the rules.
        games: how many games reached each of them, by its key.
        positions: one position for each key, in the order of the discs.
    """

    rules: Rules
    games: Mapping[int, int]
    positions: dict[int, Position]


def plan_book(
    games: Iterable[Sequence[Move]],
    *,
    plies: int = 20,
    least: int = 20,
    most: int | None = None,
    rules: Rules = OTHELLO,
) -> BookPlan:
    """Return the positions that enough games reached, on lines from the start that enough games reached.

    Args:
        games: the moves of each game from the start; the ply of a move that is not legal ends the game.
        plies: plies of each game that count, passes included.
        least: games that reach a position of the book.
        most: positions of the book; the most frequent ones are taken.
        rules: the rules of the games.
    """
    start = Position(rules)
    counts: Counter[int] = Counter()
    for moves in games:
        position = start
        seen = {book_key(position)}
        for move in moves[:plies]:
            try:
                position = position.play(move)
            except IllegalMoveError:
                break
            if position.is_over:
                break
            seen.add(book_key(position))
        counts.update(seen)
    chosen = {key for key, times in counts.most_common(most) if times >= least}
    positions: dict[int, Position] = {}
    level = {book_key(start): start} if book_key(start) in chosen else {}
    while level:
        positions |= level
        level = {key: after for position in level.values() for key, after in _children(position) if key in chosen}
    return BookPlan(rules, {key: counts[key] for key in positions}, positions)


def _height(position: Position) -> tuple[int, bool, bool]:
    """Return what is less for the positions that the moves of a position lead to than for itself."""
    return position.empties, PASS in position.legal_moves, position.state is State.FRESH


def _children(position: Position) -> Iterator[tuple[int, Position]]:
    for move in position.legal_moves:
        after = position.play(move)
        if not after.is_over:
            yield book_key(after), after


def leaving_moves(plan: BookPlan, position: Position) -> list[Move]:
    return [
        move
        for move in position.legal_moves
        if (after := position.play(move)).is_over or book_key(after) not in plan.positions
    ]


def leaving_squares(position: Position, moves: Iterable[Move]) -> int:
    """Return the canonical squares of moves as a set of bits, the same for symmetric positions."""
    return sum({1 << canonical_square(position, move) for move in moves})


def search_leaving(
    plan: BookPlan, position: Position, searcher: Searcher, depth: int, cancel: Cancel | None = None
) -> Searched | None:
    """Return the best move that leaves the book in one of its positions; ``None`` when ``cancel`` stops it.

    The searcher forgets everything first: the answer does not depend on what it searched before.
    """
    among = leaving_moves(plan, position)
    if not among:
        return Searched()
    searcher.clear()
    answer = searcher.search(position, depth=depth, among=among, cancel=cancel)
    if cancel is not None and cancel.cancelled:
        return None
    best, score = answer.moves[0].move, answer.moves[0].score
    return Searched(canonical_square(position, best), score.value, score.depth, score.kind, score.confidence)


def make_entries(plan: BookPlan, searched: Mapping[int, Searched]) -> dict[int, BookEntry]:
    """Return the entries of a book, their values consistent by negamax.

    Args:
        plan: the positions.
        searched: the moves that leave the book, by the keys of the positions; others are left out of the book,
            and with them what only they lead to.
    """
    entries: dict[int, BookEntry] = {}
    for key, position in sorted(plan.positions.items(), key=lambda item: _height(item[1])):
        best = searched.get(key)
        if best is None:
            continue
        value = best.value if best.square != NO_SQUARE else _WORST
        for child, _ in _children(position):
            if child in entries:
                value = max(value, -entries[child].value)
        if value == _WORST:
            continue
        entries[key] = BookEntry(value, plan.games[key], *astuple(best))
    return entries


def merged(books: Iterable[Book]) -> dict[int, BookEntry]:
    """Return the entries of several books under the same rules as those of one book.

    Games are added up. Of two searches of a position the deeper one stays, unless its move is in the book now.
    Values are made consistent again.

    Args:
        books: the books; an earlier one wins where the depths are equal.
    """
    positions: dict[int, Position] = {}
    games: Counter[int] = Counter()
    searched: dict[int, Searched] = {}
    rules = OTHELLO
    for book in books:
        rules = book.rules
        for position in book.walk():
            key, entry = book_key(position), book.get(position)
            assert entry is not None
            positions.setdefault(key, position)
            games[key] += entry.games
            mine = Searched(entry.beside_square, entry.beside_value, entry.depth, entry.kind, entry.confidence)
            if key not in searched or _better(mine, searched[key]):
                searched[key] = mine
    ordered = dict(sorted(positions.items(), key=lambda item: -item[1].empties))
    plan = BookPlan(rules, games, ordered)
    for key, position in ordered.items():
        inside = {
            canonical_square(position, move)
            for move in position.legal_moves
            if book_key(position.play(move)) in ordered
        }
        if searched[key].square in inside:
            searched[key] = Searched()
    entries = make_entries(plan, searched)
    return {key: replace(entry, games=games[key]) for key, entry in entries.items()}


def merged_notes(books: Iterable[Book]) -> BookNotes:
    """Return the notes of the book that several books make."""
    notes = [book.notes for book in books]
    history = dict.fromkeys(sentence for each in notes for sentence in each.history)
    roots = {book_key(root): root for each in notes for root in each.roots}
    return BookNotes((*history, f"merged from {len(notes)} books"), tuple(roots.values()))


def _better(search: Searched, other: Searched) -> bool:
    return (search.square != NO_SQUARE, search.depth) > (other.square != NO_SQUARE, other.depth)
