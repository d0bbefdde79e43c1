"""Questions under way: their threads and deadline, Ctrl-C, cancelling from another thread; a table they share."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from reversi._core import Table, Task
from reversi.errors import ResourceError
from reversi.rules import Rules

__all__ = ["Cancel", "SharedTable", "ask"]

_STACK = 16 << 20
_PAUSE = 0.03  # short, so that Ctrl-C is seen where waiting cannot be interrupted


class Cancel:
    """Ends the questions it was given to, from any thread, at once and for good.

    >>> from reversi.running import Cancel
    >>> cancel = Cancel()
    >>> cancel.cancel()
    >>> cancel.cancelled
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether :meth:`cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """End what runs; what is asked with this object from now on is not answered."""
        with self._lock:
            self._cancelled = True
            calls = list(self._calls)
        for call in calls:
            call()

    @contextlib.contextmanager
    def ends(self, call: Callable[[], None]) -> Iterator[None]:
        """Within the block, cancelling makes this call, at once when it was cancelled before."""
        with self._lock:
            self._calls.append(call)
            cancelled = self._cancelled
        if cancelled:
            call()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(call)


class SharedTable:
    """A table for any number of questions at once, as long as their rules play alike; others wait.

    Args:
        hash_mb: its size in MB (2**20 bytes).

    Raises:
        ValueError: the size is not positive.
        MemoryError: the memory is not to be had.
    """

    def __init__(self, hash_mb: int) -> None:
        self.table = Table(hash_mb)
        self._change = threading.Condition()
        self._running = 0
        self._rules: Rules | None = None

    def clear(self) -> None:
        """Forget everything. Waits for answers under way."""
        with self._change:
            self._change.wait_for(lambda: self._running == 0)
            self.table.clear()

    @contextlib.contextmanager
    def use(self, rules: Rules) -> Iterator[Table]:
        """The table, whose entries hold for one way to play: other rules wait for the answers under way."""
        with self._change:
            self._change.wait_for(
                lambda: self._running == 0 or (self._rules is not None and self._rules.same_play(rules))
            )
            self._running += 1
            self._rules = rules
            self.table.age()
        try:
            yield self.table
        finally:
            with self._change:
                self._running -= 1
                self._change.notify_all()


def ask(
    task: Task,
    work: Callable[[], None],
    *,
    deadline: float | None = None,
    cancel: Cancel | None = None,
    poll: Callable[[], None] | None = None,
) -> None:
    """Do ``work``, which asks ``task``, in a thread of its own, with the task's helpers beside it.

    Returns when it is done, or soon after it was told to stop: the task is cancelled then.

    Args:
        task: the task that ``work`` asks; it is of no use afterwards.
        work: catches its own exceptions.
        deadline: a time of :func:`time.perf_counter` at which to stop.
        cancel: stops it from elsewhere.
        poll: called a few times a second, from this thread, while the work goes on.

    Raises:
        ResourceError: there can be no thread for it.
        KeyboardInterrupt: Ctrl-C; the task was cancelled, and its threads have ended.
    """
    started: list[threading.Thread] = []
    with contextlib.ExitStack() as stack:
        if cancel is not None:
            stack.enter_context(cancel.ends(task.cancel))
        try:
            for number in range(task.threads - 1):
                _start(started, task.help, number)
            worker = _start(started, work)
            while worker.is_alive():
                pause = _PAUSE
                if deadline is not None:
                    left = deadline - time.perf_counter()
                    if left <= 0:
                        task.cancel()
                        break
                    pause = min(pause, left)
                worker.join(pause)
                if poll is not None and worker.is_alive():
                    poll()
            worker.join()
        finally:
            task.cancel()
            task.dismiss()
            for thread in started:
                _wait_for(thread)


def _start(threads: list[threading.Thread], call: Callable[..., None], *args: int) -> threading.Thread:
    """A started thread, noted first, with a stack that deep searches fit on, whatever the platform's default.

    Raises:
        ResourceError: there can be no more threads.
    """
    thread = threading.Thread(target=call, args=args, name="reversi-search", daemon=True)
    threads.append(thread)
    before = threading.stack_size(_STACK)
    try:
        thread.start()
    except RuntimeError:
        threads.remove(thread)
        raise ResourceError(f"no more than {len(threads)} threads can be started here: ask for fewer") from None
    finally:
        threading.stack_size(before)
    return thread


def _wait_for(thread: threading.Thread) -> None:
    """Wait for the end of a thread that an interrupt may have met while it was being started."""
    for _ in range(500):
        try:
            thread.join()
        except RuntimeError:  # not running yet, or never
            time.sleep(0.001)
        else:
            return
