"""What positions cost: the nodes of a solution, estimated from empty squares, mobility and rules."""

from __future__ import annotations

import math
from typing import Final

from reversi._core import Position
from reversi.rules import OTHELLO, Rules
from reversi.solver.question import Question
from reversi.solver.table import SEARCH_HASH_MB

FIRST_RATE: Final = 20e6
"""Estimated nodes that a thread of a cluster does in a second, before it is measured."""

# `benchmarks/cluster.py fit`: 6,900 positions with 8 to 19 empty squares, made from those of hard-20 by random
# moves. On the third that the fit had not seen, the logarithm to base 2 of the nodes is wrong by 1.04 (root
# mean square), without mobility by 1.11.
_BASE: Final = 0.72  # the logarithm of the mean, which is above the mean of the logarithm
_PER_EMPTY: Final = 0.888
_MOBILITY: Final = 0.78  # the exponent of the number of placements and one
_USUAL_MOBILITY: Final = 9.0
PREPARED: Final = 0.25
"""The share of the nodes that is left for a proof where the table has the searches of the moves before it."""
_WLD: Final = 0.4  # of the nodes of an exact value
_TABLE_BYTES: Final = 16  # for each node; with a sixth of that hard-20 takes as many nodes


def estimated_nodes(position: Position, question: Question | None = None) -> float:
    """Estimate how many nodes solving a position takes, from its empty squares, mobility and rules.

    One estimate in three is wrong by more than a factor of two. Without mandatory capture the tree grows faster
    with every empty square; a skip adds a move to every position.
    """
    mobility = 1.0 + position.legal_moves.placements.bit_count()
    nodes = usual_nodes(position.rules, position.empties) * math.pow(mobility / _USUAL_MOBILITY, _MOBILITY)
    if question is None:
        return nodes
    if question.all_moves:
        nodes *= 4
    elif question.multi is not None:
        nodes *= min(4, math.sqrt(question.multi))
    return nodes * _WLD if question.wld else nodes


def usual_nodes(rules: Rules, empties: int) -> float:
    """Estimate how many nodes solving a position of usual mobility with this many empty squares takes."""
    if rules.same_play(OTHELLO):
        return math.pow(2.0, _BASE + _PER_EMPTY * empties) * math.pow(_USUAL_MOBILITY, _MOBILITY)
    if rules.optional_skip:
        empties += 4 if rules.mandatory_capture else 2
    if rules.mandatory_capture:
        return 10e6 * math.pow(2.2, empties - 20)
    return 2e6 * math.pow(3.8, empties - 14)


def useful_hash_mb(nodes: float) -> int:
    """Return the size of a table in MB (2**20 bytes) beyond which a search of ``nodes`` nodes gains nothing.

    A system gives memory page by page, so the first use of a large table takes longer than an easy position.
    """
    wanted = max(1.0, min(nodes * _TABLE_BYTES / 2**20, 2.0**40))
    return max(SEARCH_HASH_MB, 1 << math.ceil(math.log2(wanted)))
