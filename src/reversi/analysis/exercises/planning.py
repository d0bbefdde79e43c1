"""Which exercises to ask, in which order."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Final

from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ExerciseProgress
from reversi.arguments import check_count, check_type

_NEVER: Final = datetime.datetime.max.replace(tzinfo=datetime.UTC)


def plan(
    exercises: Iterable[Exercise],
    progress_of: Callable[[str], ExerciseProgress],
    now: datetime.datetime,
    *,
    count: int | None = None,
    everything: bool = False,
) -> list[Exercise]:
    """Return the exercises to ask now: due ones, the longest overdue first, then new ones, easy ones first.

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
    due, new, later = [], [], []
    for number, exercise in enumerate(exercises):
        progress = progress_of(exercise.id)
        when = progress.due or _NEVER
        if not progress.reviews:
            new.append((exercise.grade, number, exercise))
        elif when <= now:
            due.append((when, number, exercise))
        else:
            later.append((when, number, exercise))
    chosen = [exercise for *_, exercise in (*sorted(due, key=_key), *sorted(new, key=_key))]
    if everything:
        chosen += [exercise for *_, exercise in sorted(later, key=_key)]
    return chosen[:count]


def _key(entry: tuple[object, int, Exercise]) -> tuple[object, int]:
    return entry[0], entry[1]


def next_due(
    exercises: Iterable[Exercise], progress_of: Callable[[str], ExerciseProgress]
) -> datetime.datetime | None:
    """Return when the next of the exercises that were asked before is due, ``None`` without one."""
    dates = (progress_of(exercise.id).due for exercise in exercises)
    return min((date for date in dates if date is not None), default=None)
