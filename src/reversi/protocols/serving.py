"""Serving a protocol: a thread reads lines, this one answers them, and a line that cannot wait stops a search.

A `Server` is a protocol itself, without streams and threads: it receives a line and says its answer.
"""

from __future__ import annotations

import abc
import contextlib
import enum
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from reversi.color import Color
from reversi.engine.search import Estimate
from reversi.errors import ResourceError
from reversi.game.clocks import ClockReading
from reversi.game.game import Game
from reversi.protocols.thinking import Thinker
from reversi.rules import OTHELLO, Rules
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

MAX_LINE: Final = 1 << 18
"""Bytes of a line; what a longer line holds beyond is left out, and a server refuses such a line."""

DEFAULT_QUEUE: Final = 10_000
"""Questions that a `JsonService` holds."""

GRACE: Final = 10.0
"""Seconds that a search may take after the end of the input."""

_WAITING: Final = 1000  # lines that may wait for their answer


class Search(enum.Enum):
    """What a line may search for."""

    NONE = enum.auto()
    """Do nothing: the answer is ready at once."""
    MOVE = enum.auto()
    """A move to play."""
    OPEN = enum.auto()
    """As much as there is to find, until the next command."""


class Server(abc.ABC):
    """A protocol, as an engine speaks it: it has the engine, a game, and knows whether the session is over.

    After its own move the engine thinks on the opponent's time, if it shall, until the next line.

    Args:
        thinker: the engine.
        say: writes a text, and flushes it.
        rules: the rules of its games.
        now: a source of seconds that never runs backwards.
    """

    def __init__(
        self,
        thinker: Thinker,
        say: Callable[[str], object],
        rules: Rules = OTHELLO,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._thinker = thinker
        self._say = say
        self._now = now
        self._rules = rules
        self._game = Game(rules)
        self._mine: Color | None = None  # whom the engine plays, as far as it knows
        self._finished = False
        self._prepare()

    @abc.abstractmethod
    def _prepare(self) -> None:
        """Set what the protocol has of its own, at the beginning."""

    def __repr__(self) -> str:
        state = "finished" if self._finished else f"ply {len(self._game)}"
        return f"<{type(self).__name__} {self._game.rules}, {state}>"

    @property
    def finished(self) -> bool:
        """Whether ``quit`` has ended the session."""
        return self._finished

    @property
    def game(self) -> Game:
        """The game so far."""
        return self._game

    def receive(self, line: str, cancel: Cancel | None = None) -> None:
        """Answer one line.

        Args:
            line: the line without its end.
            cancel: stops a search from another thread; the answer is then what it found until then.
        """
        self._thinker.stop_pondering()
        if len(line) > MAX_LINE:
            self._refuse_length(line)
        else:
            self._receive(line, cancel or Cancel())
        if self._ponders:
            # the machine may lack memory for it: the next search says so
            with contextlib.suppress(ResourceError):
                self._thinker.ponder(self._game.position, self._reading(self._game.to_move.opponent))

    @abc.abstractmethod
    def search_of(self, line: str) -> Search:
        """Return what a line may search for. The reading thread asks once for each line, as it arrives."""

    @abc.abstractmethod
    def stops(self, line: str, search: Search) -> bool:
        """Return whether a line, when it arrives, stops a search that an earlier line asked for."""

    @abc.abstractmethod
    def _receive(self, line: str, cancel: Cancel) -> None:
        """Answer one line."""

    @abc.abstractmethod
    def _refuse_length(self, line: str) -> None:
        """Say that a line is too long."""

    def _line(self, text: str) -> None:
        self._say(f"{text}\n")

    def _change(self, **changes: object) -> None:
        """Change settings of the engine."""
        self._thinker.settings = replace(self._thinker.settings, **changes)  # type: ignore[arg-type]

    @abc.abstractmethod
    def _reading(self, color: Color) -> ClockReading | None:
        """What the clock of a player shows; ``None`` without one."""

    @property
    def _ponders(self) -> bool:
        """Whether the opponent is to move, and the engine shall think meanwhile."""
        game = self._game
        if self._finished or game.is_over or not self._thinker.settings.ponder:
            return False
        return self._mine is game.to_move.opponent


class Live:
    """Shows what a search finds, each finding once.

    Args:
        show: shows moves, best first, with the nodes and seconds of the search.
        text: returns what makes a finding another one.
    """

    def __init__(
        self, show: Callable[[list[MoveScore], int, float], object], text: Callable[[list[MoveScore]], str]
    ) -> None:
        self._show = show
        self._text = text
        self._shown = ""

    def progress(self, answer: Estimate) -> None:
        """Take what a search has found so far."""
        self.show(list(answer.moves), answer.nodes, answer.time_s)

    def show(self, moves: list[MoveScore], nodes: int, time_s: float) -> None:
        """Show moves, best first."""
        text = self._text(moves)
        if text and text != self._shown:
            self._shown = text
            self._show(moves, nodes, time_s)


def one_line(error: Exception) -> str:
    """Return a message on one line."""
    return " ".join(str(error).split())


def number_in(text: str, least: float, most: float, *, whole: bool = False) -> float | None:
    """Read a number of these limits, ``None`` for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if least <= number <= most and not (whole and number != int(number)) else None


def cut_lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream without their ends; a line that is too long is cut after `MAX_LINE` + 1.

    Args:
        read: returns the next bytes, none at the end.
    """
    pending, skipping = b"", False
    while piece := read():
        *lines, pending = (pending + piece).split(b"\n")
        for line in lines:
            if not skipping:
                yield line.removesuffix(b"\r")[: MAX_LINE + 1]
            skipping = False
        if skipping:
            pending = b""
        elif len(pending) > MAX_LINE:
            yield pending[: MAX_LINE + 1]
            pending, skipping = b"", True
    if pending and not skipping:
        yield pending.removesuffix(b"\r")


def read_lines(read: Callable[[], bytes]) -> Iterator[str]:
    """Yield the lines of `cut_lines` as text."""
    return (line.decode("utf-8", "replace") for line in cut_lines(read))


def split_line(line: str) -> tuple[str, str]:
    """Return the first word of a line and the rest, both perhaps empty, without blanks around them."""
    words = line.split(None, 1)
    return (words[0] if words else "", words[1].rstrip() if len(words) > 1 else "")


class _Inbox:
    """Lines that wait for their answers, each with what stops its search."""

    def __init__(self, server: Server, read: Callable[[], bytes], grace_s: float) -> None:
        self._server = server
        self._read = read
        self._grace_s = grace_s
        self._lines: queue.Queue[tuple[str, Cancel] | None] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        self._open: dict[Cancel, Search] = {}  # searches under way and waiting
        self._left = threading.Event()

    def fill(self) -> None:
        """Read all lines; a thread of its own does this."""
        try:
            for line in read_lines(self._read):
                self._stop(line)
                cancel = Cancel()
                search = self._server.search_of(line)
                if search is not Search.NONE:
                    with self._lock:
                        self._open[cancel] = search
                self._lines.put((line, cancel))
        except OSError:  # the terminal has gone
            pass
        # even a server that has ended takes no more than what fits
        self._lines.put(None)
        if not self._left.wait(self._grace_s):
            self._stop()

    def _stop(self, line: str | None = None) -> None:
        """Stop the searches that a line stops, or all of them."""
        with self._lock:
            searches = list(self._open.items())
        for cancel, search in searches:
            if line is None or self._server.stops(line, search):
                cancel.cancel()

    def answer(self) -> None:
        """Answer the lines until the input or the session ends."""
        try:
            while not self._server.finished and (item := self._lines.get()) is not None:
                line, cancel = item
                self._server.receive(line, cancel)
                with self._lock:
                    self._open.pop(cancel, None)
        finally:
            self._left.set()


def serve(server: Server, read: Callable[[], bytes], *, grace_s: float = GRACE) -> None:
    """Answer the lines of a stream until it or the session ends.

    At the end of the input all lines are still answered; searches that take longer than ``grace_s`` are stopped.

    Args:
        server: the protocol.
        read: returns the next bytes of the stream and waits for them; none at the end.
        grace_s: seconds.

    Raises:
        KeyboardInterrupt: Ctrl-C; a search under way has ended.
        BrokenPipeError: nobody reads the answers any more.
    """
    inbox = _Inbox(server, read, grace_s)
    # a daemon: it may wait for a line that never comes
    threading.Thread(target=inbox.fill, name="reversi-protocol-input", daemon=True).start()
    inbox.answer()
