"""Playing a record's moves on the board, discs flipped by hand included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import NoneType

from reversi._core import Move, Position, Square
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type
from reversi.errors import IllegalMoveError, RecordError
from reversi.records.record import Line, Node, Played, Record, Tags, played
from reversi.score import Result


def play_line(line: Line, start: Position) -> Played:
    """Play a line up to its first turn that is not allowed, discs flipped by hand included."""
    if not line.lists_flips:
        return line.play(start)
    path = list(legal_positions(line.nodes, start))
    return Played(line.numbers[: len(path) - 1], path[-1], len(path) > len(line.nodes))


def legal_beginning(record: Record) -> Record:
    """Return a game up to its first turn that is not allowed, in its variations too, as an unfinished game."""
    tags = Tags([pair for pair in record.tags.pairs if pair[0] != "Termination"])
    return Record(tags, record.start, _legal_line(record.line, record.start))


def _legal_line(line: Line, start: Position) -> Line:
    count = len(play_line(line, start).moves)
    if line.is_plain:
        return Line(line.nodes[:count], line.comments)
    places = zip(line.nodes[:count], legal_positions(line.nodes, start), strict=False)
    nodes = [
        replace(node, variations=(*(one for line in node.variations if (one := _legal_line(line, at)).nodes),))
        for node, at in places
    ]
    return Line(nodes, line.comments)


def last_position(record: Record) -> Position | None:
    """Return the position that a record's game ends in, ``None`` where a turn is not allowed."""
    _, end, legal = play_line(record.line, record.start)
    return end if legal else None


def board_result(record: Record) -> Result | None:
    """Return how a record's game ended on the board, ``None`` where it did not, or where a turn is not allowed."""
    end = last_position(record)
    return None if end is None else end.result


def rule_flips(position: Position, node: Node) -> bool:
    """Return whether a legal turn flipped what the rules say."""
    return node.flips is None or node.flips == position.flips(node.move)


def hand_flips(record: Record) -> dict[int, tuple[Square, ...]]:
    """Return the discs flipped by hand where they differ from what the rules say, by ply.

    Raises:
        IllegalMoveError: a move is not allowed; the message names the ply.
    """
    if not record.line.lists_flips:
        return {}
    turns = enumerate(zip(record.line.nodes, positions(record), strict=False), 1)
    return {
        ply: node.flips
        for ply, (node, position) in turns
        if node.flips is not None and not rule_flips(position, node)
    }


def moves_by_rule(record: Record) -> tuple[Move, ...]:
    """Return the moves of a game up to the first turn that flipped other discs than the rules say.

    What follows a turn that is not allowed is not judged.
    """
    if record.line.lists_flips:
        count, is_allowed = _turns_by_rule(record)
        if is_allowed:
            return record.moves[:count]
    return record.moves


def flipped_by_hand(record: Record) -> bool:
    """Return whether a turn lists other flips than the rules say: any, from one that is not allowed on."""
    if not record.line.lists_flips:
        return False
    count, is_allowed = _turns_by_rule(record)
    return is_allowed or any(node.flips is not None for node in record.line.nodes[count:])


def _turns_by_rule(record: Record) -> tuple[int, bool]:
    """Return how many turns are allowed and flip what the rules say, and whether the next one is allowed."""
    position, nodes = record.start, record.line.nodes
    for count, node in enumerate(nodes):
        is_allowed = position.is_legal(node.move)
        if not (is_allowed and rule_flips(position, node)):
            return count, is_allowed
        position = position.play(node.move)
    return len(nodes), False


def positions(record: Record | Line | Iterable[Node], start: Position | None = None) -> Iterator[Position]:
    """Yield the positions of a game from the start on, one more than it has turns.

    Args:
        record: a record, or a line or turns that begin at ``start``.
        start: where a line begins; a record has its own.

    Raises:
        IllegalMoveError: a move is not allowed; the message names the ply.
    """
    check_type("start", start, Position, NoneType, advice=TEXT_TO_POSITION)
    if isinstance(record, Record):
        start, nodes = record.start, record.line.nodes
    else:
        nodes = list(record.nodes if isinstance(record, Line) else record)
    yield from played(nodes, Position() if start is None else start)


def legal_positions(nodes: Iterable[Node], start: Position) -> Iterator[Position]:
    """Yield the positions of a line from its start on, up to the first turn that is not allowed."""
    position = start
    yield position
    for node in nodes:
        try:
            position = node.played_on(position)
        except IllegalMoveError:
            return
        yield position


def position_after(record: Record, ply: int | None = None) -> Position:
    """Return the position of a game after ``ply`` turns, at its end for ``None``. Later turns may be wrong.

    Raises:
        RecordError: the game has fewer turns.
        IllegalMoveError: a move up to there is illegal.
    """
    check_type("record", record, Record)
    if ply is not None:
        check_count("ply", ply, least=0)
    count = len(record.line.nodes)
    wanted = count if ply is None else ply
    if wanted > count:
        raise RecordError(no_ply(wanted, count))
    *_, position = positions(record.line.nodes[:wanted], record.start)
    return position


def no_ply(wanted: int, count: int) -> str:
    """Return what a message says about a ply that a game does not have."""
    return f"ply {wanted} does not exist: the game has {count} pl{'y' if count == 1 else 'ies'}"
