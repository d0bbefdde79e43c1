"""Time management: the time for a move, from the reading of the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reversi.game.clocks import ClockReading

__all__ = ["RESERVE", "Allowance", "allowance"]

RESERVE: Final = 0.25
"""Seconds in reserve between the end of the search and the press of the clock."""
_SOLVED_FROM: Final = 20
"""With this many empty squares or fewer solving takes next to no time."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How long a move may take.

    Attributes:
        soft_s: seconds after which no deeper search is begun.
        hard_s: seconds after which the search is stopped.
    """

    soft_s: float
    hard_s: float


def allowance(reading: ClockReading, empties: int) -> Allowance:
    """Return the time for one move.

    The main time is spread over the moves until the end can be solved, and a few more; the increment of this move
    is spent as well. A byo-yomi period is used up as far as is safe: what is left of it is lost.

    Args:
        reading: what the mover's clock shows.
        empties: empty squares of the position.
    """
    moves = max(empties - _SOLVED_FROM, 0) / 2 + 4
    spare = max(reading.main_s - RESERVE, 0.0)
    per_move = spare / moves + 0.8 * reading.increment_s
    soft = min(per_move, spare)
    hard = min(3.0 * per_move, 0.3 * spare + 0.5 * reading.increment_s, spare)
    if reading.periods:
        # the last period is not overdrawn; main time flows into it
        period = max(reading.byo_yomi_s - RESERVE - 0.02 * reading.byo_yomi_s, 0.0)
        soft, hard = max(soft, 0.6 * period), max(hard, period)
    return Allowance(min(soft, hard), hard)
