"""Processes that this one starts and waits for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from reversi._system.held_signals import SignalsHeld

__all__ = ["run_python"]

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
