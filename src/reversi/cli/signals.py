"""How the process of a command ends: at a signal while no command runs yet or any more, and with its status."""

from __future__ import annotations

import _thread
import atexit
import contextlib
import gc
import os
import signal
import sys
import time

from reversi._system.held_signals import SIGNALS, catchable
from reversi.cli.status import Status

TYPE_CHECKING = False  # as typing has it, which takes longer to load than all the rest here
if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType
    from typing import Any, Final

_TRACKER_S: Final = 2.0  # at most: a process that lives on keeps the tracker
_MAIN: Final = _thread.get_ident()
_SOON_S: Final = 0.01
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


def _end_now(number: int, frame: FrameType | None) -> None:
    _end_helpers()
    os._exit(Status.INTERRUPTED)


def _end() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the status is known: a signal would only spoil it
    _end_helpers()


def _end_helpers() -> None:
    """End the tracker of shared memory, a process that Python itself started, and wait for its end.

    It would outlive this process, and Python has no public call that ends it. This imports nothing, because a
    signal may have come within an import.
    """
    _end_tracker(getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None))


def _end_tracker(tracker: Any) -> None:
    if sys.platform == "win32" or tracker is None or tracker._pid is None:
        return
    os.close(tracker._fd)  # it ends when nobody has this pipe open
    give_up = time.monotonic() + _TRACKER_S
    with contextlib.suppress(ChildProcessError):  # it was waited for already
        while os.waitpid(tracker._pid, os.WNOHANG)[0] == 0 and time.monotonic() < give_up:
            time.sleep(_LOOK_S)
    tracker._fd = tracker._pid = None


def _raise_again(lost: UnraisableHookArgs) -> None:
    """Interrupt again soon after Python has dropped an interrupt, as it does in callbacks of weak references."""
    if lost.exc_type is KeyboardInterrupt:
        _thread.start_new_thread(_interrupt_soon, ())  # here it would be dropped again
    else:
        sys.__unraisablehook__(lost)


def _interrupt_soon() -> None:
    time.sleep(_SOON_S)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(_MAIN, signal.SIGINT)  # what waits there wakes up
