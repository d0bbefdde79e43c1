"""A thread that thinks, so that the screen never waits: one request at a time, the latest counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

from textual.message import Message

from reversi._core import Position
from reversi.engine.engine import Engine
from reversi.score import Score
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel


class Request(Protocol):
    def think(self) -> Any: ...

    def cancel(self) -> None:
        """Stop `think` soon, with any exception; another thread calls this, perhaps before `think`."""
        ...


class CancelledByFlag:
    """The base of requests that ask `cancelled` whether to stop."""

    def __init__(self) -> None:
        self.cancelled = Cancel()

    def cancel(self) -> None:
        """Stop, now or as soon as it begins."""
        self.cancelled.cancel()


class Replied(Message):
    """The end of a request: a result, or an exception."""

    def __init__(self, request: Request, result: Any = None, error: BaseException | None = None) -> None:
        super().__init__()
        self.request = request
        self.result = result
        self.error = error


class _OfEngine(CancelledByFlag):
    def __init__(self, engine: Engine, position: Position) -> None:
        super().__init__()
        self.engine = engine
        self.position = position


class HintRequest(_OfEngine):
    def think(self) -> list[MoveScore]:
        return self.engine.hint(self.position, 64, cancel=self.cancelled)


class ValueRequest(_OfEngine):
    def think(self) -> Score:
        return self.engine.score(self.position, cancel=self.cancelled)


class MoveRequest(_OfEngine):
    """The engine's move in a position, for a person who asks."""

    def think(self) -> MoveScore:
        return self.engine.choose(self.position, cancel=self.cancelled)


class Thinker:
    """Serves requests in a thread of its own.

    Args:
        replied: called in that thread with the reply to every request that nobody dropped: a screen's
            `post_message`.
    """

    def __init__(self, replied: Callable[[Replied], object]) -> None:
        self._replied = replied
        self._changed = threading.Condition()
        self._next: Request | None = None
        self._now: Request | None = None
        self._wanted = False
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def request(self) -> Request | None:
        """The request in progress or waiting, ``None`` without one."""
        with self._changed:
            return self._next or (self._now if self._wanted else None)

    def ask(self, request: Request) -> None:
        """Think about ``request``, and drop the request in progress."""
        with self._changed:
            self._drop()
            self._next = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reversi-thinker", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """Drop the request in progress; its reply never comes."""
        with self._changed:
            self._drop()

    def close(self, timeout_s: float = 1.0) -> None:
        """Stop for good, and wait a moment for the thread to end."""
        with self._changed:
            self._closed = True
            self._drop()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _drop(self) -> None:
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
                request, self._next = self._next, None
                assert request is not None
                self._now, self._wanted = request, True
            try:
                reply = Replied(request, request.think())
            except Exception as error:
                reply = Replied(request, error=error)
            with self._changed:
                wanted, self._now, self._wanted = self._wanted, None, False
            if wanted:
                self._replied(reply)
