"""Processes that work for this one, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import Final

__all__ = ["MOST", "process_pool"]


MOST: Final = 60
"""The most processes of a pool: no system takes fewer."""


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Processes to submit work to. An interrupt is this process's business; they do not outlive it.

    Args:
        workers: how many, up to :data:`MOST`.
    """
    return ProcessPoolExecutor(min(workers, MOST), multiprocessing.get_context("spawn"), _settle)


def _settle() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    """Wait for the end of the process that this one works for: killed, it could not say goodbye."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
