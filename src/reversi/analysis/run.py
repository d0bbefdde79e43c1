"""Analyzing all games of an input, in its order, with a file of results that a later run continues.

>>> from reversi.analysis import AnalysisRun, GameInput
>>> from reversi.records import read_games
>>> games = [GameInput(1, "", 1, entry.record) for entry in read_games("f5d6c3")]
>>> with AnalysisRun(lambda: games, level=3) as run:
...     [(done.index, len(done.analysis.turns)) for done in run]
[(1, 3)]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from reversi._system.limits import check_memory, usable_cpus
from reversi._system.plain_json import loads
from reversi.analysis.analysis import Analysis, search_text
from reversi.analysis.analyzer import effective_exact_from, marked
from reversi.analysis.jobs import AnalyzeWork, Settings
from reversi.analysis.store import AnalysisStore
from reversi.arguments import MAX_THREADS, FilePath, check_count, check_type, open_file
from reversi.engine.levels import HINT_LEVEL
from reversi.errors import ArgumentError, InputError
from reversi.openings.book import Books
from reversi.records.facts import known
from reversi.records.record import Record
from reversi.records.replay import hand_flips
from reversi.rules import parse_rules
from reversi.solver.settings import SearchSettings
from reversi.solver.table import ANALYSIS_HASH_MB
from reversi.text.position_json import position_fields
from reversi.work.cancel import Cancel
from reversi.work.results_file import ResumableFile
from reversi.work.run import ResumableRun, naming
from reversi.work.threads import Threads
from reversi.work.workers import Workers

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection

_AHEAD: Final = 2  # games handed out per worker, so that none waits
_FIRST_RATE: Final = 1 / 3  # games that a thread of a cluster analyzes in a second, before it is measured


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
        """Return the result as JSON values: the object of ``reversi analyze --json``."""
        source = self.source
        return self.analysis.fields(index=source.index, file=source.file, game=source.game)


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
        threads: how many threads search one position; on a cluster 1.
        hash_mb: size of the table of each worker in MB (2**20 bytes); on a cluster each thread is a worker.
        book: an opening book that marks its moves.
        all_moves: value every legal move of each turn, which takes several times as long.
        workers: how many games are analyzed side by side; the usable CPUs when not given, divided by ``threads``.
            A cluster has its own.
        cancel: stops the run from another thread or a signal handler.
        poll: called with the run a few times a second, from the thread that iterates.
        cluster: analyze on this cluster instead; see `reversi.work.connect`.
        store: keeps what is found, and is asked before anything is searched; not on a cluster.

    Attributes:
        analyzed: games analyzed so far.
        earlier: games whose analyses the continued file held.
        time_s: wall-clock seconds of the whole run, once it has ended.

    Raises:
        FileExistsError: the file holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: the file cannot be continued; it is left as it was.
        OSError: the file cannot be written, here or while analyzing; ``filename`` names it.
        InputError: a number is outside its limits, or ``resume`` excludes another argument.
        TableSizeError: the tables do not fit in memory, here or while analyzing.
        ClusterError: the connection to the scheduler is lost, or a worker has another version; while analyzing.
    """

    def __init__(
        self,
        games: Callable[[], Iterable[GameInput]],
        *,
        output: FilePath | None = None,
        resume: bool = False,
        overwrite: bool = False,
        level: int | str | None = None,
        time_s: float | None = None,
        exact_from: int | None = None,
        threads: int = 1,
        hash_mb: int = ANALYSIS_HASH_MB,
        book: Books | None = None,
        all_moves: bool = False,
        workers: int | None = None,
        cancel: Cancel | None = None,
        poll: Callable[[AnalysisRun], None] | None = None,
        cluster: Connection | None = None,
        store: AnalysisStore | None = None,
    ) -> None:
        if not callable(games):
            given = type(games).__name__
            raise ArgumentError(f"games must be a function that returns the games, not {given}")
        check_type("book", book, Books, NoneType)
        super().__init__(output, resume=resume, overwrite=overwrite, cancel=cancel, poll=poll)
        self.analyzed: int = 0
        self.earlier: int = 0
        check_type("store", store, AnalysisStore, NoneType)
        if store is not None and cluster is not None:
            raise InputError("a cluster keeps no store; leave one of them out")
        self._store = store
        self._games = games
        self._book = book
        self._turns = 0
        self._settings = Settings(level, time_s, exact_from, SearchSettings(hash_mb, threads), all_moves)
        self._workers = self._made_workers(workers, cluster)
        self._left: Iterator[GameInput] | None = self._unfinished()
        if output is not None:
            path = Path(output)
            form = _GameLine(self._settings, book)
            inputs = ((game.index, game.record) for game in games()) if resume else ()
            with naming(path):
                self._results = ResumableFile(path, form, resume=resume, overwrite=overwrite, inputs=inputs)
            self.earlier = len(self.done)

    @property
    def turns(self) -> int:
        """Turns analyzed so far, those of games under way included."""
        return self._turns + self._workers.amount

    def _made_workers(self, count: int | None, cluster: Connection | None) -> Workers[GameInput, Analysis]:
        search = self._settings.search
        if cluster is not None and (search.threads != 1 or count is not None):
            raise InputError("threads and workers are those of the cluster")
        count = max(1, usable_cpus() // search.threads) if count is None else count
        check_count("workers", count, MAX_THREADS)
        if cluster is None:
            check_memory(count * search.hash_mb)
        self._settings.analyzer()  # so that wrong numbers are refused here
        if cluster is None:
            return Threads(count, ahead=_AHEAD)
        from reversi.work.cluster.workers import ClusterWorkers

        return ClusterWorkers(cluster, "game", hash_mb=search.hash_mb, rate=_FIRST_RATE)

    def _unfinished(self) -> Iterator[GameInput]:
        done = self.done
        for game in self._games():
            if game.index not in done:
                self._order.append(game.index)
                yield game

    def _advance(self, timeout_s: float) -> bool:
        workers = self._workers
        if self._cancel.cancelled:
            workers.stop()
        while self._left is not None and workers.is_free:
            game = next(self._left, None)
            if game is None:
                self._left = None
            else:
                workers.send(game, AnalyzeWork(game.record, self._settings, self._store), 1.0)
        job = workers.next(timeout_s)
        if job is not None and (analysis := job.result()) is not None:
            self._turns += len(analysis.turns)
            self.analyzed += 1
            shown = analysis if self._book is None else marked(analysis, self._book)
            self._keep(job.key.index, AnalyzedGame(job.key, shown))
        return workers.is_busy or (self._left is not None and not workers.is_stopped)

    def _stop(self) -> None:
        self._workers.close()


def read_results(path: str | Path, games: Iterable[GameInput]) -> Iterator[tuple[GameInput, dict[str, Any]]]:
    """Yield the games of an input whose analyses a file of results holds, each with its analysis as JSON values.

    Args:
        path: the file, which `AnalysisRun` has written or continued.
        games: the games of the input.

    Raises:
        OSError: the file cannot be read.
    """
    form = _GameLine()
    held: dict[Hashable, deque[dict[str, Any]]] = {}
    with open_file(path) as stream:
        for raw in stream:
            fields = loads(raw)
            held.setdefault(form.key(fields), deque()).append(fields)
    for game in games:
        if waiting := held.get(form.key_of(game.record)):
            yield game, waiting.popleft()


class _GameLine:
    """What a line of the file says: the analysis of a game, known by its start, moves and players."""

    title = "result of reversi analyze"
    noun = "game"
    kept: tuple[str, ...] = ()

    def __init__(self, settings: Settings | None = None, book: Books | None = None) -> None:
        self._settings, self._book = settings or Settings(), "" if book is None else str(book)

    def key_of(self, item: Record) -> tuple[object, ...]:
        start = position_fields(item.start)
        flips = tuple((ply, tuple(map(str, flipped))) for ply, flipped in hand_flips(item).items())
        return (*(start[name] for name in _START), " ".join(map(str, item.moves)), flips, *_names(item.tags))

    def key(self, fields: Mapping[str, Any]) -> tuple[object, ...]:
        flips = tuple((int(ply), tuple(flipped)) for ply, flipped in fields["flips"].items())
        return (*(fields[name] for name in _START), " ".join(fields["moves"]), flips, *_names(fields["tags"]))

    def conflict(self, fields: Mapping[str, Any]) -> str:
        more = fields.get("book"), fields.get("all_moves", False)
        held = _search(fields["level"], fields["time_s"], fields["exact_from"], *more)
        level, time_s, exact_from, _, all_moves = self._settings
        level = HINT_LEVEL if level is None else level
        exact_from = effective_exact_from(exact_from, level, parse_rules(fields["rules"]))
        wanted = _search(level, time_s, exact_from, self._book, all_moves)
        return "" if held == wanted else f"was analyzed with {held}, not {wanted}"

    def described(self, fields: Mapping[str, Any]) -> str:
        black, white = _names(fields["tags"])[:2]
        return f"{black or '?'} – {white or '?'}, {' '.join(fields['moves'][:8])} …"

    def is_done(self, fields: Mapping[str, Any], item: Record) -> bool:
        return bool(fields["complete"]) and len(Analysis.from_json(fields).turns) == len(item.moves)


_START: Final = ("board", "to_move", "after_pass", "rules")
_NAMED: Final = ("Black", "White", "Date", "Event", "Round")


def _names(tags: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(known(tags.get(name, "")) for name in _NAMED)


def _search(
    level: int | str | None, time_s: float | None, exact_from: int, book: str | None, all_moves: bool
) -> str:
    more = f"{f', with the book {book}' if book else ''}{', with all moves' if all_moves else ''}"
    return f"{search_text(level, time_s)}, exact from {exact_from}{more}"
