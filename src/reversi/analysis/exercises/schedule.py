"""When to ask an exercise again: spaced repetition by FSRS.

This needs the extra `train`: `pip install 'reversi-engine[train]'`. The library gets all answers of an exercise
each time, so that the progress file does not depend on its version. Its random fuzz is off: the same answers give
the same date.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from reversi.analysis.exercises.progress import Review
from reversi.errors import InputError, MissingExtraError

MISSING: Final = "training needs fsrs: pip install 'reversi-engine[train]'"
"""What the error says where the extra is not installed."""


class Schedule:
    """Says when exercises are due.

    Raises:
        MissingExtraError: the extra is not installed.
    """

    def __init__(self) -> None:
        if find_spec("fsrs") is None:
            raise MissingExtraError(MISSING)
        from fsrs import Scheduler

        self._scheduler = Scheduler(enable_fuzzing=False)

    def due(self, reviews: Sequence[Review]) -> datetime.datetime:
        """Return when an exercise with these answers, the earliest first, is due.

        Raises:
            InputError: there is no answer.
        """
        from fsrs import Card, Rating

        if not reviews:
            raise InputError("an exercise without answers has no date")
        card = Card(card_id=1, due=reviews[0].at)
        for review in reviews:
            card, _ = self._scheduler.review_card(card, Rating(int(review.rating)), review.at)
        return card.due
