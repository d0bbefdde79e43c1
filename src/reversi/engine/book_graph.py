"""The positions of a book in memory, linked by their moves, with values by negamax.

A position of a book has the best move that leaves the book, from a search among those moves alone. Its value is
the larger one of that move's value and of the negated values of the positions that the book's moves lead to.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from reversi._core import PASS, Move, Position, State, canonical_square
from reversi.color import Color
from reversi.errors import IllegalMoveError
from reversi.openings.book import NO_SQUARE, Book, BookEntry, BookNotes, book_key, pack_book
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind


class Searched(NamedTuple):
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


NOTHING = Searched()
"""What is known of a position that was not searched, or whose moves all stay in the book."""


@dataclass(slots=True)
class Node:
    """A position of a book.

    Attributes:
        position: the position, as `normal` has it.
        height: less than for the positions that lead to it.
        children: the keys of the positions that its moves lead to, in the book or not; none that ends the game.
        ends: whether a move ends the game.
        games: how many games reached it.
        searched: the best move that leaves the book.
        beyond: the key of the position after that move, 0 for none.
        value: discs, for the player to move; ``None`` until it is known.
    """

    position: Position
    height: int
    children: array[int] = field(default_factory=lambda: array("Q"))
    ends: bool = False
    games: int = 0
    searched: Searched = NOTHING
    beyond: int = 0
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Which positions of a book are looked at from one of them on.

    Each move of a line may lose ``error`` discs, and all together ``total_error``; ``None`` for any. All
    placements on the board count, those before the first position, too; ``games`` reached each position.
    """

    error: int | None = None
    total_error: int | None = None
    plies: int | None = None
    games: int = 0

    def allow(self, total: int, loss: int) -> bool:
        """Return whether a line that has lost so much may lose more by its next move."""
        return (self.error is None or loss <= self.error) and (
            self.total_error is None or total + loss <= self.total_error
        )

    def reach(self, position: Position) -> bool:
        """Return whether the placements on the board are within the limits."""
        return self.plies is None or placements(position) <= self.plies


def normal(position: Position) -> Position:
    """Return the image that stands for a position and all that are like it: the same one is searched for all."""
    player, opponent = position.player, position.opponent
    return Position.from_discs(player, opponent, Color.BLACK, position.rules, position.state).canonical()


def placements(position: Position) -> int:
    return position.rules.board.cells - 4 - position.empties


def children_of(position: Position) -> Iterator[tuple[Move, int, Position]]:
    """Yield the moves that do not end the game, each with the position after it and its key."""
    for move in position.legal_moves:
        after = position.play(move)
        if not after.is_over:
            yield move, book_key(after), after


class BookGraph:
    """The positions of a book.

    Args:
        rules: their rules.

    Attributes:
        nodes: the positions that lines of the book reach, by their keys.
        loose: the entries of the book that no line reaches; they stay as they are.
        roots: positions from which lines begin, beside the start of the rules.
        history: how the book was made and changed, as in `BookNotes`.
        journal: which games of its journal the book has taken in, as in `BookNotes`.
    """

    def __init__(self, rules: Rules = OTHELLO) -> None:
        self.rules = rules
        self.nodes: dict[int, Node] = {}
        self.loose: dict[int, BookEntry] = {}
        self.roots: list[Position] = []
        self.history: list[str] = []
        self.journal = ""

    @classmethod
    def of(cls, book: Book) -> BookGraph:
        """Return the positions of a book, with their values made consistent."""
        graph = cls(book.rules)
        graph.loose = dict(book.items())
        graph.history += book.notes.history
        graph.journal = book.notes.journal
        graph.add_roots(book.notes.roots)
        graph.settle()
        return graph

    def __len__(self) -> int:
        return len(self.nodes) + len(self.loose)

    def add_roots(self, roots: Iterable[Position]) -> None:
        """Add the start and other positions where lines begin, as far as the book has them."""
        for root in (Position(self.rules), *roots):
            if book_key(root) in self.loose:
                self.add(root)
                self.roots += [root] if root != Position(self.rules) else []

    def add(self, position: Position, games: int = 0) -> None:
        """Add a position, and what lines reach from it then; one that is there already stays."""
        waiting = [position]
        while waiting:
            position = normal(waiting.pop())
            key = book_key(position)
            if key in self.nodes:
                continue
            entry = self.loose.pop(key, None)
            moves = position.legal_moves
            height = 4 * position.empties + 2 * (PASS in moves) + (position.state is State.FRESH)
            node = self.nodes[key] = Node(position, height, games=games)
            for _, child, after in children_of(position):
                node.children.append(child)
                if child in self.loose:
                    waiting.append(after)
            node.ends = len(node.children) < len(moves)
            if entry is not None:
                node.games, node.value = entry.games, entry.value
                found = entry.beside_square, entry.beside_value, entry.depth, entry.kind, entry.confidence
                self.set_searched(key, Searched(*found))

    def set_searched(self, key: int, searched: Searched) -> None:
        """Set the best move that leaves the book in a position."""
        node = self.nodes[key]
        node.searched = searched
        after = position_beyond(node)
        node.beyond = 0 if after is None or after.is_over else book_key(after)

    @property
    def stale(self) -> list[int]:
        """The keys of positions whose best move that leaves the book is to be searched.

        They are new, or the move does not leave the book any more.
        """
        return [key for key, node in self.nodes.items() if node.value is None or node.beyond in self.nodes]

    def is_unsearched(self, node: Node) -> bool:
        """Return whether moves leave the book in a position and none of them was searched."""
        return node.searched.square == NO_SQUARE and (
            node.ends or any(child not in self.nodes for child in node.children)
        )

    def settle(self) -> None:
        """Compute the values of all positions; one without a move in the book or beside it keeps its value."""
        for node in sorted(self.nodes.values(), key=lambda node: node.height):
            node.value = max(self._values(node), default=node.value)

    def _values(self, node: Node) -> Iterator[int]:
        if node.searched.square != NO_SQUARE:
            yield node.searched.value
        for child in self._inside(node):
            assert child.value is not None
            yield -child.value

    def _inside(self, node: Node) -> Iterator[Node]:
        """Yield the positions of the book with a value that moves lead to."""
        for key in node.children:
            child = self.nodes.get(key)
            if child is not None and child.value is not None:
                yield child

    def entries(self) -> dict[int, BookEntry]:
        """Return the entries of the book; positions without a value have none."""
        found = {
            key: BookEntry(node.value, node.games, *node.searched)
            for key, node in self.nodes.items()
            if node.value is not None
        }
        return found | self.loose

    def pack(self, story: str) -> bytes:
        """Return the file of the book, with what was done to it as the last sentence of its history."""
        if self.history[-1:] != [story]:
            self.history.append(story)
        notes = BookNotes(tuple(self.history), tuple(self.roots), self.journal)
        return pack_book(self.entries(), self.rules, notes)

    # --- lines

    def within(self, key: int, limits: Limits) -> Iterator[tuple[int, int, Node]]:
        """Yield the positions with a value that lines reach within limits, those with fewer discs first.

        Before each stand the discs that the best line loses, and the key.
        """
        totals, waiting = {key: 0}, [(-self.nodes[key].height, key)]
        while waiting:
            _, key = heapq.heappop(waiting)
            node, total = self.nodes[key], totals[key]
            if node.value is None or node.games < limits.games or not limits.reach(node.position):
                continue
            yield total, key, node
            for at in node.children:
                child = self.nodes.get(at)
                if child is None or child.value is None:
                    continue
                loss = node.value + child.value
                if limits.allow(total, loss):
                    if at not in totals:
                        heapq.heappush(waiting, (-child.height, at))
                    totals[at] = min(total + loss, totals.get(at, total + loss))

    def leaf(self, key: int) -> int:
        """Return where the best line from a position leaves the book: the key of the last position."""
        while True:
            node = self.nodes[key]
            if node.searched.square != NO_SQUARE and node.searched.value == node.value:
                return key
            best = [
                child
                for child in node.children
                if child in self.nodes and node.value is not None and self.nodes[child].value == -node.value
            ]
            if not best:
                return key
            key = min(best)

    # --- games

    def add_games(self, lines: Iterable[array[int]], least: int = 1) -> None:
        """Add the positions that enough games reach, on lines from the start that as many reach; count games."""
        counts = Counter(key for line in lines for key in set(line))
        chosen = {key for key, times in counts.items() if times >= least or key in self.nodes}
        start = Position(self.rules)
        level = {book_key(start): start} if book_key(start) in chosen else {}
        seen: set[int] = set()
        while level:
            for position in level.values():
                self.add(position)
            seen |= level.keys()
            level = {
                key: after
                for position in level.values()
                for _, key, after in children_of(position)
                if key in chosen and key not in seen
            }
        for key in seen & counts.keys():
            self.nodes[key].games += counts[key]


def line_of(moves: Iterable[Move], plies: int, rules: Rules = OTHELLO) -> array[int]:
    """Return the keys of the positions of a game up to a ply; a move that is not legal ends the game."""
    position = Position(rules)
    line = array("Q", [book_key(position)])
    for move in islice(moves, plies):
        try:
            position = position.play(move)
        except IllegalMoveError:
            break
        if position.is_over:
            break
        line.append(book_key(position))
    return line


def position_beyond(node: Node) -> Position | None:
    """Return the position after the best move that leaves the book."""
    for move in node.position.legal_moves:
        if canonical_square(node.position, move) == node.searched.square:
            return node.position.play(move)
    return None
