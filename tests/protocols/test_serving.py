"""Serving: lines from a stream, searches that a line or the end of the input stops, and processes that end."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from unittest import mock

import pytest

from children import Child
from command_line import ENVIRONMENT, run_command, run_process
from patience import SOON_S
from protocol_driver import QuickEngine, fuzzed_lines
from reversi import Cancel, ClockReading, Engine, Position
from reversi.protocols import EngineSettings, GtpServer, NBoardServer, Thinker, XBoardServer, serve
from reversi.protocols.gtp import GTP_COMMANDS
from reversi.protocols.gtp_text import parse_command
from reversi.protocols.serving import MAX_LINE, Server, read_lines
from reversi.protocols.thinking import with_reserve

SERVERS: list[tuple[Callable[..., Server], str, str, str]] = [
    (GtpServer, "reversi-analyze", "name", "="),
    (NBoardServer, "go", "ping 1", "==="),
    (NBoardServer, "hint 2", "ping 1", "status"),
    (XBoardServer, "go", "?", "move"),
]


def pieces(*texts: bytes) -> Callable[[], bytes]:
    left: Iterator[bytes] = iter(texts)
    return lambda: next(left, b"")


def test_lines() -> None:
    assert list(read_lines(pieces(b"one\ntw", b"o\r\n", b"\n", b"three"))) == ["one", "two", "", "three"]
    assert list(read_lines(pieces(b"\xff\xc3\xa9\n"))) == ["�é"]
    long = b"x" * (MAX_LINE // 2)
    lines = list(read_lines(pieces(long, long, b"xx", b"yyy\nname\n", long + long + b"z\n")))
    assert [len(line) for line in lines] == [MAX_LINE + 1, 4, MAX_LINE + 1]


class Controller:
    """The other side of a server: lines come when the test sends them."""

    def __init__(self, make: Callable[..., Server], grace_s: float = 60) -> None:
        self.said: queue.Queue[str] = queue.Queue()
        self.engine = QuickEngine()
        self.searching = threading.Event()
        self.stopped: list[bool] = []
        self.engine.works = self._work
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.server = make(self.engine, self.said.put)
        self.thread = threading.Thread(
            target=serve, args=(self.server, self._lines.get), kwargs={"grace_s": grace_s}
        )
        self.thread.start()

    def _work(self, cancel: Cancel) -> None:
        """Think until somebody stops it."""
        stop = threading.Event()
        with cancel.ends(stop.set):
            self.searching.set()
            self.stopped.append(stop.wait(SOON_S))

    def send(self, line: str) -> None:
        self._lines.put(f"{line}\n".encode())

    def close(self) -> None:
        self._lines.put(b"")

    def until(self, text: str) -> str:
        said = ""
        while text not in said:
            said += self.said.get(timeout=SOON_S)
        return said


@pytest.mark.parametrize(("make", "search", "line", "answer"), SERVERS)
def test_a_line_stops_a_search(make: Callable[..., Server], search: str, line: str, answer: str) -> None:
    controller = Controller(make)
    controller.send(search)
    assert controller.searching.wait(SOON_S)
    controller.send(line)
    controller.until(answer)
    controller.close()
    controller.thread.join(SOON_S)
    assert controller.stopped == [True]
    assert not controller.thread.is_alive()


def test_a_command_of_gtp_waits_for_the_move() -> None:
    controller = Controller(GtpServer)
    controller.send("genmove b")
    assert controller.searching.wait(SOON_S)
    controller.send("2 name")
    assert controller.said.empty()
    controller.send("# interrupt")
    assert controller.until("=2") == "= e6\n\n=2 reversi\n\n"
    controller.close()
    controller.thread.join(SOON_S)


def test_a_search_that_is_stopped_before_it_begins() -> None:
    """A line may arrive while an earlier one still waits for its turn."""
    controller = Controller(NBoardServer)
    controller._lines.put(b"hint 1\nhint 1\nhint 1\nping 1\n")
    assert "pong 1" in controller.until("pong 1\n")
    controller.close()
    controller.thread.join(SOON_S)
    assert controller.stopped == [True, True, True]


@pytest.mark.parametrize(("make", "search", "line", "answer"), SERVERS)
def test_the_end_of_the_input_stops_a_search(
    make: Callable[..., Server], search: str, line: str, answer: str
) -> None:
    controller = Controller(make, grace_s=0.05)
    controller.send(search)
    controller.close()
    controller.thread.join(SOON_S)
    assert not controller.thread.is_alive()
    assert controller.stopped == [True]
    controller.until(answer)


def test_analysis_of_xboard_ends_with_the_input() -> None:
    controller = Controller(XBoardServer, grace_s=0.05)
    controller.send("analyze")
    assert controller.searching.wait(SOON_S)
    controller.send("ping 1")
    controller.until("pong 1")
    controller.close()
    controller.thread.join(SOON_S)
    assert controller.stopped == [True, True]


def test_nothing_after_quit() -> None:
    said: list[str] = []
    serve(GtpServer(QuickEngine(), said.append), pieces(b"1 quit\n2 name\n"))
    assert said == ["=1\n\n"]


def test_a_terminal_that_has_gone() -> None:
    def read() -> bytes:
        raise OSError("Input/output error")

    serve(GtpServer(QuickEngine(), print), read)


def test_more_lines_than_may_wait() -> None:
    said: list[str] = []
    lines = b"".join(b"%d name\n" % number for number in range(5000))
    serve(GtpServer(QuickEngine(), said.append), pieces(lines))
    assert said == [f"={number} reversi\n\n" for number in range(5000)]


def test_the_reserve_of_a_clock() -> None:
    assert with_reserve(ClockReading(2.0, 0.5, 3.0, 1), 59) == ClockReading(1.7, 0.5, 3.0, 1)
    assert with_reserve(ClockReading(0.1, 0.0), 59) == ClockReading(0.0, 0.0)
    thinker = Thinker(EngineSettings(level=1))
    with mock.patch.object(Engine, "choose", autospec=True, side_effect=Engine.choose) as choose:
        thinker.choose(Position(), ClockReading(10.0, 0.0), Cancel())
        thinker.choose(Position(), None, Cancel())
    asked = [call.kwargs["clock"] for call in choose.call_args_list]
    assert asked == [ClockReading(10.0 - 0.305, 0.0), None]


# --- processes


def start(*arguments: str) -> Child[bytes]:
    return Child(
        [sys.executable, "-m", "reversi", "engine", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )


def send(process: Child[bytes], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for another process")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("search", [None, ("gtp", "reversi-analyze"), ("nboard", "hint 1"), ("xboard", "analyze")])
def test_a_signal_ends_the_process(search: tuple[str, str] | None, number: int) -> None:
    protocol, line = search or ("gtp", "1 name")
    process = start(protocol, "--level", "60")
    assert process.stdout is not None
    send(process, line)
    process.stdout.readline()  # it has begun
    if search is not None:
        process.stdout.readline()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")


def test_a_search_of_a_process_stops() -> None:
    process = start("nboard", "--level", "60")
    assert process.stdout is not None
    send(process, "hint 1")
    while not process.stdout.readline().startswith(b"search"):
        pass
    send(process, "ping 5")
    while (line := process.stdout.readline()) != b"pong 5\n":
        assert line, "the engine ended"
    send(process, "go")
    while not process.stdout.readline().startswith(b"search"):
        pass
    send(process, "quit")
    out, errors = process.communicate(timeout=60)
    assert re.search(rb"^=== [A-H][1-8]/", out, re.MULTILINE)
    assert (process.returncode, errors) == (0, b"")


def test_a_reader_that_has_gone() -> None:
    process = start("gtp")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        for _ in range(100):
            send(process, "name")
        process.stdin.close()
    except OSError:  # it has ended already
        pass
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard", "xboard"])
def test_fuzzed_lines_through_a_process(protocol: str) -> None:
    words = {
        "gtp": [*(word for word in GTP_COMMANDS if word != "quit"), "genmove b", "genmove w", "play b"],
        "nboard": ["nboard 2", "set depth 2", "set game", "move", "hint", "go", "ping", "learn", "analyze"],
        "xboard": ["protover 2", "new", "go", "usermove", "force", "setboard", "undo", "hint", "post", "sd 2"],
    }[protocol]
    lines = [line for line in fuzzed_lines(2000, 3, words) if "\r" not in line]
    last = {"gtp": "77 name", "nboard": "ping 77", "xboard": "ping 77"}[protocol]
    done = run_process("engine", protocol, "--depth", "1", data="\n".join([*lines, last]), timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    if protocol == "gtp":
        answered = [line for line in lines if parse_command(line) is not None]
        assert done.stdout.count("\n\n") == len(answered) + 1
        assert done.stdout.endswith("\n\n=77 reversi\n\n")
    else:
        assert "pong 77\n" in done.stdout


@pytest.mark.slow
def test_a_clock_of_two_seconds_lasts_for_a_game() -> None:
    """The engine keeps its own clock where the other program sends no time_left."""
    process = start("gtp", "--hash", "8")
    assert process.stdin is not None
    assert process.stdout is not None
    send(process, "time_settings 2 0 0")
    assert process.stdout.readline() == b"=\n"
    process.stdout.readline()
    passes, color = 0, "b"
    while passes < 2:
        send(process, f"genmove {color}")
        answer = process.stdout.readline()
        process.stdout.readline()
        passes = passes + 1 if answer == b"= pass\n" else 0
        color = "w" if color == "b" else "b"
    send(process, "final_score")
    assert re.fullmatch(rb"= (0|[BW]\+\d+)\n", process.stdout.readline())
    process.communicate(timeout=60)


@pytest.mark.parametrize("protocol", ["gtp", "nboard", "xboard"])
def test_no_answer_controls_a_terminal(protocol: str) -> None:
    """Commands that echo what they do not understand do not echo controls, nor what reorders text."""
    controls = "\x85\x9b31m\u202e\u2066\x1b[2J"
    words = ("known_command", "boardsize", "play black", "level", "set", "ping", "move", "setboard", "st", "x")
    lines = "".join(f"{word} {controls}\n{controls} {word}\n" for word in words)
    done = run_command("engine", protocol, data=lines).ends(0)
    assert not {character for character in done.stdout + done.stderr if not character.isprintable()} - {"\n"}
