"""Lines that somebody tried or played beside the game: they become variations of its record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reversi._core import Move
from reversi.records.record import Line, Node, Record


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

    A line that the record has already is left out.
    """
    for variation in variations:
        before = turns_that_make(record.line, variation.before)
        if before is not None:
            add_line(record.line, [*map(_bare, before), *map(Node, variation.line)], grows=False)


def add_line(line: Line, nodes: Sequence[Node], *, grows: bool) -> None:
    """Add turns to a line of play that begins where they begin; what it has already, it keeps with its notes.

    The first turn that it does not have begins a variation, in the line or in a variation of it. After the last
    turn of the line such a variation repeats that turn, since a record has variations only in place of one.

    Args:
        line: the line; it changes.
        grows: whether turns after the last one of the line belong to it.
    """
    at = common_turns(line, nodes)
    if at == len(nodes):
        return
    if at == len(line.nodes):
        if grows:
            line.nodes = [*line.nodes, *nodes[at:]]
            return
        if not at:
            return
        at -= 1
        nodes = [*nodes[:at], _bare(nodes[at]), *nodes[at + 1 :]]
    node, rest = line.nodes[at], nodes[at:]
    nearest = max(node.variations, key=lambda variation: common_turns(variation, rest), default=None)
    if nearest is not None and common_turns(nearest, rest):
        add_line(nearest, rest, grows=True)
    else:
        node.variations = (*node.variations, Line(rest))


def common_turns(line: Line, nodes: Sequence[Node]) -> int:
    """Return how many turns a line begins with that are those given, whatever is noted about them."""
    pairs = zip(line.nodes, nodes, strict=False)
    return next((at for at, pair in enumerate(pairs) if not _same(*pair)), min(len(line.nodes), len(nodes)))


def _same(one: Node, other: Node) -> bool:
    return one.move == other.move and one.flips == other.flips


def _bare(node: Node) -> Node:
    return Node(node.move, flips=node.flips)


def turns_that_make(line: Line, moves: Sequence[Move]) -> list[Node] | None:
    """Return the turns of a line or of its variations that make these moves; ``None`` where it has none."""
    found: list[Node] = []
    for at, move in enumerate(moves):
        if at < len(line.nodes) and line.nodes[at].move == move:
            found.append(line.nodes[at])
            continue
        begin = min(at, len(line.nodes) - 1)  # a variation after the last turn repeats it
        for variation in line.nodes[begin].variations if begin >= 0 else ():
            rest = turns_that_make(variation, moves[begin:])
            if rest is not None:
                return [*found[:begin], *rest]
        return None
    return found


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
