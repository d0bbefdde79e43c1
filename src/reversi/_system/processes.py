"""Processes that work for this one, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Final

__all__ = ["MOST", "process_pool", "worker_process"]


MOST: Final = 60
"""The most processes of a pool: no system takes fewer."""


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
