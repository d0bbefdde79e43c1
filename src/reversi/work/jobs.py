"""Jobs: what is to be done, how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from reversi.work.cancel import Cancel

K = TypeVar("K")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class Work(Protocol[A_co]):
    """What a job does. It pickles if the workers are other processes."""

    def do(self, job: Job[Any, Any], /) -> A_co | None:
        """Return the answer; ``None`` if the job was cancelled before there was one.

        Args:
            job: the job; work that takes long notes how far it is, and ends soon after ``job.cancel``.
        """
        ...


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """Work that is a short call."""

    function: Callable[[], A]

    def do(self, _: Job[Any, Any], /) -> A:
        """Make the call."""
        return self.function()


@dataclass(slots=True, eq=False)
class Job(Generic[K, A]):
    """Work that was handed out. Its caller sees how far it is; its worker sees whether it is cancelled.

    Attributes:
        key: what the caller knows it by; it stays in the caller's process.
        work: what to do.
        cost: what it is predicted to take, in a unit of the caller.
        threads: how many jobs its process does side by side.
        cancel: ends it.
        amount: what it has taken so far, in a unit of its work (nodes, turns); a cluster says so once a second.
        progress: what else its work has noted about it; ``None`` in the beginning.
        is_done: whether it has ended.
    """

    key: K
    work: Work[A]
    cost: float = 0.0
    threads: int = 1
    cancel: Cancel = field(default_factory=Cancel)
    amount: int = 0
    progress: Any = None
    is_done: bool = False
    _answer: A | None = None
    _error: BaseException | None = None

    def note(self, amount: int, progress: object = None) -> None:
        """Note how far the job is. A cluster sends both to the caller: the progress pickles.

        Args:
            amount: what it has taken so far.
            progress: what else is known about it.
        """
        self.amount, self.progress = amount, progress

    def end(self, answer: A | None = None, error: BaseException | None = None) -> None:
        """Note what came of the job; its workers do that."""
        self._answer, self._error, self.is_done = answer, error, True

    def result(self) -> A | None:
        """Return the answer, or raise the error that ended the work; ``None`` if a cancel or a stop came first."""
        if self._error is not None:
            raise self._error
        return self._answer
