"""Playing a record's moves on the board, discs that were turned by hand included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reversi._core import Position
from reversi.errors import IllegalMoveError
from reversi.game.hand_flips import turned_by_hand
from reversi.records.record import Line, Node, Record

__all__ = ["play_node", "positions", "rule_flips"]


def play_node(position: Position, node: Node) -> Position:
    """The position after a turn, with the discs that it says were turned.

    The placement must be legal; which discs turned is taken from the record where it says so.

    Raises:
        IllegalMoveError: the move is not allowed, or a disc is said to have turned where there is none.
    """
    if node.flips is None:
        return position.play(node.move)
    return turned_by_hand(position, node.move, node.flips)


def rule_flips(position: Position, node: Node) -> bool:
    """Whether a legal turn flipped what the rules say."""
    return node.flips is None or node.flips == position.flips(node.move)


def positions(record: Record | Line | Iterable[Node], start: Position | None = None) -> Iterator[Position]:
    """The positions of a game from the start on, one at a time: as many as it has turns, and one more.

    Args:
        record: a record, or a line or turns that begin at ``start``.
        start: where a line begins; a record has its own.

    Raises:
        IllegalMoveError: a move is not allowed; the message names the ply.
    """
    if isinstance(record, Record):
        start, nodes = record.start, record.line.nodes
    else:
        nodes = list(record.nodes if isinstance(record, Line) else record)
    position = start if start is not None else Position()
    yield position
    for ply, node in enumerate(nodes, 1):
        try:
            position = play_node(position, node)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"ply {ply}: {error}", str(node.move), error.reason) from None
        yield position
