"""The time of commands from the shell to their first result, including the start of the interpreter.

    python benchmarks/startup.py [--repeats 15] [--json]

The commands take turns, so that other work on the machine affects all of them alike. The figures are the median
and the best of the elapsed time, and the processor time, which hardly depends on other work. For ``reversi play``
the time ends when the board appears: line by line through a pipe, and full screen on a pseudo-terminal of 80 by 24
(if the system has them and Textual is installed).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

REVERSI = [sys.executable, "-m", "reversi"]
LINE_BY_LINE = [*REVERSI, "play", "--ui", "line"]
FULL_SCREEN = [*REVERSI, "play", "--ui", "screen", "--black", "human", "--white", "human"]

# Milliseconds that each may take on the machine whose yardstick factors are 1.0.
LIMITS = {
    "reversi --version": 100,
    "reversi perft 1": 200,
    "reversi play, its board line by line": 500,
    "reversi play, its board on the full screen": 500,
}


def processor_time() -> float:
    """Seconds of processor time that ended child processes have used."""
    times = os.times()
    return times.children_user + times.children_system


def finished(command: list[str], environ: Mapping[str, str]) -> float:
    """Seconds until a command has ended."""
    began = time.perf_counter()
    subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def board_in_a_pipe(command: list[str], environ: Mapping[str, str]) -> float:
    """Return the seconds until the last row of a board arrives through a pipe."""
    began = time.perf_counter()
    with subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(b"8 "):
                break
        else:
            raise SystemExit("the command printed no board")
        taken = time.perf_counter() - began
        process.communicate(b"quit\n")
    return taken


def board_on_a_terminal(command: list[str], environ: Mapping[str, str]) -> float:
    """Return the seconds until the full screen is complete: it shows the players and stops changing."""
    import fcntl
    import pty
    import select
    import struct
    import termios

    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    began = last = time.perf_counter()
    process = subprocess.Popen(
        command, env=environ, stdin=other, stdout=other, stderr=other, start_new_session=True
    )
    os.close(other)
    seen = b""
    try:
        while time.perf_counter() - began < 30:
            if select.select([main], [], [], 0.25)[0]:
                with contextlib.suppress(OSError):
                    seen += os.read(main, 65536)
                last = time.perf_counter()
            elif b"Black" in seen and b"supply" in seen:
                return last - began
        raise SystemExit("the command drew no board")
    finally:
        process.terminate()
        process.wait()
        os.close(main)


def measures() -> dict[str, Callable[[Mapping[str, str]], float]]:
    """What is measured, by name."""
    found: dict[str, Callable[[Mapping[str, str]], float]] = {
        "python -c pass": lambda environ: finished([sys.executable, "-c", "pass"], environ),
        "reversi --version": lambda environ: finished([*REVERSI, "--version"], environ),
        "reversi perft 1": lambda environ: finished([*REVERSI, "perft", "1"], environ),
        "reversi play, its board line by line": lambda environ: board_in_a_pipe(LINE_BY_LINE, environ),
    }
    if os.name != "nt" and importlib.util.find_spec("textual"):
        found["reversi play, its board on the full screen"] = lambda environ: board_on_a_terminal(
            FULL_SCREEN, environ
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    times: dict[str, list[float]] = {what: [] for what in measures()}
    used: dict[str, list[float]] = {what: [] for what in measures()}
    with tempfile.TemporaryDirectory() as state:
        environ = {**os.environ, "REVERSI_STATE": str(Path(state)), "TERM": "xterm-256color"}
        for repeat in range(arguments.repeats + 1):
            for what, measure in measures().items():
                before = processor_time()
                taken = measure(environ)
                if repeat:  # the first fills the caches
                    times[what].append(1000 * taken)
                    used[what].append(1000 * (processor_time() - before))
    if arguments.json:
        report = {
            what: {
                "median_ms": round(statistics.median(taken), 1),
                "best_ms": round(min(taken), 1),
                "processor_ms": round(statistics.median(used[what]), 1),
            }
            for what, taken in times.items()
        }
        print(json.dumps({"startup": report, "repeats": arguments.repeats}))
        return
    for what, series in times.items():
        limit = f"   (at most {LIMITS[what]})" if what in LIMITS else ""
        figures = f"{statistics.median(series):6.0f} ms, best {min(series):4.0f} ms"
        print(f"{what:44} {figures}, processor {statistics.median(used[what]):4.0f} ms{limit}")


if __name__ == "__main__":
    main()
