"""Choosing a move, at a level, in a fixed time or by the clock; and hints.

At a level the choice depends only on the position, the level and the seed: it is the same on every machine. With
a time it also depends on the machine.
"""

from __future__ import annotations

import contextlib
import copy
import math
import time
from collections.abc import Callable, Iterator
from types import NoneType
from typing import TYPE_CHECKING, Final

from reversi._core import Position, Random
from reversi._system.closing import ClosedWhenDropped
from reversi._system.limits import check_memory
from reversi.arguments import (
    MAX_HASH_MB,
    MAX_NODES,
    MAX_THREADS,
    TEXT_TO_POSITION,
    check_count,
    check_time_s,
    check_type,
    excerpt,
    is_number,
)
from reversi.engine.beginners import beginners_choice, normal
from reversi.engine.levels import (
    DEFAULT_LEVEL,
    HINT_LEVEL,
    MAX_LEVEL,
    Level,
    check_plays,
    level_for,
    level_of_depth,
)
from reversi.engine.pondering import Pondering
from reversi.engine.search import Estimate, Searcher, check_unfinished, seen_from
from reversi.engine.timing import NODES_PER_S, Allowance, allowance
from reversi.errors import ArgumentError, InputError
from reversi.evaluation.weights import default_weights
from reversi.openings.book import BookMove, Books
from reversi.rules import OTHELLO
from reversi.score import Kind, MoveValue, Score, best_of
from reversi.solver.costs import useful_hash_mb
from reversi.solver.solution import MoveScore, Solution, best_first
from reversi.solver.symmetry import Image
from reversi.solver.table import SEARCH_HASH_MB, TIMED_HASH_MB, level_hash_mb
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.game.clocks import ClockReading

_MB_PER_S: Final = 2
"""Table for a second of thinking. The system takes long to hand out memory: a quick game needs a small table."""
_MOVES: Final = 30  # of a player in a game
_VARIED: Final = 12
"""Discs beyond those of the start, while which the seed chooses between moves of equal value."""
_CHOICES: Final = 4
_MEASURED: Final = 0.02  # seconds of a search that tell the speed
_ENDLESS: Final = 86_400.0  # seconds of pondering
_RARE: Final = 0.02
"""Moves with a smaller chance are not played by levels that play like people."""
_ONE: Final = 1 << 30
_LATE: Final = 0.01  # seconds between a deadline and the end of what runs


class EngineCancelled(Exception):  # noqa: N818 - what happened, not a mistake
    """A `Cancel` stopped the engine before it chose a move.

    Attributes:
        found: what its search had found until then, ``None`` for nothing.
    """

    def __init__(self, message: str = "the engine was cancelled", found: Estimate | None = None) -> None:
        super().__init__(message)
        self.found = found


class Engine(ClosedWhenDropped):
    """Chooses moves. Two engines with the same level and seed choose alike.

    Args:
        level: the strength, from 1 to `MAX_LEVEL`, or ``beginner-1``, ``people-1400`` and so on; see
            `reversi.engine.levels`. 5 when not given.
        seed: decides between equally good moves, what beginners' levels misjudge, and what people play.
        time_s: seconds per move, instead of a level.
        nodes: positions to visit per move, instead of a level; see `Searcher.search`.
        exact: only exact values, whatever the level; the time still holds.
        hash_mb: size of its table in MB (2**20 bytes).
        threads: how many threads search; with more than one the same level may choose another move of like value.
        depth: placements to look ahead in the midgame, instead of the level; of several limits all hold.
        book: an opening book; where it has a position, its moves and values take the place of a search.

    Raises:
        ArgumentError: an argument has another type.
        InputError: the level or another number is outside its limits, or a ``level`` is given beside ``time_s``,
            ``nodes`` or ``depth``.
    """

    def __init__(
        self,
        level: int | str | None = None,
        seed: int = 0,
        *,
        time_s: float | None = None,
        nodes: int | None = None,
        exact: bool = False,
        hash_mb: int | None = None,
        threads: int = 1,
        depth: int | None = None,
        book: Books | None = None,
    ) -> None:
        limits = {"time_s": time_s, "nodes": nodes, "depth": depth}
        given = [name for name, limit in limits.items() if limit is not None]
        if level is not None and given:
            raise InputError(f"level and {' and '.join(given)} are different limits; give one of them")
        check_type("book", book, Books, NoneType)
        if level is None:
            level = DEFAULT_LEVEL if time_s is None and nodes is None else MAX_LEVEL
        level_for(level)
        if depth is not None:
            level = level_of_depth(depth).number
        if time_s is not None:
            check_time_s(time_s)
        check_count("nodes", nodes, MAX_NODES, optional=True)
        check_count("threads", threads, MAX_THREADS)
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB", optional=True)
        if not is_number(seed):
            raise ArgumentError(f"seed must be a whole number, not {excerpt(seed)}")
        self.level: int | str = level
        self.depth = depth
        self.book = book
        self.seed = seed
        self.time_s = time_s
        self.nodes = nodes
        self.exact = exact
        self.threads = threads
        self._hash_mb = hash_mb
        self._searcher: Searcher | None = None
        self._running: set[Cancel] = set()
        self._nodes_per_s = NODES_PER_S
        self._pondering: Pondering | None = None
        self._warm = False  # whether the table keeps what pondering has left in it

    def __repr__(self) -> str:
        limits = {"time_s": self.time_s, "nodes": self.nodes, "depth": self.depth}
        given = [f"{name}={limit:.12g}" for name, limit in limits.items() if limit is not None]
        limit = " ".join(given) or f"level={self.level}"
        return f"<Engine {limit} seed={self.seed}{' exact' * self.exact} threads={self.threads}>"

    def __getstate__(self) -> dict[str, object]:
        """Return what makes the engine, for pickles and copies: its table and what it is doing stay behind."""
        return {**self.__dict__, "_searcher": None, "_running": set(), "_pondering": None, "_warm": False}

    def prepare(self, position: Position) -> None:
        """Load the learned evaluation, so that the first question does not wait for it.

        Args:
            position: one that the engine will be asked about; its rules count.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if position.rules.same_play(OTHELLO):
            default_weights()

    def choose(
        self,
        position: Position,
        clock: ClockReading | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Callable[[Estimate], None] | None = None,
    ) -> MoveScore:
        """Return the move to play; early in the game the seed picks one of equally good moves.

        Args:
            position: any position under any rule set.
            clock: what the mover's clock shows; the level is then the most that it thinks about a move.
            cancel: stops this question from another thread; `cancel` stops all of this engine's.
            progress: called as by `Searcher.search`, from this thread; not where a book answers. Levels that
                misjudge moves do so after the search: what it found may be another move than the one they play.

        Raises:
            EngineCancelled: a `Cancel` stopped it.
            GameError: the game is over.
            ResourceError: the machine has not enough memory or threads.
        """
        began = time.perf_counter()
        check_unfinished(position)
        with self._cancellable(cancel) as stop:
            searcher = self._prepared(clock)
            level = self._level(position)
            misjudges = not self.exact and self.time_s is None
            if level.rating is not None and misjudges:
                check_plays(self.level, position.rules)
                return self._like_people(position, level.rating, stop)
            booked = None if self.exact or level.beginner else self._book_move(position, level)
            if booked is not None:
                return booked
            if (level.noise or level.beginner) and misjudges:
                return self._misjudged(searcher, position, level, stop, progress)
            limits = self._allowance(position, clock)
            if limits is not None and self.time_s is None:
                # what was spent before the search began counts as well
                spent = time.perf_counter() - began
                limits = Allowance(max(limits.soft_s - spent, 0.0), max(limits.hard_s - spent, 0.0))
            answer = self._found(searcher, position, limits, self._count(position, limits), stop, progress)
            ties = [move for move in answer.moves if move.score.value == answer.moves[0].score.value]
            return ties[random_at(self.seed, position).below(len(ties))]

    def _count(self, position: Position, limits: Allowance | None) -> int:
        """How many moves of like value a search gives the seed to choose from."""
        young = position.rules.board.cells - 4 - position.empties < _VARIED and not self.exact
        return _CHOICES if young and limits is None else 1

    def hint(
        self,
        position: Position,
        count: int = 3,
        *,
        cancel: Cancel | None = None,
        progress: Callable[[Estimate], None] | None = None,
    ) -> list[MoveScore]:
        """Return the ``count`` best moves, or all legal ones, best first; all values have one kind.

        A move that ends the game at once has its exact value in any case; that says nothing of the others. At a
        level, positions that mirror each other have the same values; moves that lead to such positions always do.
        From a book come its moves only.

        Args:
            position: any position under any rule set.
            count: how many moves to give.
            cancel: stops this question from another thread.
            progress: called as by `Searcher.search`, from this thread; not where a book answers.

        Raises:
            EngineCancelled: a `Cancel` stopped it.
            GameError: the game is over.
            InputError: ``count`` is below 1.
        """
        check_unfinished(position)
        check_count("count", count)
        with self._cancellable(cancel) as stop:
            if booked := self._book_hints(position):
                return booked[:count]
            answer = self._mirrored(position, count, stop, progress)
        return list(best_first(answer.moves))

    def score(self, position: Position, *, cancel: Cancel | None = None) -> Score:
        """Return what a position is worth, from the book or by the search that finds its best move.

        Args:
            position: any position under any rule set.
            cancel: stops this question from another thread.

        Raises:
            EngineCancelled: a `Cancel` stopped it.
            GameError: the game is over.
        """
        check_unfinished(position)
        with self._cancellable(cancel) as stop:
            if booked := self._book_hints(position):
                return best_of([scored.score for scored in booked])
            return self._mirrored(position, 1, stop, None).score

    def _mirrored(
        self, position: Position, count: int, stop: Cancel, progress: Callable[[Estimate], None] | None
    ) -> Estimate:
        """Return the answer about the image that stands for a position and its mirror images: all have one value.

        Where a time limits the search, what the table keeps of the position is worth more.
        """
        searcher, limits = self._prepared(None), self._allowance(position, None)
        if limits is not None or self._warm:
            return self._found(searcher, position, limits, count, stop, progress)
        image = Image.canonical(position)
        report = None if progress is None else lambda found: progress(seen_from(position, image, found))
        try:
            answer = self._found(searcher, image.position, limits, count, stop, report)
        except EngineCancelled as stopped:
            raise EngineCancelled(
                found=None if stopped.found is None else seen_from(position, image, stopped.found)
            ) from None
        return seen_from(position, image, answer)

    def cancel(self) -> None:
        """Stop the search under way, from another thread; its caller gets `EngineCancelled`."""
        for running in list(self._running):
            running.cancel()

    def ponder(self, position: Position, clock: ClockReading | None = None) -> Pondering | None:
        """Begin to think on the opponent's time, in a thread of its own; the next question ends it.

        What it finds stays in the table. At a level, too, the table is then kept from question to question, so
        that moves no longer depend on the position alone.

        Args:
            position: one with the opponent to move.
            clock: what the clock of this player shows, if it has one.

        Returns:
            The search, whose ``stop()`` ends it; ``None`` where the engine has no use for one: its level looks
            ahead too little, or the game is over, or the next move is not the opponent's choice.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if clock is not None:
            from reversi.game.clocks import ClockReading

            check_type("clock", clock, ClockReading)
        self.close()
        level = self._level(position)
        misjudges = (level.noise or level.beginner or level.rating) and not self.exact and self.time_s is None
        if misjudges or not position.legal_moves.placements:
            return None
        self._warm = True
        searcher = self._prepared(clock)
        timed = clock is not None or self.time_s is not None
        limits = Allowance(math.inf, _ENDLESS) if timed else None

        thinker = copy.copy(self)  # an engine that nobody keeps is not kept by its own thread

        def search(after: Position, cancel: Cancel) -> None:
            with contextlib.suppress(EngineCancelled):
                thinker._found(searcher, after, limits, thinker._count(after, limits), cancel)

        pondering = self._pondering = Pondering(searcher, position, search)
        self._running.add(pondering.cancel)
        return pondering

    @property
    def _is_open(self) -> bool:
        return self._pondering is not None and self._pondering.is_running

    def close(self) -> None:
        """End what `ponder` began, if it still runs. The engine can be used again."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.stop()
            self._running.discard(pondering.cancel)

    @contextlib.contextmanager
    def _cancellable(self, cancel: Cancel | None) -> Iterator[Cancel]:
        """Return the `Cancel` of the question that begins now."""
        check_type("cancel", cancel, Cancel, NoneType)
        self.close()
        cancel = cancel or Cancel()
        self._running.add(cancel)
        try:
            yield cancel
        finally:
            self._running.discard(cancel)

    def _level(self, position: Position) -> Level:
        if self.depth is not None:
            return level_of_depth(self.depth, position.rules)
        return level_for(self.level, position.rules)

    def _prepared(self, clock: ClockReading | None) -> Searcher:
        """Return the searcher; at a level with an empty table, so that nothing asked before makes a difference.

        Only an engine that ponders keeps its table.
        """
        timed = self.time_s is not None or clock is not None
        if self._searcher is None:
            if self._hash_mb is not None:
                size = self._hash_mb
                check_memory(size)
            elif timed:
                size = self._timed_hash_mb(clock)
            elif self.nodes is not None:
                size = min(useful_hash_mb(self.nodes), TIMED_HASH_MB)
            else:
                size = level_hash_mb(level_for(self.level).number)
            self._searcher = Searcher(size, self.threads)
        elif not timed and not self._warm:
            self._searcher.clear()
        return self._searcher

    def _timed_hash_mb(self, clock: ClockReading | None) -> int:
        """The size of a table for the time of a game: a power of two."""
        seconds = math.inf if self.time_s is None else _MOVES * self.time_s
        if clock is not None:
            per_move = clock.increment_s + (clock.byo_yomi_s if clock.periods else 0.0)
            seconds = min(seconds, clock.main_s + _MOVES * per_move)
        wanted = int(min(_MB_PER_S * self.threads * seconds, TIMED_HASH_MB - 1))
        return max(SEARCH_HASH_MB, 1 << wanted.bit_length())

    def _allowance(self, position: Position, clock: ClockReading | None) -> Allowance | None:
        if clock is None:
            return None if self.time_s is None else Allowance(math.inf, self.time_s - min(_LATE, self.time_s / 2))
        limits = allowance(clock, position, self._nodes_per_s)
        if self.time_s is None:
            return limits
        return Allowance(min(limits.soft_s, self.time_s), min(limits.hard_s, self.time_s))

    def _found(
        self,
        searcher: Searcher,
        position: Position,
        limits: Allowance | None,
        count: int,
        cancel: Cancel,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        n, level = position.empties, self._level(position)
        depth: int | None = level.depth
        caution: int | None = level.caution
        nodes = self.nodes or level.nodes
        as_deep_as_limits_allow = (self.time_s is not None or self.nodes is not None) and self.depth is None
        if self.exact or as_deep_as_limits_allow or n <= level.exact_from:
            depth = caution = None
            nodes = self.nodes
        elif n <= level.solve_from:
            depth = None
        time_s = soft_s = None
        if limits is not None:
            time_s = limits.hard_s
            soft_s = limits.soft_s if math.isfinite(limits.soft_s) else None
        elif depth is None and caution is None and nodes is None and progress is None:
            solution = searcher.solver.solve(position, multi=count, cancel=cancel)
            if cancel.cancelled or not solution.is_exact:
                raise EngineCancelled(found=_unfinished(solution))
            score = solution.score
            return Estimate.of(position, score, solution.moves, score.nodes, score.time_s, True)
        answer = searcher.search(
            position,
            count=count,
            depth=depth,
            caution=caution,
            time_s=time_s,
            soft_s=soft_s,
            nodes=nodes,
            cancel=cancel,
            progress=progress,
        )
        if answer.nodes and answer.time_s > _MEASURED:
            self._nodes_per_s = answer.nodes / answer.time_s
        if cancel.cancelled:
            raise EngineCancelled(found=answer)
        return answer

    def _misjudged(
        self,
        searcher: Searcher,
        position: Position,
        level: Level,
        cancel: Cancel,
        progress: Callable[[Estimate], None] | None,
    ) -> MoveScore:
        """Return the move that looks best to a beginner."""
        everything = len(position.legal_moves)
        if position.empties <= level.exact_from:
            return self._found(searcher, position, None, everything, cancel, progress).moves[0]
        answer = searcher.search(
            position, count=everything, depth=level.depth, confidence=100, cancel=cancel, progress=progress
        )
        if cancel.cancelled:
            raise EngineCancelled(found=answer)
        random = random_at(self.seed, position)
        if level.beginner is not None:
            return beginners_choice(level.beginner, position, answer.moves, random)
        return max(
            sorted(answer.moves, key=lambda scored: scored.move),
            key=lambda scored: scored.score.value + level.noise * normal(random),
        )

    def _like_people(self, position: Position, rating: int, cancel: Cancel) -> MoveScore:
        """Return a move drawn by its chance among people; those that hardly anybody plays are left out."""
        from reversi.engine.people import DEPTHS, default_model  # which nobody else needs

        seen = default_model().see(position, rating)
        if cancel.cancelled:
            raise EngineCancelled
        usual = [at for at, chance in enumerate(seen.chances) if chance >= min(_RARE, max(seen.chances))]
        drawn = random_at(self.seed, position).below(_ONE) / _ONE * sum(seen.chances[at] for at in usual)
        for at in usual:
            drawn -= seen.chances[at]
            if drawn < 0:
                break
        depth, view = min(DEPTHS[-1], position.empties), position.to_move
        score = MoveValue.stated(seen.values[at], Kind.HEURISTIC, view, 64, depth=depth, confidence=None)
        return MoveScore(seen.moves[at], score, (seen.moves[at],))

    def _book_move(self, position: Position, level: Level) -> MoveScore | None:
        """Return a move of the book; ``None`` where it has none, or a move that leaves it is better.

        The seed chooses among the best moves, the more frequent ones more often. A beginner's level also takes
        moves that lose as much as it misjudges.
        """
        entry = None if self.book is None else self.book.get(position)
        if self.book is None or entry is None:
            return None
        least = entry.value - round(level.noise)
        choices = [choice for choice in self.book.moves(position) if choice.score.value >= least]
        if not choices:
            return None
        weights = [1 + math.isqrt(choice.games) for choice in choices]
        at = random_at(self.seed, position).below(sum(weights))
        for choice, weight in zip(choices, weights, strict=True):
            if at < weight:
                return self._from_book(choice, position)
            at -= weight
        raise AssertionError("the weights have another sum")

    def _book_hints(self, position: Position) -> list[MoveScore]:
        """Return the moves of the book, best first; none where a move that leaves it is better than all."""
        entry = None if self.book is None or self.exact else self.book.get(position)
        if self.book is None or entry is None:
            return []
        booked = self.book.moves(position)
        if not booked or booked[0].score.value < entry.value:
            return []
        return [self._from_book(choice, position) for choice in booked]

    def _from_book(self, choice: BookMove, position: Position) -> MoveScore:
        assert self.book is not None
        return MoveScore(choice.move, choice.score, (choice.move, *self.book.line(position.play(choice.move))))


def random_at(seed: int, position: Position) -> Random:
    """Return a generator that belongs to a seed and a position, whatever was asked before."""
    mixed = seed * 0x9E3779B97F4A7C15 + position.black * 0xBF58476D1CE4E5B9 + position.white
    mixed ^= mixed >> 31
    return Random(mixed & (1 << 63) - 1)


def hint(
    position: Position,
    count: int = 3,
    *,
    level: int | str | None = None,
    time_s: float | None = None,
    nodes: int | None = None,
    exact: bool = False,
    threads: int = 1,
    cancel: Cancel | None = None,
    progress: Callable[[Estimate], None] | None = None,
) -> list[MoveScore]:
    """Return the best moves of a position with their scores and lines; see `Engine.hint`.

    Without ``level``, ``time_s`` and ``nodes`` the level is 18.

    >>> from reversi import Position
    >>> from reversi.engine import hint
    >>> len(hint(Position(), 2, level=4))
    2
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    if level is None and time_s is None and nodes is None:
        level = HINT_LEVEL
    return Engine(level, time_s=time_s, nodes=nodes, exact=exact, threads=threads).hint(
        position, count, cancel=cancel, progress=progress
    )


def _unfinished(solution: Solution) -> Estimate | None:
    """Return the move that looks best in a solution that was cancelled, if there is one."""
    first = solution.best[0] if solution.best else solution.likely
    if first is None:
        return None
    score, line = solution.score, (solution.pv[:1] == (first,) and solution.pv) or (first,)
    scored = MoveScore(first, score.for_best_move(), line)
    return Estimate.of(solution.position, score, (scored,), score.nodes, score.time_s, False)
