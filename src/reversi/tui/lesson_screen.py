"""The screen of the first lesson: the board, and beside it what to know and what to do."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult

from reversi._core import PASS, SQUARES, Move
from reversi.errors import InputError
from reversi.person.lesson import Answer, Lesson, LessonStep
from reversi.text.widths import wrapped
from reversi.tui.board_drawing import Cell
from reversi.tui.board_screen import BoardScreen
from reversi.tui.board_widget import BoardWidget
from reversi.tui.keys import LESSON_KEYS, Key
from reversi.tui.preferences import Preferences
from reversi.tui.themes import BoardTheme
from reversi.tui.widgets import Lines, Scrolled

_BARS_HEIGHT = 6  # title, four lines of words, keys
_HOW = "Click a marked square, or choose it with the arrows and Enter."


class LessonScreen(BoardScreen[None]):
    """The lesson.

    Args:
        preferences: keeps the step of the first lesson for the next time.
        steps: the steps; by default those of the first lesson.
    """

    DEFAULT_CSS: ClassVar[str] = """
    #task { height: 1fr; }
    #answer { height: 4; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = LESSON_KEYS
    BELOW: ClassVar[tuple[str, ...]] = ("answer",)

    def __init__(self, look: BoardTheme, preferences: Preferences, steps: tuple[LessonStep, ...] = ()) -> None:
        self.lesson: Lesson = Lesson(0 if steps else preferences.lesson, steps)
        super().__init__(self.lesson.position.rules.board, look)
        self._is_first = not steps
        self._preferences = preferences
        self._answer: Answer | None = None
        self._last: Move | None = None

    def compose_side(self) -> ComposeResult:
        yield Scrolled(id="task")

    def on_mount(self) -> None:
        self.board.cursor = 27
        self.update()

    def update(self) -> None:
        """Show the step, the board and the answer."""
        if not self.is_mounted:
            return
        self._board_size = self.lesson.position.rules.board
        if not self.fit_or_say(_BARS_HEIGHT, "or press q and run reversi learn --ui line"):
            return
        lesson, step = self.lesson, self.lesson.step
        self.show_title("Learn", f"step {lesson.at + 1} of {len(lesson.steps)}", step.title)
        text = textwrap.wrap(self.look.worded(step.text), self.side_width)
        heading = [Cell(step.title, self.look.accent, bold=True)]
        task = self.query_one(Scrolled)
        lines = [heading, [Cell("")], *([Cell(line)] for line in text)]
        task.show_all(lines, f"{self.look.ellipsis} Page Down")
        self.show_board(lesson.position, self.placements, self._last)
        self._show_answer()
        self.point(task if self._answer is None else self.query_one("#answer", Lines), 0)
        self.show_keys(LESSON_KEYS)

    @property
    def placements(self) -> int:
        return 0 if self.lesson.answered else self.lesson.position.legal_moves.placements

    @property
    def words_beside(self) -> list[str]:
        """The step: its title, what to know and the task."""
        return [self.lesson.step.title, self.look.worded(self.lesson.step.text)]

    def say(self, text: str) -> None:
        """Show a note in place of the answer."""
        self._answer = Answer(False, text)
        self.update()

    def _show_answer(self) -> None:
        lines = [] if self.lesson.at else textwrap.wrap(_HOW, max(self.size.width - 2, 10))
        if self._answer is not None:
            lines = wrapped(self.look.worded(self._answer.text), max(self.size.width - 2, 10), most=3)
        if self.lesson.answered:
            last = "That was the lesson. q leaves; reversi play starts a game against the weakest engine."
            lines += textwrap.wrap(last if self.lesson.is_last else "Enter goes on.", max(self.size.width - 2, 10))
        bold = self._answer is not None and self._answer.right
        self.query_one("#answer", Lines).show([[Cell(line, bold=bold)] for line in lines])

    # --- answers

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self._choose(SQUARES[message.square])

    def action_choose(self) -> None:
        self._choose(SQUARES[self.board.cursor])

    def take(self, moves: Sequence[Move]) -> None:
        """Answer with a move; a line is no answer."""
        if len(moves) > 1:
            raise InputError("a step asks for one move")
        self._choose(moves[0])

    def action_skip(self) -> None:
        self._choose(PASS)

    def action_show(self) -> None:
        """Play a right move."""
        if not self.lesson.answered:
            self._choose(self.lesson.step.solution)

    def _choose(self, move: Move) -> None:
        if self.lesson.answered:
            self.action_go(1)
            return
        self._answer = self.lesson.answer(move)
        if self._answer.right and not move.is_pass:
            self._last = move
        self.update()

    def action_go(self, steps: int) -> None:
        """Go to another step, or say that there is none."""
        if self.lesson.go(steps):
            self._answer = self._last = None
        else:
            self._answer = Answer(False, f"This is the {'last' if steps > 0 else 'first'} step.")
        self.update()

    # --- leaving

    def action_leave(self) -> None:
        if self.lesson.is_last and self.lesson.answered:
            self.action_quit()
        else:
            question = "Leave the lesson?" + " The next reversi learn goes on at this step." * self._is_first
            self.confirm(question, self.action_quit)

    def action_quit(self) -> None:
        self.app.exit(False)

    def close_down(self) -> None:
        if self._is_first:
            with contextlib.suppress(OSError):  # the next time begins at an earlier step
                self._preferences.keep("lesson", self.lesson.next_time)
