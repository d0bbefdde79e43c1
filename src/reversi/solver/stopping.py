"""Time limits, Ctrl-C and cancelling: a task runs in threads of its own until it is done or stopped."""

from __future__ import annotations

import _thread
import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable

from reversi._core import Crew, Table, Task
from reversi.errors import ResourceError
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

_STACK = 16 << 20
_WAY_OUT = "free memory, use a smaller hash, or raise the limits of memory and processes"
_PAUSE = 0.03  # short, so that Ctrl-C is seen where waiting cannot be interrupted


class SearchStopped(Exception):  # noqa: N818 - control flow of the searches
    """A task was cancelled in the middle of a search: its value is void. `ask` and `ask_here` end quietly then."""


_tables: weakref.WeakSet[Table] = weakref.WeakSet()
_starting = threading.Lock()  # the size of stacks is one for the whole process


def _after_fork() -> None:
    """In the child the threads that held these do not exist."""
    global _starting  # noqa: PLW0603 - a lock that nobody can release
    _starting = threading.Lock()
    for table in _tables:
        table.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def ask_here(task: Task, work: Callable[[], None], cancel: Cancel | None = None) -> None:
    """Do ``work``, which asks ``task``, in this thread, for questions that take less time than starting a thread.

    Ctrl-C is noticed only when the work is done. Nothing is done when ``cancel`` was cancelled before.
    """
    if cancel is None:
        _do(task, work)
    elif not cancel.cancelled:
        with cancel.ends(task.cancel):
            _do(task, work)


def ask(
    task: Task,
    work: Callable[[], None],
    *,
    deadline: float | None = None,
    cancel: Cancel | None = None,
    poll: Callable[[], None] | None = None,
) -> None:
    """Do ``work``, which asks ``task``, in a thread of its own, with the task's helpers beside it.

    Returns when it is done, or soon after the deadline, its limit in nodes or ``cancel`` stops it. The task is
    cancelled then, and no thread works on it any more, however this function is left.

    Args:
        task: the task that ``work`` asks; it is of no use afterwards.
        work: what it raises, this function raises, apart from `SearchStopped`.
        deadline: a time of `time.perf_counter` at which to stop.
        cancel: stops it from elsewhere.
        poll: called a few times a second, from this thread, while the work goes on.

    Raises:
        ResourceError: the machine cannot start a thread for it.
        KeyboardInterrupt: Ctrl-C; the task was cancelled, and its threads have ended.
    """
    errors: list[BaseException] = []

    def lead() -> None:
        try:
            _do(task, work)
        except BaseException as error:  # for the thread that asked
            errors.append(error)

    with contextlib.ExitStack() as stack:
        if cancel is not None:
            stack.enter_context(cancel.ends(task.cancel))
        with Crew(task) as crew:
            for number in range(task.threads - 1):
                _start(number, crew.help, number)
            _start(task.threads - 1, crew.lead, lead)
            while True:
                pause = _PAUSE
                if deadline is not None:
                    left = deadline - time.perf_counter()
                    if left <= 0:
                        break
                    pause = min(pause, left)
                if crew.wait(pause) or task.is_spent:
                    break
                if poll is not None:
                    poll()
    for error in errors:
        raise error


def _do(task: Task, work: Callable[[], None]) -> None:
    """Do the work, and let the helpers of its task go."""
    try:
        work()
    except SearchStopped:
        pass
    finally:
        task.dismiss()


def _start(running: int, call: Callable[..., None], *args: object) -> None:
    """Make a call in a new thread, with a stack that deep searches fit on, whatever the platform's default.

    Raises:
        ResourceError: the system starts no thread in addition to those ``running``.
    """
    # a threading.Thread is started in several steps of Python, and an interrupt between them leaves half a thread
    with _starting:
        before = threading.stack_size()
        try:
            threading.stack_size(_STACK)
            _thread.start_new_thread(call, args)
        except RuntimeError:
            if not running:
                raise ResourceError(f"this process cannot start a thread: {_WAY_OUT}") from None
            raise ResourceError(f"this process can start only {counted(running, 'thread')}; use fewer") from None
        finally:
            threading.stack_size(before)
