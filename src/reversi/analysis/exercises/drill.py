"""Asking cards one after another, without a screen: hints, answers, and what becomes of them."""

from __future__ import annotations

import contextlib
import datetime
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reversi._core import Move
from reversi.analysis.exercises.progress import ProgressFile, Rating, Review
from reversi.analysis.exercises.ratings import rating_of, rating_text
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import Card, School
from reversi.errors import InputError
from reversi.text.counting import counted


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an answer.

    Attributes:
        right: whether it is one of the moves that count as right.
        next_time: from now to when the card is due again; ``None`` where nobody keeps the answers.
        failure: why the answer could not be saved, "" if it was.
    """

    right: bool
    next_time: datetime.timedelta | None = None
    failure: str = ""


class Queue:
    """Cards one after another. A wrong answer brings its card back once, at the end.

    Args:
        cards: the cards, in the order in which they are asked; `add` adds later ones.
    """

    noun = "exercise"  # what a card is called
    about = ""  # how many there are of what
    flows = False  # whether a right answer leads on at once

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        self._cards = deque(cards)
        self.count: int = len(self._cards)
        self._back: set[str] = set()

    def add(self, card: Card) -> None:
        """Add a card, before those that come back."""
        self.count += 1
        at = next((at for at, other in enumerate(self._cards) if other.id in self._back), len(self._cards))
        self._cards.insert(at, card)

    def next(self) -> Card | None:
        """Return the next card; ``None`` after the last one."""
        return self._cards.popleft() if self._cards else None

    def answered(self, card: Card, move: Move | None, *, again: bool) -> None:
        """Take notice of an answer; ``again`` asks for the card once more."""
        if again:
            self._back.add(card.id)
            self._cards.append(card)


class Drill:
    """Asks the cards of a course, and keeps the answers.

    Args:
        course: where the cards come from.
        progress: keeps the answers, ``None`` for nobody.
        schedule: says when a card is due again; needed with ``progress``.
        now: the time, in UTC.

    Attributes:
        course: as given.
        card: the card that is asked, ``None`` before the first and after the last.
        number: its number, from 1, in the order in which they are first asked.
        hints: how many hints were given for it.
        right: how many cards were solved at the first try, hints included.
        asked: how many cards have an answer.
    """

    def __init__(
        self,
        course: Queue | School,
        progress: ProgressFile | None = None,
        schedule: Schedule | None = None,
        *,
        now: Callable[[], datetime.datetime] = _now,
    ) -> None:
        self.course: Queue | School = course
        self.card: Card | None = None
        self.number: int = 0
        self.hints: int = 0
        self.right: int = 0
        self.asked: int = 0
        self._numbers: dict[str, int] = {}
        self._missed: set[str] = set()
        self._wrong: dict[str, set[Move]] = {}  # the wrong moves of the cards that come back
        self._progress = progress
        self._schedule = schedule
        self._now = now

    @property
    def comes_back(self) -> bool:
        """Whether the card is asked again after a wrong answer."""
        return self.card is not None and self.card.id in self._missed

    def next(self) -> bool:
        """Ask the next card; return false after the last one."""
        self.hints = 0
        self.card = self.course.next()
        if self.card is not None:
            self.number = self._numbers.setdefault(self.card.id, len(self._numbers) + 1)
        return self.card is not None

    def close(self) -> None:
        """Write the answers that could not be written before, if that works now."""
        if self._progress is not None and self._schedule is not None:
            with contextlib.suppress(OSError, InputError):  # reported when the answer was given
                self._progress.flush(self._schedule.due)

    def hint(self) -> str:
        """Return the next hint."""
        assert self.card is not None
        self.hints += 1
        hints = self.card.hints(self._wrong.get(self.card.id, set()))
        return hints[min(self.hints, len(hints)) - 1]

    def answer(self, move: Move | None) -> Answer:
        """Save an answer; ``None`` is a player who wants the solution."""
        card = self.card
        assert card is not None
        right = move in card.answers
        if move is not None and not right:
            self._wrong.setdefault(card.id, set()).add(move)
        rating = (Rating.HARD if self.hints else Rating.GOOD) if right else Rating.AGAIN
        review = Review(self._now(), rating, "?" if move is None else str(move), self.hints, card.difficulty)
        due, failure = self._save(card.id, review)
        first = card.id not in self._missed
        if first:
            self.asked += 1
            self.right += right
            if not right:
                self._missed.add(card.id)
        self.course.answered(card, move, again=first and not right)
        return Answer(right, None if due is None else due - review.at, failure)

    def _save(self, card: str, review: Review) -> tuple[datetime.datetime | None, str]:
        if self._progress is None or self._schedule is None:
            return None, ""
        try:
            return self._progress.add(card, review, self._schedule.due).due, ""
        except (OSError, InputError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            failure = f"{self._progress.path}: cannot save the answer: {why or error}"
            return self._progress.of(card).due, failure

    @property
    def summary(self) -> str:
        """How many cards were right, in words."""
        noun = self.course.noun
        if not self.asked:
            return f"No {noun} was answered."
        right = f"{self.right} of {counted(self.asked, noun)} right."
        if self._progress is None or not isinstance(self.course, Queue):
            return right
        return f"{right} {rating_text(rating_of(self._progress.progress.values()))}".rstrip()


def interval_text(interval: datetime.timedelta) -> str:
    """Return a time from now on in words: `in 10 minutes`, `in 3 days`."""
    minutes = max(round(interval.total_seconds() / 60), 0)
    if minutes < 1:
        return "now"
    if minutes < 120:
        return f"in {counted(minutes, 'minute')}"
    if minutes < 36 * 60:
        return f"in {counted(round(minutes / 60), 'hour')}"
    return f"in {counted(round(minutes / 60 / 24), 'day')}"
