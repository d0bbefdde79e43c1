"""The adaptive level, ``auto``: after a win the next game is one rung harder, after a loss one easier.

From the third win or loss in a row on it is two rungs. Before a first game on it a person stands at the best rung
beaten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from reversi.engine.levels import BEGINNER_LEVELS

AUTO_RUNGS: Final[tuple[int | str, ...]] = (*BEGINNER_LEVELS, 3, 4, 5, 6, 7, 10, 13, 16, 20, 25, 30)
"""The levels that the adaptive level uses, the easiest first."""
_IN_A_ROW: Final = 3
"""Wins or losses in a row from which on a game leads two rungs on."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands on the adaptive level.

    Attributes:
        level: the level of the next game.
        row: wins in a row up to now, or losses as a number below zero.
    """

    level: int | str = AUTO_RUNGS[0]
    row: int = 0

    def after(self, result: str) -> Standing:
        """Return the standing after a game."""
        if result == "drawn":
            return replace(self, row=0)
        row = max(self.row, 0) + 1 if result == "won" else min(self.row, 0) - 1
        steps = 2 if abs(row) >= _IN_A_ROW else 1
        at = AUTO_RUNGS.index(self.level) + (steps if row > 0 else -steps)
        return Standing(AUTO_RUNGS[min(max(at, 0), len(AUTO_RUNGS) - 1)], row)
