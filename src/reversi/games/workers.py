"""Read files in several processes, one file each.

The order, the counts and the reports are those of one process.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from reversi._system.limits import usable_cpus
from reversi._system.paths import STANDARD_INPUT, is_file, source_name
from reversi._system.zip_files import zipped_size
from reversi.games.database.database import Database
from reversi.games.databases import OpenDatabase, answers_of, is_database
from reversi.games.files import FileGames, Report
from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.tables.table import TableOptions
from reversi.records.sources.finding import FoundFile
from reversi.records.sources.packing import SUFFIXES
from reversi.rules import Rules
from reversi.work.jobs import Call, Job
from reversi.work.processes import Processes, WorkerDied

Made = TypeVar("Made")
Make: TypeAlias = Callable[[Iterator[Entry]], Iterable[Made]]
"""What to make of the games of a file. It goes to other processes, so it is a function of a module."""

Ask: TypeAlias = Callable[[Database], Iterator[Made]]
"""What to make of the games of a database."""

_ENOUGH: Final = 1 << 20  # bytes of files that are read before processes are started: a second's work
_MOST: Final = 1 << 21  # bytes of a file whose games another process holds in memory
_PACKED: Final = 8  # times as much text as a packed file has bytes, about
_AHEAD: Final = 2  # files for each process that wait or are being read


@dataclass(slots=True)
class _Read(Generic[Made]):
    """What became of a file in another process."""

    made: list[Made] = field(default_factory=list)
    count: int = 0
    files: int = 0
    broken: int = 0
    names: bool = False
    reports: list[tuple[int, Report]] = field(default_factory=list)
    """Each report, and the number of things made before it."""


def _read(
    path: str, rules: Rules, format_: TextFormat | None, tables: TableOptions, cut: bool, make: Make[Made]
) -> _Read[Made]:
    """Read a file, in a process of its own."""
    read: _Read[Made] = _Read()

    def keep(report: Report) -> None:
        read.reports.append((len(read.made), report))

    games = FileGames([path], keep, rules, format_, tables=tables, cut=cut)
    for _, entries in games.sources():
        for made in make(entries):
            read.made.append(made)  # one at a time: the reports count them
    read.count, read.files, read.broken, read.names = games.count, games.files, games.broken, games.names
    return read


def made_of(
    games: FileGames,
    make: Make[Made],
    workers: int,
    ask: Ask[Made] | None = None,
    open_: OpenDatabase = Database,
) -> Iterator[tuple[str, Iterator[Made]]]:
    """Yield each file that has games, as messages call it, with what is made of its games. Read all of it.

    Args:
        games: the files.
        make: makes something of the games of one.
        workers: the number of processes that read at once; 0 for one per CPU.
        ask: makes it of a database, which is read like a file without it.
        open_: opens a database for `ask`.
    """
    workers = workers or usable_cpus()
    waiting: deque[tuple[FoundFile, Job[None, _Read[Made]] | None, bool]] = deque()
    size = 0
    with Processes[None, _Read[Made]](workers) as processes:
        begun = False

        def result(
            file: FoundFile, job: Job[None, _Read[Made]] | None, asked: bool
        ) -> Iterator[tuple[str, Iterator[Made]]]:
            if asked and ask is not None:
                yield source_name(file.path), answers_of(games, file, ask, open_)
            else:
                yield from _result(games, make, processes, file, job)

        for file in games.found():
            job = None
            asked = ask is not None and is_database(file)
            if workers > 1 and not asked and not file.error and (bytes_ := _size(file)) <= _MOST:
                size += bytes_
                if size > _ENOUGH and not games.asks(file):
                    tables = replace(games.tables, confirm=None)
                    read = partial(_read, file.path, games.rules, games.format, tables, games.cut, make)
                    job = processes.send(None, Call(read))
                    begun = True
            waiting.append((file, job, asked))
            while len(waiting) > (_AHEAD * workers if begun else 0):
                yield from result(*waiting.popleft())
        while waiting:
            yield from result(*waiting.popleft())


def each_made(
    games: FileGames,
    make: Make[Made],
    workers: int,
    ask: Ask[Made] | None = None,
    open_: OpenDatabase = Database,
) -> Iterator[tuple[str, Made]]:
    """Yield everything that is made of games, each with what messages call its file, as `made_of` does."""
    for name, made in made_of(games, make, workers, ask, open_):
        for one in made:
            yield name, one
    games.check()


def _replayed(games: FileGames, read: _Read[Made]) -> Iterator[Made]:
    """Yield what another process made, and report where this process would have reported."""
    reports = deque(read.reports)
    for at, made in enumerate(chain(read.made, (None,))):
        while reports and reports[0][0] <= at:
            games.report(reports.popleft()[1])
        if made is not None:
            yield made


def _size(file: FoundFile) -> int:
    """Return how many bytes a file has; too many where nobody can say."""
    try:
        path = Path(file.path)
        if (size := zipped_size(path)) is not None:
            return size
        if file.path == STANDARD_INPUT or not is_file(path):
            return _MOST + 1
        return path.stat().st_size * (_PACKED if path.suffix.lower() in SUFFIXES else 1)
    except (OSError, ValueError):
        return _MOST + 1


def _result(
    games: FileGames,
    make: Make[Made],
    processes: Processes[None, _Read[Made]],
    file: FoundFile,
    job: Job[None, _Read[Made]] | None,
) -> Iterator[tuple[str, Iterator[Made]]]:
    """Yield what is made of a file, in another process or here."""
    read = None
    with contextlib.suppress(WorkerDied, OSError):
        read = None if job is None else processes.result(job)
    if read is not None:
        games.take(read.count, read.files, read.broken, names=read.names)
        yield source_name(file.path), _replayed(games, read)
        return
    for name, entries in games.entries_of(file):
        yield name, iter(make(entries))
