"""Exact solving: the value of a position under any rule set, the best line, every move scored.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import solve
>>> str(solve(Position(parse_rules("othello,board=4x4"))).score)
'-10 exact'
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import NoneType

from reversi._core import EXACT_LEVEL, Move, Position, Table, Task, Weights
from reversi._system.limits import usable_cpus
from reversi.arguments import MAX_NODES, MAX_THREADS, TEXT_TO_POSITION, check_count, check_seconds, check_type
from reversi.evaluation.weights import default_weights
from reversi.rules import OTHELLO
from reversi.solver.question import Question
from reversi.solver.search import ALL, Search
from reversi.solver.settings import SearchSettings
from reversi.solver.solution import Solution, SolveProgress
from reversi.solver.stopping import ask, ask_here
from reversi.solver.table import DEFAULT_HASH_MB, shared_table
from reversi.work.cancel import Cancel

_SMALL = 7  # with this many empty squares or fewer a thread of its own costs more than the answer
_QUICK = 10  # the same where no limit has to be watched, under rules without optional skips
_NARROW = 16  # the same for one narrow search: a tenth of a second at most
SHARED_FROM = 16  # with this many empty squares or more, a position is worth several threads
_LEARNED_FROM = 15  # with this many empty squares or more, the search asks the evaluation


class SolveInterrupted(KeyboardInterrupt):
    """Ctrl-C while solving; ``solution`` holds what was proved until then."""

    def __init__(self, solution: Solution) -> None:
        super().__init__("interrupted")
        self.solution = solution


class Solver:
    """Solves positions one after another, or several at once from several threads, with one table.

    Args:
        hash_mb: size of the table in MB (2**20 bytes).
        threads: how many threads search one position; with more than two, as many as the process has CPUs at most.
        evaluation: whether the learned evaluation sorts moves, where it knows the rules; or weights of one's own
            for it (`reversi.evaluation.load_weights`). It changes the time of an answer, never the answer.

    Attributes:
        splits: nodes that threads shared, in all answers so far.

    Raises:
        InputError: ``hash_mb`` is not from 1 to 2**31 - 1, or ``threads`` not from 1 to 4096.
        TableSizeError: the machine has not enough memory for the table.
    """

    def __init__(
        self, hash_mb: int = DEFAULT_HASH_MB, threads: int = 1, evaluation: bool | Weights = True
    ) -> None:
        self._settings = SearchSettings(hash_mb, threads, evaluation)
        self._shared = shared_table(hash_mb)
        self.splits: int = 0

    def __repr__(self) -> str:
        return f"<Solver hash_mb={self._settings.hash_mb} threads={self._settings.threads}>"

    @classmethod
    def of(cls, settings: SearchSettings) -> Solver:
        """Return a new solver with these settings.

        Raises:
            TableSizeError: the machine has not enough memory.
        """
        check_type("settings", settings, SearchSettings)
        return cls(settings.hash_mb, settings.threads, settings.evaluation)

    @property
    def settings(self) -> SearchSettings:
        """What it works with."""
        return self._settings

    @property
    def shared(self) -> Table:
        """The table, for other searches that use these answers."""
        return self._shared

    @property
    def threads(self) -> int:
        """How many threads search one position."""
        return self._settings.threads

    def clear(self) -> None:
        """Forget everything; the next answer is as from a new solver. Waits for answers under way."""
        with self._shared.use(None) as table:
            table.clear()

    def solve(
        self,
        position: Position,
        *,
        all_moves: bool = False,
        multi: int | None = None,
        wld: bool = False,
        window: tuple[int, int] | None = None,
        threads: int | None = None,
        time_s: float | None = None,
        nodes: int | None = None,
        cancel: Cancel | None = None,
        progress: Callable[[SolveProgress], None] | None = None,
    ) -> Solution:
        """Return the exact value of a position, with a best move and line.

        Args:
            position: any position under any rule set.
            all_moves: score every legal move, and give all best ones.
            multi: score this many best moves.
            wld: ask only who wins; the score is of the kind ``WLD`` and its bounds say no more than that.
            window: ask only about values from the first to the second number; a value outside is a bound.
            threads: how many threads search this position, instead of the solver's number.
            time_s: seconds; after that the answer holds what was proved until then.
            nodes: positions to visit, with the same answer after that. With one thread none beyond them has a part
                in the answer; with several the search ends a few hundredths of a second later.
            cancel: ends it from another thread, in the same way.
            progress: called a few times a second, from this thread.

        Raises:
            SolveInterrupted: Ctrl-C; its ``solution`` holds what was proved.
            QuestionError: two different questions at once.
            InputError: an empty window, or a number outside its limits.
            BusyError: this thread is within a question under other rules, to this solver.
        """
        question = Question(all_moves, multi, wld, window)
        return self.ask(
            position, question, threads=threads, time_s=time_s, nodes=nodes, cancel=cancel, progress=progress
        )

    def ask(
        self,
        position: Position,
        question: Question,
        *,
        threads: int | None = None,
        time_s: float | None = None,
        nodes: int | None = None,
        cancel: Cancel | None = None,
        progress: Callable[[SolveProgress], None] | None = None,
    ) -> Solution:
        """Answer a `Question`; see `solve`, which takes the question as arguments."""
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        check_count("threads", threads, MAX_THREADS, optional=True)
        check_seconds("time_s", time_s, optional=True)
        check_count("nodes", nodes, MAX_NODES, optional=True)
        check_type("cancel", cancel, Cancel, NoneType)
        with self._shared.use(position.rules) as table:
            began = time.perf_counter()
            weights = self.weights(position) if position.empties >= _LEARNED_FROM else None
            threads = (threads or self.threads) if position.empties >= SHARED_FROM else 1
            task = Task(table, weights, at_work(threads), nodes or 0)
            search = Search(position, task, question, weights is not None, began)
            poll = None if progress is None else lambda: progress(search.progress())
            deadline = None if time_s is None else began + time_s
            limited = time_s is not None or progress is not None
            try:  # a quick one is solved before a thread could start
                if position.empties <= (_SMALL if limited or position.rules.optional_skip else _QUICK):
                    ask_here(task, search.run, cancel)
                else:
                    ask(task, search.run, deadline=deadline, cancel=cancel, poll=poll)
            except KeyboardInterrupt:
                raise SolveInterrupted(search.solution()) from None
            self.splits += task.splits
            return search.solution()

    def reaching(self, position: Position, value: int, *, cancel: Cancel | None = None) -> Move | None:
        """Return a move that leads to ``value`` or more; ``None`` where none does, or when ``cancel`` ended it.

        One narrow search, without the likely values that come before other answers: for a position that an answer
        has met, as it met it (not an image under a symmetry), the table knows most of it.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        reaching: list[Move] = []
        rules = position.rules
        with self._shared.use(rules) as table:
            threads = self.threads if position.empties >= SHARED_FROM else 1
            weights = self.weights(position) if position.empties >= _LEARNED_FROM else None
            task = Task(table, weights, at_work(threads))

            def work() -> None:
                task.begin(position)
                moves = task.ordered_moves(position)
                if rules.optional_skip and rules.misere:  # a disc hurts its owner; skips make short proofs
                    moves.sort(key=lambda move: not move.is_pass)
                reached = task.root(position, moves, value - 1, value, ALL, EXACT_LEVEL)
                if reached is not None and reached >= value and task.best is not None:
                    reaching.append(task.best)

            if position.empties <= (_QUICK if rules.optional_skip else _NARROW):
                ask_here(task, work, cancel)
            else:
                ask(task, work, cancel=cancel)
        return reaching[0] if reaching else None

    def weights(self, position: Position) -> Weights | None:
        """Return the weights that evaluate a position; ``None`` where this solver works without."""
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        evaluation = self._settings.evaluation
        if evaluation is False or not position.rules.same_play(OTHELLO):
            return None
        return evaluation if isinstance(evaluation, Weights) else default_weights()


def at_work(threads: int) -> int:
    """Return how many of the wanted threads search.

    Threads that take turns on a CPU share more nodes than they need: on two CPUs, eight threads cost 12 % more
    than two. Two always work.
    """
    return threads if threads <= 2 else min(threads, max(2, usable_cpus()))


def solve(
    position: Position,
    *,
    all_moves: bool = False,
    multi: int | None = None,
    wld: bool = False,
    window: tuple[int, int] | None = None,
    time_s: float | None = None,
    nodes: int | None = None,
    hash_mb: int = DEFAULT_HASH_MB,
    threads: int = 1,
    evaluation: bool | Weights = True,
    cancel: Cancel | None = None,
    progress: Callable[[SolveProgress], None] | None = None,
) -> Solution:
    """Solve one position; see `Solver.solve`. One `Solver` is faster for several."""
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    return Solver(hash_mb, threads, evaluation).solve(
        position,
        all_moves=all_moves,
        multi=multi,
        wld=wld,
        window=window,
        time_s=time_s,
        nodes=nodes,
        cancel=cancel,
        progress=progress,
    )
