"""Work on parts of arrays by several threads; the core runs without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from reversi._system.limits import usable_cpus
from reversi.arguments import MAX_THREADS, check_count

_PARTS: Final = 4  # for each thread, so that none ends the work alone


def thread_count(threads: int | None) -> int:
    """Return the number of threads to use: ``threads``, or as many as there are usable CPUs.

    Raises:
        InputError: ``threads`` is outside its limits.
    """
    if threads is None:
        return min(usable_cpus(), MAX_THREADS)
    check_count("threads", threads, MAX_THREADS)
    return threads


def in_parts(
    count: int,
    threads: int,
    least: int,
    work: Callable[[int, int], None],
    stop: Callable[[], None] | None = None,
) -> None:
    """Call ``work(first, last)`` for parts of ``range(count)`` that have at least ``least`` items.

    After an error the parts that have not begun are left out, ``stop`` ends the others, and the error is raised.
    With ``stop``, other threads do all the work: this one waits, and so hears Ctrl-C.
    """
    size = max(least, -(-count // (threads * _PARTS)))
    bounds = [(first, min(first + size, count)) for first in range(0, count, size)]
    if stop is None and (threads == 1 or len(bounds) < 2):
        for first, last in bounds:
            work(first, last)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            futures = [pool.submit(work, first, last) for first, last in bounds]
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            if stop is not None:
                stop()
            raise
