"""An analysis as JSON values, and back.

The fields of a game (`docs/analysis.md` lists them) are the same in ``reversi analyze --json``, in the file of
``--output`` and in the data of an HTML report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reversi._core import Move, Position, Square, State
from reversi.analysis.analysis import Analysis, AnalyzedTurn, SideSummary
from reversi.analysis.judgement import Judgement
from reversi.arguments import check_type
from reversi.errors import InputError, ReversiError
from reversi.game.hand_flips import play_with_flips
from reversi.rules import parse_rules
from reversi.score import Kind, Score
from reversi.text.boards import format_cells, parse_board

__all__ = ["AnalysisFormatError", "analysis_fields", "analysis_from_fields"]

_SIGNED = (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)


class AnalysisFormatError(InputError):
    """JSON that is not an analyzed game of ``reversi analyze``."""


def analysis_fields(analysis: Analysis, *, index: int = 1, file: str = "", game: int = 1) -> dict[str, object]:
    """Return an analysis as JSON values.

    Args:
        analysis: the analysis.
        index: the number of the game in the input, from 1.
        file: the file that the game comes from; empty for a pasted game.
        game: the number of the game in that file, from 1.
    """
    check_type("analysis", analysis, Analysis)
    start = analysis.start
    return {
        "index": index,
        "file": file or None,
        "game": game,
        "tags": dict(analysis.tags),
        "rules": str(analysis.rules),
        "board": format_cells(start),
        "to_move": start.to_move.symbol,
        "after_pass": start.state is State.AFTER_PASS,
        "result": analysis.result,
        "moves": [str(move) for move in analysis.moves],
        "flips": {str(ply): [str(square) for square in flips] for ply, flips in analysis.flips.items()},
        "level": analysis.level,
        "time_s": analysis.time_s,
        "exact_from": analysis.exact_from,
        "book": analysis.book,
        "complete": analysis.complete,
        "decided": analysis.decided,
        "turns": [_turn_fields(turn) for turn in analysis.turns],
        "sides": {color.symbol: side_fields(side) for color, side in analysis.sides.items()},
    }


def _turn_fields(turn: AnalyzedTurn) -> dict[str, object]:
    score, best = turn.score, turn.best_score
    judgement = turn.judgement
    return {
        "ply": turn.ply,
        "mover": turn.mover.symbol,
        "move": str(turn.move),
        "score": score.value,
        "kind": str(score.kind),
        "depth": score.depth,
        "confidence": score.confidence,
        "best": [str(move) for move in turn.best],
        "best_score": best.value,
        "best_kind": str(best.kind),
        "best_depth": best.depth,
        "best_confidence": best.confidence,
        "loss": turn.loss,
        "sign": None if judgement is None else judgement.sign,
        "judgement": None if judgement is None else str(judgement),
        "outcome": str(turn.outcome),
        "best_outcome": str(turn.best_outcome),
        "outcome_changed": turn.outcome_changed,
        "forced": turn.forced,
        "book": turn.book,
        "pv": [str(move) for move in turn.pv],
    }


def side_fields(side: SideSummary) -> dict[str, object]:
    return {
        "moves": side.moves,
        "loss": side.loss,
        "mean_loss": round(side.mean_loss, 2),
        "best_share": round(side.best_share, 3),
        "worst_ply": side.worst_ply,
        "outcome_changes": side.outcome_changes,
        "signs": {judgement.sign: side.signs.get(judgement, 0) for judgement in _SIGNED},
    }


def analysis_from_fields(fields: Mapping[str, Any]) -> Analysis:
    """Return the analysis that `analysis_fields` wrote.

    The numbers of nodes and the times of the searches are not in the JSON; they are 0.

    Raises:
        AnalysisFormatError: the fields are not those of an analyzed game.
    """
    check_type("fields", fields, Mapping)
    try:
        return _read(fields)
    except (KeyError, TypeError, ValueError, AttributeError, ReversiError) as error:
        raise AnalysisFormatError(f"not an analyzed game of reversi analyze ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _read(fields: Mapping[str, Any]) -> Analysis:
    rules = parse_rules(fields["rules"])
    start = parse_board(f"{fields['board']} {fields['to_move']}", rules)
    if fields["after_pass"]:
        start = start.with_state(State.AFTER_PASS)
    moves = tuple(Move.parse(text) for text in fields["moves"])
    flips = {int(ply): tuple(Square(square) for square in squares) for ply, squares in fields["flips"].items()}
    first = len(moves) - len(fields["turns"]) + 1
    if [turn["ply"] for turn in fields["turns"]] != list(range(first, len(moves) + 1)):
        raise ValueError("its turns are not the last ones of the game")
    turns: list[AnalyzedTurn] = []
    position = start
    for ply, move in enumerate(moves, 1):
        if ply >= first:
            turns.append(_read_turn(fields["turns"][ply - first], position, flips.get(ply)))
        position = play_with_flips(position, move, flips[ply]) if ply in flips else position.play(move)
    return Analysis(
        start,
        moves,
        tuple(turns),
        fields["level"],
        int(fields["exact_from"]),
        fields["time_s"],
        {str(name): str(value) for name, value in fields["tags"].items()},
        str(fields["result"]),
        flips,
        bool(fields.get("book", False)),
    )


def _read_turn(fields: Mapping[str, Any], position: Position, flips: tuple[Square, ...] | None) -> AnalyzedTurn:
    judgement = fields["judgement"]
    return AnalyzedTurn(
        int(fields["ply"]),
        position,
        Move.parse(fields["move"]),
        read_score(fields["score"], fields["kind"], fields["depth"], fields["confidence"], position),
        tuple(Move.parse(text) for text in fields["best"]),
        read_score(
            fields["best_score"], fields["best_kind"], fields["best_depth"], fields["best_confidence"], position
        ),
        tuple(Move.parse(text) for text in fields["pv"]),
        None if judgement is None else Judgement(judgement),
        flips,
        bool(fields.get("book", False)),
    )


def read_score(value: int, kind: str, depth: int, confidence: int | None, position: Position) -> Score:
    return Score.stated(
        int(value),
        Kind(kind),
        position.to_move,
        position.rules.board.cells,
        depth=int(depth),
        confidence=confidence,
    )
