"""Exact solving: the value of a position under any rule set, the best line, every move scored.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import solve
>>> str(solve(Position(parse_rules("othello,board=4x4"))).score)
'-10 exact'
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from reversi._core import Move, Position, Table, Task
from reversi.color import Color
from reversi.score import Kind, Score

__all__ = ["DEFAULT_HASH_MB", "MoveScore", "Progress", "Solution", "SolveInterrupted", "Solver", "solve"]

DEFAULT_HASH_MB = 64
_SMALL = 7  # with so few empty squares a thread of its own costs more than the answer


@dataclass(frozen=True, slots=True)
class MoveScore:
    """One legal move with its score and line, from the view of the player who makes it.

    Attributes:
        move: the move.
        score: its value; ``EXACT``, or a bound when the search was stopped.
        pv: the line that proves it, the move included; passes are in it.
    """

    move: Move
    score: Score
    pv: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to a question about a position.

    Attributes:
        position: the position asked about.
        score: its value from the mover's view, with its kind and bounds.
        best: one proven best move, or all equal ones in a1, b1, … order when every move was asked for; empty in a
            finished game, and while nothing is proved.
        pv: the principal variation, passes included; as far as it was proved when the search was stopped.
        moves: every legal move's score, best first, when every move was asked for.
    """

    position: Position
    score: Score
    best: tuple[Move, ...]
    pv: tuple[Move, ...]
    moves: tuple[MoveScore, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the value, and every asked move's value, is proved."""
        return self.score.kind is Kind.EXACT and all(move.score.kind is Kind.EXACT for move in self.moves)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search knows so far.

    Attributes:
        lower: proved lower bound of the value.
        upper: proved upper bound of the value.
        best: a move that reaches ``lower``.
        nodes: positions reached by a placement.
        time_s: wall-clock seconds.
    """

    lower: int
    upper: int
    best: Move | None
    nodes: int
    time_s: float


class SolveInterrupted(KeyboardInterrupt):
    """Ctrl-C while solving. What was proved until then is in ``solution``."""

    def __init__(self, solution: Solution) -> None:
        super().__init__("interrupted")
        self.solution = solution


class _Stopped(Exception):  # noqa: N818 - control flow inside this module
    """The search was stopped: what it would return is not proved."""


class _Question:
    """One position being solved: the steps, and what they have proved so far."""

    def __init__(self, position: Position, task: Task, all_moves: bool) -> None:
        self.position = position
        self.task = task
        self.all_moves = all_moves
        self.cells = position.rules.board.cells
        self.began = time.perf_counter()
        self.lower = -self.cells
        self.upper = self.cells
        self.best: Move | None = None
        self.pv: list[Move] = []
        self.moves: dict[Move, tuple[int, int]] = {}
        self.lines: dict[Move, tuple[Move, ...]] = {}
        self.root_runs = False
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do everything that was asked, or as much as there is time for."""
        try:
            self._run()
        except _Stopped:
            self._collect_root()
        except BaseException as error:  # raised again by the thread that asked
            self.error = error

    def _collect_root(self) -> None:
        if self.root_runs:
            self.lower = max(self.lower, self.task.lower)
            self.upper = min(self.upper, self.task.upper)
            self.best = self.task.best or self.best

    def _run(self) -> None:
        position = self.position
        if position.is_over:
            black = position.count.score
            self.lower = self.upper = black if position.to_move is Color.BLACK else -black
            return
        moves = self.task.ordered_moves(position)
        if self.all_moves:
            self.moves = dict.fromkeys(moves, (-self.cells, self.cells))
        self.root_runs = True
        value = self._proved(self.task.root(position, moves, -self.cells - 1, self.cells + 1))
        self.root_runs = False
        self.lower = self.upper = value
        best = self.task.best
        assert best is not None
        self.best = best
        if self.all_moves:
            self._score_all(moves, best, value)
        self._line(position, value, self.pv, best)
        if self.all_moves:
            for move, (low, _high) in self.moves.items():
                line: list[Move] = []
                self._line(position, low, line, move)
                self.lines[move] = tuple(line)

    def _score_all(self, moves: list[Move], best: Move, value: int) -> None:
        for move in moves:
            # no move is better than the best: the window starts there, and widens only downwards
            self.moves[move] = (value, value) if move == best else (-self.cells, value)
        for move in moves:
            if move != best:
                exact = self._proved(self.task.move_value(self.position, move, -self.cells, value + 1))
                self.moves[move] = (exact, exact)

    def _line(self, position: Position, value: int, line: list[Move], first: Move) -> None:
        """Extend ``line`` by moves that keep ``value``, starting with ``first``, to the end of the game."""
        move: Move | None = first
        while move is not None:
            line.append(move)
            position = position.play(move)
            value = -value
            move = self._keeping(position, value)

    def _keeping(self, position: Position, value: int) -> Move | None:
        """A move that reaches the known value; ``None`` when the game is over."""
        moves = self.task.ordered_moves(position)
        if len(moves) <= 1:
            return moves[0] if moves else None
        for move in moves[:-1]:
            if self._proved(self.task.move_value(position, move, value - 1, value)) >= value:
                return move
        return moves[-1]

    def _proved(self, value: int | None) -> int:
        if value is None:
            raise _Stopped
        return value

    def progress(self) -> Progress:
        """What is known at this moment; called from another thread than :meth:`run`."""
        lower, upper, best = self.lower, self.upper, self.best
        if self.root_runs:
            lower, upper, best = max(lower, self.task.lower), min(upper, self.task.upper), self.task.best or best
        return Progress(lower, upper, best, self.task.nodes, time.perf_counter() - self.began)

    def solution(self) -> Solution:
        """What was proved, as an answer."""
        if self.error is not None:
            raise self.error
        base = Score(
            0,
            Kind.EXACT,
            0,
            0,
            depth=self.position.empties,
            nodes=self.task.nodes,
            time_s=time.perf_counter() - self.began,
        )
        score = _bounded(base, self.lower, self.upper, self.cells)
        scored = [
            MoveScore(move, _bounded(base, low, high, self.cells), self.lines.get(move, (move,)))
            for move, (low, high) in sorted(self.moves.items())
        ]
        scored.sort(key=lambda entry: -entry.score.value)
        best: tuple[Move, ...] = () if self.best is None else (self.best,)
        if scored and score.kind is Kind.EXACT:
            best = tuple(s.move for s in scored if s.score.kind is Kind.EXACT and s.score.value == score.value)
        pv = tuple(self.pv) or best[:1]
        if scored and best:
            pv = self.lines.get(best[0], pv)
        return Solution(self.position, score, best, pv, tuple(scored))


def _bounded(base: Score, lower: int, upper: int, cells: int) -> Score:
    if lower == upper:
        return replace(base, value=lower, lower=lower, upper=upper)
    if lower == -cells and upper < cells:
        return replace(base, value=upper, kind=Kind.UPPER, lower=lower, upper=upper)
    return replace(base, value=lower, kind=Kind.LOWER, lower=lower, upper=upper)


class Solver:
    """Solves positions one after another, keeping its table between them.

    Args:
        hash_mb: size of the table in MB (2**20 bytes).

    Raises:
        ValueError: the size is not positive.
        MemoryError: the memory is not to be had.
    """

    def __init__(self, hash_mb: int = DEFAULT_HASH_MB) -> None:
        self._table = Table(hash_mb)
        self._busy = threading.Lock()

    def clear(self) -> None:
        """Forget everything; the next answer is as from a new solver."""
        with self._busy:
            self._table.clear()

    def solve(
        self,
        position: Position,
        *,
        all_moves: bool = False,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """The exact value of a position, with a best move and line.

        Args:
            position: any position under any rule set.
            all_moves: score every legal move, and give all best ones.
            time_limit: seconds; after that the answer holds what was proved until then.
            progress: called a few times a second, from this thread.

        Raises:
            SolveInterrupted: Ctrl-C; what was proved is in its ``solution``.
        """
        with self._busy:
            self._table.age()
            task = Task(self._table)
            question = _Question(position, task, all_moves)
            if position.empties <= _SMALL:
                question.run()
                return question.solution()
            thread = threading.Thread(target=question.run, name="reversi-solver", daemon=True)
            thread.start()
            try:
                self._wait(thread, question, time_limit, progress)
            except KeyboardInterrupt:
                task.cancel()
                thread.join()
                raise SolveInterrupted(question.solution()) from None
            except BaseException:
                task.cancel()
                thread.join()
                raise
            return question.solution()

    @staticmethod
    def _wait(
        thread: threading.Thread,
        question: _Question,
        time_limit: float | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        while thread.is_alive():
            pause = 0.1  # short, so that Ctrl-C is seen where waiting cannot be interrupted
            if time_limit is not None:
                left = question.began + time_limit - time.perf_counter()
                if left <= 0:
                    question.task.cancel()
                    thread.join()
                    return
                pause = min(pause, left)
            thread.join(pause)
            if progress is not None and thread.is_alive():
                progress(question.progress())


def solve(
    position: Position,
    *,
    all_moves: bool = False,
    time_limit: float | None = None,
    hash_mb: int = DEFAULT_HASH_MB,
) -> Solution:
    """Solve one position; see :meth:`Solver.solve`. Several are solved faster by one :class:`Solver`."""
    return Solver(hash_mb).solve(position, all_moves=all_moves, time_limit=time_limit)
