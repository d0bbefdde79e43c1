"""The terminal side of every command: results, messages, statuses, signals."""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Final, NamedTuple, NoReturn, TypeAlias, overload

import typer

from reversi._system.held_signals import catchable
from reversi.arguments import check_seconds, read_up_to
from reversi.cli.option_groups import Refusal, Table, expanded
from reversi.cli.status import Status, worst
from reversi.cli.streams import drop, flushed, full_output, quiet_pipe
from reversi.errors import (
    InputError,
    InstructionSetError,
    PlayerError,
    ResourceError,
    ReversiError,
)
from reversi.rules import Rules, parse_rules
from reversi.text.counting import counted
from reversi.text.terminal import escape_json, safe

if TYPE_CHECKING:
    from reversi.work.cancel import Cancel

NEW_OBJECTS: Final = 20_000
"""Objects that Python makes before it looks for garbage: the modules that a command loads have none."""
_OPTIONS: Final = {
    "adjudicate": "--adjudicate",
    "concurrency": "--concurrency",
    "depth": "--depth",
    "exact_from": "--exact-from",
    "games": "--games",
    "hash_mb": "--hash",
    "move_s": "--timeout",
    "multi": "--multi",
    "nodes": "--nodes",
    "threads": "--threads",
    "time_s": "--time",
    "window": "--window",
    "workers": "--workers",
}
"""The options of the arguments that the library checks."""


_MESSAGES: Final = 20
"""How many messages of one status a command writes; of the others it writes the number."""


_STATUSES: Final = (
    (InstructionSetError, Status.USAGE),
    (ResourceError, Status.USAGE),
    (MemoryError, Status.NO_RESULT),
    (OSError, Status.NO_INPUT),
    (ReversiError, Status.BAD_DATA),
)
"""What a command ends with for an error that it does not catch: the first that applies."""


class Exit(Exception):  # noqa: N818 - the end of a command, not always an error
    """The end of a command, with a status; a message goes to standard error as one line."""

    def __init__(self, status: Status, message: str = "") -> None:
        super().__init__(message)
        self.status = status


def fail(status: Status, message: str) -> NoReturn:
    """End the command with ``status`` and a one-line message on standard error."""
    raise Exit(status, message)


@contextlib.contextmanager
def named_options() -> Iterator[None]:
    """End the command for an argument that the library refuses within the block, under the name of its option."""
    try:
        yield
    except InputError as error:
        name, _, wrong = str(error).partition(" ")
        fail(Status.USAGE, f"{_OPTIONS.get(name, name)} {wrong}")


@contextlib.contextmanager
def refused(option: str = "") -> Iterator[None]:
    """End the command for what the library refuses within the block, perhaps under the name of an option."""
    try:
        yield
    except (InputError, PlayerError, ResourceError) as error:
        fail(Status.USAGE, f"{option}: {error}" if option else str(error))


passing_lines: list[Callable[[], None]] = []
"""How to take away what stands on the terminal until something is written: a line of progress."""


def take_lines_away() -> None:
    """Take the line of progress away, so that something can be written."""
    while passing_lines:
        passing_lines.pop()()


def out(text: str = "") -> None:
    """Write one result line to standard output."""
    take_lines_away()
    sys.stdout.write(safe(text) + "\n")


def json_line(value: Mapping[str, object]) -> str:
    """Return a JSON object as one line, with control characters escaped."""
    import json

    return escape_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def out_json(value: Mapping[str, object]) -> None:
    """Write one JSON object as one line to standard output, and flush it."""
    text = json_line(value)
    take_lines_away()
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def err(text: str) -> None:
    """Write one message line to standard error; one that is closed or full is ignored."""
    take_lines_away()
    try:
        sys.stderr.write(safe(text).replace("\n", " ") + "\n")
    except OSError:  # Python would try again at its end, and exit with 120
        drop(sys.stderr)


def asked(prompt: str) -> str:
    """Ask a person at the terminal; the line that is typed, empty at the end of the input."""
    take_lines_away()
    sys.stderr.write(safe(prompt))
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stderr.write("\n")
    return line


class Listed(NamedTuple):
    """A line of a list of what was found, as ``--report`` writes it.

    Attributes:
        message: the line.
        file: the file, empty where it concerns none.
        game: the number of the game in the file, 0 where it concerns none.
        more: what else a program reads there.
    """

    message: str
    file: str = ""
    game: int = 0
    more: Mapping[str, object] = {}

    def as_bytes(self, *, json: bool) -> bytes:
        """Return the line as text, or as an object of JSON."""
        if not json:
            return safe(self.message).encode("utf-8", "backslashreplace") + b"\n"
        where = {name: value for name, value in (("file", self.file), ("game", self.game)) if value}
        text = json_line({**where, **self.more, "message": self.message})
        return text.encode("utf-8", "backslashreplace") + b"\n"


class StatusCollector:
    """Collects the statuses of many inputs; the first that applies is the command's.

    A file may be wrong on each of its lines: of each status the first messages are written, and at the end of the
    command the number of the others.

    Args:
        complete: write all messages.
        listed: collects all messages, too, each with its place.
        fatal: what the command says when it ends at the first finding; empty where it does not end there.
    """

    _of_command: ClassVar[list[StatusCollector]] = []

    def __init__(self, *, complete: bool = False, listed: list[Listed] | None = None, fatal: str = "") -> None:
        self.status: Status = Status.DONE
        self.listed = listed
        self._fatal = fatal
        self._complete = complete
        self._messages: Counter[Status] = Counter()
        self._of_command.append(self)

    def add(self, status: Status, message: str = "", *, file: str = "", game: int = 0) -> None:
        """Add a status, and write its message to standard error; file and game are where it applies."""
        self.status = worst(self.status, status)
        if message:
            self._messages[status] += 1
            if self._complete or self._messages[status] <= _MESSAGES:
                err(message)
            if self.listed is not None:
                self.listed.append(Listed(message.removeprefix("reversi: "), file, game))
        if status is Status.FINDING and self._fatal:
            raise Exit(self.status, self._fatal)

    @classmethod
    def end(cls) -> None:
        """Write how many messages were left out in the command that ends."""
        collectors, cls._of_command = cls._of_command, []
        counts = [count for each in collectors if not each._complete for count in each._messages.values()]
        if left_out := sum(max(count - _MESSAGES, 0) for count in counts):
            err(f"reversi: left out: {counted(left_out, 'more message', grouped=True)} like these")

    def finish(self) -> None:
        """End the command with the collected status (return normally when it is ``DONE``)."""
        if self.status is not Status.DONE:
            raise Exit(self.status)


def rules_option(text: str) -> Rules:
    """Return the rule set that ``--rules TEXT`` names; a wrong one is wrong usage."""
    with refused():
        return parse_rules(text)


def read_bytes(path: str) -> bytes:
    """Read a file, or standard input for ``-``.

    Raises:
        InputError: it has more than `MAX_FILE` bytes.
    """
    with reading(path):
        if path == "-":
            return read_up_to(stdin_buffer(), "standard input")
        with Path(path).open("rb") as stream:
            return read_up_to(stream, path)


def reason(error: OSError) -> str:
    """Return why the system refused, without its number and the name of the file."""
    if isinstance(error, IsADirectoryError):
        return "this is a folder; name a file"
    return error.strerror or str(error)


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """End the command where a file, which messages call ``name``, cannot be read within the block."""
    try:
        yield
    except FileNotFoundError:
        fail(Status.NO_INPUT, f"{name}: no such file")
    except OSError as error:
        fail(Status.NO_INPUT, f"{name}: cannot read: {reason(error)}")


@contextlib.contextmanager
def writing(name: str) -> Iterator[None]:
    """End the command where a file, which messages call ``name``, cannot be written within the block."""
    try:
        yield
    except OSError as error:
        fail(Status.CANNOT_WRITE, f"{name}: cannot write: {reason(error)}")


def stdin_buffer() -> BinaryIO:
    """Return standard input as bytes; a closed one ends the command."""
    if sys.stdin is None or sys.stdin.closed:  # as after <&-
        fail(Status.NO_INPUT, "standard input is closed; give a file, or data on standard input")
    return sys.stdin.buffer


def is_terminal_in() -> bool:
    """Return whether standard input is a terminal, so that a person can answer questions."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def is_terminal_err() -> bool:
    """Return whether standard error is a terminal, the only place for progress."""
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


def terminal_width() -> int:
    """Return the characters of a line of the terminal that standard output is; 0 for a file or a pipe."""
    if not sys.stdout.isatty():
        return 0
    import shutil

    return shutil.get_terminal_size().columns


Handler = Callable[[int, FrameType | None], None]


@contextlib.contextmanager
def handled_signals(handler: Handler = signal.default_int_handler) -> Iterator[None]:
    """Within the block, call ``handler`` at Ctrl-C and SIGTERM; without one, both interrupt what runs at once."""
    before = {number: signal.signal(number, handler) for number in catchable()}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextlib.contextmanager
def cancelled_by_signals(cancel: Cancel) -> Iterator[None]:
    """Within the block, Ctrl-C and SIGTERM cancel; the second one interrupts what runs at once."""

    def handler(number: int, frame: FrameType | None) -> None:
        if cancel.cancelled:
            signal.default_int_handler(number, frame)
        cancel.cancel()

    with handled_signals(handler):
        yield


@contextlib.contextmanager
def cancelled_after(cancel: Cancel, seconds: float | None) -> Iterator[threading.Event]:
    """Within the block, the end of a time limit cancels, and sets the event; ``None`` is no limit.

    Raises:
        InputError: ``seconds`` is negative or not a number.
    """
    over = threading.Event()

    def end() -> None:
        over.set()
        cancel.cancel()

    if seconds is None:
        yield over
        return
    check_seconds("the time limit", seconds)
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), end)
    timer.daemon = True
    timer.start()
    try:
        yield over
    finally:
        timer.cancel()


_Function: TypeAlias = Callable[..., None]


@overload
def command(function: _Function, /) -> _Function: ...
@overload
def command(*table: Refusal) -> Callable[[_Function], _Function]: ...
def command(*given: Any) -> Any:
    """Make a function a command: its errors become one-line messages and exit statuses.

    A parameter whose type is a group of options (`reversi.cli.option_groups`) gives the command these options.

    Args:
        given: the function; or which of its options exclude or need each other, beside what the tables of its
            groups say: ``@command(*excludes("--level", "--time"))``.
    """
    if len(given) == 1 and callable(given[0]):
        return _command(given[0], ())
    return functools.partial(_command, table=given)


def _command(function: _Function, table: Table) -> _Function:
    signature, of_groups, gather = expanded(function)

    @functools.wraps(function)
    def wrapped(**options: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # the terminal's code page may lack a character
                stream.reconfigure(errors="backslashreplace")
        if not gc.isenabled():
            gc.freeze()  # what was loaded until here stays: Python need not visit it, not even when it ends
            gc.set_threshold(NEW_OBJECTS)
            gc.enable()
        with handled_signals():
            code = _run(lambda: function(**gather(options)))
        if code:
            raise typer.Exit(code)

    wrapped.__dict__ |= {"__signature__": signature, "table": (*table, *of_groups)}
    wrapped.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    return wrapped


def _run(call: Callable[[], None]) -> int:
    try:
        try:
            call()
        finally:
            take_lines_away()
            StatusCollector.end()
        return flushed(Status.DONE)
    except Exit as end:
        if str(end):
            err(f"reversi: {end}")
        return flushed(end.status)
    except BrokenPipeError:
        return quiet_pipe()
    except KeyboardInterrupt:
        return flushed(Status.INTERRUPTED)
    except (ReversiError, MemoryError) as error:
        err(f"reversi: {str(error) or 'not enough memory'}")
        return flushed(next(status for kind, status in _STATUSES if isinstance(error, kind)))
    except OSError as error:
        if error.filename is not None:
            raise
        return full_output(error)
    except Exception as error:
        if not _is_interrupt(error):
            raise
        return flushed(Status.INTERRUPTED)


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether an interrupt is behind an error: Python 3.11 wraps one that comes while it makes a class."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None
