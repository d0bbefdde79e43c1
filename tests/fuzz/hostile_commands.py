"""Run every command that reads a text on hostile texts, and measure its CPU time and peak memory.

A server for each command loads the package, runs the command once, and forks a process for each run after that, so
that a run costs little more than the reading. The commands come from the command tree: each whose arguments in
`command_tree.RUNS` name a text reads a hostile one in its place.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))  # where this is a server

from children import Child, keep
from command_line import ENVIRONMENT, run_command
from command_tree import ENDGAME, RUNS, arguments_of, prepare

INPUTS: Final = (
    "f5d6",
    ENDGAME,
    "{folder}/games.pgn",
    "{folder}/names.txt",
    "{folder}/suite.obf",
    "{folder}/deck.json",
    "{folder}/start.proof",
)
"""The words of `RUNS` that a text takes the place of."""

PROTOCOLS: Final = tuple(name for name in RUNS if name.startswith("engine "))
"""The commands that read a text as standard input."""

_MORE: Final = {
    "record validate": ["--workers", "1"],
    "solve": ["--total-time", "0", "--hash", "1"],
    "prove": ["--total-time", "0", "--hash", "1"],
    "hint": ["--hash", "1"],
    "analyze": ["--hash", "1", "--exact-from", "0", "--workers", "1"],
    "train make": ["--level", "1"],
    "bench solve": ["--problems", "9999999", "--hash", "1"],  # reads all, and solves none
}
"""Further arguments, with which a command does little for each position and works in one process."""

_OPTIONS: Final = {
    "play --load": ["play", "--load", "TEXT", "--black", "engine:1", "--white", "engine:1"],
    "play --start": ["play", "--start", "TEXT", "--black", "engine:1", "--white", "engine:1"],
    "play --xot-list": ["play", "--xot-list", "TEXT", "--black", "engine:1", "--white", "engine:1"],
    "play --resume": ["play", "--resume", "TEXT"],
    "openings draw --list": ["openings", "draw", "--list", "TEXT"],
    "bench solve --compare": ["bench", "solve", "{folder}/suite.obf", "--problems", "9", "--compare", "TEXT"],
    "solve --resume": ["solve", ENDGAME, "--hash", "1", "--output", "TEXT", "--resume"],
    "analyze --resume": ["analyze", "{folder}/games.pgn", "--level", "1", "--output", "TEXT", "--resume"],
    "analyze --summary": ["analyze", "--summary", "TEXT"],
    "diagram FILE#1": ["diagram", "TEXT#1", "--to", "txt"],
    "hint FILE#1": ["hint", "TEXT#1", "--level", "1", "--hash", "1"],
}
"""Options that name a text, and one game or position of a file."""


def _reading(name: str) -> list[str]:
    words = ["TEXT" if word in INPUTS else word for word in RUNS[name]]
    return [*name.split(), *words, *_MORE.get(name, ())]


COMMANDS: Final[dict[str, list[str]]] = {
    **{name: _reading(name) for name, words in RUNS.items() if {*words} & {*INPUTS} or name in PROTOCOLS},
    **_OPTIONS,
}
"""The arguments of every command that reads games or positions from a file."""

OTHERS: Final = frozenset(name for name in RUNS if name not in COMMANDS)
"""The commands whose arguments in `RUNS` name no text."""

SMALL: Final = (b'[Event "x"]\n\n1. f5 *\n', b"x\n")
"""A text that every command takes, and one that none does: the least work, and the least time."""

SIZES: Final = {"explore": 200, "hint": 2_000, "analyze": 2_000, "train make": 500}
"""The first n of commands that do much for each position."""

SECONDS: Final = 300
"""CPU time after which the system ends a run."""

_STEP: Final = 4
_LEAST_SECONDS: Final = 0.02  # less is not told from the noise of other processes
_FLOOR: Final = 0.005


class Cost(NamedTuple):
    """What a run costs.

    Attributes:
        seconds: CPU time.
        megabytes: peak memory.
        status: the exit status; negative for a signal.
        error: the last line on standard error.
    """

    seconds: float
    megabytes: float
    status: int
    error: str


class Growth(NamedTuple):
    """The costs of a command for n and 4n bytes, those of a small text subtracted.

    Attributes:
        size: 4n.
        ratio: the CPU time for 4n bytes, divided by that for n bytes.
        seconds: the CPU time for 4n bytes.
        megabytes: the peak memory for 4n bytes.
        status: the exit status for 4n bytes.
        error: its last line on standard error.
    """

    size: int
    ratio: float
    seconds: float
    megabytes: float
    status: int
    error: str


class Commands:
    """Runs commands on texts; use it as a context manager."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._template = Path(self._folder.name, "template")
        self._template.mkdir()
        prepare(self._template)
        with contextlib.suppress(ImportError):
            import duckdb  # noqa: F401

            run_command(*arguments_of("db import", self._template))
        self._server: subprocess.Popen[str] | None = None
        self._served = ""
        self._least: dict[str, Cost] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._folder.cleanup()

    def _stop(self) -> None:
        if self._server is not None:
            self._server.communicate()
            self._server = None

    def _start(self, command: str) -> None:
        """Start the server of a command, which warms up with it."""
        self._stop()
        self._server = Child(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
        keep(self._server)
        self._served = command
        if not command.startswith("db "):  # DuckDB does not take a fork
            self._run(command, SMALL[0], warm=True)

    def run(self, command: str, text: bytes) -> Cost:
        """Run a command on a text."""
        if self._server is None or self._served != command:
            self._start(command)
        return self._run(command, text)

    def _run(self, command: str, text: bytes, *, warm: bool = False) -> Cost:
        folder = Path(self._folder.name, "run")
        folder.mkdir()
        for file in self._template.iterdir():
            if file.name in " ".join(COMMANDS[command]):
                shutil.copy(file, folder)
        try:
            path = folder / "text"
            path.write_bytes(text)
            words = [
                word.replace("TEXT", str(path)).replace("{folder}", str(folder)) for word in COMMANDS[command]
            ]
            server: Any = self._server
            server.stdin.write(
                json.dumps([words, str(folder), str(path) if command in PROTOCOLS else os.devnull, warm]) + "\n"
            )
            server.stdin.flush()
            return Cost(*json.loads(server.stdout.readline()))
        finally:
            shutil.rmtree(folder)

    def least(self, command: str) -> Cost:
        """Return the least time of a command for a small text, and the peak memory."""
        if command not in self._least:
            found = [self.run(command, text) for text in SMALL for _ in range(3)]
            self._least[command] = min(found)._replace(megabytes=max(cost.megabytes for cost in found))
        return self._least[command]

    def growth(self, command: str, text: Any, size: int, most: int, limit: float, tries: int = 3) -> Growth:
        """Measure texts of n, 4n, … bytes until the time can be compared.

        Args:
            command: a key of `COMMANDS`.
            text: makes the bytes of a size.
            size: the first n.
            most: the largest size.
            limit: the ratio from which on the last two sizes are measured again.
            tries: how often.
        """
        least = self.least(command)
        small = self.run(command, text(size))
        while True:
            large = self.run(command, text(_STEP * size))
            times = [small.seconds, large.seconds]
            for attempt in range(tries + 1):  # other processes only add to the time
                ratio = (times[1] - least.seconds) / max(times[0] - least.seconds, _FLOOR)
                if ratio < limit or attempt == tries:
                    break
                times[0] = min(times[0], self.run(command, text(size)).seconds)
                times[1] = min(times[1], self.run(command, text(_STEP * size)).seconds)
            enough = times[1] - least.seconds >= _LEAST_SECONDS
            if (enough and ratio < limit) or _STEP * _STEP * size > (most if ratio < limit else _STEP * most):
                break  # a ratio above the limit may be one step, where another reader takes over: go on
            size, small = _STEP * size, large
        held = large.megabytes - least.megabytes
        return Growth(_STEP * size, ratio, times[1] - least.seconds, held, large.status, large.error)


def _serve() -> None:
    """Run the commands that come on standard input, each in a process of its own."""
    import gc
    import importlib
    import pkgutil

    import reversi
    import reversi.cli.bench
    from reversi import ResourceError
    from reversi.cli import run

    # packages whose extra is not installed are left out
    for module in pkgutil.walk_packages(reversi.__path__, "reversi.", onerror=lambda name: None):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError, ResourceError):
                importlib.import_module(module.name)
    vars(reversi.cli.bench)["yardstick"] = lambda _: 1.0  # the real one measures the machine
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    answers = open(os.dup(1), "w")  # noqa: PTH123, SIM115 - what the commands write goes elsewhere
    requests = open(os.dup(0))  # noqa: PTH123, SIM115
    _redirect(os.devnull, os.devnull)
    for line in requests:
        words, folder, data, warm = json.loads(line)
        messages = Path(folder, "messages")
        if warm:
            _redirect(data, str(messages))
            _run(run, words)
            _redirect(os.devnull, os.devnull)
            gc.freeze()
            cost = (0.0, 0.0, 0)
        else:
            process = os.fork()
            if process == 0:
                _limit()
                _redirect(data, str(messages))
                os._exit(_run(run, words))
            _, status, usage = os.wait4(process, 0)
            cost = (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, os.waitstatus_to_exitcode(status))
        lines = messages.read_text(errors="replace").splitlines() or [""]
        error = "Traceback" if any("Traceback" in one for one in lines) else lines[-1][:300]
        answers.write(json.dumps([*cost, error]) + "\n")
        answers.flush()


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def _redirect(data: str, messages: str) -> None:
    """Read standard input from a file, throw standard output away, and write standard error to a file."""
    for number, path, flags in (
        (0, data, os.O_RDONLY),
        (1, os.devnull, os.O_WRONLY),
        (2, messages, os.O_WRONLY | os.O_CREAT),
    ):
        descriptor = os.open(path, flags, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - nothing of it is read yet


def _run(run: Callable[[list[str]], int], words: list[str]) -> int:
    """Run one command in this process; return its exit status."""
    sys.argv = ["reversi", *words]
    try:
        status = run(words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 70
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    _serve()
