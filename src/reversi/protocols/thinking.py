"""The engine behind a protocol: settings that commands may change, and searches that end with an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from reversi._core import Position
from reversi.arguments import TEXT_TO_POSITION, check_type
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.levels import MAX_LEVEL
from reversi.engine.search import Estimate, Searcher
from reversi.game.clocks import ClockReading
from reversi.openings.book import Books
from reversi.rules import Rules
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

DEFAULT_PROTOCOL_LEVEL: Final = 16
"""The level of an engine under a protocol, where neither a level nor a time nor a clock limits it."""


_LAG: Final = 0.01
"""Seconds of a clock that a move costs beside its search: reading, writing, waiting for the processor."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How an engine thinks.

    Attributes:
        level: its level; ``None`` is level 16 without a clock and no limit with one.
        time_s: seconds per move, instead of a level.
        depth: placements to look ahead in the midgame, instead of a level; with ``time_s`` both limits hold.
        threads: how many threads search.
        hash_mb: size of the table in MB (2**20 bytes); ``None`` chooses.
        seed: decides between equally good moves.
        book: the opening book that it plays from before it searches.
        ponder: whether it thinks on the opponent's time.
    """

    level: int | str | None = None
    time_s: float | None = None
    depth: int | None = None
    threads: int = 1
    hash_mb: int | None = None
    seed: int = 0
    book: Books | None = None
    ponder: bool = False


class Thinker:
    """An `Engine` with settings that may change between searches.

    Args:
        settings: how it thinks at first.

    Raises:
        InputError: a setting is outside its limits.
    """

    def __init__(self, settings: EngineSettings | None = None) -> None:
        self._settings = settings or EngineSettings()
        self._engines: dict[bool, Engine] = {}
        self._engine(clocked=False)

    def __repr__(self) -> str:
        return f"Thinker({self._settings})"

    @property
    def settings(self) -> EngineSettings:
        """How it thinks."""
        return self._settings

    @settings.setter
    def settings(self, settings: EngineSettings) -> None:
        if settings != self._settings:
            Thinker(settings)  # raises what is wrong with them
            self.stop_pondering()
            self._settings = settings
            self._engines.clear()

    def prepare(self, rules: Rules) -> None:
        """Load what the first question needs, before a clock runs.

        Args:
            rules: those of the questions.
        """
        self._engine(clocked=False).prepare(Position(rules))

    def choose(
        self,
        position: Position,
        clock: ClockReading | None,
        cancel: Cancel,
        progress: Callable[[Estimate], None] | None = None,
    ) -> MoveScore:
        """Return the move to play; once ``cancel`` stops it, the best move until then.

        Args:
            position: the game is not over.
            clock: what the mover's clock shows.
            cancel: stops the search from another thread.
            progress: called with what the search has found so far.

        Raises:
            ResourceError: the machine has not enough memory or threads.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        engine = self._engine(clocked=clock is not None)
        if clock is not None:
            clock = with_reserve(clock, position.empties)
        try:
            return engine.choose(position, clock=clock, cancel=cancel, progress=progress)
        except EngineCancelled as stopped:
            answer = stopped.found or Searcher(1).search(position, depth=1)
            return answer.moves[0]

    def hint(
        self, position: Position, count: int, cancel: Cancel, progress: Callable[[Estimate], None] | None = None
    ) -> list[MoveScore]:
        """Return the best moves, best first; once ``cancel`` stops it, those found until then, perhaps none.

        Args:
            position: the game is not over.
            count: how many moves.
            cancel: stops the search from another thread.
            progress: called with what the search has found so far.

        Raises:
            ResourceError: the machine has not enough memory or threads.
        """
        try:
            return self._engine(clocked=False).hint(position, count, cancel=cancel, progress=progress)
        except EngineCancelled as stopped:
            return list(stopped.found.moves) if stopped.found else []

    def ponder(self, position: Position, clock: ClockReading | None) -> None:
        """Begin to think on the opponent's time, in the background, until `stop_pondering` or the next question.

        Args:
            position: one with the opponent to move.
            clock: what the clock of this engine shows.

        Raises:
            ResourceError: the machine has not enough memory or threads.
        """
        self._engine(clocked=clock is not None).ponder(position, clock)

    def stop_pondering(self) -> None:
        """End what `ponder` began, if it still runs; its thread has ended then."""
        for engine in self._engines.values():
            engine.close()

    def _engine(self, *, clocked: bool) -> Engine:
        if clocked not in self._engines:
            chosen = self._settings
            level: int | str | None = None
            if chosen.depth is None and chosen.time_s is None:
                level = chosen.level or (MAX_LEVEL if clocked else DEFAULT_PROTOCOL_LEVEL)
            self._engines[clocked] = Engine(
                level,
                chosen.seed,
                time_s=chosen.time_s,
                hash_mb=chosen.hash_mb,
                threads=chosen.threads,
                depth=chosen.depth,
                book=chosen.book,
            )
        return self._engines[clocked]


def with_reserve(clock: ClockReading, empties: int) -> ClockReading:
    """Return a reading without the time that goes to the exchange of lines in the rest of the game.

    Args:
        clock: what the clock shows.
        empties: empty squares of the position; half of them are moves of this player.
    """
    return replace(clock, main_s=max(clock.main_s - _LAG * (empties + 1) / 2, 0.0))
