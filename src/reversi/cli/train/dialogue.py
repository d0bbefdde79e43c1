"""A training at the prompt: show an exercise, ask for a move, explain the answer, save it."""

from __future__ import annotations

import contextlib
import datetime
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from reversi._core import PASS, Move
from reversi.analysis.exercises.exercise import Exercise, ExerciseTheme
from reversi.analysis.exercises.progress import ProgressFile, Rating, Review
from reversi.analysis.exercises.schedule import Schedule
from reversi.cli.play.dialogue_lines import cut, hint_line, listed
from reversi.cli.train.train_vocabulary import VOCABULARY
from reversi.engine.explaining import Feature, explain
from reversi.errors import IllegalMoveError, InputError, InvalidMoveError
from reversi.score import score_text
from reversi.text.counting import counted
from reversi.text.diagrams import format_diagram

__all__ = ["Training", "interval_text"]

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


class Training:
    """A session of exercises in conversation. A wrong answer brings its exercise back once, at the end.

    Args:
        exercises: the exercises, in the order in which they are asked.
        progress: keeps the answers.
        schedule: says when an exercise is due again.
        read: returns the next line after showing a prompt; `None` at the end of input.
        say: shows one or more lines.
        warn: reports that an answer cannot be saved.
        now: the time, in UTC.

    Attributes:
        right: how many exercises were solved at the first try, hints included.
        asked: how many exercises have an answer.
    """

    def __init__(
        self,
        exercises: Iterable[Exercise],
        progress: ProgressFile,
        schedule: Schedule,
        *,
        read: Callable[[str], str | None],
        say: Callable[[str], None],
        warn: Callable[[str], None],
        now: Callable[[], datetime.datetime] = _now,
    ) -> None:
        self.right = 0
        self.asked = 0
        self._queue = deque(enumerate(exercises, 1))
        self._count = len(self._queue)
        self._again: set[str] = set()
        self._progress = progress
        self._schedule = schedule
        self._read = read
        self._say = say
        self._warn = warn
        self._now = now
        self._hints = 0

    def run(self) -> None:
        """Ask the exercises until the last one, `quit` or the end of input."""
        while self._queue:
            number, exercise = self._queue.popleft()
            self._hints = 0
            self._show(number, exercise)
            if not self._ask(number, exercise):
                break
        with contextlib.suppress(OSError, InputError):  # reported when the answer was given
            self._progress.flush(self._schedule.due)
        self._say(self._summary())

    # --- one exercise

    def _show(self, number: int, exercise: Exercise) -> None:
        again = ", again" if exercise.id in self._again else ""
        place = f", {exercise.origin}" if str(exercise.origin) else ""
        self._say(f"\nExercise {number} of {self._count}{again}: grade {exercise.grade}{place}.")
        if str(exercise.position.rules) != "othello":
            self._say(f"Rules: {exercise.position.rules}.")
        self._show_board(exercise)

    def _show_board(self, exercise: Exercise) -> None:
        position, count = exercise.position, exercise.position.count
        task = "find the best move."
        if exercise.theme is ExerciseTheme.MISTAKE and exercise.played is not None:
            task = f"{exercise.played} was played; find a better move."
        self._say(format_diagram(position, marks=position.legal_moves))
        self._say(f"Discs: Black {count.black}, White {count.white}. {position.to_move} to move: {task}")

    def _ask(self, number: int, exercise: Exercise) -> bool:
        """Answer lines until the exercise is over; return false at the end of the session."""
        while True:
            line = self._read(f"{exercise.position.to_move}> ")
            if line is None:
                return False
            line = line.strip()
            if not line or line[0] in "#%":
                continue
            word = VOCABULARY.find(line)
            if word is None:
                move = self._move(exercise, line)
                if move is None:
                    continue
                self._answer(number, exercise, move)
                return True
            match word.name:
                case "quit":
                    return False
                case "skip":
                    return True
                case "solution":
                    self._answer(number, exercise, None)
                    return True
                case "hint":
                    self._hint(exercise)
                case "moves":
                    self._say(listed(exercise.position.legal_moves))
                case "board":
                    self._show_board(exercise)
                case _:
                    self._say(VOCABULARY.help_text())

    def _move(self, exercise: Exercise, line: str) -> Move | None:
        """Return the legal move of a line; say what is wrong with any other line."""
        try:
            move = Move.parse(line)
        except InvalidMoveError:
            close = VOCABULARY.suggestion(line.split(maxsplit=1)[0][:40])
            way_out = f"did you mean {close!r}?" if close else "type a square as in f5, hint, skip or help"
            self._say(f"{cut(line)!r} is neither a move nor a command; {way_out}")
            return None
        position = exercise.position
        try:
            position.play(move)
        except IllegalMoveError as error:
            self._say(f"{move}: {error.reason}; legal: {listed(position.legal_moves)}.")
            return None
        return move

    # --- hints

    def _hint(self, exercise: Exercise) -> None:
        """Give the next hint: the score, then what stands out, then candidates."""
        self._hints += 1
        position, best = exercise.position, exercise.moves[0]
        if self._hints == 1:
            self._say(f"The best move is worth {score_text(best.score)}.")
            return
        if self._hints == 2:
            remarks = explain(position, best.move, 1)
            if remarks:
                self._say(f"The best move: {_SPEAKS[remarks[0].feature]}.")
                return
            self._hints = 3
        few = [scored.move for scored in exercise.moves[: min(_CANDIDATES, max(2, len(exercise.moves) - 1))]]
        self._say(f"It is one of: {listed(sorted(few))}.")

    # --- answers

    def _answer(self, number: int, exercise: Exercise, move: Move | None) -> None:
        """Save an answer, then explain it; `None` is a player who wants the solution."""
        right = move in exercise.answers
        rating = (Rating.HARD if self._hints else Rating.GOOD) if right else Rating.AGAIN
        review = Review(self._now(), rating, "?" if move is None else str(move), self._hints)
        due = self._save(exercise, review)
        if exercise.id not in self._again:
            self.asked += 1
            self.right += right
            if not right:
                self._again.add(exercise.id)
                self._queue.append((number, exercise))
        self._explain(exercise, move)
        if due is not None:
            self._say(f"Next time: {interval_text(due - review.at)}.")

    def _save(self, exercise: Exercise, review: Review) -> datetime.datetime | None:
        try:
            return self._progress.add(exercise.id, review, self._schedule.due).due
        except (OSError, InputError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            self._warn(f"{self._progress.path}: cannot save the answer: {why or error}")
            return self._progress.of(exercise.id).due

    def _explain(self, exercise: Exercise, move: Move | None) -> None:
        if move in exercise.answers:
            assert move is not None
            best, error = exercise.moves[0].move, exercise.loss(move)
            self._say(
                f"Right. The search prefers {best} by {counted(error, 'disc')}, within its error."
                if error
                else "Right."
            )
            self._show_move(exercise, move)
            others = [scored for scored in exercise.moves if scored.move not in exercise.answers]
            if others:
                self._say(f"The next best move, {others[0].move}, loses {self._lost(exercise, others[0].move)}.")
        else:
            if move is not None:
                self._say(f"Wrong: {move} loses {self._lost(exercise, move)}.")
                self._show_move(exercise, move)
            for best in exercise.answers[:1]:
                self._say("Solution:")
                self._show_move(exercise, best)
        played = exercise.played
        if played is not None and played != move:
            self._say(f"{played} was played and loses {self._lost(exercise, played)}.")

    def _show_move(self, exercise: Exercise, move: Move) -> None:
        self._say(hint_line(exercise.scored(move), exercise.position.to_move))
        for remark in explain(exercise.position, move, _REMARKS, better=exercise.answers[0]):
            self._say(f"    {remark}")

    def _lost(self, exercise: Exercise, move: Move) -> str:
        """Return what a move loses, in words: discs, and the outcome where that changes."""
        best, value = exercise.score.value, exercise.scored(move).score.value
        discs = counted(best - value, "disc")
        if best > 0 >= value:
            return f"{discs} and the win"
        if best == 0 > value:
            return f"{discs} and the draw"
        return discs

    def _summary(self) -> str:
        if not self.asked:
            return "No exercise was answered."
        return f"{self.right} of {counted(self.asked, 'exercise')} right."


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


def candidates(exercise_moves: Iterable[Move], line: str) -> list[str]:
    every = [*(str(move) for move in exercise_moves if move != PASS), *(word.name for word in VOCABULARY.words)]
    return [word for word in every if word.startswith(line.lower())]
