"""Positions with the scores of their moves (OBF) as records: a position is the start of a game not yet played.

The first move of the list becomes the first turn, the others become variations in its place, each with its score
as an exact value; the comment stands before them. A score without a move becomes the tag ``Score``. So whatever
reads records reads OBF, and :func:`write_obf` writes the same line again. The lines themselves are read and
written by :mod:`reversi.text.obf`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reversi._core import Move
from reversi.errors import RecordError, ReversiError
from reversi.records.counts import board_result
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.record import Evaluation, Line, Node, Record, Tags
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind, format_score
from reversi.text.obf import ObfEntry, format_obf, read_obf

__all__ = ["obf_score", "read_obf_records", "write_obf"]

_SCORE: Final = re.compile(r"[+-]?[0-9]{1,3}")


def read_obf_records(text: str, *, rules: Rules = OTHELLO) -> Iterator[Entry]:
    """The positions of a text as records, one at a time. A line that is none has a finding.

    Args:
        text: the whole text.
        rules: the rules to read it under.

    Raises:
        RecordError: there is no position in the text.
    """
    number = 0
    for number, (at, read) in enumerate(read_obf(text, rules), 1):
        if isinstance(read, ReversiError):
            yield Entry(number, at, Record(), [Finding(Code.BAD_TAG, str(read), None, at, 1)], ours=False)
        else:
            yield Entry(number, at, _record(read, at), ours=False)
    if not number:
        raise RecordError("there is no position in the text")


def _record(read: ObfEntry, at: int) -> Record:
    nodes = [
        Node(move, evaluation=Evaluation(score, Kind.EXACT), source_line=at) for move, score in read.annotated
    ]
    if nodes:
        nodes[0].variations = tuple(Line([node]) for node in nodes[1:])
    tags = Tags({"Score": format_score(read.score)} if read.score is not None else {})
    record = Record(tags, read.position, Line(nodes[:1], (read.comment,)))
    on_board = board_result(record)
    record.result = "*" if on_board is None else on_board.discs
    return record


def write_obf(record: Record) -> str:
    """The position that a record starts from, with the values of the moves in it, as a line without its end.

    Raises:
        RecordError: the record is a game, or has values that are no whole scores of its board.
    """
    nodes = [*record.line.nodes, *(node for first in record.line.nodes for node in _first_turns(first))]
    longer = len(record.line.nodes) > 1 or any(
        len(line.nodes) != 1 for node in record.line.nodes[:1] for line in node.variations
    )
    if longer or any(node.evaluation is None for node in nodes):
        raise RecordError("a game; OBF holds positions with the values of the next moves")
    annotated: list[tuple[Move, int]] = []
    for node in nodes:
        value = node.evaluation.value if node.evaluation else 0.5
        if not isinstance(value, int) or abs(value) > record.rules.board.cells:
            raise RecordError(f"{node.move}: {value:g} is no whole score, as those of OBF are")
        if node.move in dict(annotated):
            raise RecordError(f"{node.move} is listed twice, which OBF does not allow")
        annotated.append((node.move, value))
    score = obf_score(record)
    return format_obf(record.start, annotated, score, " ".join(record.line.comments))


def _first_turns(node: Node) -> Iterator[Node]:
    for line in node.variations:
        yield from line.nodes[:1]


def obf_score(record: Record) -> int | None:
    """The score without a move that a record's line of OBF has: where it has no turns, the tag ``Score``."""
    text = record.tags.get("Score", "")
    if record.line.nodes or not _SCORE.fullmatch(text) or abs(int(text)) > record.rules.board.cells:
        return None
    return int(text)
