"""One position being solved: likely values first, then proofs, then the lines that keep them."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import replace

from reversi._core import EXACT_LEVEL, Move, Position, Task
from reversi.evaluation.confidence import confidence_of
from reversi.score import Kind, MoveValue, OneScore, Score
from reversi.solver.question import Question
from reversi.solver.solution import MoveScore, Solution, SolveProgress
from reversi.solver.stopping import SearchStopped
from reversi.solver.symmetry import twins

ALL = 64  # a depth that reaches the end of every game
_GUESS_FROM = 16  # with this many empty squares or more, a guess comes before the proof
_GUESS_DEPTH = 22  # guesses without evaluation stay below this depth: two more cost five times the nodes


class Search:
    """One position being solved: the steps, and what they have proved so far."""

    def __init__(self, position: Position, task: Task, question: Question, learned: bool, began: float) -> None:
        self.position = position
        self.task = task
        self.learned = learned
        self.cells: int = position.rules.board.cells
        self.count: int | None = question.count(self.cells)  # None: the best move without its score
        self.alpha: int
        self.beta: int
        self.alpha, self.beta = question.bounds(self.cells)
        self.wld: bool = question.wld
        self.began = began
        self.lower: int = -self.cells
        self.upper: int = self.cells
        self.best: Move | None = None  # proved
        self.promising: Move | None = next(iter(position.legal_moves), None)  # not proved
        self.pv: list[Move] = []
        self.moves: dict[Move, tuple[int, int]] = {}
        self.lines: dict[Move, tuple[Move, ...]] = {}
        self.twins: dict[Move, Move] = {}
        self.root_runs: bool = False
        self.likely: tuple[int, int, int] | None = (
            None  # a value that is not proved; depth and caution of its search
        )

    def run(self) -> None:
        """Do everything that was asked, or what the limits allow; `ask` calls this.

        Raises:
            SearchStopped: the task was cancelled.
        """
        try:
            self._run()
        finally:
            self._collect_root()

    def _collect_root(self) -> None:
        if self.root_runs:
            self.lower = max(self.lower, self.task.lower)
            self.upper = min(self.upper, self.task.upper)
            self.best = self.task.proof or self.best
            self.promising = self.task.best or self.promising

    def _run(self) -> None:
        position = self.position
        if position.is_over:
            self.lower = self.upper = position.score
            return
        self.twins = twins(position)
        moves = [move for move in self.task.ordered_moves(position) if self.twins[move] == move]
        if self.count is not None and self.count >= len(self.twins):
            self.moves = dict.fromkeys(self.twins, (-self.cells, self.cells))
        self.promising = moves[0]
        self.task.begin(position)
        self.root_runs = True
        value = self._root_value(moves, self.cells)
        self._collect_root()
        self.root_runs = False
        best = self.task.best or moves[0]
        if value <= self.alpha and not self.wld:
            self.promising = best  # alpha bounds every move: which one is best was not asked
            return
        self.best = best
        if not self.alpha < value < self.beta:
            self.pv.append(best)
            return
        self.lower = self.upper = value
        if self.count is not None:
            self._score_moves(moves, best, value)
        self._line(position, value, self.pv, best)
        for move, (low, high) in self.moves.items():
            if low == high:
                line: list[Move] = []
                self._line(position, low, line, move)
                self.lines[move] = tuple(line)

    def _root_value(self, moves: list[Move], highest: int) -> int:
        """Return the best value of the moves, at most ``highest``; the best move moves to the front."""
        ask = functools.partial(self._ask_root, moves)
        low, high = max(-self.cells - 1, self.alpha), min(highest + 1, self.beta)
        guess = self._guess(ask)
        if guess is None:
            return ask(low, high)
        return settle(ask, guess, low, high)

    def _ask_root(
        self, moves: list[Move], alpha: int, beta: int, depth: int = ALL, level: int = EXACT_LEVEL
    ) -> int:
        """Search the moves; the best one moves to the front."""
        found = self.task.root(self.position, moves, alpha, beta, depth, level, whole=self.root_runs)
        value = self._proved(found)
        best = self.task.best
        if best is not None and value > alpha:
            moves.remove(best)
            moves.insert(0, best)
        return value

    def guess(self) -> int | None:
        """Return a likely value, which the searches before a proof find; ``None`` where they do not pay.

        Raises:
            SearchStopped: the task was cancelled.
        """
        moves = self.task.ordered_moves(self.position)
        self.task.begin(self.position)
        return self._guess(functools.partial(self._ask_root, moves)) if moves else None

    def _guess(self, ask: Callable[..., int]) -> int | None:
        """Return a likely value, from searches that prove nothing but fill the table.

        ``None`` where they do not pay: few empty squares, and rules whose plain evaluation sorts no better than
        the search itself (a placement need not capture, or the mover may skip).
        """
        n, rules = self.position.empties, self.position.rules
        if n < _GUESS_FROM or not (self.learned or (rules.mandatory_capture and not rules.optional_skip)):
            return None
        guess = 0
        # how deep was chosen by nodes: hard-20, FFO #40 to #51 and ends of games on 6x6 (benchmarks/solver-log.md)
        for depth in range(2 + n % 2, min(n - 10, 12 if self.learned else _GUESS_DEPTH), 2):
            guess = ask(-self.cells - 1, self.cells + 1, depth, 0)
            if self.learned:
                self._note(guess, depth, 0)
        narrow = self.beta - self.alpha == 1  # only one bound is asked: what else is likely does not matter
        low, high = (self.alpha, self.beta) if narrow else (-self.cells - 1, self.cells + 1)
        for level in _passes(n) if self.learned else ():
            guess += guess & 1
            asked = functools.partial(ask, depth=ALL, level=level)
            guess = settle(asked, guess, low, high)
            self._note(guess + (guess & 1), n, level)
        return guess + (guess & 1)

    def _note(self, value: int, depth: int, caution: int) -> None:
        """Keep a likely value of the position, for the case that nothing will be proved."""
        if self.root_runs:
            self.likely = (max(-self.cells, min(self.cells, value)), depth, caution)

    def _score_moves(self, moves: list[Move], best: Move, value: int) -> None:
        """Find the exact values of the wanted moves, best ones first."""
        left = [move for move in moves if move != best]
        self._enter(best, value, value)
        if (self.count or 0) >= len(self.twins):
            for move in left:
                # no move is better than the best: the window starts there, and widens only downwards
                self._enter(move, -self.cells, value)
            for move in left:
                exact = self._move_value(move, value)
                self._enter(move, exact, exact)
            return
        while left and len(self.moves) < (self.count or 0):
            value = self._root_value(left, value)
            best = left.pop(0)
            self._enter(best, value, value)

    def _enter(self, move: Move, low: int, high: int) -> None:
        """Note the bounds of a move, and of those that are the same by symmetry while more are wanted."""
        for twin, first in self.twins.items():
            if first == move and (twin in self.moves or len(self.moves) < (self.count or 0)):
                self.moves[twin] = (low, high)

    def _move_value(self, move: Move, highest: int) -> int:
        """Return the exact value of a move that is at most ``highest``."""

        def ask(alpha: int, beta: int, depth: int = ALL, level: int = EXACT_LEVEL) -> int:
            return self._proved(self.task.move_value(self.position, move, alpha, beta, depth, level))

        guess = self._guess(ask)
        if guess is None:
            return ask(-self.cells - 1, highest + 1)
        return settle(ask, min(guess, highest), -self.cells - 1, highest + 1)

    def _line(self, position: Position, value: int, line: list[Move], first: Move) -> None:
        """Extend ``line`` by moves that keep ``value``, starting with ``first``, to the end of the game."""
        move: Move | None = first
        while move is not None:
            line.append(move)
            position = position.play(move)
            value = -value
            move = self._keeping(position, value)

    def _keeping(self, position: Position, value: int) -> Move | None:
        """Return a move that reaches the known value; ``None`` when the game is over."""
        moves = self.task.ordered_moves(position)
        if len(moves) <= 1:
            return moves[0] if moves else None
        for move in moves[:-1]:
            if self._proved(self.task.move_value(position, move, value - 1, value)) >= value:
                return move
        return moves[-1]

    def _proved(self, value: int | None) -> int:
        if value is None:
            raise SearchStopped
        return value

    def progress(self) -> SolveProgress:
        """Return the bounds proved so far; another thread than that of `run` calls it."""
        lower, upper, best = self.lower, self.upper, self.best
        if self.root_runs:
            lower, upper, best = max(lower, self.task.lower), min(upper, self.task.upper), self.task.proof or best
        return SolveProgress(lower, upper, best, self.task.nodes, time.perf_counter() - self.began)

    def _asked_bounds(self) -> tuple[int, int]:
        """Return the proved bounds, saying no more than was asked: what lies outside the window depends on the
        table.
        """
        # with the empties to the winner every score is even
        step = 2 if self.position.rules.empties_to_winner else 1
        alpha, beta = self.alpha, self.beta
        if self.lower >= beta:
            return min(-(-beta // step) * step, self.cells), self.cells
        if self.upper <= alpha:
            return -self.cells, max(alpha // step * step, -self.cells)
        return self.lower, self.upper

    def solution(self) -> Solution:
        """Return the proved answer."""
        whole = self.position.to_move, self.position.empties
        cost = self.task.nodes, time.perf_counter() - self.began
        score = _bounded(Score.exact(0, *whole), *self._asked_bounds(), self.cells, cost)
        proved = (score.lower, score.upper) != (-self.cells, self.cells)
        windowed = (self.alpha, self.beta) != (-self.cells - 1, self.cells + 1)
        if self.likely is not None and not proved and not windowed:
            value, depth, caution = self.likely
            score = replace(score, value=value, kind=Kind.HEURISTIC, depth=depth, confidence=None)
            if depth == self.position.empties:
                score = replace(score, kind=Kind.SELECTIVE, confidence=confidence_of(caution, depth))
        if self.wld and (score.lower > 0 or score.upper < 0 or score.lower == score.upper):
            score = replace(score, kind=Kind.WLD)
        scored = [
            MoveScore(
                move,
                _bounded(MoveValue.exact(0, *whole), low, high, self.cells, cost),
                self.lines.get(move, (move,)),
            )
            for move, (low, high) in sorted(self.moves.items())
        ]
        scored.sort(key=lambda entry: -entry.score.value)
        best: tuple[Move, ...] = () if self.best is None else (self.best,)
        if scored and score.kind is Kind.EXACT:
            best = tuple(s.move for s in scored if s.score.kind is Kind.EXACT and s.score.value == score.value)
        pv = tuple(self.pv) or best[:1]
        if scored and best:
            pv = self.lines.get(best[0], pv)
        return Solution(self.position, score, best, pv, tuple(scored), None if best else self.promising)


def _passes(n: int) -> tuple[int, ...]:
    """Return the levels of the selective passes before the proof of a position with ``n`` empty squares."""
    if n < 18:
        return ()
    if n < 22:
        return (0,)
    if n < 26:
        return (0, 3)
    return (0, 2, 4)


def settle(ask: Callable[[int, int], int], guess: int, alpha: int, beta: int) -> int:
    """Return the value by narrow windows around a guess; outside (alpha, beta) a bound will do.

    ``ask(a, b)`` is fail-soft. A window that holds one value is enough where the guess is right.
    """
    low, high, step = alpha, beta, 2  # the value is above low or at most it, as far as anybody wants to know
    guess = min(max(guess, alpha + 1), beta - 1)
    bottom, top = max(guess - 1, alpha), min(guess + 1, beta)
    while True:
        value = ask(bottom, top)
        if bottom < value < top or value <= alpha or value >= beta:
            return value
        if value >= top:
            low = value - 1
            bottom, top = low, min(value + step + 1, high)
        else:
            high = value + 1
            bottom, top = max(value - step - 1, low), high
        if high - low <= 1:
            return value  # selective searches may contradict each other; proofs do not
        step *= 3


def _bounded(base: OneScore, lower: int, upper: int, cells: int, cost: tuple[int, float]) -> OneScore:
    base = replace(base, nodes=cost[0], time_s=cost[1])
    if lower == upper:
        return replace(base, value=lower, lower=lower, upper=upper)
    if lower == -cells and upper < cells:
        return replace(base, value=upper, kind=Kind.UPPER, lower=lower, upper=upper)
    depth = 0 if (lower, upper) == (-cells, cells) else base.depth
    return replace(base, value=lower, kind=Kind.LOWER, lower=lower, upper=upper, depth=depth)
