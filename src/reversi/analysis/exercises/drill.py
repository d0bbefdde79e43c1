"""Asking exercises one after another, without a screen: the queue, hints, answers and their explanation."""

from __future__ import annotations

import contextlib
import datetime
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from reversi._core import Move
from reversi.analysis.exercises.exercise import Exercise, ExerciseTheme
from reversi.analysis.exercises.progress import ProgressFile, Rating, Review
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.judgement import loss_text
from reversi.engine.explaining import Feature, explain
from reversi.errors import InputError
from reversi.score import score_text
from reversi.text.counting import counted

_REMARKS: Final = 4
_CANDIDATES: Final = 3
_SPEAKS: Final = {
    Feature.CORNER: "it takes a corner",
    Feature.X_SQUARE: "it is an X-square",
    Feature.C_SQUARE: "it is a C-square",
    Feature.GIVES_CORNER: "it gives a corner away",
    Feature.DENIES_CORNER: "it keeps the opponent out of a corner",
    Feature.EDGE: "look at the edge",
    Feature.OWN_MOBILITY: "look at the moves that it keeps for later",
    Feature.MOBILITY: "look at the moves that it leaves the opponent",
    Feature.FRONTIER: "look at the discs beside empty squares",
    Feature.STABLE: "it makes discs stable",
    Feature.PARITY: "look at the size of the region that it plays into",
    Feature.PASS: "it is a pass",
    Feature.END: "it ends the game",
}


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an answer.

    Attributes:
        right: whether it is one of the best moves.
        next_time: from now to when the exercise is due again; ``None`` where nobody keeps the answers.
        failure: why the answer could not be saved, "" if it was.
    """

    right: bool
    next_time: datetime.timedelta | None = None
    failure: str = ""


class Drill:
    """A queue of exercises. A wrong answer brings its exercise back once, at the end.

    Args:
        exercises: the exercises, in the order in which they are asked; `add` adds later ones.
        progress: keeps the answers, ``None`` for nobody.
        schedule: says when an exercise is due again; needed with ``progress``.
        now: the time, in UTC.

    Attributes:
        exercise: the exercise that is asked, ``None`` before the first and after the last.
        number: its number, from 1.
        count: how many exercises there are.
        hints: how many hints were given for it.
        right: how many exercises were solved at the first try, hints included.
        asked: how many exercises have an answer.
    """

    def __init__(
        self,
        exercises: Iterable[Exercise] = (),
        progress: ProgressFile | None = None,
        schedule: Schedule | None = None,
        *,
        now: Callable[[], datetime.datetime] = _now,
    ) -> None:
        self.exercise: Exercise | None = None
        self.number: int = 0
        self.hints: int = 0
        self.right: int = 0
        self.asked: int = 0
        self._queue = deque(enumerate(exercises, 1))
        self.count: int = len(self._queue)
        self._again: set[str] = set()
        self._wrong: dict[str, set[Move]] = {}  # the wrong moves of the exercises that come back
        self._progress = progress
        self._schedule = schedule
        self._now = now

    def add(self, exercise: Exercise) -> None:
        """Add an exercise, before those that come back."""
        self.count += 1
        at = next((at for at, (_, other) in enumerate(self._queue) if other.id in self._again), len(self._queue))
        self._queue.insert(at, (self.count, exercise))

    @property
    def comes_back(self) -> bool:
        """Whether the exercise is asked again after a wrong answer."""
        return self.exercise is not None and self.exercise.id in self._again

    def next(self) -> bool:
        """Ask the next exercise; return false after the last one."""
        self.hints = 0
        if not self._queue:
            self.exercise = None
            return False
        self.number, self.exercise = self._queue.popleft()
        return True

    def close(self) -> None:
        """Write the answers that could not be written before, if that works now."""
        if self._progress is not None and self._schedule is not None:
            with contextlib.suppress(OSError, InputError):  # reported when the answer was given
                self._progress.flush(self._schedule.due)

    def hint(self) -> str:
        """Return the next hint: the score, then what stands out, then candidates."""
        exercise = self.exercise
        assert exercise is not None
        self.hints += 1
        position, best = exercise.position, exercise.moves[0]
        if self.hints == 1:
            return f"The best move is worth {score_text(best.score)}."
        if self.hints == 2:
            remarks = explain(position, best.move, 1)
            if remarks:
                return f"The best move: {_SPEAKS[remarks[0].feature]}."
            self.hints = 3
        wrong = self._wrong.get(exercise.id, set()) | ({exercise.played} - set(exercise.answers))
        left = [scored.move for scored in exercise.moves if scored.move not in wrong]
        few = left[: min(_CANDIDATES, max(2, len(exercise.moves) - 1))]
        if len(few) == 1:
            return f"It is {few[0]}."
        return f"It is one of: {_listed(sorted(few))}."

    def answer(self, move: Move | None) -> Answer:
        """Save an answer; ``None`` is a player who wants the solution."""
        exercise = self.exercise
        assert exercise is not None
        right = move in exercise.answers
        if move is not None and not right:
            self._wrong.setdefault(exercise.id, set()).add(move)
        rating = (Rating.HARD if self.hints else Rating.GOOD) if right else Rating.AGAIN
        review = Review(self._now(), rating, "?" if move is None else str(move), self.hints)
        due, failure = self._save(exercise, review)
        if exercise.id not in self._again:
            self.asked += 1
            self.right += right
            if not right:
                self._again.add(exercise.id)
                self._queue.append((self.number, exercise))
        return Answer(right, None if due is None else due - review.at, failure)

    def _save(self, exercise: Exercise, review: Review) -> tuple[datetime.datetime | None, str]:
        if self._progress is None or self._schedule is None:
            return None, ""
        try:
            return self._progress.add(exercise.id, review, self._schedule.due).due, ""
        except (OSError, InputError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            failure = f"{self._progress.path}: cannot save the answer: {why or error}"
            return self._progress.of(exercise.id).due, failure

    @property
    def summary(self) -> str:
        """How many exercises were right, in words."""
        if not self.asked:
            return "No exercise was answered."
        return f"{self.right} of {counted(self.asked, 'exercise')} right."


def task_text(exercise: Exercise) -> str:
    """Return what is to be found."""
    if exercise.theme is ExerciseTheme.MISTAKE and exercise.played is not None:
        return f"{exercise.played} was played; find a better move."
    return "find the best move."


def explanation(exercise: Exercise, move: Move | None) -> list[str]:
    """Return lines that say why an answer is right or wrong; ``None`` is a player who wants the solution."""
    lines = []
    if move in exercise.answers:
        assert move is not None
        best, error = exercise.moves[0].move, exercise.loss(move)
        lines.append(
            f"Right. The search prefers {best} by {counted(error, 'disc')}, within its error."
            if error
            else "Right."
        )
        lines += _move_lines(exercise, move)
        others = [scored for scored in exercise.moves if scored.move not in exercise.answers]
        if others:
            lines.append(f"The next best move, {others[0].move}, loses {_lost(exercise, others[0].move)}.")
    else:
        if move is not None:
            lines.append(f"Wrong: {move} loses {_lost(exercise, move)}.")
            lines += _move_lines(exercise, move)
        lines.append("Solution:")
        lines += _move_lines(exercise, exercise.answers[0])
    played = exercise.played
    if played is not None and played != move:
        lines.append(f"{played} was played and loses {_lost(exercise, played)}.")
    return lines


def _move_lines(exercise: Exercise, move: Move) -> list[str]:
    scored = exercise.scored(move)
    best = exercise.scored(exercise.answers[0])
    better = None if move in exercise.answers else best.move
    remarks = explain(
        exercise.position, move, _REMARKS, better=better, line=scored.pv[1:], better_line=best.pv[1:]
    )
    return [
        f"{move!s:3} {score_text(scored.score)}  {_listed(scored.pv)}",
        *(f"    {remark}" for remark in remarks),
    ]


def _lost(exercise: Exercise, move: Move) -> str:
    """Return what a move loses, in words."""
    return loss_text(exercise.scored(move).score, exercise.score)


def _listed(moves: Iterable[Move]) -> str:
    return " ".join(map(str, moves))


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
