"""Files of games read by several processes, one file each, with what the commands that sort games make of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

import typer

from reversi._system.limits import usable_cpus
from reversi._system.processes import process_pool
from reversi.cli.console import StatusCollector
from reversi.cli.record.files import SourceForm
from reversi.cli.record.streams import Games
from reversi.cli.status import Status, worst
from reversi.records.entry import Entry
from reversi.records.sources import STANDARD_INPUT, FoundFile, source_name
from reversi.rules import Rules

__all__ = ["WorkersOption", "made_of"]

Made = TypeVar("Made")
Work: TypeAlias = Callable[[Iterator[Entry]], Iterable[Made]]
"""What a command makes of the games of a file. It goes to other processes, so it is a function of a module."""

WorkersOption = Annotated[
    int, typer.Option("--workers", min=0, help="Read so many files at once; 0 is as many as there are CPUs.")
]

_ENOUGH: Final = 1 << 20  # bytes of files that are read before processes are started: a second's work
_MOST: Final = 1 << 21  # bytes of a file whose games another process holds in memory
_AHEAD: Final = 2  # files for each process that wait or are being read


@dataclass(slots=True)
class _Read(Generic[Made]):
    """What became of a file in another process."""

    made: list[Made] = field(default_factory=list)
    count: int = 0
    files: int = 0
    broken: int = 0
    names: bool = False
    notes: list[tuple[Status, str]] = field(default_factory=list)
    warnings: list[tuple[Any, str]] = field(default_factory=list)


class _Notes(StatusCollector):
    """An outcome that keeps its messages for the process that asked."""

    def __init__(self, notes: list[tuple[Status, str]]) -> None:
        super().__init__()
        self._notes = notes

    def add(self, status: Status, message: str = "") -> None:
        self.status = worst(self.status, status)
        self._notes.append((status, message))


def _read(path: str, rules: Rules, form: SourceForm | None, work: Work[Made]) -> _Read[Made]:
    """Read a file, in a process of its own."""
    read: _Read[Made] = _Read()
    games = Games([path], rules, _Notes(read.notes), form, warn=lambda *warning: read.warnings.append(warning))
    for _, entries in games.sources():
        read.made += work(entries)
    read.count, read.files, read.broken, read.names = games.count, games.files, games.broken, games.names
    return read


def made_of(games: Games, work: Work[Made], workers: int) -> Iterator[tuple[str, Iterator[Made]]]:
    """Each file that has games, as messages call it, with what is made of its games; all of it is to be read.

    The order, the counts and the messages are those of one process.

    Args:
        games: the files.
        work: what is made of the games of one.
        workers: how many processes may read at once; 0 for as many as there are CPUs.
    """
    workers = workers or usable_cpus()
    pool: ProcessPoolExecutor | None = None
    waiting: deque[tuple[FoundFile, Future[_Read[Made]] | None]] = deque()
    size = 0
    try:
        for file in games.found():
            future = None
            if workers > 1 and not file.error and (bytes_ := _size(file)) <= _MOST:
                size += bytes_
                if size > _ENOUGH:
                    pool = pool or process_pool(workers)
                    future = _submitted(pool, file, games, work)
            waiting.append((file, future))
            while len(waiting) > (_AHEAD * workers if pool is not None else 0):
                yield from _result(games, work, *waiting.popleft())
        while waiting:
            yield from _result(games, work, *waiting.popleft())
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _size(file: FoundFile) -> int:
    """How many bytes a file has; too many where nobody can say."""
    try:
        path = Path(file.path)
        return path.stat().st_size if file.path != STANDARD_INPUT and path.is_file() else _MOST + 1
    except (OSError, ValueError):
        return _MOST + 1


def _submitted(
    pool: ProcessPoolExecutor, file: FoundFile, games: Games, work: Work[Made]
) -> Future[_Read[Made]] | None:
    try:
        return pool.submit(_read, file.path, games.rules, games.form, work)
    except (BrokenExecutor, OSError):
        return None


def _result(
    games: Games, work: Work[Made], file: FoundFile, future: Future[_Read[Made]] | None
) -> Iterator[tuple[str, Iterator[Made]]]:
    """What is made of a file: by another process, or here."""
    try:
        read = None if future is None else future.result()
    except (BrokenExecutor, OSError):
        read = None
    if read is not None:
        games.take(read.count, read.files, read.broken, names=read.names)
        for note in read.notes:
            games.outcome.add(*note)
        for warning in read.warnings:
            games.warn(*warning)
        yield source_name(file.path), iter(read.made)
        return
    for name, entries in games.entries_of(file):
        yield name, iter(work(entries))
