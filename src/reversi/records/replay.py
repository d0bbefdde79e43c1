"""Playing a record's moves on the board, discs that were turned by hand included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reversi._core import Position
from reversi.color import Color
from reversi.errors import IllegalMoveError
from reversi.records.record import Line, Node, Record

__all__ = ["play_node", "positions", "rule_flips"]


def play_node(position: Position, node: Node) -> Position:
    """The position after a turn, with the discs that it says were turned.

    The placement must be legal; which discs turned is taken from the record where it says so.

    Raises:
        IllegalMoveError: the move is not allowed, or a disc is said to have turned where there is none.
    """
    after = position.play(node.move)
    if node.flips is None:
        return after
    turned = sum(1 << square.index for square in node.flips)
    placed = 0 if node.move.is_pass else 1 << node.move.index
    if node.move.is_pass and turned:
        raise IllegalMoveError(f"{node.move}: a pass turns no discs", str(node.move))
    if stray := turned & ~(position.black | position.white):
        square = next(square for square in node.flips if stray >> square.index & 1)
        raise IllegalMoveError(f"{node.move}: there is no disc on {square} to turn", str(node.move))
    player = (position.player ^ turned & position.player) | turned & position.opponent | placed
    opponent = (position.opponent ^ turned & position.opponent) | turned & position.player
    if (player, opponent) == (after.opponent, after.player):
        return after
    black, white = (player, opponent) if position.to_move is Color.BLACK else (opponent, player)
    return Position.from_discs(black, white, position.to_move.opponent, position.rules)


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
            raise IllegalMoveError(f"ply {ply}: {error}", str(node.move)) from None
        yield position
