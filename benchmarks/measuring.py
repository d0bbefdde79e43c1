"""What several benchmarks do: median times, positions of random games, another source tree at work."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reversi import OTHELLO, Position, Random, Rules


def median_s(work: Callable[[], object], repeats: int) -> float:
    """Return the median of the processor times of some repeats, after a first one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


def played_on(position: Position, empties: int, random: Random) -> Position:
    """Return what random moves lead to: a position with some empty squares, or the end of the game."""
    while position.empties > empties and (moves := position.legal_moves):
        position = position.play(moves.choice(random))
    return position


def random_ends(empties: int, count: int, rules: Rules = OTHELLO) -> list[Position]:
    """Return positions of random games with a choice of moves, the same ones every time."""
    random = Random(empties)
    found: list[Position] = []
    while len(found) < count:
        position = played_on(Position(rules), empties, random)
        if position.empties == empties and len(position.legal_moves) > 1:
            found.append(position)
    return found


class Tree:
    """A source tree whose process runs a program, which gets a line and answers with one of JSON.

    Args:
        path: a folder of the project with its modules built in place.
        program: the program; its first line says that it is ready, and is no answer.
        args: its arguments.
    """

    def __init__(self, path: Path, program: str, *args: str) -> None:
        self.path = path
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(path / "src")},
        )
        self.ready = self._answer().strip()

    def ask(self, line: str) -> Any:
        """Return the answer to a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return json.loads(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        if line := self._process.stdout.readline():
            return line
        raise SystemExit(f"{self.path}: the process ended; are the modules built?")

    def end(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait()
