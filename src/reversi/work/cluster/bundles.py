"""Cheap jobs together in tasks of a few seconds, so that messages cost little and no task ends a run alone."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import Final, Generic, TypeVar

_TASK_S: Final = 3.0  # what a task should take
_LEAST_TASK_S: Final = 0.05  # and what it takes at least, at the end
_TASKS_PER_S: Final = 100  # what one client sends and takes back with ease
_MOST_TASKS_PER_S: Final = 500  # and for a short time at the end
_MOST_IN_TASK: Final = 2_000
_MEMORY: Final = 0.9  # weight of what was learned before, for each task

T = TypeVar("T")


class Rate:
    """Learns how much of the predicted costs a thread does in a second.

    >>> rate = Rate(20e6)
    >>> rate.learn(160e6, 1.0)
    >>> rate.cost_in(2.0) > 2 * 80e6
    True

    Args:
        first: a guess, before anything is measured.
    """

    def __init__(self, first: float) -> None:
        self._cost, self._seconds = first, 1.0

    def learn(self, cost: float, seconds: float) -> None:
        """Learn from a task of some predicted cost that took ``seconds`` of one thread."""
        self._cost = _MEMORY * self._cost + cost
        self._seconds = _MEMORY * self._seconds + seconds

    def cost_in(self, seconds: float) -> float:
        """Return what one thread does in ``seconds``."""
        return seconds * self._cost / max(self._seconds, 1e-6)


class Waiting(Generic[T]):
    """Things that wait to be sent, the cheapest last, and the sum of their predicted costs.

    Args:
        rate: how fast they are done.
    """

    def __init__(self, rate: Rate) -> None:
        self.cost: float = 0.0
        self._rate = rate
        self._found: deque[tuple[float, T]] = deque()
        self._is_sorted = True

    def __len__(self) -> int:
        return len(self._found)

    def add(self, cost: float, thing: T) -> None:
        self._found.append((cost, thing))
        self.cost += cost
        self._is_sorted = False

    def fill_a_task(self, threads: int) -> bool:
        return len(self._found) >= _MOST_IN_TASK or self.cost >= self._wanted(threads)

    def next_task(self, threads: int, *, are_last: bool) -> tuple[list[T], float]:
        """Return the things of the next task, the most expensive ones that wait, and their predicted cost.

        A task takes a few seconds; more with many threads, so that tasks do not come back faster than one client
        takes them. At the end tasks become small, so that all workers end at the same time.

        Args:
            threads: threads of all workers.
            are_last: whether no other things follow those that wait.
        """
        if not self._is_sorted:
            self._found = deque(sorted(self._found, key=lambda item: -item[0]))
            self.cost = math.fsum(item[0] for item in self._found)
            self._is_sorted = True
        wanted = self._wanted(threads)
        if are_last:
            share = self.cost / (2 * max(1, threads))
            wanted = max(min(wanted, share), self._rate.cost_in(max(_LEAST_TASK_S, threads / _MOST_TASKS_PER_S)))
        things: list[T] = []
        total = 0.0
        while self._found and len(things) < _MOST_IN_TASK:
            if things and total + self._found[0][0] > wanted:
                break
            cost, thing = self._found.popleft()
            total += cost
            things.append(thing)
        self.cost -= total
        return things, total

    def take_all(self) -> Iterable[T]:
        """Return everything; nothing waits any more."""
        things = [thing for _, thing in self._found]
        self._found.clear()
        self.cost = 0.0
        return things

    def _wanted(self, threads: int) -> float:
        return self._rate.cost_in(max(_TASK_S, threads / _TASKS_PER_S))
