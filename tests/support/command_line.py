"""The commands as a user runs them: what they wrote and how they ended.

`run_command` runs them in this process, with streams of their own; `run_process` runs them in a process of their
own, for what only that shows: start-up, signals, pipes, encodings.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import IO
from unittest import mock

from reversi.cli import run

ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "100"}
ENVIRONMENT.pop("REVERSI_DB", None)

Done = subprocess.CompletedProcess[str]


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
        redirection: as a shell has it: ``>`` or ``2>``, and a file, or ``&-`` for none.
    """
    words = ["reversi", *map(os.fsdecode, arguments)]
    stdin = io.TextIOWrapper(io.BytesIO(data.encode() if isinstance(data, str) else data), "utf-8")
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    streams: dict[str, IO[str] | None] = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
    with contextlib.ExitStack() as stack:
        if redirection:
            number, _, place = redirection.partition(">")
            lines = 1 if number else -1  # standard error is written line by line
            other = None if place == "&-" else Path(place).open("w", lines, "utf-8")  # noqa: SIM115 - closed below
            stack.callback(_close, other)
            streams["stderr" if number == "2" else "stdout"] = other
        stack.enter_context(mock.patch.multiple(sys, argv=words, **streams))
        stack.enter_context(mock.patch.dict(os.environ, _environment(environment), clear=True))
        code = run(words[1:])
        if streams["stderr"] is None:
            sys.stderr.close()  # what the command has put in its place
    return Done(words, code, *(_text(stream.buffer.getvalue()) for stream in (stdout, stderr)))


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


def run_with_terminal(*arguments: str | Path) -> tuple[str, str]:
    """Run ``reversi`` with a terminal as standard error; return standard output and what the terminal got."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "reversi", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=ENVIRONMENT,
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        out = process.stdout.read()
        shown = b""
        with contextlib.suppress(OSError):  # the other side is closed
            while piece := os.read(ours, 4096):
                shown += piece
        process.wait()
    os.close(ours)
    return _text(out), shown.decode()


def _close(stream: IO[str] | None) -> None:
    """Close a stream as a process does at its end: what cannot be written then is lost."""
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()


def _environment(more: dict[str, str] | None) -> dict[str, str]:
    """What the commands find around them now: games of tests are kept where conftest.py says."""
    state = {name: os.environ[name] for name in ("REVERSI_STATE",) if name in os.environ}
    return ENVIRONMENT | state | (more or {})


def _text(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n")
