"""One scale: how hard an exercise is, and the rating of the person who solves exercises.

An exercise is like an opponent: who has its rating solves it in half the cases, and 400 more mean odds ten times
as good. A person whose rating in the archive is 1500 finds the move of an exercise of 1500 in half the games
(`reversi.people`).
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from reversi.arguments import check_type

if TYPE_CHECKING:
    from reversi.analysis.exercises.progress import ExerciseProgress
    from reversi.games import PlayerRating

TYPICAL: Final = 1500
"""The rating of the people whose chances say how hard an exercise is."""
_PER_FACTOR: Final = 400
_LEAST: Final = 0.001  # of a chance
_BOUNDS: Final = (1100, 1250, 1400, 1550, 1700, 2000)
CLASSES: Final = range(1, len(_BOUNDS))
"""The classes of difficulty; 0 is trivial, and the number after the last one hopeless."""


def difficulty_of(chance: float) -> int:
    """Return the difficulty of what people of the typical rating find with a chance, 0 to 1."""
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return round(TYPICAL + _PER_FACTOR * math.log10((1 - chance) / chance))


def chance_of(difficulty: int) -> float:
    """Return the chance, 0 to 1, with which people of the typical rating find what has a difficulty."""
    return 1 / (1 + 10 ** ((difficulty - TYPICAL) / _PER_FACTOR))


def class_of(difficulty: int) -> int:
    """Return the class of a difficulty: one of `CLASSES`, a number below or one above them."""
    return bisect(_BOUNDS, difficulty)


def class_text(number: int) -> str:
    """Return a class in words."""
    last = CLASSES[-1]
    return "trivial" if number < 1 else "hopeless" if number > last else f"difficulty {number} of {last}"


def rating_of(progress: Iterable[ExerciseProgress]) -> PlayerRating:
    """Return the rating of a person by the first answers to exercises, by Glicko-2; new people have 1500.

    A right answer after hints counts half.
    """
    from reversi.games import PlayerRating, next_rating

    check_type("progress", progress, Iterable)
    firsts = (each.reviews[0] for each in progress if each.reviews)
    rating = PlayerRating()
    for review in sorted(firsts, key=lambda review: review.at):
        if review.difficulty is not None:
            points = 0.0 if not review.is_right else 0.5 if review.hints else 1.0
            rating = next_rating(rating, [(PlayerRating(review.difficulty, 0), points)])
    return rating


def rating_text(rating: PlayerRating) -> str:
    """Return the rating of a person in words; "" before the first answer."""
    if not rating.games:
        return ""
    return f"Your exercise rating: {rating.rating:.0f} ({rating.low:.0f} to {rating.high:.0f})."
