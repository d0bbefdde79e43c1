"""An external engine as a process: lines to it and from it, with time-outs, and an end that always comes.

The engine gets a process group of its own: Ctrl-C at the terminal does not reach it, and the programs that it
starts end with it. Its standard error is read and kept, so that a message can show its last lines.
"""

from __future__ import annotations

import collections
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Final

from reversi._system.held_signals import SignalsHeld
from reversi.arguments import excerpt
from reversi.errors import InputError, PlayerError

_LINE_BYTES: Final = 1 << 16
_PENDING: Final = 20_000  # lines, or 64 bytes each, that wait to be read: an engine that writes more is flooding
_KEPT: Final = 6
_SHOWN: Final = 160
_GONE_S: Final = 0.5  # an engine that closes its output usually ends: wait this long for its exit status


_running: Final[set[int]] = set()  # the process groups of the engines that run


def kill_engines() -> None:
    """Kill all engines of this process; for a process that must end at once."""
    for pid in tuple(_running):
        _kill_group(pid)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def split_command(command: str) -> list[str]:
    """Return the words of a command line, as a shell splits them; nothing is expanded.

    Raises:
        InputError: a quotation is not closed, or the command is empty.
    """
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise InputError(f"command {excerpt(command)}: {str(error).lower()}") from None
    if not words:
        raise InputError("the command of the engine is empty")
    return [word.strip('"') for word in words] if os.name == "nt" else words


class EngineProcess:
    """A running engine.

    Args:
        command: the command line; no shell is involved.
        name: the engine's name in messages.

    Raises:
        InputError: the command is empty or badly quoted.
        PlayerError: the command cannot be started.
    """

    def __init__(self, command: str, name: str) -> None:
        self.name = name
        words = split_command(command)
        try:
            with SignalsHeld():  # what runs is known as running
                self._process = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=os.name != "nt",
                )
                _running.add(self._process.pid)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise PlayerError(name, f"does not start: {words[0]}: {why[:1].lower()}{why[1:]}") from None
        self._ready = threading.Condition()
        self._lines: collections.deque[str] = collections.deque()
        self._bytes = 0
        self._flooded = False
        self._ended = False
        self._last: collections.deque[str] = collections.deque(maxlen=_KEPT)
        self._threads = [
            threading.Thread(target=self._collect, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def last_lines(self) -> tuple[str, ...]:
        """Return the last lines that the engine wrote, to its output and its standard error."""
        with self._ready:
            return tuple(line if len(line) <= _SHOWN else line[:_SHOWN] + "..." for line in self._last)

    def failure(self, reason: str, *, late: bool = False) -> PlayerError:
        return PlayerError(self.name, reason, self.last_lines(), late=late)

    def send(self, line: str) -> None:
        """Write a line to the engine.

        Raises:
            PlayerError: the engine has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode("utf-8", "replace") + b"\n")
        except (OSError, ValueError):
            raise self._gone() from None

    def read(self, until: float) -> str | None:
        """Return the next line from the engine, or ``None`` when none comes in time.

        Args:
            until: the time of `time.monotonic` to wait for.

        Raises:
            PlayerError: the engine has ended, closed its output, or floods it.
        """
        with self._ready:
            while not (self._lines or self._flooded or self._ended):
                left = until - time.monotonic()
                if left <= 0:
                    return None
                self._ready.wait(min(left, 60.0))
            if self._flooded:
                raise PlayerError(
                    self.name,
                    f"floods its output: more than {_PENDING:,} lines wait to be read",
                    tuple(self._last),
                )
            if self._lines:
                line = self._lines.popleft()
                self._bytes -= len(line)
                return line
        raise self._gone()

    def waiting(self) -> list[str]:
        """Return and remove the lines that wait to be read."""
        with self._ready:
            lines = list(self._lines)
            self._lines.clear()
            self._bytes = 0
            return lines

    def cpu_s(self) -> float | None:
        """Return the seconds of CPU time that the engine and the programs it started have used.

        ``None`` where the system does not say.
        """
        if not sys.platform.startswith("linux"):
            return None
        ticks = 0
        try:
            os.kill(self.pid, 0)
            for folder in os.scandir("/proc"):  # behind a shell, the engine is another process of the session
                if folder.name.isdecimal():
                    with contextlib.suppress(OSError):  # it has ended meanwhile
                        if os.getsid(int(folder.name)) == self.pid:
                            fields = Path(folder, "stat").read_text().rpartition(")")[2].split()
                            ticks += sum(map(int, fields[11:15]))  # its own, and those of children that ended
        except OSError:
            return None
        return ticks / os.sysconf("SC_CLK_TCK")

    def close(self, wait_s: float = 2.0) -> bool:
        """End the engine: close its input, wait, then kill it; return whether it ended by itself.

        Args:
            wait_s: seconds to wait for it.
        """
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(wait_s)
            by_itself = True
        except subprocess.TimeoutExpired:
            by_itself = False
        _kill_group(self.pid)  # the programs that it has started too
        _running.discard(self.pid)
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return by_itself

    def _gone(self) -> PlayerError:
        try:
            status = self._process.wait(_GONE_S)
        except subprocess.TimeoutExpired:
            return self.failure("closed its output")
        for thread in self._threads:
            thread.join(_GONE_S)  # for its last words
        if status < 0:
            with contextlib.suppress(ValueError):
                return self.failure(f"died of {signal.Signals(-status).name}")
        return self.failure(f"ended with exit status {status}")

    def _collect(self, stream: IO[bytes]) -> None:
        for text in _lines_of(stream):
            with self._ready:
                if len(self._lines) >= _PENDING or self._bytes > 64 * _PENDING:
                    self._flooded = True
                else:
                    self._lines.append(text)
                    self._bytes += len(text)
                    if text:
                        self._last.append(text)
                self._ready.notify_all()
                if self._flooded:
                    return  # what it writes next waits in the pipe
        with self._ready:
            self._ended = True
            self._ready.notify_all()

    def _listen(self, stream: IO[bytes]) -> None:
        for text in _lines_of(stream):
            with self._ready:
                if text.strip():
                    self._last.append(text)


def _lines_of(stream: IO[bytes]) -> collections.abc.Iterator[str]:
    """Yield the lines of a stream as they come, without line ends and control characters; a long one in pieces."""
    unfinished = b""
    while True:
        try:
            piece = stream.read(_LINE_BYTES)
        except (OSError, ValueError):  # closed by `close`
            return
        if not piece:
            break
        *lines, unfinished = (unfinished + piece).split(b"\n")
        for line in lines:
            yield _clean(line)
        if len(unfinished) > _LINE_BYTES:
            yield _clean(unfinished)
            unfinished = b""
    if unfinished:
        yield _clean(unfinished)


def _clean(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\r").replace("\t", " ")
    return text if text.isprintable() else "".join(each if each.isprintable() else "?" for each in text)
