"""Which exercises to ask, in which order."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from operator import itemgetter

from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ExerciseProgress, Rank, rank_of
from reversi.analysis.exercises.school import Card
from reversi.arguments import check_count, check_type


def plan(
    exercises: Iterable[Exercise],
    progress_of: Callable[[str], ExerciseProgress],
    now: datetime.datetime,
    *,
    count: int | None = None,
    everything: bool = False,
) -> list[Exercise]:
    """Return the exercises to ask now: due ones, those that were missed first, then new ones.

    Of those that are due the longest overdue come first, of new ones the easy ones.

    Args:
        exercises: all exercises.
        progress_of: the progress of an exercise by its id.
        now: the time, in UTC.
        count: how many at most; all when not given.
        everything: also those that are not due yet, after the others, the next due first.
    """
    check_type("now", now, datetime.datetime)
    if count is not None:
        check_count("count", count, least=0)
    ranked = []
    for number, exercise in enumerate(exercises):
        progress = progress_of(exercise.id)
        rank = rank_of(progress, now)
        if everything or rank is not Rank.LATER:
            ranked.append((rank, exercise.grade if rank is Rank.NEW else progress.due, number, exercise))
    ranked.sort(key=itemgetter(0, 1, 2))
    return [exercise for *_, exercise in ranked[:count]]


def next_due(
    exercises: Iterable[Card], progress_of: Callable[[str], ExerciseProgress]
) -> datetime.datetime | None:
    """Return when the next of the exercises that were asked before is due, ``None`` without one."""
    dates = (progress_of(exercise.id).due for exercise in exercises)
    return min((date for date in dates if date is not None), default=None)
