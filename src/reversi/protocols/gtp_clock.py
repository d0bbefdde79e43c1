"""The clock that GTP sets: a main time, then a number of moves ("stones") in each period."""

from __future__ import annotations

from dataclasses import dataclass

from reversi.engine.timing import RESERVE
from reversi.game.clocks import ClockReading


@dataclass(slots=True)
class GtpClock:
    """The clock of one player; the engine keeps it between ``time_left`` commands.

    Attributes:
        left: seconds left, of the main time or of the running period.
        stones: moves left in the running period, 0 in the main time.
        period: seconds of a period.
        moves: moves in a period, 0 for none.
    """

    left: float
    stones: int = 0
    period: float = 0.0
    moves: int = 0

    def reading(self) -> ClockReading:
        """Return what an engine plans with; the time of a period is divided among its moves."""
        if self.stones:
            return ClockReading(0.0, 0.0, _share(max(self.left, 0.0), self.stones), 1)
        if self.moves:
            return ClockReading(max(self.left, 0.0), 0.0, _share(self.period, self.moves), 1)
        return ClockReading(max(self.left, 0.0), 0.0)

    def spend(self, seconds: float) -> None:
        """Take off the time of one move."""
        self.left -= seconds
        if self.stones:
            self.stones -= 1
        elif self.left < 0 and self.moves:
            self.left += self.period
            self.stones = self.moves - 1
        else:
            return
        if not self.stones:
            self.left, self.stones = self.period, self.moves


def _share(seconds: float, moves: int) -> float:
    """The part of a period for one of its moves; the engine's reserve counts once for all of them."""
    return (seconds + (moves - 1) * RESERVE) / moves if seconds > 0 else 0.0
