"""The commands as a user runs them: what they wrote and how they ended.

`run_command` runs them in this process, with streams of their own; `run_process` runs them in a process of their
own, for what only that shows: start-up, signals, pipes, encodings. `run_program` runs a program of the examples,
and `run_python` runs Python in a process.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from unittest import mock

from children import Child
from patience import SOON_S
from reversi.cli import run

ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "100"}
ENVIRONMENT.pop("REVERSI_DB", None)
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # few users have it, and it hides what a full stream does at the end


class Done(subprocess.CompletedProcess[str]):
    """What a command wrote, and how it ended."""

    def ends(
        self, status: int, *, out: str | None = None, err: str | None = None, prints: str = "", says: str = ""
    ) -> Done:
        """Fail unless it ended with this status, and wrote what is given; return it.

        Args:
            status: the exit status.
            out: the whole standard output.
            err: the whole standard error.
            prints: a part of standard output.
            says: a part of standard error.
        """
        wanted = (status, self.stdout if out is None else out, self.stderr if err is None else err)
        assert (self.returncode, self.stdout, self.stderr) == wanted, (self.returncode, self.stdout, self.stderr)
        assert prints in self.stdout, self.stdout
        assert says in self.stderr, self.stderr
        return self


def run_command(
    *arguments: str | bytes | Path,
    data: bytes | str = b"",
    environment: dict[str, str] | None = None,
    redirection: str = "",
) -> Done:
    """Run ``reversi`` with these arguments; an error that the command does not handle fails the test.

    Args:
        arguments: those of the command.
        data: its standard input.
        environment: variables for it.
        redirection: as a shell has it, as in ``<FILE``, ``>FILE``, ``>>FILE``, ``2>FILE``; ``&-`` for no file, and
            ``2>&1`` to have standard error in standard output.
    """
    words = ["reversi", *map(os.fsdecode, arguments)]
    stdin = io.TextIOWrapper(io.BytesIO(data.encode() if isinstance(data, str) else data), "utf-8")
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    streams: dict[str, IO[str] | None] = {"<": stdin, ">": stdout, "2>": stderr}
    with contextlib.ExitStack() as stack:
        if redirection:
            operator, place = re.fullmatch(r"(<|2?>>?)(.*)", redirection).groups()  # type: ignore[union-attr]
            if place == "&1":
                streams[operator] = stdout
            else:
                stream = None if place == "&-" else stack.enter_context(_opened(operator, place))
                streams[operator.replace(">>", ">")] = stream
        names = {"stdin": streams["<"], "stdout": streams[">"], "stderr": streams["2>"]}
        for name, value in (names | {"argv": words}).items():
            stack.enter_context(mock.patch.object(sys, name, value))
        stack.enter_context(mock.patch.dict(os.environ, _environment(environment), clear=True))
        code = run(words[1:])
        if streams["2>"] is None:
            sys.stderr.close()  # what the command has put in its place
    return Done(words, code, *(_text(stream.buffer.getvalue()) for stream in (stdout, stderr)))


def run_program(path: Path, *arguments: str | Path) -> Done:
    """Run a Python program, as ``python path ...`` does but in this process."""
    words = [str(path), *map(str, arguments)]
    stdout, stderr = io.StringIO(), io.StringIO()
    code = 0
    with mock.patch.multiple(sys, argv=words, stdout=stdout, stderr=stderr, path=[str(path.parent), *sys.path]):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(words, code, stdout.getvalue(), stderr.getvalue())


def run_process(
    *arguments: str | Path,
    data: bytes | str = b"",
    environment: dict[str, str] | None = None,
    timeout: float = 600,
) -> Done:
    """Run ``reversi`` with these arguments in a process; no user's mistake may end in a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "reversi", *map(str, arguments)],
        input=data.encode() if isinstance(data, str) else data,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=_environment(environment),
    )
    out, err = _text(done.stdout), _text(done.stderr)
    assert "Traceback" not in err
    return Done(done.args, done.returncode, out, err)


class Started(Child[str]):
    """``reversi`` in a process that a test talks to; ``how`` is what `subprocess.Popen` takes."""

    stdin: IO[str]
    stdout: IO[str]
    stderr: IO[str]

    def __init__(self, *arguments: str | Path, **how: Any) -> None:
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-m", "reversi", *map(str, arguments)]
        super().__init__(command, text=True, env=_environment(None), **(streams | how))


def run_python(*words: str | Path, check: bool = False, timeout: float = 4 * SOON_S, **how: Any) -> Done:
    """Run Python with these arguments; ``how`` is what `subprocess.run` takes."""
    command = [sys.executable, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=check, timeout=timeout, **how)
    return Done(done.args, done.returncode, done.stdout, done.stderr)


def run_with_terminal(*arguments: str | Path) -> tuple[str, str]:
    """Run ``reversi`` with a terminal as standard error; return standard output and what the terminal got."""
    import pty

    ours, theirs = pty.openpty()
    shown = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # the other side is closed
            while piece := os.read(ours, 4096):
                shown.extend(piece)

    terminal = threading.Thread(target=read)  # a terminal that nobody reads stops the command
    with Child(
        [sys.executable, "-m", "reversi", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=ENVIRONMENT,
    ) as process:
        os.close(theirs)
        terminal.start()
        assert process.stdout is not None
        out = process.stdout.read()
    terminal.join()
    os.close(ours)
    return _text(out), shown.decode()


@contextlib.contextmanager
def _opened(operator: str, place: str) -> Iterator[IO[str]]:
    """A file for a standard stream, closed as at the end of a process: what cannot be written then is lost."""
    mode = {"<": "r", ">": "w"}.get(operator[-2:].lstrip("2"), "a")
    stream = Path(place).open(mode, 1 if operator.startswith("2") else -1, "utf-8")  # noqa: SIM115
    try:
        yield stream
    finally:
        with contextlib.suppress(OSError):
            stream.close()


def _environment(more: dict[str, str] | None) -> dict[str, str]:
    """What the commands find around them now: games of tests are kept where conftest.py says."""
    state = {name: os.environ[name] for name in ("REVERSI_STATE",) if name in os.environ}
    return ENVIRONMENT | state | (more or {})


def _text(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n")
