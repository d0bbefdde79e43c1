"""How the process of a command ends: at a signal while no command runs yet or any more, and with its status."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from reversi.cli.status import Status

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["SIGNALS", "catchable", "end_at_signals", "signals_held"]

SIGNALS: Final[tuple[signal.Signals, ...]] = (signal.SIGINT, signal.SIGTERM)
"""Both end a command, with the same status."""
_TRACKER_S: Final = 0.5  # at most: a process that lives on keeps the tracker
_LOOK_S: Final = 0.001


def end_at_signals() -> None:
    """From now on, end the process at once when a signal comes, with the status of an interrupt.

    A command has handlers of its own while it runs: see `reversi.cli.console.command`. Until then nothing is
    collected as garbage: there is none, and looking for it takes time.
    """
    for number in catchable():
        signal.signal(number, _end_now)
    atexit.register(_end)  # the first one: it runs after all others
    sys.unraisablehook = _raise_again
    gc.disable()


def catchable() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command: not Ctrl-C where the shell ignores it, as after ``&``."""
    return SIGNALS if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN else (signal.SIGTERM,)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Within the block, keep signals back: they come at its end."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in catchable()}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
        if came:
            signal.raise_signal(came[0])


def _end_now(number: int, frame: FrameType | None) -> None:
    _end_helpers()
    os._exit(Status.INTERRUPTED)


def _end() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the status is known: a signal would only spoil it
    _end_helpers()


def _end_helpers() -> None:
    """End the processes that Python itself started, and wait for their end: they would outlive this process.

    These are the fork server and the tracker of shared memory. Python has no public call that ends them. This
    imports nothing, because a signal may have come within an import.
    """
    _end_fork_server(getattr(sys.modules.get("multiprocessing.forkserver"), "_forkserver", None))
    _end_tracker(getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None))


def _end_fork_server(server: Any) -> None:
    if server is None or server._forkserver_pid is None:
        return
    address = server._forkserver_address
    with contextlib.suppress(OSError):  # what has ended already
        os.kill(server._forkserver_pid, signal.SIGKILL)  # it may be loading, and has nothing to lose
        server._stop()
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(address))  # noqa: PTH106, PTH120 - without pathlib


def _end_tracker(tracker: Any) -> None:
    if tracker is None or tracker._pid is None:
        return
    with contextlib.suppress(OSError):
        os.close(tracker._fd)  # it ends when nobody has this pipe open
        give_up = time.monotonic() + _TRACKER_S
        while os.waitpid(tracker._pid, os.WNOHANG)[0] == 0 and time.monotonic() < give_up:
            time.sleep(_LOOK_S)
    tracker._fd = tracker._pid = None


def _raise_again(lost: UnraisableHookArgs) -> None:
    """Interrupt again after Python has dropped an interrupt, as it does in callbacks of weak references."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    import _thread

    _thread.interrupt_main()
