"""What a report says of an analyzed turn and of the players, in words.

The analysis comes as ``reversi analyze --json`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import reversi._regex as re
from reversi._core import Move, Position
from reversi.color import Color
from reversi.engine.explaining import explain
from reversi.score import Kind, Score, format_score, score_text
from reversi.text.counting import counted

_SIGNS: Final = {"Inaccuracies": "?!", "Mistakes": "?", "Blunders": "??"}
_SQUARE: Final = re.compile("[a-h][1-8] ")
_COST: Final = "about 3 times the time and 50 kB a game"
_ALL_MOVES: Final = f"with their values and answers ({_COST})"
_NO_MOVES: Final = f"not in this file; reversi analyze --html --all-moves adds them ({_COST})"
_PLAYED_REASONS: Final = 3
_BETTER_REASONS: Final = 2
_OUTCOMES: Final = {"win": "a win", "draw": "a draw", "loss": "a loss"}


def value_words(turn: Mapping[str, Any], prefix: str, mover: Color) -> str:
    """Return the value of the move played (no prefix) or of the best one (``best_``): ``-4 exact, White wins``."""
    value, kind = turn.get(f"{prefix}score"), turn.get(f"{prefix}kind")
    if value is None or kind is None:
        return ""
    score_kind = Kind(kind)
    lower, upper = turn.get(f"{prefix}lower"), turn.get(f"{prefix}upper")
    confidence = turn.get(f"{prefix}confidence")
    score = Score(
        value,
        score_kind,
        value if lower is None else lower,
        value if upper is None else upper,
        mover,
        confidence=confidence,
    )
    if score_kind is Kind.SELECTIVE and confidence is None:
        return f"{format_score(value)} selective, {score.ahead()}"
    return score_text(score)


def analyzed_words(turn: Mapping[str, Any], before: Position) -> dict[str, object]:
    return {
        "verdict": _verdict(turn),
        "value": value_words(turn, "", before.to_move),
        "loss": turn.get("loss") or 0,
    }


def _verdict(turn: Mapping[str, Any]) -> str:
    if turn.get("forced"):
        return "The only legal move." if turn["move"] != "--" else "A forced pass."
    loss, judgement = turn.get("loss") or 0, turn.get("judgement")
    discs = counted(loss, "disc")
    parts = [str(judgement)] if judgement else []
    if parts and loss:
        parts.append(f"loses {discs}")
    elif not parts:  # a loss without a sign may be an error of the search
        parts.append(f"{discs} less than the best move" if loss else "a best move")
    if turn.get("outcome_changed"):
        before, after = turn.get("best_outcome"), turn.get("outcome")
        if before in _OUTCOMES and after in _OUTCOMES:
            parts.append(f"{_OUTCOMES[before]} becomes {_OUTCOMES[after]}")
    if turn.get("book"):
        parts.append("in the opening book")
    text = ", ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def reasons(turn: Mapping[str, Any], before: Position, line: Iterable[str]) -> list[list[str]]:
    """Return the reasons for (``+``) and against (``-``) the move played, and the best one where it is another.

    Args:
        turn: the turn.
        before: the position before it.
        line: the moves expected after it.
    """
    move = Move.parse(turn["move"])
    best = [Move.parse(text) for text in turn.get("best") or ()]
    pv = [Move.parse(text) for text in turn.get("pv") or ()]
    first = pv[0] if pv and pv[0] in best else best[0] if best else None
    better = None if move in best else first
    after_better = pv[1:] if pv[:1] == [better] else ()
    remarks = [
        (move, remark)
        for remark in explain(
            before,
            move,
            _PLAYED_REASONS,
            better=better,
            line=map(Move.parse, line),
            better_line=after_better,
        )
    ]
    if better is not None:
        remarks += [(better, remark) for remark in explain(before, better, _BETTER_REASONS, line=after_better)]
    return [["+" if remark.is_good else "-", _about(of, remark.text)] for of, remark in remarks]


def _about(move: Move, text: str) -> str:
    """Return a reason that names its move; some begin with a square themselves."""
    return text if _SQUARE.match(text) else f"{move} {text}"


def decisive_ply(analysis: Mapping[str, Any]) -> int:
    """Return the ply that decided a game: that of the move that gave the result away, else of the worst mistake; 0
    without one.
    """
    turns = analysis["turns"]
    decided = analysis.get("decided")
    if any(turn["ply"] == decided and turn.get("outcome_changed") for turn in turns):
        return int(decided or 0)
    mistakes = [turn for turn in turns if turn.get("sign") in _SIGNS.values()]
    worst = max(
        mistakes, key=lambda turn: (bool(turn.get("outcome_changed")), turn.get("loss") or 0), default=None
    )
    return 0 if worst is None else int(worst["ply"])


def analysis_words(analysis: Mapping[str, Any]) -> list[list[str]]:
    """Return how the game was analyzed, and when it was decided: pairs of a heading and a text."""
    depth = [f"level {analysis['level']}"] if analysis.get("level") is not None else []
    if analysis.get("exact_from") is not None:
        depth.append(f"exact from {analysis['exact_from']} empty squares")
    if analysis.get("complete") is False:
        depth.append("interrupted before the start of the game")
    facts = [["Analysis", ", ".join(depth)]] if depth else []
    facts.append(["All moves", _ALL_MOVES if analysis.get("all_moves") else _NO_MOVES])
    if (ply := analysis.get("decided")) is not None:
        move = next((turn["move"] for turn in analysis["turns"] if turn["ply"] == ply), "")
        facts.append(["Decided", f"at ply {ply}: {move}" if ply else "from the start"])
    return facts


def sides_table(analysis: Mapping[str, Any]) -> list[list[str]]:
    """Return the analysis of each player as a table: rows with a heading, Black's entry and White's."""
    black, white = (analysis["sides"].get(color.symbol) or {} for color in (Color.BLACK, Color.WHITE))
    rows = [
        ("Moves judged", _whole(black, "moves"), _whole(white, "moves")),
        ("Mean loss in discs", _decimal(black, "mean_loss"), _decimal(white, "mean_loss")),
        ("Best moves", _percent(black), _percent(white)),
        ("Worst move", _worst(black, analysis), _worst(white, analysis)),
    ]
    rows += [(f"{name} {sign}", _signs(black, sign), _signs(white, sign)) for name, sign in _SIGNS.items()]
    return [list(row) for row in rows]


def _whole(side: Mapping[str, Any], name: str) -> str:
    return str(side.get(name, "–"))


def _decimal(side: Mapping[str, Any], name: str) -> str:
    return f"{side[name]:.2f}" if side.get("moves") else "–"


def _percent(side: Mapping[str, Any]) -> str:
    return f"{100 * side['best_share']:.0f}%" if side.get("moves") else "–"


def _signs(side: Mapping[str, Any], sign: str) -> str:
    return str((side.get("signs") or {}).get(sign, 0))


def _worst(side: Mapping[str, Any], analysis: Mapping[str, Any]) -> str:
    ply = side.get("worst_ply")
    turn = next((turn for turn in analysis["turns"] if turn["ply"] == ply), None)
    return "–" if turn is None else f"{turn['move']} (ply {ply}, {-turn['loss']:+d})"
