"""Signals at any moment of a command: one exit status, no process left, the terminal as it was.

Before the first line of `reversi` has run, a signal ends Python itself. A marker on a pipe says that it has.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from children import Child
from command_line import ENVIRONMENT
from command_tree import ENDGAME, RUNS, arguments_of, prepare

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")

MARKER: Final = """
import os, signal, sys
set_handler = signal.signal
def first(number, handler):
    before = set_handler(number, handler)
    if number == signal.SIGTERM:  # the last one that the first line sets
        signal.signal = set_handler
        os.write(int(os.environ["REVERSI_TEST_PIPE"]), b".")
    return before
signal.signal = first
sys.argv[0] = "reversi"
from reversi.cli import main
main()
"""
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
MODES: Final = (b"25", b"1000", b"1003", b"1004", b"1006", b"1049", b"2004")
"""Modes of a terminal: the cursor, the mouse, the other screen, pasting."""
OTHERS: Final = {
    "play on the full screen": ["play", "--ui", "screen", "--state", "{folder}"],
    "solve on a cluster": ["solve", "{folder}/suite.obf", "--cluster", "local:1"],
    "analyze on a cluster": ["analyze", "{folder}/games.pgn", "--level", "1", "--cluster", "local:2"],
    "match on a cluster": ["match", "1", "2", "--games", "2", "--cluster", "local:1"],
    "prove on a cluster": ["prove", ENDGAME, "--proof", "-", "--cluster", "local:1"],
    "the help": ["--help"],
    "the version": ["--version"],
}
LASTING: Final = {
    "engine gtp",
    "engine json",
    "engine nboard",
    "engine xboard",
    "play on the full screen",
    "train play",
}
"""What does not end by itself."""
QUICK: Final = ("perft", "hint", "play on the full screen", "solve on a cluster")


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes:
        status: its exit status.
        seconds: from its first line to its end.
        shown: what it wrote to standard error, and to its terminal if it had one.
        left: the command lines of processes that it left, and the names of temporary files.
        changed: what is different about its terminal, if it had one.
    """

    status: int
    seconds: float
    shown: bytes
    left: list[str]
    changed: list[str]


class Terminal:
    """A terminal of 24 rows and 80 columns, and what a program wrote to it."""

    def __init__(self) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.set_blocking(self._ours, False)
        self._before = termios.tcgetattr(self.theirs)
        self.shown = b""

    def read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self._ours, 65536):
                self.shown += piece

    def changes(self) -> list[str]:
        """What is not as it was before the program."""
        import termios

        self.read()
        changed = [] if termios.tcgetattr(self.theirs) == self._before else ["attributes"]
        for mode in MODES:
            switches = re.findall(rb"\x1b\[\?(?:\d+;)*%s(?:;\d+)*([hl])" % mode, self.shown)
            if switches and switches[-1] != (b"h" if mode == b"25" else b"l"):
                changed.append(f"mode {mode.decode()}")
        return changed

    def close(self) -> None:
        os.close(self._ours)
        os.close(self.theirs)


def run_until(arguments: list[str], number: int, moment: float, folder: Path) -> Ended:
    """Run a command, send it a signal ``moment`` seconds after its first line, and wait for its end."""
    mark = uuid.uuid4().hex
    temporary = Path(tempfile.mkdtemp(prefix="signal-"))  # short: the path of a socket in it has a limit
    variables = {"REVERSI_TEST_MARK": mark, "TMPDIR": str(temporary), "TERM": "xterm-256color"}
    readable, writable = os.pipe()
    terminal = Terminal() if "screen" in arguments else None
    with (folder / f"{mark}.messages").open("w+b") as messages:
        process = Child(
            [sys.executable, "-c", MARKER, *arguments],
            stdin=subprocess.PIPE if terminal is None else terminal.theirs,
            stdout=subprocess.DEVNULL if terminal is None else terminal.theirs,
            stderr=messages if terminal is None else terminal.theirs,
            env=ENVIRONMENT | variables | {"REVERSI_TEST_PIPE": str(writable)},
            pass_fds=[writable],
            start_new_session=True,
        )
        os.close(writable)
        with contextlib.closing(os.fdopen(readable, "rb")) as pipe:
            assert pipe.read(1) == b"."
        began = time.monotonic()
        sent = False
        while process.poll() is None:
            if terminal is not None:
                terminal.read()
            passed = time.monotonic() - began
            if not sent and passed >= moment:
                sent = True
                # a terminal sends Ctrl-C to all processes of a command
                (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
            assert passed < moment + 60, f"{arguments} does not end"
            time.sleep(0.001)
        files = {path.name for path in temporary.rglob("*")}
        shutil.rmtree(temporary, ignore_errors=True)
        left = [*processes(mark), *files]
        seconds = time.monotonic() - began
        messages.seek(0)
        shown = messages.read()
    if process.stdin is not None:
        process.stdin.close()
    changed: list[str] = []
    if terminal is not None:
        changed = terminal.changes()
        shown = terminal.shown
        terminal.close()
    return Ended(process.returncode, seconds, shown, left, changed)


def processes(mark: str) -> list[str]:
    """The command lines of the processes with this mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"REVERSI_TEST_MARK={mark}".encode() in (path / "environ").read_bytes():
                found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def words_of(name: str, folder: Path) -> list[str]:
    if name.endswith("on a cluster"):
        pytest.importorskip("distributed")
    if name in OTHERS:
        return [word.replace("{folder}", str(folder)) for word in OTHERS[name]]
    return arguments_of(name, folder)


def check(name: str, number: int, moment: float, folder: Path, done: int | None) -> None:
    """Check how a command ends; one that is done before the signal has the status ``done``."""
    ended = run_until(words_of(name, folder), number, moment, folder)
    assert ended.status in (130, done), (moment, ended)
    assert (ended.left, ended.changed) == ([], []), (moment, ended)
    assert b"Traceback" not in ended.shown, (moment, ended)
    assert b"ignored" not in ended.shown, (moment, ended)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("signals")
    prepare(path)
    return path


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", [*RUNS, *OTHERS])
def test_a_signal_at_any_moment(name: str, number: int, folder: Path) -> None:
    seconds, done = 1.5, None
    if name not in LASTING:
        whole = run_until(words_of(name, folder), number, 120.0, folder)
        seconds, done = whole.seconds, whole.status
    draw = random.Random(name)
    for _ in range(20):
        check(name, number, draw.uniform(0.0, seconds), folder, done)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", QUICK)
def test_a_signal_soon_after_the_start(name: str, number: int, folder: Path) -> None:
    moment = random.Random(f"{name} {number}").uniform(0.0, 0.5)
    check(name, number, moment, folder, None if name in LASTING else 0)


LOST: Final = """
import os, signal, sys, time, weakref
import reversi.cli, reversi.cli.app, reversi.cli.console

def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)

class Attribute:
    __set_name__ = interrupt

def drop():
    class Value: pass
    value = Value()
    reference = weakref.ref(value, interrupt)

def wrap():
    class Value:
        attribute = Attribute()

@reversi.cli.console.command
def work():
    {call}()
    time.sleep(30)

def run(arguments):
    try:
        work()
    except Exception as error:
        return error.exit_code
    return 0

reversi.cli.app.run = run
sys.argv[1:] = ["perft", "1"]
reversi.cli.main()
"""


@pytest.mark.parametrize("call", ["drop", "wrap"])
def test_an_interrupt_that_python_drops_or_wraps_ends_the_command(call: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST.replace("{call}", call)],
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, b"")


def test_where_the_shell_ignores_ctrl_c_sigterm_ends_a_match(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    words = ["match", "5", "5", "--games", "1000", "--save", str(games)]
    script = f"{shlex.join([sys.executable, '-m', 'reversi', *words])} & echo $!; wait $!; echo $?"
    with Child(
        ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as shell:
        assert shell.stdout is not None
        number = int(shell.stdout.readline())
        while not games.exists():
            time.sleep(0.01)
        os.kill(number, signal.SIGINT)
        time.sleep(0.2)
        os.kill(number, signal.SIGTERM)
        assert shell.stdout.read().splitlines()[-1] == "130"


@pytest.mark.thorough
def test_a_second_signal_ends_what_waits_for_a_reader(tmp_path: Path) -> None:
    """After the first one, what was found waits for whoever reads standard output: perhaps nobody does."""
    import fcntl
    import struct
    import termios

    positions = tmp_path / "positions.txt"
    positions.write_text("f5d6c3\n" * 10_000)
    process = Child(
        [sys.executable, "-m", "reversi", "position", "show", "--json", str(positions)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    held = -1
    while (
        held != (held := struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4))[0])
        or not held
    ):
        time.sleep(0.3)  # until the pipe is full
    process.terminate()
    time.sleep(0.5)
    process.terminate()
    assert process.wait(60) == 130
