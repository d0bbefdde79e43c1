"""How hard it was to find a good move in a turn, for people of a rating; a sentence where that is worth one."""

from __future__ import annotations

import math
from typing import Final

from reversi.analysis.analysis import AnalyzedTurn
from reversi.engine.people import default_model
from reversi.rules import OTHELLO

_CLOSE: Final = 2  # discs that a good move loses at most
_HARD: Final = 0.3
_MOST: Final = 0.5
_FEW: Final = 0.8


def chance_to_find(turn: AnalyzedTurn, rating: float) -> float:
    """Return the chance that a person of a rating plays a good move in a turn: one that loses two discs at most.

    The best moves of the analysis are good, and a move that it finds worse is not; of the others a search of eight
    placements says it.

    Args:
        turn: a turn of the standard game.
        rating: the rating, as for `reversi.people.move_chances`.

    Raises:
        InputError: the position is not one of the standard game.
    """
    seen = default_model().see(turn.position, rating)
    least = max(seen.values) - _CLOSE
    return math.fsum(
        chance
        for move, chance, value in zip(seen.moves, seen.chances, seen.values, strict=True)
        if move in turn.best or (turn.loss <= _CLOSE if move == turn.move else value >= least)
    )


def people_sentence(turn: AnalyzedTurn, rating: float | None) -> str:
    """Return whether many people of a rating make the mistake of a turn, or find its good move; "" for neither."""
    if rating is None or turn.forced or turn.flips is not None or not turn.position.rules.same_play(OTHELLO):
        return ""
    wrong = turn.judgement is not None and turn.judgement.is_error
    if not (wrong or turn.is_best):
        return ""
    found = chance_to_find(turn, rating)
    rounded = min(max(round(100 * found), 1), 99)
    if wrong and found < _MOST:
        return f"Most players at your level go wrong here: {100 - rounded} of 100."
    if wrong and found > _FEW:
        return f"Few players at your level go wrong here: {100 - rounded} of 100."
    if not wrong and found < _HARD:
        return f"Hard to find: {rounded} of 100 players at your level play a good move here."
    return ""
