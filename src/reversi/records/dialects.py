"""Whose file it is, and what other programs leave out: passes, and results in other counts.

A game is in this project's own format when its tags are as this program writes them: Event, Site, Date, Round,
Black, White and Result, all seven, first and in this order; then, of Rules, SetUp, Board, TimeControl and
Termination, those there are, in this order; then the others. A Rules or a Board tag that this program understands
proves it by itself. Every other game is foreign; so are those of PlayOK (Time before TimeControl), FlyOrDie
(White before Black), Edax (Time or a second Date among the seven, or FEN) and those made from WTHOR (neither Site
nor Round). What a game says beside its tags does not count, so that an edited copy stays what it was.

The difference: in a foreign game that writes no pass at all, forced passes are put in; a foreign game may lack
its result; and the result of one that ended on the board becomes the disc count, if it fits: the discs, the discs
with the empty squares given to the winner, or ``1-0``, ``0-1`` and ``1/2-1/2``. In a foreign game a Rules or Board
tag that this program does not understand has the meaning of its own program: Board is the number of a table in the
PGN standard. The record keeps it under the name ``Rules-`` or ``Board-``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from reversi._core import PASS, Position, replay_line
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import IllegalMoveError
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.outcome import Outcome
from reversi.records.record import ROSTER, Line, Node, Record
from reversi.records.replay import last_position
from reversi.records.rules_tags import not_understood
from reversi.score import Result

SIDES: Final = {"B": Color.BLACK, "W": Color.WHITE}
"""The letters of the sides."""

_BLACK_FIRST: Final = b"BW" * 128
_WHITE_FIRST: Final = b"WB" * 128
_LATER: Final = ("Rules", "SetUp", "Board", "TimeControl", "Termination")


def is_ours(tags: Sequence[tuple[str, str]]) -> bool:
    """Return whether tags, names and values in the order of the file, are those of this project's format."""
    names = [name for name, _ in tags]
    if {"Rules", "Board"} & set(names) - not_understood(dict(reversed(tags))):
        return True
    if tuple(names[: len(ROSTER)]) != ROSTER or "FEN" in names:
        return False
    seen = set(ROSTER)
    ranks = []
    for name in names[len(ROSTER) :]:
        ranks.append(_LATER.index(name) if name in _LATER and name not in seen else len(_LATER))
        seen.add(name)
    return ranks == sorted(ranks)


def put_in_passes(record: Record) -> Position | None:
    """Put in the forced passes that a record leaves out, unless it writes a pass anywhere.

    It stops where a move is not allowed. A voluntary skip is never inferred.

    Returns:
        The position after the last turn, ``None`` where one is not allowed.
    """
    line = record.line
    if _writes_pass(line):
        return last_position(record)
    if not line.is_plain:
        _put_in(line, record.start)
        return last_position(record)
    _, position, legal = line.play_putting_in(record.start)
    return position if legal else None


def passes_follow(record: Record) -> bool:
    """Return whether the passes of a game are just those that `put_in_passes` puts in where none is written."""
    numbers = record.line.numbers
    if PASS.index not in numbers:
        return True
    placements = numbers.replace(bytes([PASS.index]), b"")
    moves, _, _ = replay_line(record.start, placements, put_in=True)
    return moves + placements[len(moves) - moves.count(PASS.index) :] == numbers


def _writes_pass(line: Line) -> bool:
    if PASS.index in line.numbers:
        return True
    return not line.is_plain and any(any(map(_writes_pass, node.variations)) for node in line.nodes)


def _put_in(line: Line, position: Position) -> None:
    """Put passes in before the turns of a line and of its variations."""
    written = line.nodes
    line.nodes = []
    for plies, node in enumerate(written):
        if PASS.index in replay_line(position, bytes([node.move.index]), put_in=True)[0]:
            line.nodes.append(Node(PASS, source_line=node.source_line))
            position = position.play(PASS)
        for variation in node.variations:
            _put_in(variation, position)
        try:
            position = node.played_on(position)
        except IllegalMoveError:
            line.nodes += written[plies:]
            return
        line.nodes.append(node)


def complete_entry(entry: Entry) -> Result | None:
    """Make a foreign record, or a transcript, one of ours: passes put in, the result as the disc count if it fits.

    A result that is missing is filled in where the game ended on the board. The turns that findings concern are
    numbered anew, the passes counted.

    Returns:
        How the game ended on the board, ``None`` where it did not, or where a turn is not allowed.
    """
    check_type("entry", entry, Entry)
    record = entry.record
    written = len(record.line.numbers) if entry.findings else 0
    position = put_in_passes(record)
    if entry.findings and len(numbers := record.line.numbers) > written:
        entry.findings = [
            finding if finding.ply is None else replace(finding, ply=_counted(finding.ply, numbers))
            for finding in entry.findings
        ]
    on_board = None if position is None else position.result
    if on_board is not None and record.result != on_board.discs:
        record.result = Outcome.of(record).settled(on_board)
    return on_board


def check_sides(
    entry: Entry, said: Mapping[int, tuple[Color, int]], finding: Callable[[Code, str, int, int], Finding]
) -> None:
    """Stop a game, and each of its variations, where a turn is said to be the other player's.

    Passes that were put in count. The first one is reported, of the game and of its variations: one cause makes
    all of them wrong.

    Args:
        entry: the game, as `complete_entry` leaves it.
        said: whose turn a node is said to be, and where, by the identity of the node.
        finding: makes a finding of a code, a message, such a place, and a ply.
    """
    reported: set[str] = set()
    for node, turn, ply, where in _wrong_sides(entry.record.line, entry.record.start.to_move, said, 0, ""):
        if where in reported:
            continue
        reported.add(where)
        if not where:  # what comes after it is not judged
            entry.findings = [found for found in entry.findings if found.ply is None or found.ply < ply]
        message = f"{node.move}: it is {turn}'s turn{where}"
        entry.findings.append(finding(Code.SYNTAX, message, said[id(node)][1], ply))


def check_sides_of_all(
    entry: Entry,
    sides: bytes,
    places: Callable[[], Iterable[int]],
    finding: Callable[[Code, str, int, int], Finding],
) -> None:
    """Do the same in a game without variations, each of whose turns as written says whose it is.

    Args:
        entry: the game, as `complete_entry` leaves it.
        sides: ``B`` or ``W`` for each turn.
        places: gives where these turns are.
        finding: makes a finding.
    """
    line, numbers = entry.record.line, entry.record.line.numbers
    turns = _BLACK_FIRST if entry.record.start.to_move is Color.BLACK else _WHITE_FIRST
    put_in = len(numbers) > len(sides)
    if put_in:
        at, kept = 0, []
        for run in numbers.split(bytes([PASS.index])):
            kept.append(turns[at : at + len(run)])
            at += len(run) + 1
        turns = b"".join(kept)
    if turns.startswith(sides):
        return
    written = [node for node in line.nodes if not (put_in and node.move.is_pass)]
    said = {id(node): (SIDES[chr(side)], at) for node, side, at in zip(written, sides, places(), strict=True)}
    check_sides(entry, said, finding)


def _wrong_sides(
    line: Line, turn: Color, said: Mapping[int, tuple[Color, int]], before: int, where: str
) -> Iterator[tuple[Node, Color, int, str]]:
    """Cut a line where a turn is said to be the other player's; yield this turn, whose it is, and its ply."""
    for ply, node in enumerate(line.nodes, before + 1):
        for variation in node.variations:
            yield from _wrong_sides(variation, turn, said, ply - 1, " (in a variation)")
        if id(node) in said and said[id(node)][0] is not turn:
            yield node, turn, ply, where
            del line.nodes[ply - before - 1 :]
            return
        turn = turn.opponent


def _counted(ply: int, moves: bytes) -> int:
    """Return the number among all turns of one that has the number ``ply`` among those written."""
    written = 0
    for number, move in enumerate(moves, 1):
        written += move != PASS.index
        if written == ply:
            return number
    return len(moves) + ply - written
