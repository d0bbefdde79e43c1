"""Analyses as annotated records, and back.

In an annotated record every turn has the value of its move (``[%eval …]``), the depth of a heuristic value
(``depth 16``), the comment ``book`` for a move of the opening book, and its sign as a numeric glyph. Variations
whose comment is ``best`` hold what would have been better: the best line first, then the other best moves. The tag
``Analysis`` keeps the level, from how many empty squares values are exact, and which books marked its moves.
Reading such a record gives the same analysis.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position, Square
from reversi.analysis.analysis import ANALYSIS_TAG, Analysis, AnalyzedTurn, known_tags, search_text
from reversi.analysis.judgement import Judgement
from reversi.arguments import check_type
from reversi.engine.levels import NAMED_LEVELS
from reversi.errors import RecordError
from reversi.records.notes import RecordedScore
from reversi.records.record import Line, Node, Record, Tags
from reversi.records.replay import hand_flips, positions
from reversi.score import AnyScore, Kind, MoveValue, OneScore, Score

_BEST: Final = "best"
_BOOK: Final = "book"
_DEPTH = re.compile(r"depth ([0-9]{1,2})")
_SETTINGS = re.compile(
    rf"(?:level ({'|'.join(NAMED_LEVELS)}|[0-9]{{1,2}})|([0-9.e-]{{1,12}}) s per position),"
    r" exact from ([0-9]{1,2})(?:, book (.+))?"
)
_JUDGEMENTS: Final = {judgement.nag: judgement for judgement in Judgement}


def annotated(record: Record, analysis: Analysis) -> Record:
    """Return a record with an analysis of it: values, signs, best lines.

    Values, signs (``$1`` to ``$6``) and best lines that the record has already are replaced; comments, times and
    other variations stay.

    Args:
        record: the record.
        analysis: its analysis.

    Raises:
        RecordError: the analysis is of another game.
    """
    check_type("record", record, Record)
    check_type("analysis", analysis, Analysis)
    if analysis.start != record.start or analysis.moves != record.moves:
        raise RecordError("the analysis is of another game")
    search = search_text(analysis.level, analysis.time_s)
    tags = Tags(record.tags.pairs)
    tags[ANALYSIS_TAG] = f"{search}, exact from {analysis.exact_from}{analysis.book and f', book {analysis.book}'}"
    analyzed = {turn.ply: turn for turn in analysis.turns}
    nodes = []
    for ply, node in enumerate(record.line.nodes, 1):
        turn = analyzed.get(ply)
        last = ply == len(record.line.nodes)
        nodes.append(_without(node) if turn is None else _annotated_node(_without(node), turn, last=last))
    return Record(tags, record.start, Line(nodes, record.line.comments), record.result)


def _without(node: Node) -> Node:
    return replace(
        node,
        comments=tuple(comment for comment in node.comments if comment != _BOOK and not _DEPTH.fullmatch(comment)),
        nags=tuple(nag for nag in node.nags if not 1 <= nag <= 6),
        evaluation=None,
        variations=tuple(line for line in node.variations if line.comments[:1] != (_BEST,)),
    )


def _annotated_node(node: Node, turn: AnalyzedTurn, *, last: bool) -> Node:
    lines = []
    if turn.pv[:1] != (turn.move,) or ((last or turn.flips is not None) and len(turn.pv) > 1):
        lines.append(_variation(turn.pv, turn.best_score))
    lines += [_variation((move,), turn.best_score) for move in turn.best if move not in (turn.move, turn.pv[0])]
    if not lines and (turn.best_score.kind, turn.best_score.depth) != (turn.score.kind, turn.score.depth):
        lines.append(_variation((turn.move,), turn.best_score))  # as a best move it is proved less
    return replace(
        node,
        comments=(*_depth(turn.score), *((_BOOK,) if turn.book else ()), *node.comments),
        nags=(*(() if turn.judgement is None else (turn.judgement.nag,)), *node.nags),
        evaluation=RecordedScore.of(turn.score),
        variations=(*lines, *node.variations),
    )


def _depth(score: AnyScore) -> tuple[str, ...]:
    return (f"depth {score.depth}",) if score.kind is Kind.HEURISTIC else ()


def _variation(moves: tuple[Move, ...], score: Score | MoveValue) -> Line:
    first = Node(moves[0], comments=_depth(score), evaluation=RecordedScore.of(score))
    return Line([first, *map(Node, moves[1:])], (_BEST,))


def analysis_from_record(record: Record) -> Analysis:
    """Return the analysis that an annotated record holds.

    The numbers of nodes and the times of the searches are not in a record; they are 0.

    Raises:
        RecordError: the record does not have this analysis, or a part of it is missing.
        IllegalMoveError: a move is not allowed; the message names the ply.
    """
    check_type("record", record, Record)
    match = _SETTINGS.fullmatch(record.tags.get(ANALYSIS_TAG, ""))
    if match is None:
        raise RecordError(f"the record has no analysis: its tag {ANALYSIS_TAG} is missing or malformed")
    boards = list(positions(record))
    flips = hand_flips(record)
    turns: list[AnalyzedTurn] = []
    after: AnalyzedTurn | None = None
    for ply in range(len(record.line.nodes), 0, -1):
        node, position = record.line.nodes[ply - 1], boards[ply - 1]
        if node.evaluation is None:
            break
        after = _turn(ply, position, node, after if ply not in flips else None, flips.get(ply))
        turns.append(after)
    level, seconds, exact_from, book = match.groups()
    return Analysis(
        record.start,
        record.moves,
        tuple(reversed(turns)),
        None if level is None else int(level) if level.isdecimal() else level,
        int(exact_from),
        None if seconds is None else float(seconds),
        known_tags(record),
        record.result,
        flips,
        book or "",
    )


def _turn(
    ply: int, position: Position, node: Node, after: AnalyzedTurn | None, flips: tuple[Square, ...] | None
) -> AnalyzedTurn:
    score = _score(MoveValue, node, position)
    lines = [line for line in node.variations if line.comments[:1] == (_BEST,) and line.nodes]
    own = lines[0].nodes[0] if lines else node
    best_score = _score(Score, own, position)
    pv = lines[0].moves if lines else ()
    best = {line.nodes[0].move for line in lines}
    if score.value == best_score.value:
        best.add(node.move)
        if len(pv) < 2 or pv[0] != node.move:  # the line that was played continues with the next turn
            pv = (node.move, *(() if after is None else after.pv))
    judgement = next((_JUDGEMENTS[nag] for nag in node.nags if nag in _JUDGEMENTS), None)
    order = tuple(sorted(best))
    marked = _BOOK in node.comments
    return AnalyzedTurn(ply, position, node.move, score, order, best_score, pv, judgement, flips, marked)


def _score(one: type[OneScore], node: Node, position: Position) -> OneScore:
    value = node.evaluation
    if value is None:
        raise RecordError(f"the analysis has no value of {node.move}")
    depth = position.empties
    if value.kind is Kind.HEURISTIC:
        written = next((match for match in map(_DEPTH.fullmatch, node.comments) if match), None)
        depth = 0 if written is None else int(written[1])
    view, cells = position.to_move, position.rules.board.cells
    return one.stated(round(value.value), value.kind, view, cells, depth=depth, confidence=value.confidence)
