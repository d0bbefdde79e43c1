"""Which exercises to ask, in which order."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Final

from reversi.analysis.exercises.drill import Queue
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ExerciseProgress, ProgressFile, Rank, rank_of
from reversi.analysis.exercises.ratings import TYPICAL, rating_of
from reversi.analysis.exercises.school import Card
from reversi.arguments import check_count, check_type

_EASIER: Final = 120  # who is this much above the rating of an exercise solves it two times in three


def plan(
    exercises: Iterable[Exercise],
    progress_of: Callable[[str], ExerciseProgress],
    now: datetime.datetime,
    *,
    rating: float = TYPICAL,
    count: int | None = None,
    everything: bool = False,
) -> list[Exercise]:
    """Return the exercises to ask now: due ones, those that were missed first, then new ones.

    Of those that are due the longest overdue come first. Of new ones those come first that a person of the rating
    solves two times in three, or nearly so; those of unknown difficulty come last.

    Args:
        exercises: all exercises.
        progress_of: the progress of an exercise by its id.
        now: the time, in UTC.
        rating: the person's rating, see `rating_of`.
        count: how many at most; all when not given.
        everything: also those that are not due yet, after the others, the next due first.
    """
    check_type("now", now, datetime.datetime)
    check_type("rating", rating, int, float)
    check_count("count", count, least=0, optional=True)
    ranked = []
    for number, exercise in enumerate(exercises):
        progress = progress_of(exercise.id)
        rank = rank_of(progress, now)
        if everything or rank is not Rank.LATER:
            ranked.append(
                (rank, _distance(exercise, rating) if rank is Rank.NEW else progress.due, number, exercise)
            )
    ranked.sort(key=itemgetter(0, 1, 2))
    return [exercise for *_, exercise in ranked[:count]]


def _distance(exercise: Exercise, rating: float) -> float:
    return math.inf if exercise.difficulty is None else abs(exercise.difficulty - rating + _EASIER)


class Exercises(Queue):
    """Exercises in the order of `plan`, chosen one by one: new ones follow the rating, and the rating the answers.

    Args:
        exercises: all exercises.
        progress: keeps the answers.
        now: the time, in UTC.
        count: how many are asked at most; all when not given.
        everything: as for `plan`.
    """

    def __init__(
        self,
        exercises: Iterable[Exercise],
        progress: ProgressFile,
        now: datetime.datetime,
        *,
        count: int | None = None,
        everything: bool = False,
    ) -> None:
        super().__init__()
        self._progress = progress
        self._now = now
        self._everything = everything
        self._left = self._plan({exercise.id: exercise for exercise in exercises}.values())
        self.count: int = len(self._left[:count])
        self._ahead = self.count

    def _plan(self, exercises: Iterable[Exercise]) -> list[Exercise]:
        rating = rating_of(self._progress.progress.values()).rating
        return plan(exercises, self._progress.of, self._now, rating=rating, everything=self._everything)

    def next(self) -> Card | None:
        """Return the next exercise, then those that come back; ``None`` after the last one."""
        self._left = self._plan(self._left) if self._ahead else []
        if not self._left:
            return super().next()
        self._ahead -= 1
        return self._left.pop(0)


def next_due(
    exercises: Iterable[Card], progress_of: Callable[[str], ExerciseProgress]
) -> datetime.datetime | None:
    """Return when the next of the exercises that were asked before is due, ``None`` without one."""
    dates = (progress_of(exercise.id).due for exercise in exercises)
    return min((date for date in dates if date is not None), default=None)
