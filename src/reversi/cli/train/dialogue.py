"""A training at the prompt: show an exercise, ask for a move, explain the answer, save it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

from reversi._core import PASS, Move
from reversi.analysis.exercises.drill import Drill, explanation, interval_text, task_text
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ProgressFile
from reversi.analysis.exercises.schedule import Schedule
from reversi.cli.play.dialogue_lines import cut, listed
from reversi.cli.train.train_vocabulary import VOCABULARY
from reversi.errors import IllegalMoveError, InvalidMoveError
from reversi.text.board_drawing import format_diagram
from reversi.text.transcripts import typed_move


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
        now: Callable[[], datetime.datetime] | None = None,
    ) -> None:
        self._drill = Drill(exercises, progress, schedule, **({} if now is None else {"now": now}))
        self._read = read
        self._say = say
        self._warn = warn

    @property
    def right(self) -> int:
        """How many exercises were solved at the first try, hints included."""
        return self._drill.right

    @property
    def asked(self) -> int:
        """How many exercises have an answer."""
        return self._drill.asked

    def run(self) -> None:
        """Ask the exercises until the last one, `quit` or the end of input."""
        while self._drill.next():
            exercise = self._drill.exercise
            assert exercise is not None
            self._show(exercise)
            if not self._ask(exercise):
                break
        self._drill.close()
        self._say(self._drill.summary)

    # --- one exercise

    def _show(self, exercise: Exercise) -> None:
        drill = self._drill
        again = ", again" if drill.comes_back else ""
        place = f", {exercise.origin}" if str(exercise.origin) else ""
        self._say(f"\nExercise {drill.number} of {drill.count}{again}: grade {exercise.grade}{place}.")
        if str(exercise.position.rules) != "othello":
            self._say(f"Rules: {exercise.position.rules}.")
        self._show_board(exercise)

    def _show_board(self, exercise: Exercise) -> None:
        position, count = exercise.position, exercise.position.count
        self._say(format_diagram(position, marks=position.legal_moves))
        self._say(
            f"Discs: Black {count.black}, White {count.white}. {position.to_move} to move: {task_text(exercise)}"
        )

    def _ask(self, exercise: Exercise) -> bool:
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
                self._answer(exercise, move)
                return True
            match word.name:
                case "quit":
                    return False
                case "skip":
                    return True
                case "solution":
                    self._answer(exercise, None)
                    return True
                case "hint":
                    self._say(self._drill.hint())
                case "moves":
                    self._say(listed(exercise.position.legal_moves))
                case "board":
                    self._show_board(exercise)
                case _:
                    self._say(VOCABULARY.help_text())

    def _move(self, exercise: Exercise, line: str) -> Move | None:
        """Return the legal move of a line; say what is wrong with any other line."""
        try:
            move = typed_move(line)
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

    # --- answers

    def _answer(self, exercise: Exercise, move: Move | None) -> None:
        """Save an answer, then explain it; `None` is a player who wants the solution."""
        answer = self._drill.answer(move)
        if answer.failure:
            self._warn(answer.failure)
        for line in explanation(exercise, move):
            self._say(line)
        if answer.next_time is not None:
            self._say(f"Next time: {interval_text(answer.next_time)}.")


def candidates(exercise_moves: Iterable[Move], line: str) -> list[str]:
    every = [*(str(move) for move in exercise_moves if move != PASS), *(word.name for word in VOCABULARY.words)]
    return [word for word in every if word.startswith(line.lower())]
