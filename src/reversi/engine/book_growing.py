"""Growing opening books: steps that add positions or search again, and leave all values consistent.

Each step looks at the book as it is, searches, and computes the values again; the searches of a step do not depend
on each other. So a book is the same however often its growing was stopped, and with any number of threads.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from reversi._core import Position, canonical_square
from reversi.engine.book_graph import (
    NOTHING,
    BookGraph,
    Limits,
    Node,
    Searched,
    children_of,
    placements,
    position_beyond,
)
from reversi.engine.book_log import BookLog, search_leaves
from reversi.openings.book import NO_SQUARE, Book, BookEntry, book_key
from reversi.score import Kind
from reversi.work.cancel import Cancel

USUAL_DEPTH: Final = 16
_ROUND: Final = 64  # moves that are followed before the values are computed again
_DEEPER: Final = 4  # placements: where a game turned
_TO_THE_END: Final = (Kind.EXACT, Kind.SELECTIVE)


def usual_depth(graph: BookGraph) -> int:
    """Return how deep most searches of a book are; the deeper one of two that are as frequent."""
    depths = Counter(node.searched.depth for node in graph.nodes.values() if node.searched.kind is Kind.HEURISTIC)
    return max(depths, key=lambda depth: (depths[depth], depth), default=USUAL_DEPTH)


@dataclass(slots=True)
class Growth:
    """What grows a book. The steps return false where ``cancel`` stopped them.

    Then the entries of the graph are those before the searches that were stopped. A new position is searched
    ``depth`` placements deep. ``progress`` is called with the searches that a step has done, and with all that it
    does; ``searches`` counts those that have entered the book.
    """

    graph: BookGraph
    log: BookLog
    depth: int
    threads: int = 1
    cancel: Cancel | None = None
    progress: Callable[[int, int], None] = lambda done, all_: None
    searches: int = 0

    def add_line(self, line: Sequence[Position]) -> bool:
        """Add the positions of a line; where it begins beside the book, lines of the book begin there."""
        start = Position(self.graph.rules)
        if line[0] != start and book_key(line[0]) not in self.graph.nodes:
            self.graph.roots.append(line[0])
        for position in line:
            self.graph.add(position)
        return self.search({})

    def add_games(self, lines: Sequence[array[int]], least: int = 1) -> bool:
        """Add the lines of games, then search deeper where each of them turned.

        A game turned by its move that lost most. Deeper means the ends of the best lines before that move and
        after it, on which its loss rests.

        The lines are those of `reversi.engine.book_graph.line_of`; only what ``least`` of them reach is added.
        """
        self.graph.add_games(lines, least)
        if not self.search({}):
            return False
        wanted: dict[int, int] = {}
        for key in (self.graph.leaf(key) for line in lines for key in self._turn(line)):
            searched = self.graph.nodes[key].searched
            if searched.square != NO_SQUARE and searched.kind not in _TO_THE_END:
                wanted[key] = self._depth_of(searched) + _DEEPER
        return self.search(wanted)

    def _turn(self, line: array[int]) -> tuple[int, ...]:
        """Return the positions before and after the move of a game that lost most, none where no move lost."""
        nodes = self.graph.nodes
        losses = [
            ((before.value or 0) + (after.value or 0), -ply)
            for ply, keys in enumerate(pairwise(line))
            if (before := nodes.get(keys[0])) is not None and (after := nodes.get(keys[1])) is not None
        ]
        most, ply = max(losses, default=(0, 0))
        return (line[-ply], line[-ply + 1]) if most > 0 else ()

    def follow(self, at: Position, limits: Limits, most: int | None = None) -> bool:
        """Add the positions that the best moves beside the book lead to, round by round.

        Each round follows those moves first whose lines lose least. A move that ends the game, or whose value is
        exact, leads to no more knowledge and is not followed. The lines begin at a position of the book, and end
        when that has ``most`` positions.
        """

        def wanted(node: Node) -> bool:
            room = limits.plies is None or placements(node.position) < limits.plies
            return bool(node.beyond) and node.searched.kind is not Kind.EXACT and room

        while True:
            bare = self._next(at, limits, self.graph.is_unsearched, len(self.graph))
            room = _ROUND if most is None else max(min(_ROUND, most - len(self.graph)), 0)
            chosen = self._next(at, limits, wanted, room)
            if not chosen and not bare:
                return True
            for key in chosen:
                after = position_beyond(self.graph.nodes[key])
                assert after is not None
                self.graph.add(after)
            if not self.search(dict.fromkeys(bare, self.depth)):
                return False

    def deepen(self, at: Position, limits: Limits, depth: int) -> bool:
        """Search again, round by round, what rests on searches that look fewer placements ahead.

        The limits are for the moves of the lines, that beside the book at their ends included.
        """
        graph = self.graph

        def wanted(node: Node) -> bool:
            is_shallow = node.searched.kind not in _TO_THE_END and node.searched.depth < depth
            return is_shallow and (node.searched.square != NO_SQUARE or graph.is_unsearched(node))

        while chosen := self._next(at, limits, wanted, _ROUND):
            if not self.search(dict.fromkeys(chosen, depth)):
                return False
        return True

    def _next(self, at: Position, limits: Limits, wanted: Callable[[Node], bool], most: int) -> list[int]:
        """Return some of the positions whose best move beside the book is within limits, those that lose least."""
        due: list[tuple[int, int, int]] = []
        for total, key, node in self.graph.within(book_key(at), limits):
            assert node.value is not None
            loss = node.value - node.searched.value if node.searched.square != NO_SQUARE else 0
            if limits.allow(total, loss) and wanted(node):
                due.append((total + loss, -node.height, key))
        return [key for *_, key in sorted(due)[:most]]

    def search(self, wanted: dict[int, int]) -> bool:
        """Search positions to these depths, and those that are new or lack their best move; compute the values."""
        graph = self.graph
        for key in graph.stale:
            wanted.setdefault(key, max(self.depth, self._depth_of(graph.nodes[key].searched)))
        found: dict[int, Searched] = {}
        for key, searched in search_leaves(graph, wanted, self.log, threads=self.threads, cancel=self.cancel):
            found[key] = searched
            self.progress(len(found), len(wanted))
        if len(found) < len(wanted):
            return False
        for key, searched in found.items():
            graph.set_searched(key, searched)
        graph.settle()
        self.searches += len(found)
        return True

    def _depth_of(self, searched: Searched) -> int:
        return searched.depth if searched.kind is Kind.HEURISTIC else self.depth


def pruned(graph: BookGraph, keep: Collection[int]) -> BookGraph:
    """Return some positions of a book as a book of their own, with the values that they have in it.

    The best move that leaves the book may lead to a position that is not kept; then its search is that at the end
    of the best line from there.
    """
    part = BookGraph(graph.rules)
    part.loose = {key: _pruned(graph, graph.nodes[key], keep) for key in keep}
    part.history += graph.history
    part.add_roots(graph.roots)
    return part


def _pruned(graph: BookGraph, node: Node, keep: Collection[int]) -> BookEntry:
    best = node.searched
    for move, key, _ in children_of(node.position):
        child = graph.nodes.get(key)
        if key in keep or child is None or child.value is None:
            continue
        if best.square == NO_SQUARE or -child.value > best.value:
            leaf = graph.nodes[graph.leaf(key)]
            depth = min(node.position.empties, node.position.empties - leaf.position.empties + leaf.searched.depth)
            square = canonical_square(node.position, move)
            kind = leaf.searched.kind or Kind.BOOK
            best = Searched(square, -child.value, depth, kind, leaf.searched.confidence)
    assert node.value is not None
    return BookEntry(node.value, node.games, *best)


def merged(books: Collection[Book]) -> BookGraph:
    """Return the positions of several books under the same rules as those of one book.

    Games are added up. Of two searches of a position the exact or deeper one stays, else that of the earlier book,
    unless its move is in the book now. Values are made consistent again.
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
