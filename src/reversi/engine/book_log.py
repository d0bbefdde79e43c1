"""The searches for an opening book in a file, one line each, so that making it can stop and continue.

Every search begins with an empty table and runs in one thread: what it finds depends neither on the searches
before nor on the number of threads, so that a book is the same however often making it stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from reversi._core import Position
from reversi._system.paths import may_exist
from reversi.engine.book_making import BookPlan, Searched, leaving_moves, leaving_squares, search_leaving
from reversi.engine.search import Searcher
from reversi.errors import InputError
from reversi.evaluation.weights import weights_version
from reversi.rules import OTHELLO, Rules
from reversi.solver.table import SEARCH_HASH_MB
from reversi.work.cancel import Cancel
from reversi.work.jobs import Job
from reversi.work.threads import Threads

_HEAD: Final = "reversi book searches "
_FORMAT: Final = "2: "
_POLL_S: Final = 0.1


class BookLog:
    """The searches so far. Every search is in the file as soon as it is added.

    A line is a position's key, the canonical square of the best move, its value, the depth, and the set of
    canonical squares that competed: where another plan lets other moves leave the book, the position is searched
    again.

    Args:
        path: the file; a new one begins where there is none.
        depth: the depth of the searches.
        rules: the rules of the positions.

    Raises:
        InputError: the file is not a log of searches, or its searches have another depth, rules or evaluation.
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, depth: int, rules: Rules = OTHELLO) -> None:
        self.depth = depth
        self._searched: dict[int, tuple[int, Searched]] = {}
        settings = f"depth {depth}, rules {rules}, evaluation {weights_version()}"
        text = path.read_text("ascii", "replace") if may_exist(path) else ""
        *lines, rest = text.split("\n")
        if lines and not lines[0].startswith(_HEAD):
            raise InputError(
                "holds no searches for a book; remove it or choose another --output", source=str(path)
            )
        if lines and lines[0] != f"{_HEAD}{_FORMAT}{settings}":
            was = lines[0].removeprefix(_HEAD)
            was = was.removeprefix(_FORMAT) if was.startswith(_FORMAT) else "another version"
            raise InputError(
                f"holds searches of {was}, not {settings}; remove it to start again", source=str(path)
            )
        for number, line in enumerate(lines[1:], 2):
            words = line.split()
            try:
                key, square, value, reached, squares = (int(word) for word in words)
            except ValueError:
                raise InputError(
                    f"line {number} is damaged; remove the file to start again", source=str(path)
                ) from None
            self._searched[key] = squares, Searched(square, value, reached)
        # a line without its end was cut off when the program was killed
        with path.open("r+b" if may_exist(path) else "w+b") as stream:
            stream.truncate(len(text) - len(rest))
        self._stream: TextIO = path.open("a", encoding="ascii")
        if not lines:
            self._write(f"{_HEAD}{_FORMAT}{settings}")

    def find(self, key: int, squares: int) -> Searched | None:
        """Return the search of a position by its key, if it was among these canonical squares."""
        search = self._searched.get(key)
        return search[1] if search is not None and search[0] == squares else None

    def add(self, key: int, squares: int, search: Searched) -> None:
        """Add a search of a position among canonical squares.

        Raises:
            OSError: the file cannot be written.
        """
        self._searched[key] = squares, search
        self._write(f"{key} {search.square} {search.value} {search.depth} {squares}")

    def close(self) -> None:
        self._stream.close()

    def _write(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()


@dataclass(frozen=True, slots=True)
class _Leave:
    """The search of one position, with the searcher of the thread."""

    plan: BookPlan
    position: Position
    depth: int
    own: threading.local = field(compare=False)

    def do(self, job: Job[Any, Any], /) -> Searched | None:
        if not hasattr(self.own, "searcher"):
            self.own.searcher = Searcher(SEARCH_HASH_MB)
        return search_leaving(self.plan, self.position, self.own.searcher, self.depth, job.cancel)


def search_book(
    plan: BookPlan, log: BookLog, *, threads: int = 1, cancel: Cancel | None = None
) -> Iterator[tuple[int, Searched]]:
    """Yield the best move that leaves the book for each position, by its key; search those that the log lacks.

    Ends early after ``cancel``.

    Args:
        plan: the positions.
        log: takes each search as it ends.
        threads: how many positions are searched side by side.
        cancel: stops the searches.

    Raises:
        OSError: the log cannot be written.
    """
    missing: list[tuple[int, int, Position]] = []
    for key, position in reversed(plan.positions.items()):
        squares = leaving_squares(position, leaving_moves(plan, position))
        earlier = log.find(key, squares)
        if earlier is None:
            missing.append((key, squares, position))
        else:
            yield key, earlier
    waiting, own = iter(missing), threading.local()
    with Threads[tuple[int, int], Searched](threads) as workers:
        while True:
            while workers.is_free and (place := next(waiting, None)) is not None:
                key, squares, position = place
                workers.send((key, squares), _Leave(plan, position, log.depth, own))
            job = workers.next(_POLL_S)
            if cancel is not None and cancel.cancelled:
                workers.stop()
            if job is None:
                if not workers.running:
                    return
                continue
            search = job.result()
            if search is not None:
                key, squares = job.key
                log.add(key, squares, search)
                yield key, search
