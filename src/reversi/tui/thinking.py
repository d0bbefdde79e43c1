"""A thread that thinks, so that the screen never waits: one question at a time, the latest one counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from reversi._core import Position
from reversi.engine.engine import Engine
from reversi.solver.solution import MoveScore
from reversi.solver.stopping import Cancel

__all__ = ["Reply", "HintRequest", "MoveRequest", "Request", "Thinker", "ValueRequest"]


class Request(Protocol):
    """Something to think about."""

    def think(self) -> Any:
        """Think; the answer is returned."""
        ...

    def cancel(self) -> None:
        """Called from another thread, perhaps before: stop thinking soon, with any exception."""
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question: a result, or the exception that it ended with."""

    question: Request
    result: Any = None
    error: BaseException | None = None


class _OfEngine:
    def __init__(self, engine: Engine, position: Position) -> None:
        self.engine = engine
        self.position = position
        self._cancel = Cancel()

    def cancel(self) -> None:
        """Stop, now or as soon as it begins."""
        self._cancel.cancel()


class HintRequest(_OfEngine):
    """What are the moves of a position worth?"""

    def think(self) -> list[MoveScore]:
        """All moves, best first."""
        return self.engine.hint(self.position, 64, cancel=self._cancel)


class ValueRequest(_OfEngine):
    """What is a position worth?"""

    def think(self) -> MoveScore:
        """The best move and its score."""
        return self.engine.choose(self.position, cancel=self._cancel)


class MoveRequest(ValueRequest):
    """Which move would the engine play here, for a person who asks?"""


class Thinker:
    """Answers questions in a thread of its own.

    Args:
        answered: called in that thread with the answer to a question that was not given up.
    """

    def __init__(self, answered: Callable[[Reply], None]) -> None:
        self._replied = answered
        self._changed = threading.Condition()
        self._next: Request | None = None
        self._now: Request | None = None
        self._wanted = False
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def question(self) -> Request | None:
        """The question that is being answered or waits for that, ``None`` when there is none."""
        with self._changed:
            return self._next or (self._now if self._wanted else None)

    def ask(self, question: Request) -> None:
        """Think about this, and give up what is being thought about."""
        with self._changed:
            self._give_up()
            self._next = question
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reversi-thinker", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """Give up whatever is being thought about; its answer will not come."""
        with self._changed:
            self._give_up()

    def close(self, timeout: float = 1.0) -> None:
        """Stop for good, and wait a moment for the thread to end."""
        with self._changed:
            self._closed = True
            self._give_up()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout)

    def _give_up(self) -> None:
        self._next = None
        self._wanted = False
        if self._now is not None:
            self._now.cancel()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._next is not None or self._closed)
                if self._closed:
                    return
                question, self._next = self._next, None
                assert question is not None
                self._now, self._wanted = question, True
            try:
                answer = Reply(question, question.think())
            except Exception as error:
                answer = Reply(question, error=error)
            with self._changed:
                wanted, self._now, self._wanted = self._wanted, None, False
            if wanted:
                self._replied(answer)
