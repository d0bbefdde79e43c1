"""The requests of the full screen to engines, one after the other, and the results so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from reversi._core import Move, Position
from reversi.engine.engine import Engine
from reversi.engine.levels import strongest
from reversi.people import move_chances
from reversi.score import best_of
from reversi.session.players import Thought
from reversi.session.session import Session
from reversi.solver.solution import MoveScore
from reversi.tui.thinking import Question, Request
from reversi.tui.values import Values
from reversi.work.cancel import Cancel

_FIRST_LEVEL: Final = 8
"""Tips of this level appear at once; better ones follow."""
_VALUE_LEVEL: Final = 8


class Tips(NamedTuple):
    """The scores of all moves of a position.

    Attributes:
        choices: its moves with their scores, best first.
        last: whether no deeper search follows.
        people: how often people at the person's level play each move, 0 to 1; empty where nobody knows.
    """

    position: Position
    choices: list[MoveScore]
    last: bool
    people: Mapping[Move, float] = MappingProxyType({})


class Advice:
    """Decides what to think about, and keeps the results.

    Args:
        session: the session.
        rating: returns the rating of people who play about as well as the person, ``None`` where nobody knows.
    """

    def __init__(self, session: Session, rating: Callable[[], int | None] = lambda: None) -> None:
        self._rating = rating
        self.values: Values = Values()
        self._session = session
        self._engines: dict[int | str, Engine] = {}
        self._tips: Tips | None = None

    def _engine(self, level: int | str) -> Engine:
        if level not in self._engines:
            self._engines[level] = Engine(level, self._session.seed)
        self._engines[level].book = self._session.book
        return self._engines[level]

    def tips(self) -> Tips | None:
        """Return the tips for the current position, ``None`` before the first search ends."""
        return self._tips if self._tips is not None and self._tips.position == self._session.position else None

    def move_question(self, use: Callable[[MoveScore], object]) -> Question:
        """Return the question for a move for a person, to an engine as strong as the opponent."""
        session = self._session
        levels = [side.level for side in session.sides.values() if side.level is not None]
        engine, position = self._engine(strongest(levels, session.hint_level)), session.position
        return Question(lambda cancel: engine.choose(position, cancel=cancel), use, ("move", position))

    def _tips_question(self, level: int) -> Question:
        engine, position, rating = self._engine(level), self._session.position, self._rating()

        def think(cancel: Cancel) -> Tips:
            choices = engine.hint(position, 64, cancel=cancel)
            people = {} if rating is None else move_chances(position, rating)
            return Tips(position, choices, level >= self._session.hint_level, people)

        return Question(think, self._learn_tips, ("tips", position, level))

    def _value_question(self, position: Position) -> Question:
        engine = self._engine(_VALUE_LEVEL)
        return Question(
            lambda cancel: engine.score(position, cancel=cancel),
            lambda score: self.values.learn(position, score),
            ("value", position),
        )

    def wanted(self, now: Request | None, *, step: bool, tips: bool, graph: bool) -> Request | None:
        """Return what to think about: ``now`` itself while it is still right, ``None`` for nothing.

        Args:
            step: whether an engine is to play one move of a paused game.
        """
        session = self._session
        if session.engine_to_move and (step or not session.is_paused):
            thought = session.thought()
            return now if isinstance(now, Thought) and now.number == thought.number else thought
        about = now.about if isinstance(now, Question) else None
        if about == ("move", session.position):
            return now
        question = self._next_question(tips=tips, graph=graph)
        return now if question is not None and question.about == about else question

    def _next_question(self, *, tips: bool, graph: bool) -> Question | None:
        session, shown = self._session, self.tips()
        if tips and not (session.is_over or session.flips_pending or (shown is not None and shown.last)):
            level = min(_FIRST_LEVEL, session.hint_level) if shown is None else session.hint_level
            return self._tips_question(level)
        missing = self.values.missing(session.game) if graph else None
        return None if missing is None else self._value_question(missing)

    def _learn_tips(self, tips: Tips) -> None:
        self._tips = tips
        if tips.choices:  # the graph shows the same value as the tips
            self.values.learn(tips.position, best_of([choice.score for choice in tips.choices]))
