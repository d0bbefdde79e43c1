"""Lines that somebody tried and keeps: they become variations of the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reversi._core import Move
from reversi.records.record import Line, Node, Record

__all__ = ["Variation", "add_variations", "variations_of"]


@dataclass(frozen=True, slots=True)
class Variation:
    """A line that was tried in a game.

    Attributes:
        before: the moves of the game up to it, passes included.
        line: the moves tried, passes included; at least one.
    """

    before: tuple[Move, ...]
    line: tuple[Move, ...]


def add_variations(record: Record, variations: Iterable[Variation]) -> None:
    """Add the variations that fit the game of a record; those of moves taken back since then do not.

    A variation stands beside the move that was played instead. After the last move it repeats that move, since a
    record has variations only in place of one. A line that the game itself took is left out.
    """
    nodes, moves = record.line.nodes, record.moves
    for variation in variations:
        at, line = len(variation.before), variation.line
        if moves[:at] != variation.before:
            continue
        while line and at < len(nodes) and line[0] == nodes[at].move:
            at, line = at + 1, line[1:]
        if line and at == len(nodes) > 0:
            at, line = at - 1, (nodes[at - 1].move, *line)
        if line and at < len(nodes) and all(other.moves != line for other in nodes[at].variations):
            nodes[at].variations = (*nodes[at].variations, Line([Node(move) for move in line]))


def variations_of(record: Record) -> Iterator[Variation]:
    """Yield the variations of a record, those within others as whole lines; of each only its moves."""
    before: tuple[Move, ...] = ()
    for node in record.line.nodes:
        for line in _whole_lines(node, ()):
            yield Variation(before, line)
        before = (*before, node.move)


def _whole_lines(node: Node, prefix: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    for variation in node.variations:
        line = prefix
        if variation.nodes:
            yield (*prefix, *variation.moves)
        for inner in variation.nodes:
            yield from _whole_lines(inner, line)
            line = (*line, inner.move)
