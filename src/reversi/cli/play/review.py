"""The commands `analyze`, `mistakes` and `retry` of the line dialogue."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from reversi.analysis.analysis import Analysis, AnalyzedTurn, graph_lines, side_text
from reversi.analysis.finding import people_sentence
from reversi.cli.console import cancelled_by_signals
from reversi.cli.play.screen import shows_unicode
from reversi.color import Color
from reversi.engine.engine import EngineCancelled
from reversi.engine.explaining import rule_of_thumb
from reversi.errors import GameError, InputError
from reversi.game.game import Game
from reversi.person.game_review import GameReview
from reversi.person.history import History
from reversi.session.review import mistake_text, retry
from reversi.session.sentences import NO_MISTAKES, remark_lines
from reversi.session.session import Session
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

_FEW: Final = 8
"""With as many mistakes or fewer, all are listed in words at once."""
_RETRY: Final = "retry N plays on from a mistake."


class Review:
    """Analyzes the game of a session, and goes back to its mistakes.

    Args:
        history: the person's history, which keeps what is found.
    """

    def __init__(
        self,
        session: Session,
        say: Callable[[str], None],
        history: History | None = None,
        *,
        graph: bool = True,
    ) -> None:
        self._session = session
        self._graph = graph
        self._history = history
        self._say = say
        self._game: Game | None = None
        self._analysis: Analysis | None = None
        self._rating: int | None = None
        self._worst: AnalyzedTurn | None = None  # the first turning point

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
        review, cancel = GameReview(self._session, self._history), Cancel()
        analysis = review.known() if level is None else None
        if analysis is None:
            level = review.first_level if level is None else level
            self._say(f"Analyzing {counted(len(game), 'turn')} at level {level}; Ctrl-C stops.")
            with cancelled_by_signals(cancel):
                analysis = review.analyze(level, cancel=cancel)
        else:
            self._say(f"Analyzed before, at level {analysis.level}.")
        self._game, self._analysis, self._rating = game, analysis, review.rating
        if not analysis.complete:
            self._say(f"Stopped: the last {counted(len(analysis.turns), 'turn')} are analyzed.")
        if self._graph and shows_unicode(os.environ, sys.stdout.encoding):
            self._say("\n".join(graph_lines(analysis, width=shutil.get_terminal_size().columns)))
        self._say("\n".join(side_text(analysis, color) for color in Color))
        if game.is_over and analysis.decided:
            self._say(f"Decided at ply {analysis.decided}.")
        points = review.turning_points(analysis)
        self._worst = points[0] if points else None
        if points:
            self._say("\n".join(["Turning points:", *self._points(points)]))
        mistakes = analysis.mistakes
        if len(mistakes) > _FEW:
            listed = (
                f"{at} {turn.move}{analysis.marks[turn.ply]} -{turn.loss}" for at, turn in enumerate(mistakes, 1)
            )
            self._say(f"All mistakes: {', '.join(listed)}.")
            self._say("mistakes says more about them; retry N plays on from one.")
        elif {turn.ply for turn in mistakes} == {turn.ply for turn in points} != set():
            self._say(_RETRY)
        else:
            self.mistakes()
        if points and review.keeps and analysis.complete:
            try:
                with cancelled_by_signals(cancel):
                    made = review.keep(points, cancel)
            except EngineCancelled:
                pass
            except (OSError, InputError) as error:
                self._say(f"The exercises of this game are not kept: {error}.")
            else:
                self._say(f"{counted(made, 'exercise')} from this game: 'reversi train' asks them.")
        if review.failure:
            self._say(f"The analysis is not kept: {review.failure}.")

    def _points(self, points: Iterable[AnalyzedTurn]) -> Iterator[str]:
        """Yield the turning points: what was lost, why, what to play, and the rule of thumb."""
        assert self._analysis is not None
        for turn in points:
            after = self._analysis.turn(turn.ply + 1).pv if turn.ply < len(self._analysis.moves) else ()
            better, *line = turn.pv
            yield f"{self._analysis.mistakes.index(turn) + 1}. {mistake_text(turn)}"
            said = remark_lines(turn.position, turn.move, 2, better=better, line=after, better_line=line)
            yield from (f"    {text}" for text in said)
            if text := people_sentence(turn, self._rating):
                yield f"    {text}"
            if rule := rule_of_thumb(turn.position, turn.move, better, after, line):
                yield f"    Rule of thumb: {rule}"

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
        self._say("\n".join([*lines, _RETRY]) if mistakes else NO_MISTAKES)

    def _is_current(self) -> bool:
        """Return whether the analysis is of the present game, or of the one that `retry` has left."""
        now, analyzed = self._session.game, self._game
        if analyzed is None or self._analysis is None:
            return False
        return analyzed.start == now.start and analyzed.moves[: len(now)] == now.moves

    def retry(self, number: int | None) -> None:
        """Begin another game from the position before a mistake, by default before the first turning point.

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
        worst = self._worst or max(mistakes, key=lambda mistake: mistake.loss)
        turn = worst if number is None else mistakes[number - 1]
        color = retry(self._session, self._game, turn.ply)
        self._say(f"Ply {turn.ply}: {turn.move} lost here. {color} is yours: find a better move.")
