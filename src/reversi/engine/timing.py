"""Time management: the time for a move, from the reading of the clock.

A player's moves are still to come at n, n - 2, n - 4, … empty squares. The plan gives each of them time in
proportion to its *worth*, but never more than it takes to solve the position:

    time(m) = min(solving(m), x · worth(m) + increment),  with x such that  Σ (time(m) − increment) = rest

``rest`` is the main time without the reserve, and the sum has no terms below zero: what an increment pays by
itself takes nothing from the rest. A move is worth more the nearer the end is, since there time turns a guess into
a nearly exact value. ``solving`` comes from the cost model of the solver (`reversi.solver.costs`) and the speed of
the engine's latest search. As soon as the rest may pay for solving the position, the rest is what it gets: the
moves after it cost little, and a proof that does not end in time leaves a table with which the next one does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from reversi._core import Position
from reversi.solver.costs import PREPARED, estimated_nodes, usual_nodes

if TYPE_CHECKING:
    from reversi.game.clocks import ClockReading

RESERVE: Final = 0.25
"""Seconds in reserve between the end of the search and the press of the clock."""
NODES_PER_S: Final = 10e6
"""The speed of a search that has not been measured yet."""
_EVEN_FROM: Final = 44  # with this many empty squares or more, all moves are worth the same
_MOST_WORTH_FROM: Final = 32  # from here on moves are worth the most
_MOST_WORTH: Final = 2.0
_USED: Final = 0.7  # of its soft limit a move uses on average, since the next step of its search would be too long
_SOLVED_WITH: Final = 0.7  # of the time that solving the position is expected to take


class Allowance(NamedTuple):
    """How long a move may take.

    Attributes:
        soft_s: seconds after which no deeper search shall end.
        hard_s: seconds after which the search is stopped.
    """

    soft_s: float
    hard_s: float


def allowance(reading: ClockReading, position: Position, nodes_per_s: float = NODES_PER_S) -> Allowance:
    """Return the time for one move; see the top of this module.

    The hard limit lets a search that began in time end, but leaves most of the rest to the other moves. A byo-yomi
    period is used up as far as is safe: what is left of it is lost.

    Args:
        reading: what the mover's clock shows.
        position: the position.
        nodes_per_s: the speed of the engine.
    """
    rest = max(reading.main_s - RESERVE, 0.0)
    solving = PREPARED * estimated_nodes(position) / nodes_per_s
    if _SOLVED_WITH * solving <= rest:
        soft, hard = rest, 0.8 * rest
    else:
        squares = range(position.empties, 0, -2)
        later = [PREPARED * usual_nodes(position.rules, empties) / nodes_per_s for empties in squares[1:]]
        costs = [max(seconds - reading.increment_s, 0.0) for seconds in (solving, *later)]
        worths = [_worth(empties) for empties in squares]
        soft = _level(rest, costs, worths) * worths[0] / _USED + reading.increment_s
        hard = min(2.5 * soft, 0.4 * rest + 0.5 * reading.increment_s)
    soft, hard = min(soft, rest), min(hard, rest)
    if reading.periods:
        # the last period is not overdrawn; main time flows into it
        period = max(reading.byo_yomi_s - RESERVE - 0.02 * reading.byo_yomi_s, 0.0)
        soft, hard = max(soft, 0.8 * period), max(hard, period)
    return Allowance(min(soft, hard), hard)


def _worth(empties: int) -> float:
    """The worth of a second at this many empty squares."""
    nearness = (_EVEN_FROM - empties) / (_EVEN_FROM - _MOST_WORTH_FROM)
    return 1.0 + (_MOST_WORTH - 1.0) * min(max(nearness, 0.0), 1.0)


def _level(total: float, costs: Sequence[float], worths: Sequence[float]) -> float:
    """Return x such that the sum of min(cost, x · worth) is the total; infinity where it pays for all costs."""
    worth = sum(worths)
    for cost, own in sorted(zip(costs, worths, strict=True), key=lambda pair: pair[0] / pair[1]):
        if cost / own * worth >= total:
            return total / worth
        total -= cost
        worth -= own
    return math.inf
