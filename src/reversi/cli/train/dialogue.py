"""A training at the prompt: show a card, ask for a move, explain the answer, save it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reversi._core import PASS, Move
from reversi.analysis.exercises.drill import Drill, interval_text
from reversi.analysis.exercises.school import Card
from reversi.cli.play.dialogue_lines import board_words, by_ear, why_not
from reversi.cli.train.train_vocabulary import VOCABULARY
from reversi.errors import InputError, InvalidMoveError
from reversi.text.board_drawing import format_diagram
from reversi.text.transcripts import typed_move


class Training:
    """A drill in conversation.

    Args:
        drill: asks the cards.
        read: returns the next line after showing a prompt; `None` at the end of input.
        say: shows one or more lines.
        warn: reports that an answer cannot be saved.
        quiet: show the board only on request.
    """

    def __init__(
        self,
        drill: Drill,
        *,
        read: Callable[[str], str | None],
        say: Callable[[str], None],
        warn: Callable[[str], None],
        quiet: bool = False,
    ) -> None:
        self._drill = drill
        self._quiet = quiet
        if quiet:
            read, say = by_ear(read, say)
        self._read = read
        self._say = say
        self._warn = warn

    def run(self) -> None:
        """Ask the cards until the last one, `quit` or the end of input."""
        if self._drill.course.about:
            self._say(self._drill.course.about)
        while self._drill.next():
            card = self._drill.card
            assert card is not None
            self._show(card)
            if not self._ask(card):
                break
        self._drill.close()
        self._say(self._drill.summary)

    # --- one card

    def _show(self, card: Card) -> None:
        drill, course = self._drill, self._drill.course
        again = ", again" if drill.comes_back else ""
        what = ", ".join(text for text in (card.about, card.place) if text)
        self._say(f"\n{course.noun.capitalize()} {drill.number} of {course.count}{again}: {what}.")
        if str(card.position.rules) != "othello":
            self._say(f"Rules: {card.position.rules}.")
        self._show_board(card, drawn=not self._quiet)

    def _show_board(self, card: Card, *, drawn: bool = True) -> None:
        position, count = card.position, card.position.count
        if drawn:
            self._say(format_diagram(position, marks=position.legal_moves))
        self._say(f"Discs: Black {count.black}, White {count.white}. {position.to_move} to move: {card.task}")

    def _ask(self, card: Card) -> bool:
        """Answer lines until the card is over; return false at the end of the session."""
        while True:
            line = self._read(f"{card.position.to_move}> ")
            if line is None:
                return False
            line = line.strip()
            if not line or line[0] in "#%":
                continue
            try:
                said = board_words(card.position, line)
            except InputError as error:
                said = f"{error}."
            if said:
                self._say(said)
                continue
            word = VOCABULARY.find(line)
            if word is None:
                move = self._move(card, line)
                if move is None:
                    continue
                self._answer(card, move)
                return True
            match word.name:
                case "quit":
                    return False
                case "skip":
                    return True
                case "solution":
                    self._answer(card, None)
                    return True
                case "hint":
                    self._say(self._drill.hint())
                case "board":
                    self._show_board(card)
                case _:
                    self._say(VOCABULARY.help_text())

    def _move(self, card: Card, line: str) -> Move | None:
        """Return the legal move of a line; say what is wrong with any other line."""
        try:
            move = typed_move(line)
        except InvalidMoveError:
            self._say(VOCABULARY.not_understood(line, "type a square as in f5, hint, skip or help"))
            return None
        if why := why_not(card.position, move):
            self._say(f"{why}.")
            return None
        return move

    # --- answers

    def _answer(self, card: Card, move: Move | None) -> None:
        """Save an answer, then explain it; `None` is a player who wants the solution."""
        answer = self._drill.answer(move)
        if answer.failure:
            self._warn(answer.failure)
        for line in card.explanation(move):
            self._say(line)
        if answer.next_time is not None:
            self._say(f"Next time: {interval_text(answer.next_time)}.")


def candidates(exercise_moves: Iterable[Move], line: str) -> list[str]:
    every = [*(str(move) for move in exercise_moves if move != PASS), *(word.name for word in VOCABULARY.words)]
    return [word for word in every if word.startswith(line.lower())]
