"""The requests of the full screen to engines, one after the other, and the results so far."""

from __future__ import annotations

from typing import Final, NamedTuple

from reversi._core import Position
from reversi.engine.engine import Engine
from reversi.engine.levels import level_for, strongest
from reversi.score import best_of
from reversi.session.players import Thought
from reversi.session.session import Session
from reversi.solver.solution import MoveScore
from reversi.tui.thinking import HintRequest, MoveRequest, Replied, Request, ValueRequest
from reversi.tui.values import Values

_FIRST_LEVEL: Final = 8
"""Tips of this level appear at once; better ones follow."""
_VALUE_LEVEL: Final = 8


class Tips(NamedTuple):
    """The scores of all moves of a position.

    Attributes:
        position: the position.
        choices: its moves with their scores, best first.
        level: the level of the search.
        last: whether no deeper search follows.
    """

    position: Position
    choices: list[MoveScore]
    level: int
    last: bool


class Advice:
    """Decides what to think about, and keeps the results.

    Args:
        session: the session.
    """

    def __init__(self, session: Session) -> None:
        self.values = Values()
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

    def move_request(self) -> MoveRequest:
        """Return the request for a move for a person, from an engine as strong as the opponent."""
        session = self._session
        levels = [side.level for side in session.sides.values() if side.level is not None]
        return MoveRequest(self._engine(strongest(levels, session.hint_level)), session.position)

    def wanted(self, now: Request | None, *, step: bool, tips: bool, graph: bool) -> Request | None:
        """Return what to think about: ``now`` itself while it is still right, ``None`` for nothing.

        Args:
            now: the request in progress.
            step: whether an engine is to play one move of a paused game.
            tips: whether the screen shows tips.
            graph: whether the screen shows the values of the game.
        """
        session = self._session
        if session.engine_due or (step and session.engine_to_move):
            thought = session.thought()
            return now if isinstance(now, Thought) and now.number == thought.number else thought
        position = session.position
        if isinstance(now, MoveRequest) and now.position == position:
            return now
        if tips and not session.is_over and not session.flips_pending:
            shown = self.tips()
            level = min(_FIRST_LEVEL, session.hint_level) if shown is None else session.hint_level
            if shown is None or not shown.last:
                same = isinstance(now, HintRequest) and now.position == position and now.engine.level == level
                return now if same else HintRequest(self._engine(level), position)
        missing = self.values.missing(session.game) if graph else None
        if missing is None:
            return None
        same = isinstance(now, ValueRequest) and now.position == missing
        return now if same else ValueRequest(self._engine(_VALUE_LEVEL), missing)

    def learn(self, reply: Replied) -> None:
        """Keep the reply to a request for tips or a value."""
        request = reply.request
        if isinstance(request, HintRequest):
            level = level_for(request.engine.level).number
            choices: list[MoveScore] = reply.result
            self._tips = Tips(request.position, choices, level, level >= self._session.hint_level)
            if choices:  # the graph shows the same value as the tips
                self.values.learn(request.position, best_of([choice.score for choice in choices]))
        elif isinstance(request, ValueRequest):
            self.values.learn(request.position, reply.result)
