"""``reversi learn``: the first lesson, on the full screen or line by line."""

from __future__ import annotations

import shutil
import textwrap
from typing import Annotated

from reversi import tui
from reversi._core import Move
from reversi.cli.console import command, err, out
from reversi.cli.line_reader import at_terminal, line_reader
from reversi.cli.play.dialogue_lines import cut
from reversi.cli.play.screen import Ui, on_screen, ui_option, use_screen
from reversi.cli.state import StateOption, state_folder
from reversi.errors import InvalidMoveError
from reversi.person.lesson import STEPS, Lesson
from reversi.text.board_drawing import format_diagram
from reversi.text.transcripts import typed_move
from reversi.tui.preferences import Preferences

_HELP = "type a square as in f5, p to pass, show for the answer, next, back, or quit"


@command
def learn(
    ui: Annotated[Ui, ui_option("Learn")] = Ui.AUTO,
    state: StateOption = None,
) -> None:
    """Learn the game in three minutes: flipping, passing, counting, corners, mobility, parity.

    You make each move on the board; a wrong one gets a reason.

    Example: reversi learn

    Example: reversi learn --ui line
    """
    folder = state_folder(state)
    if use_screen(ui):
        on_screen(tui.run_lesson, folder / "screen.json")
        return
    words = ["show", "next", "back", "quit"]
    preferences = Preferences(folder / "screen.json" if at_terminal() else None)
    lesson = Lesson(preferences.lesson)
    try:
        with line_reader(
            lambda line: [word for word in words if word.startswith(line)], folder / "history"
        ) as read:
            _in_lines(lesson, read)
    finally:
        try:
            preferences.keep("lesson", lesson.next_time)
        except OSError as error:
            err(f"reversi: {error}; the lesson begins again the next time")


def _in_lines(lesson: Lesson, read: object) -> None:
    assert callable(read)
    _show(lesson, first=True)
    while True:
        line = read("next> " if lesson.answered else "Black> ")
        word = "quit" if line is None else line.strip().lower()
        if word in ("quit", "q", "exit"):
            return
        if word in ("next", "n") or (not word and lesson.answered):
            if lesson.is_last:
                return
            lesson.go(1)
            _show(lesson)
        elif word in ("back", "b"):
            lesson.go(-1)
            _show(lesson)
        elif word in ("show", "s"):
            _answered(lesson, lesson.step.solution)
        elif not word or word[0] in "#%":
            continue
        else:
            try:
                move = typed_move(word)
            except InvalidMoveError:
                _say(f"{cut(word)!r} is not a move; {_HELP}.")
                continue
            _answered(lesson, move)


def _answered(lesson: Lesson, move: Move) -> None:
    answer = lesson.answer(move)
    if answer.right:
        _say(format_diagram(lesson.position))
    _say(answer.text)
    if answer.right:
        last = "That was the lesson. 'reversi play' starts a game against the weakest engine; Enter leaves."
        _say(last if lesson.is_last else "Enter goes on.")


def _show(lesson: Lesson, *, first: bool = False) -> None:
    step = lesson.step
    _say(f"\nStep {lesson.at + 1} of {len(STEPS)}: {step.title}")
    _say(step.text)
    if first:
        if lesson.at:
            _say("The lesson goes on where you left it; back leads to the step before.")
        _say(f"X are Black's discs, O White's; dots mark your moves. To answer, {_HELP}.")
    _say(format_diagram(lesson.position, marks=lesson.position.legal_moves))


def _say(text: str) -> None:
    """Write some lines, or one paragraph, which fits the terminal."""
    width = shutil.get_terminal_size().columns
    out(textwrap.fill(text, max(width, 20)) if at_terminal() and "\n" not in text else text)
