"""A thread that thinks, so that the screen never waits: one request at a time, the latest counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from textual.message import Message

from reversi.errors import ReversiError
from reversi.tui.sentences import sentence
from reversi.work.cancel import Cancel


class Request(Protocol):
    def think(self) -> Any: ...

    def cancel(self) -> None:
        """Stop `think` soon, with any exception; another thread calls this, perhaps before `think`."""
        ...


@dataclass(eq=False)
class Question:
    """A request with what becomes of its answer.

    Attributes:
        answer: works the answer out in another thread; its argument stops it.
        use: takes the answer.
        about: what it is about: of two questions about the same one is enough.
        refused: takes a sentence where a mistake, a file or a database is in the way; else an error is raised.
    """

    answer: Callable[[Cancel], Any]
    use: Callable[[Any], object]
    about: object = None
    refused: Callable[[str], object] | None = None
    cancelled: Cancel = field(default_factory=Cancel)

    def think(self) -> Any:
        return self.answer(self.cancelled)

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


def settle(reply: Replied) -> None:
    """Hand the answer to a question, or what is in the way, to who has asked."""
    question, error = reply.request, reply.error
    assert isinstance(question, Question)
    if error is None:
        question.use(reply.result)
    elif question.refused is not None and isinstance(error, ReversiError | OSError):
        question.refused(sentence(str(error)))
    else:
        raise error


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

    def ask_unless_asked(self, question: Question) -> None:
        """As `ask`, unless the request in progress is about the same."""
        now = self.request
        if not (isinstance(now, Question) and now.about == question.about):
            self.ask(question)

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
