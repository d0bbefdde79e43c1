"""Positions with the scores of their moves (OBF) as records: a position is the start of a game not yet played.

The first move of the list becomes the first turn, the others become variations in its place, each with its score
as an exact value; the comment comes before them. A score without a move becomes the tag ``Score``. Thus whatever
reads records reads OBF, and `format_obf_record` writes the same line again. `reversi.text.obf` reads and writes
the lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import reversi._regex as re
from reversi._core import Move
from reversi.errors import RecordError, ReversiError
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import TextFormat
from reversi.records.holding import any_node, capabilities, has_comments
from reversi.records.notes import RecordedScore
from reversi.records.record import Line, Node, Record, Tags
from reversi.records.replay import board_result
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind, format_score
from reversi.text.kinds import TextKind, text_kind
from reversi.text.obf import ObfEntry, format_obf, read_obf

_SCORE: Final = re.compile(r"[+-]?[0-9]{1,3}")


def read_obf_records(text: str, *, rules: Rules = OTHELLO) -> Iterator[Entry]:
    """Read the positions of a text as records, one at a time. A malformed line has a finding."""
    number = 0
    for number, (at, read) in enumerate(read_obf(text, rules), 1):
        if isinstance(read, ReversiError):
            yield Entry(number, at, Record(), [Finding(Code.BAD_TAG, str(read), None, at, 1)], ours=False)
        else:
            yield Entry(number, at, _record(read, at), ours=False)
    if not number:
        raise RecordError("the text contains no positions")


def _record(read: ObfEntry, at: int) -> Record:
    nodes = [
        Node(move, evaluation=RecordedScore(score, Kind.EXACT), source_line=at) for move, score in read.annotated
    ]
    if nodes:
        nodes[0].variations = tuple(Line([node]) for node in nodes[1:])
    tags = Tags({"Score": format_score(read.score)} if read.score is not None else {})
    record = Record(tags, read.position, Line(nodes[:1], (read.comment,)))
    on_board = board_result(record)
    record.result = on_board.discs if on_board is not None else "*"
    return record


def format_obf_record(record: Record) -> str:
    """Return the position that a record starts from, with the values of its moves, as a line without its end."""
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
            raise RecordError(f"{node.move}: {value:g} is not a whole score; OBF holds only those")
        if node.move in dict(annotated):
            raise RecordError(f"{node.move} is listed twice; OBF lists a move once")
        annotated.append((node.move, value))
    comment = " ".join(record.line.comments)
    return format_obf(ObfEntry(record.start, tuple(annotated), obf_score(record), comment))


def _first_turns(node: Node) -> Iterator[Node]:
    for line in node.variations:
        yield from line.nodes[:1]


def obf_score(record: Record) -> int | None:
    """Return the score without a move that a record has in OBF: the tag ``Score`` where it has no turns."""
    text = record.tags.get("Score", "")
    if record.line.nodes or not _SCORE.fullmatch(text) or abs(int(text)) > record.rules.board.cells:
        return None
    return int(text)


def _loses_result(record: Record) -> bool:
    on_board = board_result(record)
    return record.result != ("*" if on_board is None else on_board.discs)


def _loses_comments(record: Record) -> bool:
    comments = record.line.comments
    joined = " ".join(" ".join(comments).split())
    return comments != ((joined,) if joined else ()) or has_comments(Line(record.line.nodes))


def _keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    if name != "Score" or times > 1:
        return False
    score = obf_score(record)
    return score is not None and value == format_score(score)


FORMAT: Final = TextFormat(
    name="obf",
    title="OBF",
    suffixes=(".obf",),
    holds=capabilities(
        "starts",
        "evaluations",
        "variations",
        partly={
            "results": _loses_result,
            "comments": _loses_comments,
            "kinds of evaluations": any_node(
                lambda node: node.evaluation is not None and node.evaluation.kind is not Kind.EXACT
            ),
        },
        keeps_tag=_keeps_tag,
    ),
    recognize=lambda text: text_kind(text) is TextKind.OBF,
    read=lambda text, rules: read_obf_records(text, rules=rules),
    write=lambda record, number: format_obf_record(record) + "\n",
)
