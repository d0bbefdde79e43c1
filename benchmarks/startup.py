"""What the start of a command costs, from the shell to its first result, as a multiple of the start of Python.

    python benchmarks/startup.py [--repeats 15] [--every-command] [--json]

The commands and ``python -c pass`` take turns, so that other work on the machine affects all of them alike. The
figures are medians: the processor time as a multiple of Python's, which hardly depends on other work, and the
elapsed time. For ``reversi play`` the time ends when the board appears: line by line through a pipe, and full
screen on a pseudo-terminal of 80 by 24 (if the system has them and Textual is installed). ``--every-command``
adds the help of each command, which loads what the command loads before it begins.

Nothing here fails because of a time: tests/cli/test_cli_startup.py says what commands may load.
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

from reversi.cli.app import COMMANDS

if sys.platform != "win32":
    import resource

REVERSI = [sys.executable, "-m", "reversi"]
LINE_BY_LINE = [*REVERSI, "play", "--ui", "line"]
FULL_SCREEN = [*REVERSI, "play", "--ui", "screen", "--black", "human", "--white", "human"]

PYTHON = "python -c pass"

# The processor time of each, as a multiple of Python's, that is worth reaching.
GOALS = {
    "reversi --version": 2,
    "reversi perft 1": 6,
    "reversi hint f5d6c3": 9,
    "reversi play, its board line by line": 14,
    "reversi play, its board on the full screen": 28,
}


def processor_time() -> float:
    """Seconds of processor time that ended child processes have used; Windows does not say, so the time of day."""
    if sys.platform == "win32":
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
            elif b"Black" in seen and b"White" in seen:
                return last - began
        raise SystemExit("the command drew no board")
    finally:
        process.terminate()
        process.wait()
        os.close(main)


def measures(every_command: bool) -> dict[str, Callable[[Mapping[str, str]], float]]:
    """What is measured, by name."""

    def of(*words: str) -> Callable[[Mapping[str, str]], float]:
        return lambda environ: finished([*REVERSI, *words], environ)

    found: dict[str, Callable[[Mapping[str, str]], float]] = {
        PYTHON: lambda environ: finished([sys.executable, "-c", "pass"], environ),
        "reversi --version": of("--version"),
        "reversi perft 1": of("perft", "1"),
        "reversi hint f5d6c3": of("hint", "f5d6c3"),
        "reversi play, its board line by line": lambda environ: board_in_a_pipe(LINE_BY_LINE, environ),
    }
    if os.name != "nt" and importlib.util.find_spec("textual"):
        found["reversi play, its board on the full screen"] = lambda environ: board_on_a_terminal(
            FULL_SCREEN, environ
        )
    if every_command:
        found |= {f"reversi {command} --help": of(command, "--help") for command in COMMANDS}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--every-command", action="store_true", help="add the help of each command")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    measured = measures(arguments.every_command)
    times: dict[str, list[float]] = {what: [] for what in measured}
    used: dict[str, list[float]] = {what: [] for what in measured}
    with tempfile.TemporaryDirectory() as state:
        environ = {**os.environ, "REVERSI_STATE": str(Path(state)), "TERM": "xterm-256color"}
        for repeat in range(arguments.repeats + 1):
            for what, measure in measured.items():
                before = processor_time()
                taken = measure(environ)
                if repeat:  # the first fills the caches
                    times[what].append(1000 * taken)
                    used[what].append(1000 * (processor_time() - before))
    python = statistics.median(used[PYTHON])
    report = {
        what: {
            "ratio": round(statistics.median(used[what]) / python, 2),
            "processor_ms": round(statistics.median(used[what]), 1),
            "median_ms": round(statistics.median(taken), 1),
            "best_ms": round(min(taken), 1),
        }
        for what, taken in times.items()
    }
    if arguments.json:
        print(json.dumps({"startup": report, "repeats": arguments.repeats}))
        return
    for what, row in report.items():
        goal = f"   (goal {GOALS[what]})" if what in GOALS else ""
        print(
            f"{what:44} {row['ratio']:5.1f} x Python   processor {row['processor_ms']:4.0f} ms, "
            f"elapsed {row['median_ms']:4.0f} ms{goal}"
        )


if __name__ == "__main__":
    main()
