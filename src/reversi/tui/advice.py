"""What the full screen wants to know from engines, one question after the other, and what it knows by now."""

from __future__ import annotations

from typing import Final, NamedTuple

from reversi._core import Position
from reversi.engine.engine import Engine
from reversi.session.players import Thought
from reversi.session.session import Session
from reversi.solver.solution import MoveScore
from reversi.tui.thinking import Reply, HintRequest, MoveRequest, Request, ValueRequest
from reversi.tui.values import Values

__all__ = ["Advice", "Tips"]

_FIRST_LEVEL: Final = 8
"""Tips of this level are there at once; better ones follow."""
_VALUE_LEVEL: Final = 8


class Tips(NamedTuple):
    """What every move of a position is worth, as far as is known.

    Attributes:
        position: the position.
        choices: its moves, best first.
        level: the level they were computed with.
        last: whether no better ones will come.
    """

    position: Position
    choices: list[MoveScore]
    level: int
    last: bool


class Advice:
    """Decides what to think about, and keeps the answers.

    Args:
        session: the sitting.
    """

    def __init__(self, session: Session) -> None:
        self.values = Values()
        self._session = session
        self._engines: dict[int, Engine] = {}
        self._tips: Tips | None = None

    def _engine(self, level: int) -> Engine:
        if level not in self._engines:
            self._engines[level] = Engine(level, self._session.seed)
        return self._engines[level]

    def tips(self) -> Tips | None:
        """The tips for the current position, if there are any yet."""
        return self._tips if self._tips is not None and self._tips.position == self._session.position else None

    def move_request(self) -> MoveRequest:
        """Which move an engine as strong as the one that plays would choose for a person."""
        session = self._session
        levels = [side.level for side in session.sides.values() if side.level is not None]
        return MoveRequest(self._engine(max(levels, default=session.hint_level)), session.position)

    def wanted(self, now: Request | None, *, step: bool, tips: bool, graph: bool) -> Request | None:
        """What to think about: ``now`` itself while that is still right, ``None`` for nothing.

        Args:
            now: what is being thought about.
            step: whether an engine is to play one move of a paused game.
            tips: whether tips are to be shown.
            graph: whether the values of the game are to be shown.
        """
        session = self._session
        if session.engine_due or (step and session.engine_to_move):
            thought = session.thought()
            return now if isinstance(now, Thought) and now.number == thought.number else thought
        position = session.position
        if isinstance(now, MoveRequest) and now.position == position:
            return now
        if tips and not session.is_over and not session.flips_pending:
            known = self.tips()
            level = min(_FIRST_LEVEL, session.hint_level) if known is None else session.hint_level
            if known is None or not known.last:
                same = isinstance(now, HintRequest) and now.position == position and now.engine.level == level
                return now if same else HintRequest(self._engine(level), position)
        missing = self.values.missing(session.game) if graph else None
        if missing is None:
            return None
        same = isinstance(now, ValueRequest) and now.position == missing
        return now if same else ValueRequest(self._engine(_VALUE_LEVEL), missing)

    def learn(self, answer: Reply) -> None:
        """Keep the answer to a question about tips or values."""
        question = answer.request
        if isinstance(question, HintRequest):
            level = question.engine.level
            self._tips = Tips(question.position, answer.result, level, level >= self._session.hint_level)
            if answer.result:  # the graph shows the same value as the tips
                self.values.learn(question.position, answer.result[0].score)
        elif isinstance(question, ValueRequest):
            self.values.learn(question.position, answer.result.score)
