"""Progress: every answer that was given, in a file that several trainings may share.

The file keeps the answers themselves and, for each exercise, when it is due. `ProgressFile.add` reads the file
again under its lock, adds one answer and writes it whole or not at all: a killed program loses nothing, and two
programs do not lose each other's answers. `docs/training.md` describes the format.
"""

from __future__ import annotations

import datetime
import enum
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reversi._system.state_files import StateFile, read_state
from reversi.arguments import FilePath

PROGRESS_VERSION: Final = 1
_KEY: Final = "reversi training"


class Rating(enum.IntEnum):
    """How well an exercise was solved; the numbers are those of FSRS.

    Attributes:
        AGAIN: the answer was wrong, or the player gave up.
        HARD: right after hints.
        GOOD: right.
        EASY: not given by the trainer.
    """

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class Review:
    """One answer.

    Attributes:
        at: when, in UTC.
        rating: how well.
        answer: the move as text, ``?`` for a player who gave up.
        hints: how many hints the player took before.
        difficulty: the difficulty of the exercise; ``None`` for a move of a repertoire, or where it is not known.
    """

    at: datetime.datetime
    rating: Rating
    answer: str = "?"
    hints: int = 0
    difficulty: int | None = None

    @property
    def is_right(self) -> bool:
        """Whether the answer was right, with or without hints."""
        return self.rating is not Rating.AGAIN


class Rank(enum.IntEnum):
    """What is asked before what.

    Attributes:
        MISSED: due, and the last answer was wrong.
        DUE: due.
        NEW: never answered.
        EASY: never answered, but found at a glance.
        LATER: not due yet.
    """

    MISSED = 0
    DUE = 1
    NEW = 2
    EASY = 3
    LATER = 4


@dataclass(slots=True)
class ExerciseProgress:
    """What is known about one exercise.

    Attributes:
        reviews: the answers, the earliest first.
        due: when it is to be asked again; ``None`` before the first answer.
    """

    reviews: list[Review] = field(default_factory=list)
    due: datetime.datetime | None = None

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(review.is_right for review in self.reviews)

    def is_due(self, now: datetime.datetime) -> bool:
        """Return whether it was asked before and is to be asked again now."""
        return self.due is not None and self.due <= now


def rank_of(progress: ExerciseProgress, now: datetime.datetime) -> Rank:
    """Return how soon an exercise with this progress is to be asked."""
    if not progress.reviews:
        return Rank.NEW
    if not progress.is_due(now):
        return Rank.LATER
    return Rank.DUE if progress.reviews[-1].is_right else Rank.MISSED


class ProgressFile:
    """The progress of all exercises, in a file.

    Args:
        path: the file; the first answer creates it, and its folder.

    Attributes:
        path: as given.
        progress: what is known, by the ids of exercises, as of the last reading or writing.
    """

    def __init__(self, path: FilePath) -> None:
        self.path: Path = Path(path)
        self._file = StateFile[dict[str, ExerciseProgress]](
            self.path, new=dict, parse=self._parse, text=self._text
        )
        self.progress: dict[str, ExerciseProgress] = {}
        self._data: bytes | None = None  # the file as it was last met, and what is known from it
        self._known: dict[str, ExerciseProgress] = {}
        self._lines: dict[str, str] = {}  # of the file, by id: with thousands, to read or write them takes a while
        self._pending: list[tuple[str, Review]] = []  # answers that could not be written yet
        self.read()

    def of(self, exercise: str) -> ExerciseProgress:
        """Return the progress of an exercise by its id."""
        return self.progress.get(exercise, ExerciseProgress())

    @property
    def pending(self) -> int:
        """How many answers could not be written yet."""
        return len(self._pending)

    def read(self) -> None:
        """Read the file; a missing one is empty.

        Raises:
            InputError: the file is not a progress file, is damaged, or a later version wrote it.
            OSError: the file cannot be read.
        """
        self.progress = self._file.read()

    def prepare(self) -> None:
        """Create the folder, and check that the file can be locked there.

        Raises:
            OSError: it cannot.
        """
        with self._file.locked():
            self._text(self.progress)

    def _parse(self, data: bytes) -> dict[str, ExerciseProgress]:
        if data != self._data:
            self._known, self._data, self._lines = parse_progress(data), data, {}
        return self._known

    def _text(self, known: dict[str, ExerciseProgress]) -> str:
        text = progress_text(known, self._lines)
        self._known, self._data = known, text.encode()
        return text

    def add(
        self, exercise: str, review: Review, due: Callable[[Sequence[Review]], datetime.datetime]
    ) -> ExerciseProgress:
        """Add an answer to the file; return the progress of its exercise.

        An answer that cannot be written is kept for the next `add` or `flush`.

        Args:
            exercise: the id of the exercise.
            review: the answer.
            due: says from all answers when the exercise is to be asked again.

        Raises:
            InputError: the file was damaged meanwhile; it stays as it is.
            OSError: the file cannot be read or written.
        """
        self._pending.append((exercise, review))
        self.flush(due)
        return self.of(exercise)

    def flush(self, due: Callable[[Sequence[Review]], datetime.datetime]) -> None:
        """Write the answers that could not be written yet; see `add`."""
        if not self._pending:
            return
        try:
            self.progress = self._file.change(lambda progress: self._put_in(progress, due))
        except BaseException:
            self._put_in(self.progress, due)  # this training goes by them all the same
            raise
        self._pending.clear()

    def _put_in(
        self, known: dict[str, ExerciseProgress], due: Callable[[Sequence[Review]], datetime.datetime]
    ) -> None:
        self._data = None  # until it is written
        for exercise, review in self._pending:
            self._lines.pop(exercise, None)
            progress = known.setdefault(exercise, ExerciseProgress())
            if review not in progress.reviews:
                progress.reviews.append(review)
                progress.reviews.sort(key=lambda each: each.at)
                progress.due = due(progress.reviews)


def progress_text(progress: Mapping[str, ExerciseProgress], lines: dict[str, str] | None = None) -> str:
    """Return progress as the text of a file, one exercise per line; ``lines`` has, and gets, those made before."""
    lines = {} if lines is None else lines
    for exercise in progress.keys() - lines.keys():
        lines[exercise] = f"{json.dumps(exercise)}: {json.dumps(_fields(progress[exercise]))}"
    text = ",\n".join([lines[exercise] for exercise in sorted(progress)])
    return f'{{"{_KEY}": {PROGRESS_VERSION}, "exercises": {{\n{text}\n}}}}\n'


def parse_progress(text: str | bytes) -> dict[str, ExerciseProgress]:
    """Read what `progress_text` wrote.

    Raises:
        InputError: the text is something else, damaged, or a later version wrote it.
    """
    return read_state(
        text,
        _KEY,
        _progresses,
        what="a file of training progress",
        remedy="move it away to begin anew",
        version=PROGRESS_VERSION,
    )


def _progresses(state: dict[str, Any]) -> dict[str, ExerciseProgress]:
    return {str(exercise): _progress(fields) for exercise, fields in state["exercises"].items()}


def _fields(progress: ExerciseProgress) -> dict[str, Any]:
    return {
        "due": None if progress.due is None else _text(progress.due),
        "reviews": [
            {
                "at": _text(review.at),
                "rating": int(review.rating),
                "answer": review.answer,
                "hints": review.hints,
                "difficulty": review.difficulty,
            }
            for review in progress.reviews
        ],
    }


def _progress(fields: dict[str, Any]) -> ExerciseProgress:
    reviews = [
        Review(
            _time(review["at"]),
            Rating(review["rating"]),
            str(review["answer"]),
            int(review["hints"]),
            None if review["difficulty"] is None else int(review["difficulty"]),
        )
        for review in fields["reviews"]
    ]
    return ExerciseProgress(reviews, None if fields["due"] is None else _time(fields["due"]))


def _text(time: datetime.datetime) -> str:
    return time.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def _time(text: str) -> datetime.datetime:
    time = datetime.datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError("a time without a zone")
    return time.astimezone(datetime.UTC)
