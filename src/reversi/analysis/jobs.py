"""Analyzing a game as the work of a job, on this machine or another one."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, NamedTuple

from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.analyzer import Analyzer
from reversi.analysis.store import AnalysisStore
from reversi.errors import TableSizeError
from reversi.records.record import Record
from reversi.solver.settings import SearchSettings
from reversi.solver.table import ANALYSIS_HASH_MB
from reversi.work.jobs import Job

_kept = threading.local()


class Settings(NamedTuple):
    """How games are analyzed; the arguments of `Analyzer`, which says what they are."""

    level: int | str | None = None
    time_s: float | None = None
    exact_from: int | None = None
    search: SearchSettings = SearchSettings(ANALYSIS_HASH_MB)
    all_moves: bool = False

    def analyzer(self) -> Analyzer:
        """Return a new analyzer.

        Raises:
            InputError: a number is outside its limits.
            TableSizeError: there is no memory for the table.
        """
        return Analyzer(
            level=self.level,
            time_s=self.time_s,
            exact_from=self.exact_from,
            threads=self.search.threads,
            hash_mb=self.search.hash_mb,
            all_moves=self.all_moves,
        )

    def kept_analyzer(self) -> Analyzer:
        """Return the analyzer of this thread, with the table that earlier jobs have allocated, or a new one.

        Raises:
            TableSizeError: there is no memory for the table.
        """
        if getattr(_kept, "settings", None) != self:
            _kept.settings = _kept.analyzer = None  # two tables may be one too many
            try:
                _kept.analyzer = self.analyzer()
            except MemoryError:
                raise TableSizeError(
                    f"the workers have no memory for a table of {self.search.hash_mb} MB"
                ) from None
            _kept.settings = self
        found: Analyzer = _kept.analyzer
        return found


@dataclass(frozen=True, slots=True)
class AnalyzeWork:
    """Analyzing a game, with one table for each thread.

    Attributes:
        record: the game.
        settings: how to analyze it.
        store: what keeps the findings; ``None`` for none.
    """

    record: Record
    settings: Settings
    store: AnalysisStore | None = None

    def do(self, job: Job[Any, Any], /) -> Analysis | None:
        """Analyze it; ``None`` if a cancel came before its last turn."""

        def note(_: AnalyzedTurn) -> None:
            job.note(job.amount + 1)

        analyzer = self.settings.kept_analyzer()
        analysis = analyzer.analyze(self.record, cancel=job.cancel, progress=note, store=self.store)
        return analysis if analysis.complete else None
