"""``reversi analyze --html``: the analyzed games as one page."""

from __future__ import annotations

from reversi._system.files import Target
from reversi.analysis.run import AnalysisRun, AnalyzedGame, GameInput, read_results
from reversi.cli.analyze_games import GamesInput
from reversi.cli.console import fail
from reversi.cli.reports import source_label, write_report
from reversi.cli.status import Status
from reversi.records.sources.finding import source_name
from reversi.render import ReportGame
from reversi.render.report.data import MAX_GAMES


class AnalysisReport:
    """Collects the games of a run for a page. Ends the command where a page cannot be made of them.

    Args:
        target: the file to write.
        games: how many games the input has.
    """

    def __init__(self, target: Target | None, games: int) -> None:
        if target is None:
            fail(Status.USAGE, "--html -: give the name of a file; standard output gets the analysis")
        if games > MAX_GAMES:
            fail(Status.USAGE, f"--html: a report has at most {MAX_GAMES:,} games, not {games:,}; select fewer")
        self._target = target
        self._games: dict[int, ReportGame] = {}

    def add(self, game: AnalyzedGame) -> None:
        self._add(game.source, game.fields())

    def write(self, run: AnalysisRun, source: GamesInput, results: str) -> None:
        """Write the page, in the order of the input; without a game nothing is written.

        Args:
            run: the run.
            source: the games of the input.
            results: the file of results, which may hold games of an earlier run; "" for none.
        """
        if results and run.done:
            for game, fields in read_results(results, source.games()):
                if game.index in run.done:
                    self._add(game, fields)
        if self._games:
            write_report(self._target, [self._games[index] for index in sorted(self._games)])

    def _add(self, game: GameInput, fields: dict[str, object]) -> None:
        name = source_name(game.file) if game.file else ""
        self._games[game.index] = ReportGame(
            record=game.record, analysis=fields, source=source_label(name, game.game)
        )
