"""Two bots: players written in Python.

reversi play --white python:examples/bots.py:Mobility
reversi match python:examples/bots.py:Greedy python:examples/bots.py:Mobility --games 20
"""

from __future__ import annotations

from reversi import ClockReading, Move, Position

CORNERS = {"a1", "a8", "h1", "h8"}


class Greedy:
    """Flips as many discs as it can, which loses."""

    def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
        """Return the move that flips most discs."""
        return max(position.legal_moves, key=lambda move: len(position.flips(move)))


class Mobility:
    """Takes corners, and otherwise leaves the opponent few moves."""

    def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
        """Return the move with the best value."""

        def value(move: Move) -> tuple[bool, int]:
            return str(move) in CORNERS, -len(position.play(move).legal_moves)

        return max(position.legal_moves, key=value)
