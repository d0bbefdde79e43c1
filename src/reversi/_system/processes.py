"""Processes that work for this one, and end with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any, Final

__all__ = ["MOST", "end_helpers", "process_pool", "worker_process"]


MOST: Final = 60
"""The most processes of a pool: no system takes fewer."""
_TRACKER_S: Final = 0.5  # another process that lives on keeps the tracker
_LOOK_S: Final = 0.001


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Processes to submit work to. An interrupt is this process's business; they do not outlive it.

    Args:
        workers: how many, up to `MOST`.
    """
    return ProcessPoolExecutor(min(workers, MOST), _Context(), _settle)


def worker_process(target: Callable[..., None], *args: object) -> SpawnProcess:
    """Return a process, not yet started, that calls ``target``; an interrupt is this process's business.

    Args:
        target: a function of a module.
        args: its arguments.
    """
    return _Process(target=_settled, args=(target, *args), daemon=True)


def end_helpers() -> None:
    """End the processes that Python itself started, and wait for their end: they would outlive this process.

    These are the fork server and the tracker of shared memory. Python has no public call that ends them.
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
        Path(address).parent.rmdir()


def _end_tracker(tracker: Any) -> None:
    if tracker is None or tracker._pid is None:
        return
    with contextlib.suppress(OSError):
        os.close(tracker._fd)  # it ends when nobody has this pipe open
        give_up = time.monotonic() + _TRACKER_S
        while os.waitpid(tracker._pid, os.WNOHANG)[0] == 0 and time.monotonic() < give_up:
            time.sleep(_LOOK_S)
    tracker._fd = tracker._pid = None


def _settled(target: Callable[..., None], *args: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    target(*args)


class _Process(SpawnProcess):
    """One that an interrupt does not meet before it has settled."""

    def start(self) -> None:
        """Start it with the interrupt held back, which it inherits; here it is only delayed."""
        if sys.platform == "win32":
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process


def _settle() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    """Wait for the end of the process that this one works for: killed, it could not say goodbye."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
