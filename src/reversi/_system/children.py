"""Programs that this one starts and waits for."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence

from reversi._system.held_signals import SignalsHeld

__all__ = ["run_child"]


def run_child(
    words: Sequence[str], environment: Mapping[str, str], timeout_s: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, and return what it wrote. No signal at any moment leaves it running.

    Args:
        words: the program and its arguments.
        environment: its environment variables.
        timeout_s: the seconds that it may take.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it takes longer.
    """
    child: subprocess.Popen[bytes] | None = None
    try:
        with SignalsHeld():
            child = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = child.communicate(timeout=timeout_s)
    except BaseException:
        if child is not None:
            child.kill()
            child.wait()
        raise
    return subprocess.CompletedProcess(words, child.returncode, output, errors)
