"""Looking back at a game: analyses ever deeper, its turning points, and exercises for later.

The analyses share one store, the one beside the history where that is on: what was found once, by a review or
elsewhere, is there at once, and a review that was left goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from reversi._system.limits import usable_cpus
from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.analyzer import Analyzer
from reversi.analysis.exercises.deck import add_to_deck
from reversi.analysis.exercises.exercise import Exercise, Origin
from reversi.analysis.exercises.judge import Judge
from reversi.analysis.exercises.making import from_turns, origin_of
from reversi.analysis.store import AnalysisStore
from reversi.analysis.turning_points import deepening_order, turning_points
from reversi.color import Color
from reversi.engine.levels import LADDER
from reversi.game.game import Game
from reversi.openings.book import Books
from reversi.person.history import History, own_deck
from reversi.person.history_keeper import rating_in
from reversi.person.losses import FIRST_LEVEL
from reversi.session.session import Session
from reversi.work.cancel import Cancel

_GLANCE: Final = 3
"""The level of the glance that says where to look first."""


class GameReview:
    """The review of a game.

    Args:
        session: the session whose game it is, as it is now.
        history: the person's history, ``None`` for none.
        store: what keeps the analyses without one that does.

    Attributes:
        game: the game.
        level: the level of the last analysis.
        first_level: the level of the quick one that comes first.
        own: whose mistakes the person wants to learn from.
        deck: the person's own exercises, ``None`` for none.
        rating: the rating of people who play about as well as the person, ``None`` where nobody knows.
        keeps: whether the turning points become exercises: those of a game that is in the history.
    """

    def __init__(self, session: Session, history: History | None, store: AnalysisStore | None = None) -> None:
        self.game: Game = session.game.copy()
        kept = None if history is None else history.store()
        played = None if history is None else history.find(self.game.start, self.game.moves)
        people = [color for color in Color if not session.sides[color].is_engine]
        if played is not None:
            people = [played.color]
        self.level: int = session.hint_level
        self.first_level: int = min(FIRST_LEVEL, self.level)
        self.own: Collection[Color] = people if len(people) == 1 else tuple(Color)
        self.deck: Path | None = None if history is None else own_deck(history.path.parent)
        self.rating: int | None = rating_in(session, history)
        self.keeps: bool = kept is not None and played is not None
        self._book: Books | None = session.book
        self._store = kept or store or AnalysisStore()
        self._origin: Origin = origin_of(session.record().tags)

    @property
    def failure(self) -> str:
        """Why what is found is not kept, "" while it is."""
        return self._store.failure

    def analyze(
        self,
        level: int | str,
        after: Analysis | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Callable[[AnalyzedTurn], None] | None = None,
    ) -> Analysis:
        """Analyze the game with all CPUs: what is solved, then the turns that lost most, own ones first.

        Args:
            level: the level.
            after: the analysis that says what lost most; by default a glance does.
            cancel: stops it; what it has found stays found.
            progress: called with each turn when it is known.
        """
        if after is None:
            glance = min(_GLANCE, level, key=LADDER.index)
            after = Analyzer(level=glance).analyze(self.game, cancel=cancel, store=self._store)
        analyzer = Analyzer(level=level, threads=usable_cpus(), book=self._book)
        first = deepening_order(after, self.own)
        return analyzer.analyze(self.game, cancel=cancel, progress=progress, store=self._store, first=first)

    def known(self) -> Analysis | None:
        """Return the deepest of the analyses that need no search, ``None`` without one."""
        searches = Cancel()
        searches.cancel()
        for level in dict.fromkeys((self.level, self.first_level)):
            analyzer = Analyzer(level=level, book=self._book)
            analysis = analyzer.analyze(self.game, cancel=searches, store=self._store)
            if analysis.complete:
                return analysis
        return None

    def turning_points(self, analysis: Analysis) -> tuple[AnalyzedTurn, ...]:
        """Return the own moves that lost most, the worst one first."""
        return turning_points(analysis, self.own)

    def exercises(self, turns: Iterable[AnalyzedTurn], cancel: Cancel | None = None) -> Iterator[Exercise]:
        """Yield the exercises of those turns that lost something.

        Raises:
            EngineCancelled: it was cancelled.
        """
        judge = Judge(self.level, threads=usable_cpus(), cancel=cancel)
        judge.store = self._store
        return from_turns(turns, judge, min_loss=1, origin=self._origin)

    def keep(self, turns: Iterable[AnalyzedTurn], cancel: Cancel | None = None) -> int:
        """Add the exercises of those turns to the person's own; return how many there are, old ones too.

        Raises:
            EngineCancelled: it was cancelled.
            InputError: the file of exercises is damaged; it stays as it is.
            OSError: it cannot be written.
        """
        made = list(self.exercises(turns, cancel))
        if made and self.deck is not None:
            add_to_deck(self.deck, made)
        return len(made)
