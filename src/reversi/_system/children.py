"""Processes of Python that this one starts. None of them takes modules of the current folder for other ones."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from reversi._system.held_signals import SignalsHeld

_SAFE: Final = "PYTHONSAFEPATH", "reversi"
"""The variable that keeps the current folder out of the import path, and its value if it is set here."""
_HOME: Final = str(Path(__file__).parents[2])


def run_python(code: str, environment: Mapping[str, str], timeout_s: float) -> subprocess.CompletedProcess[bytes]:
    """Run Python code that imports this package to its end, and return what it wrote.

    No signal at any moment leaves it running.

    Args:
        code: the code.
        environment: its environment variables; this package comes first on its ``PYTHONPATH``.
        timeout_s: the seconds that it may take.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it takes longer.
    """
    words = [sys.executable, "-P", "-c", code]
    paths = [_HOME, *filter(None, [environment.get("PYTHONPATH")])]
    variables = {**environment, "PYTHONPATH": os.pathsep.join(paths)}
    child: subprocess.Popen[bytes] | None = None
    try:
        with SignalsHeld():
            child = subprocess.Popen(words, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = child.communicate(timeout=timeout_s)
    except BaseException:
        if child is not None:
            child.kill()
            child.wait()
        raise
    return subprocess.CompletedProcess(words, child.returncode, output, errors)


class _Guard:
    """Keeps the current folder out of the import path of processes that start, in blocks that may overlap."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks = 0
        self._has_folder = False  # whether the import path of this process had it before them

    def __enter__(self) -> None:
        with self._lock:
            self._blocks += 1
            if self._blocks == 1:
                os.environ.setdefault(*_SAFE)
                self._has_folder = "" in sys.path
                if self._has_folder:
                    sys.path.remove("")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._blocks -= 1
            if not self._blocks:
                _forget_variable()
                if self._has_folder:
                    sys.path.insert(0, "")


_guard: Final = _Guard()


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Prepare for processes that `multiprocessing` starts within the block, here or in a thread that starts in it.

    Their import path is that of this process without the current folder, which an interactive one has in front.
    Ctrl-C is blocked in them: a terminal sends it to all. Each of them calls `begin_process`.
    """
    with _guard:
        if sys.platform == "win32":
            yield
            return
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # a process, too; its start unblocks Ctrl-C
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def begin_process() -> None:
    """Begin to work in a process that has started in `starting_processes`.

    It leaves Ctrl-C to the other one. What it prints goes to standard error: standard output is for results.
    """
    _forget_variable()  # engines that it starts have their own modules
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # no standard error
        os.dup2(2, 1)


def _forget_variable() -> None:
    name, value = _SAFE
    if os.environ.get(name) == value:
        del os.environ[name]
