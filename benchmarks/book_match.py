"""What an opening book is worth: a level with the book against the same level without one, or with another.

    python benchmarks/book_match.py LEVEL|SECONDS PAIRS [BOOK [OTHER]]

Both sides play at a level, as 8, or think for some seconds about each move, as 0.1. Without BOOK it is the
built-in one. Each pair is two games with colors changed, from one of the most frequent balanced positions of the
built-in book after six placements.
"""

from __future__ import annotations

import sys
from collections import Counter

from reversi import Color, Engine, Position
from reversi.match.statistics import PairCounts, elo_of
from reversi.openings import default_book
from reversi.openings.book import STANDARD, open_books

EMPTIES = 54
BALANCED = 2


def played(black: Engine, white: Engine, position: Position) -> int:
    """Play a game; return Black's score."""
    while not position.is_over:
        player = black if position.to_move is Color.BLACK else white
        position = position.play(player.choose(position).move)
    assert position.result is not None
    return position.result.score


def starts(count: int) -> list[Position]:
    """Return the most frequent balanced positions."""
    book = default_book()
    found: list[tuple[int, int, Position]] = []
    for position in book.walk():
        entry = book.get(position)
        if (
            position.empties == EMPTIES
            and entry is not None
            and abs(entry.value) <= BALANCED
            and book.moves(position)
        ):
            found.append((-entry.games, len(found), position))
    return [position for *_, position in sorted(found, key=lambda item: item[:2])[:count]]


def player(strength: str, seed: int, book: str) -> Engine:
    """Return an engine with a book, or with none where it has no name."""
    books = open_books([book]) if book else None
    if "." in strength:
        return Engine(seed=seed, time_s=float(strength), book=books)
    return Engine(int(strength), seed, book=books)


def main(strength: str, pairs: int, book: str = STANDARD, other: str = "") -> None:
    scores: Counter[int] = Counter()
    results: Counter[str] = Counter()
    discs = 0
    for number, position in enumerate(starts(pairs)):
        with_book, without = player(strength, 2 * number + 1, book), player(strength, 2 * number + 2, other)
        half_points = 0
        for result in (played(with_book, without, position), -played(without, with_book, position)):
            discs += result
            results["win" if result > 0 else "loss" if result < 0 else "draw"] += 1
            half_points += 2 * (result > 0) + (result == 0)
        scores[half_points] += 1
    games = results.total()
    counts = PairCounts((scores[0], scores[1], scores[2], scores[3], scores[4]))
    how = f"{strength} s a move" if "." in strength else f"level {strength}"
    print(f"{how}, {games} games: {results['win']}-{results['draw']}-{results['loss']},", end=" ")
    print(f"mean difference {discs / games:+.2f} discs, Elo {elo_of(counts)}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
