"""Analyzing all games of an input, in its order, with a file of results that a later run continues.

>>> from reversi.analysis import AnalysisRun, GameInput
>>> from reversi.records import read_games
>>> games = [GameInput(1, "", 1, entry.record) for entry in read_games("f5d6c3")]
>>> with AnalysisRun(lambda: games, level=3) as run:
...     [(done.index, len(done.analysis.turns)) for done in run]
[(1, 3)]
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from reversi._system.limits import check_memory, usable_cpus
from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.analyzer import Analyzer, effective_exact_from
from reversi.analysis.json_fields import analysis_fields
from reversi.arguments import MAX_HASH_MB, MAX_THREADS, check_count
from reversi.engine.levels import HINT_LEVEL
from reversi.records.record import Record
from reversi.records.replay import positions, rule_flips
from reversi.rules import parse_rules
from reversi.solver.resumable import ResumableFile
from reversi.solver.resumable_run import ResumableRun, naming
from reversi.text.json_fields import position_fields
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.openings.book import Book

__all__ = ["AnalysisRun", "AnalyzedGame", "Analyzing", "GameInput", "read_results"]

_POLL_S: Final = 0.1
_AHEAD: Final = 2  # games handed out per worker, so that none waits


@dataclass(frozen=True, slots=True)
class GameInput:
    """One game of an input.

    Attributes:
        index: its number in the input, from 1.
        file: the file that it comes from; empty for a pasted game.
        game: its number in that file, from 1.
        record: the game.
    """

    index: int
    file: str
    game: int
    record: Record


@dataclass(frozen=True, slots=True)
class AnalyzedGame:
    """One game of a run, analyzed.

    Attributes:
        source: the game as the input has it.
        analysis: the analysis; with the last turns only when a cancel stopped it.
    """

    source: GameInput
    analysis: Analysis

    @property
    def index(self) -> int:
        """The number of the game in the input, from 1."""
        return self.source.index

    def fields(self) -> dict[str, object]:
        """Return the result as JSON values; see `analysis_fields`."""
        source = self.source
        return analysis_fields(self.analysis, index=source.index, file=source.file, game=source.game)


class Analyzing(Protocol):
    """The workers of a run: threads on this machine, or a cluster (`reversi.cluster.ClusterAnalysis`)."""

    @property
    def turns(self) -> int:
        """Turns analyzed so far, those of games under way included."""

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another game."""

    @property
    def is_busy(self) -> bool:
        """Whether games have been handed out whose analyses have not come back."""

    def put(self, game: GameInput) -> None:
        """Hand out a game."""

    def next(self, timeout: float) -> AnalyzedGame | None:
        """Return the next analysis, incomplete after a cancel; ``None`` after ``timeout`` seconds without one."""

    def close(self) -> None:
        """Stop what runs."""


class AnalysisRun(ResumableRun[AnalyzedGame]):
    """Analyzes the games of an input; iterate over it once for the results, in the order of the input.

    The workers analyze one game each, side by side. A file of results gets every complete analysis as soon as it
    is there. The file is closed at the end of a ``with`` statement.

    Args:
        games: returns the games of the input. A run that resumes calls it twice.
        output: the file of results, one line of JSON for each.
        resume: continue the file; the run skips the games that it holds analyses of.
        overwrite: drop what the file holds.
        level: the level of the searches; see `Analyzer`, for the next three, too.
        time_s: seconds for each search, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact.
        threads: how many threads search one position.
        hash_mb: size of the table of each worker in MB (2**20 bytes).
        book: an opening book that marks its moves.
        workers: how many games are analyzed side by side; the usable CPUs when not given, divided by ``threads``.
        cancel: stops the run from another thread or a signal handler.
        poll: called with the run a few times a second, from the thread that iterates.
        make_workers: makes the workers, with the arguments from ``level`` to ``cancel``; `ThreadWorkers` on this
            machine.

    Raises:
        FileExistsError: the file holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: the file cannot be continued; it is left as it was.
        OSError: the file cannot be written, here or while analyzing; ``filename`` names it.
        InputError: a number is outside its limits, or ``resume`` excludes another argument.
        TableSizeError: the tables do not fit in memory.
    """

    def __init__(
        self,
        games: Callable[[], Iterable[GameInput]],
        *,
        output: str | Path | None = None,
        resume: bool = False,
        overwrite: bool = False,
        level: int = HINT_LEVEL,
        time_s: float | None = None,
        exact_from: int | None = None,
        threads: int = 1,
        hash_mb: int = 32,
        book: Book | None = None,
        workers: int | None = None,
        cancel: Cancel | None = None,
        poll: Callable[[AnalysisRun], None] | None = None,
        make_workers: Callable[..., Analyzing] | None = None,
    ) -> None:
        super().__init__(output, resume=resume, overwrite=overwrite)
        self.analyzed = 0  #: games analyzed so far
        self.earlier = 0  #: games whose analyses the continued file held
        self._cancel = cancel or Cancel()
        self._poll = poll
        self._games = games
        self._workers: Analyzing = (make_workers or ThreadWorkers)(
            level=level,
            time_s=time_s,
            exact_from=exact_from,
            threads=threads,
            hash_mb=hash_mb,
            book=book,
            workers=workers,
            cancel=self._cancel,
        )
        if output is not None:
            path = Path(output)
            form = _GameLine(level, time_s, exact_from, book=book is not None)
            inputs = ((game.index, game.record) for game in games()) if resume else ()
            with naming(path):
                self._results = ResumableFile(path, form, resume=resume, overwrite=overwrite, inputs=inputs)
            self.earlier = len(self.done)

    @property
    def turns(self) -> int:
        """Turns analyzed so far, those of games under way included."""
        return self._workers.turns

    def __iter__(self) -> Iterator[AnalyzedGame]:
        began = time.monotonic()
        done = self.done
        waiting = (game for game in self._games() if game.index not in done)
        workers = self._workers
        exhausted = False
        while True:
            while not exhausted and workers.is_free and not self._cancel.cancelled:
                game = next(waiting, None)
                if game is None:
                    exhausted = True
                    break
                self._order.append(game.index)
                workers.put(game)
            if not workers.is_busy:
                break
            answer = workers.next(_POLL_S)
            if answer is not None:
                self._take(answer)
                yield from self._in_order()
            if self._poll is not None:
                self._poll(self)
        yield from self._in_order(all_of_them=True)
        self.seconds = time.monotonic() - began

    def _stop(self) -> None:
        self._workers.close()

    def _take(self, answer: AnalyzedGame) -> None:
        if answer.analysis.complete:
            self.analyzed += 1
            self._keep(answer.index, answer)


def read_results(path: str | Path, games: Iterable[GameInput]) -> Iterator[tuple[GameInput, dict[str, Any]]]:
    """Yield the games of an input whose analyses a file of results holds, each with its analysis as JSON values.

    Args:
        path: the file, which `AnalysisRun` has written or continued.
        games: the games of the input.

    Raises:
        OSError: the file cannot be read.
    """
    form = _GameLine(HINT_LEVEL, None, None)
    held: dict[Hashable, deque[dict[str, Any]]] = {}
    with Path(path).open("rb") as stream:
        for raw in stream:
            fields = json.loads(raw)
            held.setdefault(form.key(fields), deque()).append(fields)
    for game in games:
        if found := held.get(form.key_of(game.record)):
            yield game, found.popleft()


@dataclass(frozen=True, slots=True)
class _Failure:
    error: BaseException


class ThreadWorkers:
    """Threads that analyze one game each: the searches, which take nearly all of the time, run side by side.

    The arguments are those of `AnalysisRun`.
    """

    def __init__(
        self,
        *,
        level: int,
        time_s: float | None,
        exact_from: int | None,
        threads: int,
        hash_mb: int,
        book: Book | None,
        workers: int | None,
        cancel: Cancel,
    ) -> None:
        count = max(1, usable_cpus() // threads) if workers is None else workers
        check_count("workers", count, MAX_THREADS)
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB")
        check_memory(count * hash_mb)

        def analyzer() -> Analyzer:
            return Analyzer(
                level=level, time_s=time_s, exact_from=exact_from, threads=threads, hash_mb=hash_mb, book=book
            )

        self.turns = 0
        self._count = count
        self._busy = 0  # games handed out and not back yet
        self._make = analyzer
        self._first: Analyzer | None = analyzer()  # so that wrong numbers are refused here
        self._cancel = cancel
        self._tasks: queue.SimpleQueue[GameInput | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[AnalyzedGame | _Failure] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    @property
    def is_free(self) -> bool:
        """Whether the workers can take another game."""
        return self._busy < _AHEAD * self._count

    @property
    def is_busy(self) -> bool:
        """Whether games have been handed out whose analyses have not come back."""
        return self._busy > 0

    def put(self, game: GameInput) -> None:
        """Hand out a game."""
        self._busy += 1
        self._tasks.put(game)
        if len(self._threads) < min(self._count, self._busy):
            analyzer, self._first = self._first or self._make(), None
            thread = threading.Thread(target=self._work, args=(analyzer,), daemon=True)
            thread.start()
            self._threads.append(thread)

    def next(self, timeout: float) -> AnalyzedGame | None:
        """Return the next analysis; ``None`` after ``timeout`` seconds without one."""
        try:
            done = self._done.get(timeout=timeout)
        except queue.Empty:
            return None
        self._busy -= 1
        if isinstance(done, _Failure):
            raise done.error
        return done

    def close(self) -> None:
        """Stop all threads; what is not finished is lost."""
        if self._busy:
            self._cancel.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _note(self, _: AnalyzedTurn) -> None:
        self.turns += 1

    def _work(self, analyzer: Analyzer) -> None:
        while (game := self._tasks.get()) is not None:
            try:
                analysis = analyzer.analyze(game.record, cancel=self._cancel, progress=self._note)
                self._done.put(AnalyzedGame(game, analysis))
            except BaseException as error:  # raised again by the thread that asked
                self._done.put(_Failure(error))


class _GameLine:
    """What a line of the file says: the analysis of a game, known by its start, moves and players."""

    title = "result of reversi analyze"
    noun = "game"
    kept: tuple[str, ...] = ()

    def __init__(self, level: int, time_s: float | None, exact_from: int | None, *, book: bool = False) -> None:
        self._level, self._time_s, self._exact_from, self._book = level, time_s, exact_from, book

    def key_of(self, item: Record) -> tuple[object, ...]:
        found = position_fields(item.start)
        return (
            *(found[name] for name in _START),
            " ".join(map(str, item.moves)),
            _flips_of(item),
            *_names(item.tags),
        )

    def key(self, fields: Mapping[str, Any]) -> tuple[object, ...]:
        flips = tuple((int(ply), tuple(found)) for ply, found in fields["flips"].items())
        return (*(fields[name] for name in _START), " ".join(fields["moves"]), flips, *_names(fields["tags"]))

    def conflict(self, fields: Mapping[str, Any]) -> str:
        found = _settings(fields["level"], fields["time_s"], fields["exact_from"], fields.get("book", False))
        exact_from = effective_exact_from(self._exact_from, self._level, parse_rules(fields["rules"]))
        wanted = _settings(None if self._time_s is not None else self._level, self._time_s, exact_from, self._book)
        return "" if found == wanted else f"was analyzed with {found}, not {wanted}"

    def described(self, fields: Mapping[str, Any]) -> str:
        black, white = _names(fields["tags"])[:2]
        return f"{black or '?'} – {white or '?'}, {' '.join(fields['moves'][:8])} …"

    def is_done(self, fields: Mapping[str, Any], item: Record) -> bool:
        return bool(fields["complete"]) and len(fields["turns"]) == len(item.moves)


_START: Final = ("board", "to_move", "after_pass", "rules")
_NAMED: Final = ("Black", "White", "Date", "Event", "Round")


def _names(tags: Mapping[str, str]) -> tuple[str, ...]:
    known = (tags.get(name, "") for name in _NAMED)
    return tuple("" if value in ("?", "????.??.??") else value for value in known)


def _flips_of(record: Record) -> tuple[tuple[int, tuple[str, ...]], ...]:
    if all(node.flips is None for node in record.line.nodes):
        return ()
    boards = positions(record)
    return tuple(
        (ply, tuple(map(str, node.flips)))
        for ply, (node, position) in enumerate(zip(record.line.nodes, boards, strict=False), 1)
        if node.flips is not None and not rule_flips(position, node)
    )


def _settings(level: int | None, time_s: float | None, exact_from: int, book: bool) -> str:
    search = f"level {level}" if time_s is None else f"{time_s:g} s per position"
    return f"{search}, exact from {exact_from}{', with the book' if book else ''}"
