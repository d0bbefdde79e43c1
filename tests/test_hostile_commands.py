"""Time and memory of every command that reads are linear in the length of a hostile text.

Each command runs in a process of its own; the tests subtract its CPU time and peak memory for a small file. The
larger set has the mark `slow`.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from command_line import ENVIRONMENT
from hostile import BY_NAME
from hostile_readers import MOST

if sys.platform == "win32":
    pytest.skip("the system does not report peak memory", allow_module_level=True)

LARGE: Final = 200_000
MEGABYTES: Final = 60
"""What a command may hold in memory beside a small multiple of the text."""

DATABASE_MEGABYTES: Final = 128
"""The memory limit that an import gives DuckDB."""

SMALL: Final = '[Event "x"]\n\n1. f5 *\n'
COMMANDS: Final = {
    "record validate": ("record", "validate", "--workers", "1", "PATH"),
    "record show": ("record", "show", "PATH"),
    "record convert": ("record", "convert", "PATH", "OUT.pgn"),
    "record stats": ("record", "stats", "PATH"),
    "record filter": ("record", "filter", "PATH", "-o", "OUT.pgn"),
    "record merge": ("record", "merge", "PATH", "-o", "OUT.pgn"),
    "record dedupe": ("record", "dedupe", "PATH", "-o", "OUT.pgn"),
    "record split": ("record", "split", "PATH", "--into", "OUT"),
    "position show": ("position", "show", "PATH"),
    "position convert": ("position", "convert", "PATH", "--to", "board"),
    "solve": ("solve", "PATH", "--total-time", "0", "--hash", "1"),
    "diagram": ("diagram", "PATH#1", "--to", "txt"),
    "hint": ("hint", "PATH#1", "--level", "1", "--hash", "1"),
    "openings name": ("openings", "name", "PATH"),
    "db import": ("db", "import", "PATH", "--db", "OUT.duckdb"),
}
"""Every command that reads games or positions from a file."""

TEXTS: Final = (
    "any: lines of digits",
    "any: blank lines",
    "any: no UTF-8",
    "pgn: brackets",
    "pgn: tags without moves",
    "pgn: results alone",
    "pgn: illegal moves",
    "pgn: alternatives",
    "pgn: nested to the depth allowed",
    "pgn: brackets in a comment",
    "pgn: blanks in a comment",
    "ggf: begins",
    "ggf: comments",
    "sgf: empty games",
    "sgf: one node again",
    "sgf: alternatives",
    "transcript: one move on a line",
    "transcript: wrong moves",
    "transcript: long lines",
    "eothello: tiny games",
    "obf: boards",
    "positions: rows",
)


class Cost(NamedTuple):
    """CPU seconds and peak memory in MB of a command."""

    seconds: float
    megabytes: float


def cost(command: str, text: bytes) -> Cost:
    """Run a command on a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        path.write_bytes(text)
        words = (
            word.replace("PATH", str(path)).replace("OUT", str(Path(folder, "out"))) for word in COMMANDS[command]
        )
        with (
            Path(folder, "err").open("wb") as err,
            subprocess.Popen(
                [sys.executable, "-m", "reversi", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
                env=ENVIRONMENT,
            ) as process,
        ):
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in (0, 1, 3, 65), process.returncode
        assert b"Traceback" not in Path(folder, "err").read_bytes()
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


@functools.cache
def least(command: str) -> Cost:
    """Return the cost of a command for a small file."""
    return min(cost(command, SMALL.encode()) for _ in range(2))


def check(command: str, name: str, size: int) -> tuple[float, Cost]:
    """Compare the costs of n and 4n bytes; return the ratio, and the cost of 4n."""
    small, large = BY_NAME[name].bytes(size), BY_NAME[name].bytes(4 * size)
    ratio = 0.0
    for _ in range(4):  # other processes only add to it
        base, one, four = least(command), cost(command, small), cost(command, large)
        found = (four.seconds - base.seconds) / max(one.seconds - base.seconds, 0.1)
        ratio = min(ratio, found) if ratio else found
        if ratio < MOST:
            break
    assert ratio < MOST, (command, name, base, one, four)
    held = DATABASE_MEGABYTES if command == "db import" else MEGABYTES
    assert four.megabytes < base.megabytes + held + 4 * len(large) / (1 << 20), (command, name, base, four)
    return ratio, four


def skip_without(command: str) -> None:
    if command.startswith("db"):
        pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    ("command", "name", "size"),
    [
        ("record validate", "pgn: brackets", 600_000),
        ("record stats", "pgn: alternatives", 600_000),
        ("solve", "transcript: one move on a line", 100_000),
        ("hint", "transcript: one move on a line", 100_000),
        ("db import", "pgn: illegal moves", 300_000),
    ],
)
def test_the_worst(command: str, name: str, size: int) -> None:
    skip_without(command)
    check(command, name, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(command: str, name: str) -> None:
    skip_without(command)
    check(command, name, LARGE)


if __name__ == "__main__":
    for each in COMMANDS:
        for text in TEXTS:
            try:
                times, four = check(each, text, LARGE)
            except AssertionError as error:
                print(each, text, "FAILED", error, sep="\t", flush=True)
                continue
            print(
                each,
                text,
                f"{times:.1f}",
                f"{four.seconds:.2f} s",
                f"{four.megabytes:.0f} MB",
                sep="\t",
                flush=True,
            )
