"""Searches with an evaluation of one's own: PUCT in batches, and full width.

They need the extra `numpy`: `pip install "reversi-engine[numpy]"`. Every rule set works. An evaluation is a
function of a `PositionArray`.

    >>> from reversi import Position
    >>> from reversi.puct import Puct
    >>> puct = Puct(lambda batch: batch.evaluate(), visits=400)
    >>> (found,) = puct.search(Position.parse("f5d6c3"))
    >>> found.visits, found.best.move in found.position.legal_moves
    (400, True)
"""

from __future__ import annotations

from reversi.learning.puct import Evaluator, FullWidth, MoveVisits, Puct, Searched, Valued, full_width

__all__ = ["Evaluator", "FullWidth", "MoveVisits", "Puct", "Searched", "Valued", "full_width"]
