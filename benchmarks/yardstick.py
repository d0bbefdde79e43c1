"""The speed of this machine as two factors, which are 1.0 on the machine of the published figures.

    python benchmarks/yardstick.py

``c`` is a plain perft in C, compiled with ``cc`` (or ``$CC``); its factor is for compiled code (solving, perft).
``python`` is a plain loop of Python code; its factor is for programs that call the library in a loop. A factor
above 1.0 means a slower machine: multiply a published time by the factor, divide a published rate by it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

C_REFERENCE_S = 0.0356
PYTHON_REFERENCE_S = 0.067
SOURCE = Path(__file__).with_name("yardstick.c")


def c_seconds() -> float | None:
    """Return the time of the C yardstick, or ``None`` without a C compiler."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "yardstick")
        subprocess.run([*compiler, "-O2", "-o", str(program), str(SOURCE)], check=True)
        answer = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return float(answer.split()[1])


def _ladder(steps: int) -> int:
    """Run method calls, attribute look-ups, small tuples and integers, like a program that plays moves."""
    seen: dict[tuple[int, int], int] = {}
    value = 1
    for step in range(steps):
        value = (value * 48271) % 2147483647
        key = (value & 15, step & 7)
        seen[key] = seen.get(key, 0) + 1
    return sum(seen.values())


def python_seconds() -> float:
    """The time of the Python yardstick."""
    best = 0.0
    for _ in range(9):
        began = time.process_time()
        _ladder(400_000)
        seconds = time.process_time() - began
        best = min(best, seconds) if best else seconds
    return best


def factors() -> dict[str, float | None]:
    """Return both factors, rounded; ``c`` is ``None`` without a C compiler."""
    seconds = c_seconds()
    return {
        "c": None if seconds is None else round(seconds / C_REFERENCE_S, 3),
        "python": round(python_seconds() / PYTHON_REFERENCE_S, 3),
    }


if __name__ == "__main__":
    for name, factor in factors().items():
        print(f"{name:6} {'no C compiler' if factor is None else f'{factor:.3f}'}")
