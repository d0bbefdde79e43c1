"""Searching that need not reach the end of the game: iterative deepening, selectivity, several best moves, limits.

>>> from reversi import Position
>>> from reversi.engine.search import search
>>> found = search(Position(), depth=4)
>>> found.score.kind.value, found.score.depth, found.move == found.likely
('heuristic', 4, True)
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, TypeVar

from reversi._core import EXACT_LEVEL, PASS, Move, Position, Task, Weights, as_move
from reversi.arguments import MAX_NODES, TEXT_TO_POSITION, check_count, check_seconds, check_type
from reversi.errors import ArgumentError, GameError, InputError
from reversi.evaluation.confidence import CAUTIONS, UNPRUNED, caution_for, confidence_of
from reversi.score import Kind, MoveValue, Score, best_of
from reversi.solver.costs import PREPARED, estimated_nodes
from reversi.solver.search import ALL, settle
from reversi.solver.solution import MoveScore, Solution, read_score, read_solution, score_fields
from reversi.solver.solver import Solver, at_work
from reversi.solver.stopping import SearchStopped, ask, ask_here
from reversi.solver.symmetry import Image, twins
from reversi.solver.table import DEFAULT_HASH_MB
from reversi.work.cancel import Cancel

_HORIZON = 10
"""With this many empty squares beyond the depth or fewer, a search to the end is cheaper than a deeper one."""
_TIMED_HORIZON = 6
"""The same where time is limited: a deeper search that ends is worth more than one to the end that is stopped."""
_UNPRUNED_TO = 15
"""With this many empty squares or fewer a search to the end prunes nothing, whatever its caution."""
_PASSES = (0, 2, 4)
"""The cautions of the selective searches to the end that lead to an exact one."""
_TIMED_PASSES = (0, 1, 2, 3, 4, 5)
"""The same where time is limited: the next step is never much longer than the one before."""
_CAUTION = 0  # depth is worth more than certainty
_TIMED_CAUTION = 1  # the same where time is limited: with 0 or 2 it plays weaker (benchmarks/solver-log.md)
_GROWTH = 1.0  # a step's first move takes at least this many times as long as the whole step before
_GROWTH_TO_END = 2.0  # the same for a step to the end of the game
_USUAL_GROWTH = 1.5  # a step takes this many times as long as the longer one of the two before
_USUAL_GROWTH_TO_END = 2.5  # the same for a step to the end of the game
_CLEAR_BY = 6  # discs by which one move is better than all others, so that more time would not change it
_CLEAR_STEPS = 5  # steps in a row with the same best move, before that is looked at
_CLEAR_AFTER = 0.2  # of the time for a move
_CLEAR_LESS = 4  # placements by which the other moves are searched less deep
_ENDLESS_ABOVE = 30  # with more empty squares a search to the end needs something that ends it
_QUICK = 12  # searches of this depth or less take milliseconds: a thread of their own costs as much
_QUICK_PLAIN = 3  # the same without the learned evaluation, which prunes
_SHARED_FROM = 10  # searches of this depth or more are worth more than one thread


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Estimate(Solution):
    """The answer of a search that need not reach the end of the game: a `Solution` that may be unproved.

    `score.kind` says what the value of the position is, `score.depth` how far the search looked. ``best`` is empty
    unless the move is proved; ``likely`` has the best move then, and ``move`` in either case. ``moves`` are the
    best moves, as many as asked, best first, with values of one kind, depth and confidence, and their lines as far
    as they are known. A move that ends the game at once has its exact value; the score is exact only where no
    other move can be better.

    Attributes:
        competing: the value of the best move that competes, as sure as the values of all that do.
        nodes: positions visited.
        time_s: wall-clock seconds.
        complete: whether the search got as far as was asked, and was not stopped by a limit.
    """

    competing: MoveValue
    nodes: int = 0
    time_s: float = 0.0
    complete: bool = True

    @classmethod
    def of(
        cls,
        position: Position,
        score: Score,
        moves: tuple[MoveScore, ...],
        nodes: int,
        time_s: float,
        complete: bool,
        competing: MoveValue | None = None,
    ) -> Estimate:
        """Return the answer that a score and the best moves make; at least one move.

        Without ``competing`` all moves do.
        """
        first = moves[0]
        best, likely = ((first.move,), None) if score.kind is Kind.EXACT else ((), first.move)
        return cls(
            position,
            score,
            best,
            first.pv,
            moves,
            likely,
            competing=competing or score.for_best_move(),
            nodes=nodes,
            time_s=time_s,
            complete=complete,
        )

    def __str__(self) -> str:
        return ", ".join(map(str, self.moves))

    def fields(self) -> dict[str, object]:
        """Return the values of `to_json`."""
        more = {"competing": score_fields(self.competing), "searched": self.nodes, "spent_s": self.time_s}
        return {**Solution.fields(self), **more, "complete": self.complete}

    @staticmethod
    def from_json(text: str | bytes | Mapping[str, Any]) -> Estimate:
        """Return the estimate that `to_json` wrote, or its values.

        Raises:
            InputError: it is none.
        """
        from reversi._system.plain_json import read_json

        return read_json(text, _read_estimate, "an estimate")

    @property
    def move(self) -> Move:
        """The best move found."""
        return self.moves[0].move

    @property
    def is_exact(self) -> bool:
        """Whether the value and the best move are proved."""
        return bool(self.best)


def _read_estimate(fields: Mapping[str, Any]) -> Estimate:
    answer = read_solution(fields)
    competing = read_score(MoveValue, fields["competing"], answer.position)
    spent = int(fields["searched"]), float(fields["spent_s"]), bool(fields["complete"])
    return Estimate.of(answer.position, answer.score, answer.moves, *spent, competing)


S = TypeVar("S", bound=Solution)


def seen_from(position: Position, image: Image, answer: S) -> S:
    """Return the answer about a position that the one about its image stands for."""
    lines = [image.moves_back(scored.pv) for scored in answer.moves]
    return replace(
        answer,
        position=position,
        best=tuple(sorted(image.moves_back(answer.best))),
        pv=image.moves_back(answer.pv),
        moves=tuple(MoveScore(line[0], each.score, line) for line, each in zip(lines, answer.moves, strict=True)),
        likely=None if answer.likely is None else image.moves_back([answer.likely])[0],
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """One search of the whole tree: its depth in placements (``ALL``: to the end) and its caution."""

    depth: int
    caution: int


@dataclass(frozen=True, slots=True)
class _Found:
    """What a step has found: the score of the position, the value of the moves that compete, and the best ones."""

    score: Score
    competing: MoveValue
    moves: tuple[MoveScore, ...]


class _Search:
    """One position being searched, step by step; what the last whole step found."""

    def __init__(
        self,
        position: Position,
        task: Task,
        steps: Iterator[_Step],
        count: int,
        began: float,
        time_s: float | None = None,
        soft_s: float | None = None,
        deep: bool = False,
        among: list[Move] | None = None,
        played: Move | None = None,
    ) -> None:
        self.position = position
        self.task = task
        self.steps = steps
        self.count = count
        self.began = began
        self.time_s = time_s
        self.soft_s = soft_s
        self.deep = deep  # whether sorting the moves first is worth it
        self.peers: dict[Move, list[Move]] = {}  # the moves that compete, by the first of those alike by symmetry
        firsts = twins(position)
        for move in among or firsts:
            self.peers.setdefault(firsts[move], []).append(move)
        self.all_compete = self.peers.keys() == set(firsts.values())
        self.played = None if played is None else firsts[played]  # the move that is valued in any case
        self.cells = position.rules.board.cells
        self.found: _Found | None = None
        self.whole: list[_Found] = []  # what each whole step found
        self.order: list[Move] = []  # those that speak for their peers: the move played, then the best ones
        self.last: _Step | None = None  # the last whole step
        self.finished = False
        self.better: tuple[int, Move, _Step] | None = None  # what the step under way has found
        self.looked_at: Move | None = None  # the move that was compared with all others

    def run(self) -> None:
        """Go through the steps while the limits allow it; `ask` calls this."""
        try:
            self._run()
            self.finished = True
        except SearchStopped:
            if not self.task.is_spent:
                self._adopt()
        if (
            self.played is not None
            and self.last is not None
            and self.found is not None
            and len(self.found.moves) < min(self.count, len(self.order))
        ):
            with contextlib.suppress(SearchStopped):
                self.found = self._with_rest(self.found.moves, self.last)

    def _run(self) -> None:
        first = next(self.steps)
        # every step brings its best move to the front: a cheap order is enough to begin with
        moves: list[Move] = (
            self.task.ordered_moves(self.position, first.depth) if self.deep else [*self.position.legal_moves]
        )
        moves = [move for move in moves if move in self.peers]
        if self.played is not None:
            moves.remove(self.played)
            moves.insert(0, self.played)
        self.order = moves
        values: list[int] = []
        last_s = before_last_s = 0.0
        for step in itertools.chain((first,), self.steps):
            before_s = time.perf_counter()
            if self.found is not None and not (
                self._goes_on(step, last_s, before_last_s) and self._is_open(step, moves, values)
            ):
                raise SearchStopped
            self.found, values = self._take(step, moves, values)
            self.whole.append(self.found)
            self.last = step
            before_last_s, last_s = last_s, time.perf_counter() - before_s

    def _goes_on(self, step: _Step, last_s: float, before_last_s: float) -> bool:
        """Return whether a deeper step may begin, after one of ``last_s`` seconds."""
        # a step takes longer than the one before: it is not begun when it cannot be expected to be of use
        spent = time.perf_counter() - self.began
        to_end = step.depth == ALL
        if self.soft_s is not None:
            growth = _USUAL_GROWTH_TO_END if to_end else _USUAL_GROWTH
            if spent + growth * max(last_s, before_last_s) > self.soft_s:
                return False
        if self.time_s is not None:
            growth = _GROWTH_TO_END if to_end else _GROWTH
            if spent + growth * last_s > self.time_s:
                return False
        return True

    def _is_open(self, step: _Step, moves: list[Move], values: list[int]) -> bool:
        """Return whether more time may change the move; where a clock runs, other answers need none."""
        if self.soft_s is None or self.count > 1 or self.played is not None:
            return True
        if len(moves) == 1:
            return False
        spent = time.perf_counter() - self.began
        steady = self.whole[-_CLEAR_STEPS:]
        if len(steady) < _CLEAR_STEPS or any(found.moves[0].move != moves[0] for found in steady):
            return True
        if spent < _CLEAR_AFTER * self.soft_s or self.looked_at == moves[0]:
            return True
        self.looked_at = moves[0]
        enough = max(values[0] - _CLEAR_BY, -self.cells)
        self.better = None
        self.task.begin(self.position)
        depth = max((self.position.empties if step.depth == ALL else step.depth) - _CLEAR_LESS, 1)
        others = self.task.root(self.position, moves[1:], enough - 1, enough, depth, step.caution)
        if others is None:
            raise SearchStopped
        return others >= enough

    def _take(self, step: _Step, moves: list[Move], values: list[int]) -> tuple[_Found, list[int]]:
        """Search all moves; they end up with the best ones first. Also the values of those that were asked for."""
        self.better = None
        left = list(moves)
        valued: list[MoveScore] = []
        count = self.count
        if (
            self.played is not None
        ):  # one other move is enough to begin with; a clock may leave no time for the rest
            count = 2 if self.time_s is None else max(2, count)
        for number in range(min(count, len(moves))):
            group = [left.pop(0)] if self.played is not None and not number else left
            asked = functools.partial(self._ask, group, step)
            low, high = -self.cells - 1, self.cells + 1
            if number < len(values) and len(group) > 1:
                value = settle(asked, values[number], low, high)
            else:
                value = asked(low, high)
            valued.append(self._scored(group.pop(0), value, step))
        # none of those left looks better than the last one that was valued
        found = self._found(valued, *([self._value(valued[-1].score.value, step)] if left else []))
        valued = sorted(found.moves, key=lambda scored: scored.move != self.played)
        moves[:] = [scored.move for scored in valued] + left
        return found, [scored.score.value for scored in valued]

    def _with_rest(self, moves: tuple[MoveScore, ...], step: _Step) -> _Found:
        """Value the other moves by the last whole step: the best of them is known."""
        rest = [move for move in self.order if all(move != scored.move for scored in moves)]
        best = next(scored.score.value for scored in moves if scored.move != self.played)
        asked = [
            self._scored(move, min(self._ask([move], step, -self.cells - 1, best + 1), best), step)
            for move in rest
        ]
        return self._found([*moves, *asked])

    def _found(self, moves: Iterable[MoveScore], *others: MoveValue) -> _Found:
        """Return moves, best first, with the score of the position; ``others`` stands for the other moves."""
        # selective searches may contradict each other; of equal moves the surest comes first
        best_first = tuple(sorted(moves, key=lambda scored: (-scored.score.value, -scored.score.lower)))
        score = best_of([*(scored.score for scored in best_first), *others])
        rivals = [*(scored.score for scored in best_first if scored.move != self.played), *others]
        competing = best_of(rivals or [score.for_best_move()]).for_best_move()
        if not self.all_compete:  # nothing is known of the rest
            score = best_of([competing, self._guessed(-self.cells, competing.depth)])
        return _Found(score, competing, best_first)

    def _scored(self, move: Move, value: int, step: _Step) -> MoveScore:
        if step.depth == ALL and self.position.rules.empties_to_winner:
            value += value & 1  # pruning may give an odd bound for an even score
        reached = self._ended(move) or self._value(self._within(value), step)
        return MoveScore(move, reached, self._line(move, step.depth))

    def all_alike(self, moves: tuple[MoveScore, ...]) -> tuple[MoveScore, ...]:
        """Return scored moves with those that are the same by symmetry, as many as were asked for."""
        found = [
            scored if move == scored.move else self._like(scored, move)
            for scored in moves
            for move in self.peers[scored.move]
        ]
        return tuple(found if self.played is not None else found[: self.count])

    def _like(self, scored: MoveScore, move: Move) -> MoveScore:
        """Return a scored move as one that leads to the same position up to symmetry."""
        image = Image.like(self.position.play(scored.move), self.position.play(move))
        return MoveScore(move, scored.score, (move, *image.moves(scored.pv[1:])))

    def _ask(self, moves: list[Move], step: _Step, alpha: int, beta: int) -> int:
        task = self.task
        task.begin(self.position)
        value = task.root(self.position, moves, alpha, beta, step.depth, step.caution)
        best, reached = task.best, task.best_value
        if best is not None and reached is not None:
            self.better = (reached, best, step)
        if value is None:
            raise SearchStopped
        if best is not None and value > alpha:
            moves.remove(best)
            moves.insert(0, best)
        return value

    def _adopt(self) -> None:
        """Take the move that the unfinished step found better than the best one of the last whole step."""
        if self.better is None or self.count > 1 or self.played is not None or self.found is None:
            return
        value, best, step = self.better
        if self.found.moves[0].move == best:
            return
        # neither the search of the move nor that of the others need have ended
        guessed = self._guessed(self._within(value), min(step.depth, self.position.empties))
        reached = self._ended(best) or guessed
        self.found = self._found([MoveScore(best, reached, self._line(best, step.depth))], guessed)

    def glanced(self, glance: Task) -> _Found:
        """Return the first moves of the order with the value of the position itself: nothing is visited."""
        cells = self.cells
        value = self._guessed(glance.value(self.position, -cells - 1, cells + 1, 0, 0) or 0, 0)
        return self._found(
            [MoveScore(move, self._ended(move) or value, (move,)) for move in self.order[: self.count]], value
        )

    def _within(self, value: int) -> int:
        return max(-self.cells, min(self.cells, value))

    def _line(self, first: Move, depth: int) -> tuple[Move, ...]:
        """Return the line that the table remembers, as far as the search looked."""
        line = [first]
        position = self.position.play(first)
        depth = min(depth, self.position.empties)
        while not position.is_over and sum(not move.is_pass for move in line) < depth:
            move = self.task.remembered(position)
            if move is None and not position.legal_moves.placements:
                move = PASS
            if move is None:
                break
            line.append(move)
            position = position.play(move)
        return tuple(line)

    def _ended(self, move: Move) -> MoveValue | None:
        """Return the value of a move that ends the game, with which nothing is left to search; else ``None``."""
        after = self.position.play(move)
        if not after.is_over:
            return None
        return self._with_cost(MoveValue.exact(-after.score, self.position.to_move, self.position.empties))

    def _value(self, value: int, step: _Step) -> MoveValue:
        """Return the value of a move, or of the best of several, that a whole step has searched."""
        n, view = self.position.empties, self.position.to_move
        if step.depth < n:
            return self._guessed(value, step.depth)
        if step.caution == EXACT_LEVEL:
            return self._with_cost(MoveValue.exact(value, view, n))
        sure = confidence_of(step.caution, n)
        return self._with_cost(MoveValue.stated(value, Kind.SELECTIVE, view, self.cells, depth=n, confidence=sure))

    def _guessed(self, value: int, depth: int) -> MoveValue:
        view = self.position.to_move
        return self._with_cost(
            MoveValue.stated(value, Kind.HEURISTIC, view, self.cells, depth=depth, confidence=None)
        )

    def _with_cost(self, value: MoveValue) -> MoveValue:
        return replace(value, nodes=self.task.nodes, time_s=time.perf_counter() - self.began)


class Searcher:
    """Searches positions, one after another or several at once from several threads, with one table.

    Args:
        hash_mb: size of the table in MB (2**20 bytes).
        threads: how many threads search one position.
        evaluation: whether the learned evaluation is used where it knows the rules, or weights of one's own.
            Elsewhere a plain evaluation takes its place.

    Raises:
        InputError: ``hash_mb`` is not from 1 to 2**31 - 1, or ``threads`` not from 1 to 4096.
        TableSizeError: the machine has not enough memory for the table.
    """

    def __init__(
        self, hash_mb: int = DEFAULT_HASH_MB, threads: int = 1, evaluation: bool | Weights = True
    ) -> None:
        self._solver = Solver(hash_mb, threads, evaluation)

    def __repr__(self) -> str:
        return f"<Searcher hash_mb={self._solver.settings.hash_mb} threads={self._solver.threads}>"

    @property
    def solver(self) -> Solver:
        """The solver on the same table."""
        return self._solver

    def clear(self) -> None:
        """Forget everything; the next answer is as from a new searcher. Waits for answers under way."""
        self._solver.clear()

    def search(
        self,
        position: Position,
        *,
        count: int = 1,
        depth: int | None = None,
        confidence: int | None = None,
        caution: int | None = None,
        time_s: float | None = None,
        soft_s: float | None = None,
        nodes: int | None = None,
        among: Collection[Move | str] | None = None,
        played: Move | str | None = None,
        cancel: Cancel | None = None,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Return the best moves of a position. Those that are the same by symmetry have one value.

        Without a depth it goes to the end of the game, and with a confidence of 100 the scores are exact then.
        With more than 30 empty squares that takes too long: a depth, a limit or ``cancel`` must end it.

        Args:
            position: any position under any rule set.
            count: how many best moves to score.
            depth: placements to look ahead; a depth that reaches the end of the game solves the position.
            confidence: percent, 1 to 100: how sure the value shall be; 100 prunes nothing. By default a search to
                the end of the game is exact, and others prune as much as pays: a little less where ``time_s`` is
                given.
            caution: how cautiously to prune instead, from 0 (see `reversi.evaluation.confidence`).
            time_s: seconds; then the search stops. The answer is that of the last whole iteration, or a better
                move of the unfinished one with its heuristic value. An iteration that cannot get that far does not
                begin.
            soft_s: seconds; no iteration is begun that would probably end later.
            nodes: positions to visit. The answer is that of the last whole iteration; where none ends before,
                ``depth`` is 0. With one thread no position beyond them has a part in the answer; with several the
                search ends a few hundredths of a second later.
            among: the moves that compete; by default all legal ones. Without the others the score of the position
                is not proved; ``competing`` may be.
            played: a move that is valued in any case, by the same iterations as the best of the others, which
                compete. ``moves`` has these two with their symmetric ones, and all legal moves where ``count`` is
                as many.
            cancel: stops it from another thread; as a limit does.
            progress: called a few times a second with what was found so far, from this thread, and once at least
                for each depth that the search completes.

        Raises:
            GameError: the game is over.
            KeyboardInterrupt: Ctrl-C.
            InputError: a number that makes no sense, or nothing ends a search of more than 30 empty squares.
            BusyError: this thread is within a question under other rules, to this searcher.
        """
        _check(position, count, depth, confidence, caution)
        competing = _competing(position, among)
        if played is not None:
            if among is not None:
                raise InputError("among and played choose moves in different ways; give one of them")
            played = as_move(played)
            if played not in position.legal_moves:
                raise InputError("played must be a legal move of the position")
        check_seconds("time_s", time_s, optional=True)
        check_seconds("soft_s", soft_s, optional=True)
        check_count("nodes", nodes, MAX_NODES, optional=True)
        began = time.perf_counter()
        n = position.empties
        check_type("cancel", cancel, Cancel, NoneType)
        limits = (depth, time_s, soft_s, nodes, cancel)
        if n > _ENDLESS_ABOVE and all(limit is None for limit in limits):
            raise InputError(
                f"a search of {n} empty squares to the end of the game takes too long; "
                "give depth, time_s, soft_s, nodes or cancel"
            )
        learned = self._solver.weights(position)
        to_end = depth is None or depth >= n
        if confidence is not None:
            caution = caution_for(confidence, n if to_end else depth or 0)
        # without the learned evaluation nothing is pruned
        exact = to_end and (learned is None or caution is None or caution >= CAUTIONS or n <= _UNPRUNED_TO)
        limited = time_s is not None or soft_s is not None or cancel is not None or progress is not None
        if caution is None:
            caution = _quick_caution(learned is not None, time_s is not None)
        goal = _Step(ALL if to_end else depth or 0, EXACT_LEVEL if exact else caution)
        answer: Estimate | None = None
        chosen = competing is not None or played is not None
        if not exact or limited or nodes is not None or chosen:
            answer = self._deepen(
                position, goal, count, began, time_s, soft_s, nodes, competing, played, cancel, progress
            )
            if not exact or chosen or not answer.complete or (cancel is not None and cancel.cancelled):
                return answer
        spent, visited = time.perf_counter() - began, answer.nodes if answer else 0
        seconds_left = None if time_s is None else time_s - spent
        if answer is not None and soft_s is not None and spent + _proof_s(answer) > soft_s:
            seconds_left = 0.0
        if (seconds_left is None or seconds_left > 0) and (nodes is None or nodes > visited):
            solution = self._solver.solve(
                position,
                multi=count if count > 1 else None,
                time_s=seconds_left,
                nodes=nodes and nodes - visited,
                cancel=cancel,
            )
            score, visited = solution.score, visited + solution.score.nodes
            if solution.is_exact:
                moves = solution.moves or (MoveScore(solution.best[0], score.for_best_move(), solution.pv),)
                return Estimate.of(position, score, moves[:count], visited, time.perf_counter() - began, True)
        assert answer is not None
        return replace(answer, complete=False, nodes=visited, time_s=time.perf_counter() - began)

    def _deepen(
        self,
        position: Position,
        goal: _Step,
        count: int,
        began: float,
        time_s: float | None,
        soft_s: float | None,
        nodes: int | None,
        among: list[Move] | None,
        played: Move | None,
        cancel: Cancel | None,
        progress: Callable[[Estimate], None] | None,
    ) -> Estimate:
        with self._solver.shared.use(position.rules) as table:
            weights = self._solver.weights(position)
            deep = goal.depth >= _SHARED_FROM
            task = Task(table, weights, at_work(self._solver.threads) if deep else 1, nodes or 0)
            stride = 2 if time_s is None and soft_s is None else 1
            horizon = _HORIZON if time_s is None or weights is None else _TIMED_HORIZON
            passes = _PASSES if time_s is None else _TIMED_PASSES
            shallow = _quick_caution(weights is not None, time_s is not None)
            steps = _steps(position.empties, goal, weights is not None, stride, horizon, passes, shallow)
            chosen = among is not None or played is not None
            if chosen and goal.caution == EXACT_LEVEL:  # the solver knows no choice of moves
                steps = itertools.chain(steps, (goal,))
            search = _Search(position, task, steps, count, began, time_s, soft_s, deep, among, played)

            def so_far(found: _Found, *, complete: bool) -> Estimate:
                spent = time.perf_counter() - began
                moves = search.all_alike(found.moves)
                return Estimate.of(position, found.score, moves, task.nodes, spent, complete, found.competing)

            reported = 0

            def poll() -> None:
                nonlocal reported
                found = search.found
                if progress is None or found is None:
                    return
                whole = search.whole[reported:]
                reported += len(whole)
                for each in whole or (found,):
                    progress(so_far(each, complete=search.finished))

            limited = time_s is not None or soft_s is not None or progress is not None
            quick = _QUICK if weights is not None else _QUICK_PLAIN
            if not limited and task.threads == 1 and goal.depth <= quick:
                ask_here(task, search.run, cancel)
            else:
                deadline = None if time_s is None else began + time_s
                ask(task, search.run, deadline=deadline, cancel=cancel, poll=poll)
                if len(search.whole) > reported:
                    poll()  # the last steps end between two calls
            found = search.found
            if found is None and nodes is not None:
                return so_far(search.glanced(Task(table, weights)), complete=False)
            if found is None:  # there was no time for anything: the shallowest answer is given all the same
                hasty = _Search(
                    position, Task(table, weights), iter((_Step(1, 0),)), count, began, among=among, played=played
                )
                ask_here(hasty.task, hasty.run)
                assert hasty.found is not None
                return so_far(hasty.found, complete=False)
            return so_far(found, complete=search.finished)


def _competing(position: Position, among: Collection[Move | str] | None) -> list[Move] | None:
    """Return the moves to choose from; ``None`` for all."""
    if among is None:
        return None
    if isinstance(among, str):
        raise ArgumentError('among must be several moves, not one text; put it into a list, ["f5"]')
    wanted = {as_move(move) for move in among}
    moves: list[Move] = [move for move in position.legal_moves if move in wanted]
    if not moves or len(moves) < len(among):
        raise InputError("among must be one or more legal moves of the position, each once")
    return moves


def check_unfinished(position: Position) -> None:
    """Refuse what has no moves to choose from.

    Raises:
        ArgumentError: it is no position.
        GameError: the game is over.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    if position.is_over:
        raise GameError("the game is over; there are no moves to choose from")


def _check(position: Position, count: int, depth: int | None, confidence: int | None, caution: int | None) -> None:
    check_unfinished(position)
    check_count("count", count)
    check_count("depth", depth, optional=True)
    if confidence is not None and caution is not None:
        raise InputError("confidence and caution set the same thing; give one of them")
    check_count("confidence", confidence, 100, unit="percent", optional=True)
    check_count("caution", caution, CAUTIONS, least=0, optional=True)


def _proof_s(answer: Estimate) -> float:
    """Estimate how long solving a position takes, from the speed of a search that has come to its end."""
    nodes_per_s = max(answer.nodes, 1) / max(answer.time_s, 1e-6)
    return PREPARED * estimated_nodes(answer.position) / nodes_per_s


def _quick_caution(learned: bool, timed: bool) -> int:
    """Return how cautiously a search prunes that nobody has asked to be sure."""
    if not learned:
        return UNPRUNED
    return _TIMED_CAUTION if timed else _CAUTION


def _steps(
    n: int, goal: _Step, learned: bool, stride: int, horizon: int, passes: tuple[int, ...], shallow: int
) -> Iterator[_Step]:
    """Yield the searches that lead to the goal, cheap ones first; an exact goal itself is left to the solver.

    Those that do not reach the end on the way to one that does prune with the caution ``shallow`` at most.
    """
    shallow = min(goal.caution, shallow) if goal.depth == ALL else goal.caution
    last = max(n - horizon, 1) if goal.depth == ALL else goal.depth
    for depth in range(1 if stride == 1 else 2 - last % 2, last + 1, stride):
        yield _Step(min(depth, n), shallow)
    if goal.depth == ALL and learned and n > _UNPRUNED_TO:
        for caution in passes:
            if caution < goal.caution:
                yield _Step(ALL, caution)
        if goal.caution < EXACT_LEVEL:
            yield _Step(ALL, goal.caution)


def search(
    position: Position,
    *,
    count: int = 1,
    depth: int | None = None,
    confidence: int | None = None,
    caution: int | None = None,
    time_s: float | None = None,
    nodes: int | None = None,
    hash_mb: int = DEFAULT_HASH_MB,
    threads: int = 1,
    cancel: Cancel | None = None,
    progress: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """Search one position; see `Searcher.search`, which also has ``soft_s``, ``among`` and ``played``.

    One `Searcher` is faster for several positions; it also searches with weights of one's own.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    return Searcher(hash_mb, threads).search(
        position,
        count=count,
        depth=depth,
        confidence=confidence,
        caution=caution,
        time_s=time_s,
        nodes=nodes,
        cancel=cancel,
        progress=progress,
    )
