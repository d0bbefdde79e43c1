"""``reversi learn``: the first lesson, on the full screen or line by line."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

from reversi import tui
from reversi._core import Move
from reversi.arguments import excerpt
from reversi.cli.console import command, err, fail, out, read_bytes
from reversi.cli.line_reader import at_terminal, line_reader
from reversi.cli.options import QuietOption, argument
from reversi.cli.play.dialogue_lines import board_words, by_ear
from reversi.cli.play.screen import Ui, on_screen, ui_option, use_screen
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.errors import InputError, InvalidMoveError
from reversi.game.game import Game
from reversi.person.lesson import Lesson, LessonStep, parse_lesson
from reversi.session.sentences import ply_sentence
from reversi.text.board_drawing import format_diagram
from reversi.text.transcripts import typed_move
from reversi.tui.preferences import Preferences

_HELP = "type a square as in f5, p to pass, show for the answer, next, back, or quit"

_ENDS = "That was the lesson. 'reversi play' starts a game against the weakest engine; Enter leaves."


@command
def learn(
    file: Annotated[
        Path | None, argument("[FILE]", "A lesson, as a coach writes one; by default the first lesson.")
    ] = None,
    ui: Annotated[Ui, ui_option("Learn")] = Ui.AUTO,
    quiet: QuietOption = False,
    state: StateOption = None,
) -> None:
    """Learn the game in three minutes: flipping, passing, counting, corners, mobility, parity.

    You make each move on the board; a wrong one gets a reason.

    Example: reversi learn

    Example: reversi learn --ui line

    Example: reversi learn endgames.pgn
    """
    steps = () if file is None else _steps(str(file))
    folder = state_folder(state)
    if use_screen(ui):
        on_screen(partial(tui.run_lesson, steps=steps), folder / "screen.json")
        return
    words = ["show", "next", "back", "quit", "moves", "count", "read", "board"]
    preferences = Preferences(folder / "screen.json" if at_terminal() else None)
    lesson = Lesson(0 if steps else preferences.lesson, steps)
    try:
        with line_reader(
            lambda line: [word for word in words if word.startswith(line)], folder / "history"
        ) as read:
            _Lines(lesson, read, quiet=quiet).run()
    finally:
        try:
            if not steps:
                preferences.keep("lesson", lesson.next_time)
        except OSError as error:
            err(f"reversi: {error}; the lesson begins again the next time")


def _steps(file: str) -> tuple[LessonStep, ...]:
    try:
        return parse_lesson(read_bytes(file).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fail(Status.BAD_DATA, f"{file}: byte {error.start + 1} is no UTF-8 text")
    except InputError as error:
        fail(Status.BAD_DATA, f"{file}: {error}")


class _Lines:
    """The lesson line by line."""

    def __init__(self, lesson: Lesson, read: Callable[[str], str | None], *, quiet: bool) -> None:
        self._lesson = lesson
        self._quiet = quiet
        self._read, self._say = by_ear(read, _say) if quiet else (read, _say)

    def run(self) -> None:
        lesson = self._lesson
        self._show(first=True)
        while True:
            line = self._read("next> " if lesson.answered else f"{lesson.position.to_move}> ")
            word = "quit" if line is None else line.strip().lower()
            if word in ("quit", "q", "exit"):
                return
            if word in ("next", "n") or (not word and lesson.answered):
                if lesson.is_last:
                    return
                lesson.go(1)
                self._show()
            elif word in ("back", "b"):
                lesson.go(-1)
                self._show()
            elif word in ("show", "s"):
                self._answer(lesson.step.solution)
            elif word == "board":
                self._draw()
            elif word and word[0] not in "#%":
                try:
                    said = board_words(lesson.position, word)
                    if said:
                        self._say(said)
                    else:
                        self._answer(typed_move(word))
                except InvalidMoveError:
                    self._say(f"{excerpt(word)} is not a move; {_HELP}.")
                except InputError as error:
                    self._say(f"{error}.")

    def _answer(self, move: Move) -> None:
        lesson = self._lesson
        answer = lesson.answer(move)
        if answer.right and self._quiet:
            self._say(ply_sentence(Game(lesson.step.position).play(move)))
        elif answer.right:
            self._draw()
        self._say(answer.text)
        if answer.right:
            self._say(_ENDS if lesson.is_last else "Enter goes on.")

    def _show(self, *, first: bool = False) -> None:
        lesson, step = self._lesson, self._lesson.step
        self._say(f"\nStep {lesson.at + 1} of {len(lesson.steps)}: {step.title}")
        self._say(step.text)
        if first:
            if lesson.at:
                self._say("The lesson goes on where you left it; back leads to the step before.")
            how = "moves lists the marked squares, and read says the board"
            signs = "X are Black's discs, O White's; dots mark your moves"
            self._say(f"{how if self._quiet else signs}. To answer, {_HELP}.")
        if not self._quiet:
            self._draw()
        if not step.asks:
            self._say(_ENDS if lesson.is_last else "Enter goes on.")

    def _draw(self) -> None:
        position, answered = self._lesson.position, self._lesson.answered
        self._say(format_diagram(position, marks=() if answered else position.legal_moves))


def _say(text: str) -> None:
    """Write some lines, or one paragraph, which fits the terminal."""
    width = shutil.get_terminal_size().columns
    out(textwrap.fill(text, max(width, 20)) if at_terminal() and "\n" not in text else text)
