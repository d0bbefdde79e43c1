"""How long tasks take: estimated nodes, and nodes per second learned while solving."""

from __future__ import annotations

from typing import Final

from reversi._core import Position
from reversi.solver.costs import estimated_nodes
from reversi.solver.question import Question

__all__ = ["CostModel"]

_FIRST_RATE: Final = 20e6  # nodes per second before anything is measured
_MEMORY: Final = 0.9  # weight of what was learned before, for each task


class CostModel:
    """Estimates costs for one question, and learns how many of the estimated nodes a worker does in a second.

    >>> model = CostModel(Question())
    >>> model.learn(160e6, 1.0)
    >>> model.nodes_in(2.0) > 2 * 80e6
    True
    """

    def __init__(self, question: Question) -> None:
        self._question = question
        self._nodes, self._seconds = _FIRST_RATE, 1.0

    def predicted(self, position: Position) -> float:
        """Return the nodes that a position is estimated to take."""
        return estimated_nodes(position, self._question)

    def learn(self, nodes: float, seconds: float) -> None:
        """Learn from a task of ``nodes`` estimated nodes that took ``seconds`` of one worker's thread."""
        self._nodes = _MEMORY * self._nodes + nodes
        self._seconds = _MEMORY * self._seconds + seconds

    def nodes_in(self, seconds: float) -> float:
        """Return how many estimated nodes one thread does in ``seconds``."""
        return seconds * self._nodes / max(self._seconds, 1e-6)
