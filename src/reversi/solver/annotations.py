"""Comparing solutions with annotated scores, as problem suites give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reversi._core import Move
from reversi.score import Kind, format_score, value_text
from reversi.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a solution compares with the annotated scores of its position.

    Attributes:
        expected: the best annotated score, ``None`` when nothing is annotated.
        ok: ``None`` when nothing is annotated, or when the solution is a bound that does not contradict it.
        reason: what differs, in words; empty unless ``ok`` is false.
    """

    expected: int | None
    ok: bool | None
    reason: str = ""


def check_solution(
    solution: Solution,
    annotated: Sequence[tuple[Move, int]],
    stated: int | None = None,
    *,
    all_moves: bool = False,
) -> Comparison:
    """Compare a solution with the annotated scores of its position.

    The expected value is the best annotated score (or ``stated``, a score given without a move). With
    ``all_moves`` the annotated moves must be the legal moves, and every score must match; without it, those of the
    moves that have been scored. Of a solution that says only who wins, no more than that is compared.

    Args:
        solution: what was found.
        annotated: moves with their scores from the mover's view.
        stated: a score of the position itself.
        all_moves: compare every move.
    """
    expected = max((score for _, score in annotated), default=stated)
    if expected is None:
        return Comparison(None, None)
    score = solution.score
    if not score.lower <= expected <= score.upper:
        return Comparison(expected, False, f"expected {format_score(expected)}, found {value_text(score)}")
    annotations = dict(annotated)
    reason = _different_move(solution, annotations, all_moves) if annotations else ""
    if reason:
        return Comparison(expected, False, reason)
    wld = score.kind is Kind.WLD
    if not wld and not solution.is_exact:
        return Comparison(expected, None)
    for move in solution.best[:1] if annotations else ():
        if annotations.get(move) != expected and not (wld and _same_outcome(annotations.get(move), expected)):
            given = format_score(annotations[move]) if move in annotations else "no score"
            return Comparison(
                expected, False, f"{move} is best, annotated with {given}, not {format_score(expected)}"
            )
    return Comparison(expected, True)


def _same_outcome(score: int | None, other: int) -> bool:
    return score is not None and (score > 0) == (other > 0) and (score < 0) == (other < 0)


def _different_move(solution: Solution, annotations: dict[Move, int], all_moves: bool) -> str:
    if all_moves:
        legal = set(solution.position.legal_moves)
        missing, extra = sorted(legal - annotations.keys()), sorted(annotations.keys() - legal)
        if missing:
            return f"no score is annotated for {' '.join(map(str, missing))}"
        if extra:
            return f"a score is annotated for {' '.join(map(str, extra))}, which is not legal"
    for scored in solution.moves:
        value = annotations.get(scored.move)
        if value is not None and not scored.score.lower <= value <= scored.score.upper:
            return f"{scored.move}: expected {format_score(value)}, found {value_text(scored.score)}"
    return ""
