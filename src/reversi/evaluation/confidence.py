"""How sure a selective search is: how cautiously it prunes, and how often its value is the exact one, in percent.

A selective search leaves out what a shallow search finds hopeless by a margin; its *caution*, from 0 to 5, says
how wide the margin is. The deeper the search, the more such verdicts its value rests on: the same caution is right
less often. The shares come from ``python -m training confidence`` (positions of real games that took no part in
the training, 16 to 24 empty squares; see training/README.md), put on logistic curves.
"""

from __future__ import annotations

import math
from typing import Final

from reversi._core import EXACT_LEVEL
from reversi.arguments import check_count

# for each caution: the logarithm of the odds at depth 19 that the value is right, and its slope per placement
_CURVES: Final = ((1.10, -0.28), (1.39, -0.23), (1.98, -0.20), (2.45, -0.21), (2.96, -0.22), (3.50, -0.22))
_MIDDLE: Final = 19

CAUTIONS: Final = len(_CURVES)
"""How many cautions there are, from 0; at the next one nothing is pruned."""

UNPRUNED: Final = EXACT_LEVEL - 1
"""The caution of a search that prunes nothing and yet need not reach the end of the game."""


def confidence_of(caution: int, depth: int) -> int:
    """Return how often a search of this caution and depth finds the unpruned value, in percent from 1 to 99.

    An unpruned search has 100.
    """
    if caution >= CAUTIONS:
        return 100
    middle, slope = _CURVES[caution]
    share = 1 / (1 + math.exp(-(middle + slope * (depth - _MIDDLE))))
    return max(1, min(99, round(100 * share)))


def caution_for(confidence: int, depth: int) -> int:
    """Return the least caution that is right this often at this depth; `UNPRUNED` when none is.

    Raises:
        InputError: not a percentage from 1 to 100.
    """
    check_count("confidence", confidence, 100, unit="percent")
    fitting = (caution for caution in range(CAUTIONS) if confidence_of(caution, depth) >= confidence)
    return next(fitting, UNPRUNED)
