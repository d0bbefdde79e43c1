"""What positions cost: nodes predicted from empty squares and mobility, and seconds learned while solving.

The numbers come from `benchmarks/cluster.py fit`: 6,900 positions with 8 to 19 empty squares, made from those of
hard-20 by random moves. On the third that the fit had not seen, the logarithm to base 2 of the nodes is wrong by
1.04 (root mean square), without mobility by 1.11.
"""

from __future__ import annotations

from typing import Final

from reversi._core import Position
from reversi.rules import OTHELLO
from reversi.solver.batch import estimated_nodes
from reversi.solver.question import Question

__all__ = ["CostModel", "predicted_nodes"]

_BASE: Final = 0.72  # the logarithm of the mean, which is above the mean of the logarithm
_PER_EMPTY: Final = 0.888
_MOBILITY: Final = 0.78  # the exponent of the number of placements and one
_USUAL_MOBILITY: Final = 9.0
_WLD: Final = 0.4  # of the nodes of an exact value
_FIRST_RATE: Final = 8e6  # nodes per second before anything is measured
_MEMORY: Final = 0.9  # weight of what was learned before, for each task


def predicted_nodes(position: Position, question: Question | None = None) -> float:
    """Predict how many nodes solving a position takes, from its empty squares, mobility and rules.

    One prediction in three is wrong by more than a factor of two.
    """
    rough = estimated_nodes(position)
    mobility = 1.0 + position.legal_moves.placements.bit_count()
    if position.rules.same_play(OTHELLO):
        nodes: float = 2.0 ** (_BASE + _PER_EMPTY * position.empties) * mobility**_MOBILITY
    else:
        nodes = rough * (mobility / _USUAL_MOBILITY) ** _MOBILITY
    if question is not None:
        nodes *= _WLD if question.wld else estimated_nodes(position, question) / rough
    return nodes


class CostModel:
    """Predicts costs for one question, and learns how many predicted nodes a worker does in a second.

    >>> model = CostModel(Question())
    >>> model.learn(16e6, 1.0)
    >>> model.nodes_in(2.0) > 2 * 8e6
    True
    """

    def __init__(self, question: Question) -> None:
        self._question = question
        self._nodes, self._seconds = _FIRST_RATE, 1.0

    def predicted(self, position: Position) -> float:
        """Return the nodes that a position is predicted to take."""
        return predicted_nodes(position, self._question)

    def learn(self, nodes: float, seconds: float) -> None:
        """Learn that a task of so many predicted nodes took ``seconds`` of one worker's thread."""
        self._nodes = _MEMORY * self._nodes + nodes
        self._seconds = _MEMORY * self._seconds + seconds

    def nodes_in(self, seconds: float) -> float:
        """Return how many predicted nodes one thread does in ``seconds``."""
        return seconds * self._nodes / max(self._seconds, 1e-6)
