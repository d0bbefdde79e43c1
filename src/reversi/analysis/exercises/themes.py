"""What an exercise is about: the theme of the move that is to be found."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

from reversi._core import Position
from reversi.engine.explaining import Feature, explain
from reversi.score import Kind
from reversi.solver.solution import MoveScore

_LAST_MOVES: Final = 6  # empty squares


class ExerciseTheme(enum.Enum):
    """What an exercise is about. Of several themes a position has the first one.

    Attributes:
        WIPE_OUT: one move alone leaves the opponent without a disc in the end.
        DRAW: one move alone draws, and every other move loses.
        SACRIFICE: the best move lets the opponent take a corner.
        LAST_MOVES: there are six empty squares at most.
        CORNER: what speaks most for the best move is a corner that it takes or denies.
        MOBILITY: what speaks most for it is the moves that both sides have left.
        PARITY: what speaks most for it is whose turn it is where the last squares are filled.
        OTHER: anything else, as stable discs and edges.
    """

    WIPE_OUT = "wipe-out"
    DRAW = "draw"
    SACRIFICE = "sacrifice"
    LAST_MOVES = "last-moves"
    CORNER = "corner"
    MOBILITY = "mobility"
    PARITY = "parity"
    OTHER = "other"

    def __str__(self) -> str:
        return self.value


_OF: Final = {
    Feature.CORNER: ExerciseTheme.CORNER,
    Feature.DENIES_CORNER: ExerciseTheme.CORNER,
    Feature.MOBILITY: ExerciseTheme.MOBILITY,
    Feature.OWN_MOBILITY: ExerciseTheme.MOBILITY,
    Feature.FRONTIER: ExerciseTheme.MOBILITY,
    Feature.PARITY: ExerciseTheme.PARITY,
}
_EVERY: Final = len(Feature) + 4  # remarks, some of them about each of the corners


def theme_of(position: Position, moves: Sequence[MoveScore]) -> ExerciseTheme:
    """Return the theme of a position.

    Args:
        position: the position.
        moves: its legal moves with their scores and lines, best first.
    """
    best = moves[0]
    if best.score.kind is Kind.EXACT and is_only_move(position, moves):
        if best.score.value == position.rules.board.cells:
            return ExerciseTheme.WIPE_OUT
        if best.score.value == 0:
            return ExerciseTheme.DRAW
    remarks = explain(position, best.move, _EVERY, line=best.pv[1:])
    if any(remark.feature is Feature.GIVES_CORNER for remark in remarks):
        return ExerciseTheme.SACRIFICE
    if position.empties <= _LAST_MOVES:
        return ExerciseTheme.LAST_MOVES
    return next(
        (_OF.get(remark.feature, ExerciseTheme.OTHER) for remark in remarks if remark.is_good), ExerciseTheme.OTHER
    )


def is_only_move(position: Position, moves: Sequence[MoveScore]) -> bool:
    """Return whether one move alone keeps the result: a draw, a win, or a win without a disc of the opponent.

    Args:
        position: the position.
        moves: its legal moves with their scores, best first.
    """
    cells = position.rules.board.cells
    best, *others = (
        (value > 0) - (value < 0) + (value == cells) for value in (each.score.value for each in moves)
    )
    return best >= 0 and all(other < best for other in others)
