"""The searches for an opening book in a file, one line each, so that making it can stop and continue.

Every search begins with an empty table and runs in one thread: what it finds depends neither on the searches
before nor on the number of threads, so that a book is the same however often making it stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO, TypeAlias

from reversi._core import Move, Position, canonical_square
from reversi._system.paths import may_exist
from reversi.engine.book_graph import NOTHING, BookGraph, Searched
from reversi.engine.search import Searcher
from reversi.errors import InputError
from reversi.evaluation.weights import weights_version
from reversi.openings.book import book_key, kind_of, sureness
from reversi.rules import OTHELLO, Rules
from reversi.solver.table import SEARCH_HASH_MB
from reversi.work.cancel import Cancel
from reversi.work.jobs import Job
from reversi.work.threads import Threads

_HEAD: Final = "reversi book searches: "
_POLL_S: Final = 0.1

Question: TypeAlias = tuple[int, int, int]
"""A position's key, the set of canonical squares that compete, and the depth of the search."""


class BookLog:
    """The searches so far. Every search is in the file as soon as it is added.

    A line is a position's key, the set of canonical squares that competed, and the depth that was asked for; then
    the canonical square of the best move, its value, the depth reached, and how sure the value is.

    Args:
        path: the file; a new one begins where there is none.
        rules: the rules of the positions.

    Raises:
        InputError: the file is not a log of searches, or its searches have other rules or another evaluation.
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, rules: Rules = OTHELLO) -> None:
        self._searched: dict[Question, Searched] = {}
        settings = f"rules {rules}, evaluation {weights_version()}"
        text = path.read_text("ascii", "replace") if may_exist(path) else ""
        *lines, rest = text.split("\n")
        if lines and not lines[0].startswith(_HEAD):
            raise InputError("holds no searches for a book; remove it or choose another book", source=str(path))
        if lines and lines[0] != f"{_HEAD}{settings}":
            was = lines[0].removeprefix(_HEAD)
            raise InputError(
                f"holds searches of {was}, not {settings}; remove it to start again", source=str(path)
            )
        for number, line in enumerate(lines[1:], 2):
            try:
                key, squares, asked, square, value, depth, sure = map(int, line.split())
            except ValueError:
                raise InputError(
                    f"line {number} is damaged; remove the file to start again", source=str(path)
                ) from None
            self._searched[key, squares, asked] = Searched(square, value, depth, *kind_of(sure))
        # a line without its end was cut off when the program was killed
        with path.open("r+b" if may_exist(path) else "w+b") as stream:
            stream.truncate(len(text) - len(rest))
        self._stream: TextIO = path.open("a", encoding="ascii")
        if not lines:
            self._write(f"{_HEAD}{settings}")

    def find(self, question: Question) -> Searched | None:
        """Return the search that answered a question."""
        return self._searched.get(question)

    def add(self, question: Question, search: Searched) -> None:
        self._searched[question] = search
        sure = sureness(search.kind, search.confidence)
        self._write(" ".join(map(str, (*question, search.square, search.value, search.depth, sure))))

    def close(self) -> None:
        self._stream.close()

    def _write(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()


@dataclass(frozen=True, slots=True)
class _Leave:
    """The search of one position, with the searcher of the thread."""

    inside: Container[int]
    position: Position
    depth: int
    own: threading.local = field(compare=False)

    def do(self, job: Job[Any, Any], /) -> Searched | None:
        if not hasattr(self.own, "searcher"):
            self.own.searcher = Searcher(SEARCH_HASH_MB)
        return search_leaving(self.inside, self.position, self.own.searcher, self.depth, job.cancel)


def search_leaves(
    graph: BookGraph,
    wanted: Mapping[int, int],
    log: BookLog,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> Iterator[tuple[int, Searched]]:
    """Yield the best move that leaves the book for some of its positions, by their keys, as searches end.

    The positions are wanted by their keys, each with the placements to look ahead. Those that the log lacks are
    searched, and enter it as each search ends. Ends early after ``cancel``.

    Raises:
        OSError: the log cannot be written.
    """
    missing: list[tuple[Question, Position]] = []
    for key, depth in sorted(wanted.items(), key=lambda item: (graph.nodes[item[0]].height, item)):
        position = graph.nodes[key].position
        question = key, leaving_squares(position, leaving_moves(graph.nodes, position)), depth
        earlier = log.find(question)
        if earlier is None:
            missing.append((question, position))
        else:
            yield key, earlier
    waiting, own = iter(missing), threading.local()
    with Threads[Question, Searched](threads) as workers:
        while True:
            while workers.is_free and (place := next(waiting, None)) is not None:
                question, position = place
                workers.send(question, _Leave(graph.nodes, position, question[2], own))
            job = workers.next(_POLL_S)
            if cancel is not None and cancel.cancelled:
                workers.stop()
            if job is None:
                if not workers.running:
                    return
                continue
            search = job.result()
            if search is not None:
                log.add(job.key, search)
                yield job.key[0], search


def leaving_moves(inside: Container[int], position: Position) -> list[Move]:
    """Return the moves that lead to none of the positions of a book, given by their keys."""
    return [
        move
        for move in position.legal_moves
        if (after := position.play(move)).is_over or book_key(after) not in inside
    ]


def leaving_squares(position: Position, moves: Iterable[Move]) -> int:
    """Return the canonical squares of moves as a set of bits, the same for symmetric positions."""
    return sum({1 << canonical_square(position, move) for move in moves})


def search_leaving(
    inside: Container[int], position: Position, searcher: Searcher, depth: int, cancel: Cancel | None = None
) -> Searched | None:
    """Return the best move that leaves the book in one of its positions; ``None`` when ``cancel`` stops it.

    The searcher forgets everything first: the answer does not depend on what it searched before.
    """
    among = leaving_moves(inside, position)
    if not among:
        return NOTHING
    searcher.clear()
    answer = searcher.search(position, depth=depth, among=among, cancel=cancel)
    if cancel is not None and cancel.cancelled:
        return None
    best, score = answer.moves[0].move, answer.moves[0].score
    return Searched(canonical_square(position, best), score.value, score.depth, score.kind, score.confidence)
