"""Cards on the board: find the move by mouse or by keys, of a deck, the mistakes of a game, or a repertoire."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.message import Message

from reversi._core import PASS, SQUARES, Move, Square
from reversi.analysis.exercises.drill import Drill, Queue, interval_text
from reversi.analysis.exercises.school import Card
from reversi.errors import InputError
from reversi.game.game import Game
from reversi.rules import OTHELLO, BoardSize
from reversi.tui.board_drawing import Cell, View
from reversi.tui.board_screen import BoardScreen, copies_of
from reversi.tui.board_widget import BoardWidget
from reversi.tui.keys import EXERCISE_KEYS, Key
from reversi.tui.sentences import printable, sentence
from reversi.tui.themes import BoardTheme
from reversi.tui.thinking import Question, Thinker
from reversi.tui.widgets import Lines, Scrolled
from reversi.work.cancel import Cancel


class _Made(Message):
    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card


class ExerciseScreen(BoardScreen[None]):
    """A drill: one card after another.

    Args:
        more: finds cards that are added to a queue, until its argument stops it; ``None`` for none.
    """

    DEFAULT_CSS: ClassVar[str] = """
    ExerciseScreen #task { height: 1fr; }
    ExerciseScreen #words { height: 2; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = EXERCISE_KEYS
    BELOW: ClassVar[tuple[str, ...]] = ("words",)

    def __init__(
        self,
        drill: Drill,
        look: BoardTheme,
        more: Callable[[Cancel], Iterable[Card]] | None = None,
    ) -> None:
        drill.next()
        super().__init__(_board_of(drill), look)
        self.drill = drill
        self.answered: Move | None = None
        """The move that was played, or the best one after a look at the solution; ``None`` before an answer."""
        self._said: list[str] = []
        self._more = more
        self._making = more is not None
        self._thinker = Thinker(self.post_message)

    def compose_side(self) -> ComposeResult:
        yield Scrolled(id="task")

    def on_mount(self) -> None:
        if self._more is not None:
            self._thinker.ask(Question(partial(self._make, self._more), self._made_all))
        self._begin()
        self._note = self.drill.course.about
        self.update()

    def _make(self, more: Callable[[Cancel], Iterable[Card]], cancel: Cancel) -> None:
        """Find cards, in the thinking thread."""
        for card in more(cancel):
            self.post_message(_Made(card))

    def on_unmount(self) -> None:
        self._thinker.close()
        self.drill.close()

    @on(_Made)
    def _add(self, message: _Made) -> None:
        assert isinstance(self.drill.course, Queue)
        self.drill.course.add(message.card)
        if self.drill.card is None:
            self.drill.next()
            self._begin()
        else:
            self.update()

    def _made_all(self, _: None) -> None:
        self._making = False
        self.update()

    def _begin(self, said: Iterable[str] = ()) -> None:
        """Show the card from its beginning, with what was said about the one before."""
        card = self.drill.card
        self.answered, self._said, self._note = None, list(said), ""
        if card is not None:
            self._board_size = card.position.rules.board
            position, last = card.position, card.last
            squares = position.legal_moves.placements
            if self.drill.course.flows:  # a second Enter finds a disc
                squares = last.bit if isinstance(last, Square) else position.black | position.white
            self.board.cursor = (squares & -squares).bit_length() - 1 if squares else 27
        self.update()

    # --- showing

    def update(self) -> None:
        if not self.is_mounted:
            return
        self.fit()
        drill, course, card = self.drill, self.drill.course, self.drill.card
        self.board.cursor_shown = card is not None and self.answered is None
        if card is None:
            self.show_title(f"{course.noun.capitalize()}s")
            self.board.show(View())
        else:
            again = ", again" if drill.comes_back and self.answered is None else ""
            of = f"{drill.number} of {course.count}{'+' if self._making else ''}"
            self.show_title(f"{course.noun.capitalize()} {of}{again}", card.about)
            self._show_board(card)
        side, texts = self.side_width, self.words_beside
        lines = [line for text in texts for line in self._wrapped(text, side)]
        task = self.query_one(Scrolled)
        more = f"{self.look.ellipsis} Page Down"
        task.show_all([[Cell(line, bold=not at)] for at, line in enumerate(lines)], more)
        go_on = "Enter goes on." if self.answered is not None or card is None else ""
        so_far = f"{drill.right} of {drill.asked} right so far." if drill.asked else ""
        words = [self._note, " ".join(filter(None, (go_on, so_far)))]
        widget = self.query_one("#words", Lines)
        widget.show([[Cell(text, self.look.accent)] for text in words])
        if self._note:
            self.point(widget, 0)
        else:  # the task, then what was said of the answer
            self.point(task, lines.index("") + 1 if self._said and "" in lines else 0)
        self.show_keys(EXERCISE_KEYS)

    @property
    def words_beside(self) -> list[str]:
        """The task and its place, then what was said of the answer; without a card how it went."""
        card, look = self.drill.card, self.look
        said = list(map(look.worded, self._said))
        if card is None:
            return [f"Looking for mistakes{look.ellipsis}" if self._making else self.drill.summary, "", *said]
        return [look.worded(f"{card.position.to_move} to move: {card.task}"), card.place, "", *said]

    @staticmethod
    def _wrapped(text: str, width: int) -> list[str]:
        indent = " " * (len(text) - len(text.lstrip()))
        return textwrap.wrap(printable(text), max(width, 10), subsequent_indent=indent) or [""]

    def _show_board(self, card: Card) -> None:
        position, answered = card.position, self.answered
        if answered is None:
            self.show_board(position, self.placements, last=card.last)
        else:
            self.show_board(position.play(answered), last=answered, labels=card.labels(answered))

    @property
    def placements(self) -> int:
        card = self.drill.card
        return 0 if card is None or self.answered is not None else card.position.legal_moves.placements

    # --- answers

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        if self.answered is None:
            self._answer(SQUARES[message.square])
        else:
            self.action_skip()

    def action_choose(self) -> None:
        """Answer with the move at the cursor; after an answer, go on."""
        card = self.drill.card
        if card is None or self.answered is not None:
            self.action_skip()
        elif not card.position.legal_moves.placements:
            self._answer(PASS)
        else:
            self._answer(SQUARES[self.board.cursor])

    def _answer(self, move: Move | None) -> None:
        card = self.drill.card
        if card is None:
            return
        if move is not None and not card.position.is_legal(move):
            self._note = f"{move} is not a legal move."
            self.update()
            return
        answer = self.drill.answer(move)
        said = card.explanation(move)
        if answer.next_time is not None:
            said.append(f"Next time: {interval_text(answer.next_time)}.")
        if answer.right and self.drill.course.flows:
            self.drill.next()
            self._begin(said)
        else:
            self._said = said
            self.answered = card.answers[0] if move is None else move
        self._note = sentence(answer.failure) if answer.failure else ""
        self.update()

    def take(self, moves: Sequence[Move]) -> None:
        """Answer with a move; a line is no answer."""
        card = self.drill.card
        if card is None or self.answered is not None or len(moves) > 1:
            raise InputError("an exercise asks for one move")
        card.position.play(moves[0])
        self._answer(moves[0])

    def copies(self) -> dict[str, Callable[[], str]]:
        return {} if self.drill.card is None else copies_of(Game(self.drill.card.position))

    def action_hint(self) -> None:
        if self.drill.card is not None and self.answered is None:
            self._said = [*self._said, self.drill.hint()] if self.drill.hints else [self.drill.hint()]
            self.update()

    def action_solution(self) -> None:
        if self.drill.card is not None and self.answered is None:
            self._answer(None)

    def action_skip(self) -> None:
        """Go to the next card; after the last one, leave."""
        if self.drill.card is None and not self._making:
            self.action_leave()
            return
        self.drill.next()
        self._begin()

    # --- leaving

    def action_leave(self) -> None:
        """Go back to the screen behind, or end the program without one."""
        if len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:
            self.app.exit(False)


def _board_of(drill: Drill) -> BoardSize:
    return OTHELLO.board if drill.card is None else drill.card.position.rules.board
