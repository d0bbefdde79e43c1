"""The turning points of an analyzed game: the few moves that lost most, and what is worth a deeper look first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.color import Color

MOST: Final = 3
"""The turning points of a game at most: what a player remembers."""


def turning_points(
    analysis: Analysis, colors: Collection[Color] = tuple(Color), count: int = MOST
) -> tuple[AnalyzedTurn, ...]:
    """Return the mistakes that lost most, the worst one first.

    Args:
        analysis: the game, analyzed.
        colors: whose mistakes.
        count: how many at most.
    """
    mistakes = [turn for turn in analysis.mistakes if turn.mover in colors]
    return tuple(sorted(mistakes, key=lambda turn: -turn.loss)[:count])


def deepening_order(analysis: Analysis, colors: Collection[Color] = tuple(Color)) -> list[int]:
    """Return the plies of a game in the order in which a deeper analysis is worth most.

    The turning points come first, then the other turns of these colors, then those of the opponent, each by what
    they lost; of several that lost the same the earlier one.
    """
    first = {turn.ply for turn in turning_points(analysis, colors)}
    turns = sorted(
        analysis.turns, key=lambda turn: (turn.ply not in first, turn.mover not in colors, -turn.loss, turn.ply)
    )
    return [turn.ply for turn in turns]
