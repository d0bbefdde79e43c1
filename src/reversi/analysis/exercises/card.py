"""What a training asks, and in which order: cards of a course."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Protocol

from reversi._core import Move, Position
from reversi.text.boards import format_board


class Card(Protocol):
    """A position with the moves that are right in it.

    Attributes:
        id: the name under which its answers are kept: the same for a position and its symmetric twins.
        position: the position.
        answers: the moves that count as right, the first is the solution.
        about: how hard it is, or what it belongs to, in a few words.
        place: where the position comes from; may be empty.
        task: what is to be found.
        last: the move that led here, where it is known.
    """

    @property
    def id(self) -> str: ...
    @property
    def position(self) -> Position: ...
    @property
    def answers(self) -> tuple[Move, ...]: ...
    @property
    def about(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def last(self) -> Move | None: ...

    def hints(self, wrong: Collection[Move]) -> list[str]:
        """Return hints, each stronger than the one before, that name no move known to be wrong."""

    def explanation(self, move: Move | None) -> list[str]:
        """Return lines that say why an answer is right or wrong; ``None`` is a player who wants the solution."""

    def labels(self, answered: Move) -> list[tuple[Move, str]]:
        """Return what the board shows on other moves once one was played."""


class Course(Protocol):
    """Where the cards of a drill come from.

    Attributes:
        noun: what a card is called.
        count: how many cards there are, as far as it is known.
        flows: whether a right answer leads on at once.
    """

    noun: str
    count: int
    flows: bool

    def next(self) -> tuple[int, Card] | None:
        """Return the next card with its number, from 1; ``None`` after the last one."""

    def answered(self, number: int, card: Card, move: Move | None, *, again: bool) -> None:
        """Take notice of an answer; ``again`` asks for the card once more."""


def card_id(position: Position, kind: str = "") -> str:
    """Return the name of a position on cards of a kind: 16 hexadecimal digits, equal for symmetric positions."""
    text = f"{kind}{position.rules} {format_board(position.canonical())}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]
