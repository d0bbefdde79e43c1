"""The commands `analyze`, `mistakes` and `retry` of the line dialogue."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from typing import Final

from reversi.analysis.analysis import Analysis, graph_lines, side_text
from reversi.analysis.analyzer import Analyzer
from reversi.cli.console import cancelled_by_signals
from reversi.cli.play.screen import shows_unicode
from reversi.color import Color
from reversi.errors import GameError, InputError
from reversi.game.game import Game
from reversi.session.review import mistake_text, retry
from reversi.session.sentences import NO_MISTAKES
from reversi.session.session import Session
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

LEVEL: Final = 14
"""The level of an analysis without another one: a game takes a few seconds."""


class Review:
    """Analyzes the game of a session, and goes back to its mistakes."""

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self._session = session
        self._say = say
        self._game: Game | None = None
        self._analysis: Analysis | None = None

    def analyze(self, level: int | str | None = None) -> None:
        """Analyze the game so far, and show how both sides played and their mistakes.

        Raises:
            GameError: the game has no ply, or a clock runs and help is off.
            InputError: the level does not exist.
        """
        game = self._session.game.copy()
        if not len(game):
            raise GameError("the game has no moves yet; analyze needs some")
        self._session.use_help("analysis")
        level = min(LEVEL, self._session.hint_level) if level is None else level
        analyzer = Analyzer(level=level, book=self._session.book)
        self._say(f"Analyzing {counted(len(game), 'turn')} at level {level}; Ctrl-C stops.")
        cancel = Cancel()
        with cancelled_by_signals(cancel):
            analysis = analyzer.analyze(game, cancel=cancel)
        self._game, self._analysis = game, analysis
        if not analysis.complete:
            self._say(f"Stopped: the last {counted(len(analysis.turns), 'turn')} are analyzed.")
        if shows_unicode(os.environ, sys.stdout.encoding):
            self._say("\n".join(graph_lines(analysis, width=shutil.get_terminal_size().columns)))
        self._say("\n".join(side_text(analysis, color) for color in Color))
        if game.is_over and analysis.decided:
            self._say(f"Decided at ply {analysis.decided}.")
        self.mistakes()

    def mistakes(self) -> None:
        """List the mistakes of the analyzed game; analyze the game if it has changed since.

        Raises:
            GameError: as for `analyze`.
        """
        if not self._is_current():
            self.analyze()
            return
        assert self._analysis is not None
        mistakes = self._analysis.mistakes
        lines = [f"{number}. {mistake_text(turn)}" for number, turn in enumerate(mistakes, 1)]
        self._say("\n".join([*lines, "retry N plays on from a mistake."]) if mistakes else NO_MISTAKES)

    def _is_current(self) -> bool:
        """Return whether the analysis is of the present game, or of the one that `retry` has left."""
        now, analyzed = self._session.game, self._game
        if analyzed is None or self._analysis is None:
            return False
        return analyzed.start == now.start and analyzed.moves[: len(now)] == now.moves

    def retry(self, number: int | None) -> None:
        """Begin another game from the position before a mistake, by default before the worst one.

        Raises:
            GameError: the game has no mistakes.
            InputError: the mistake does not exist.
        """
        if self._analysis is None or self._game is None:
            raise GameError("analyze the game first; retry then goes back to a mistake")
        mistakes = self._analysis.mistakes
        if not mistakes:
            raise GameError("the analyzed game has no mistakes")
        if number is not None and number > len(mistakes):
            raise InputError(f"mistake {number} does not exist; mistakes lists {len(mistakes)}")
        turn = max(mistakes, key=lambda mistake: mistake.loss) if number is None else mistakes[number - 1]
        color = retry(self._session, self._game, turn.ply)
        self._say(f"Ply {turn.ply}: {turn.move} lost here. {color} is yours: find a better move.")
