"""How fast is this machine? Two factors, each 1.0 on the machine that the quoted figures were measured on.

    python benchmarks/yardstick.py

``c`` is for what happens inside the compiled code (solving, perft): a plain perft in C, compiled here with ``cc``
(or ``$CC``). ``python`` is for what calls the library in a loop: a plain loop of Python code. Above 1.0 the
machine is slower: a quoted time is multiplied by the factor, a quoted rate divided by it.
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
    """The time of the C yardstick; ``None`` where there is no C compiler."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "yardstick")
        subprocess.run([*compiler, "-O2", "-o", str(program), str(SOURCE)], check=True)
        answer = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return float(answer.split()[1])


def _ladder(steps: int) -> int:
    """Method calls, attribute look-ups, small tuples and integers: what a program that plays moves is made of."""
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
    """Both factors, rounded; ``c`` is ``None`` where there is no C compiler."""
    seconds = c_seconds()
    return {
        "c": None if seconds is None else round(seconds / C_REFERENCE_S, 3),
        "python": round(python_seconds() / PYTHON_REFERENCE_S, 3),
    }


if __name__ == "__main__":
    for name, factor in factors().items():
        print(f"{name:6} {'no C compiler' if factor is None else f'{factor:.3f}'}")
