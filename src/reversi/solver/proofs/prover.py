"""Proving positions piece by piece: a tree above a frontier, whose positions workers solve.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import Solver
>>> from reversi.solver.proofs import Prover
>>> with Prover(Solver(16), frontier_empties=8) as prover:
...     proved = prover.prove(Position(parse_rules("othello,board=4x4")))
>>> proved.lower, proved.upper
(-10, -10)
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from reversi._core import Position, Table, Task
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import MAX_HASH_MB, TEXT_TO_POSITION, check_count, check_type
from reversi.errors import BusyError
from reversi.rules import OTHELLO, Rules
from reversi.solver.costs import FIRST_RATE, estimated_nodes
from reversi.solver.jobs import kept_solver
from reversi.solver.proofs.certificate import ProofStopped, check_bounds, check_question
from reversi.solver.proofs.jobs import JobKind, ProofFound, ProofWork
from reversi.solver.proofs.store import ProofStore
from reversi.solver.proofs.tree import Claim, Node, Tree
from reversi.solver.question import Question
from reversi.solver.settings import SearchSettings
from reversi.solver.solver import Solver
from reversi.solver.stopping import ask
from reversi.solver.table import DEFAULT_BATCH_HASH_MB
from reversi.text.boards import format_board
from reversi.work.cancel import Cancel
from reversi.work.jobs import Job
from reversi.work.threads import Threads
from reversi.work.workers import POLL_S, Workers

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection

_DEPTH: Final = 4  # of the searches that sort moves
_AIM_DEPTH: Final = 12  # of the search that says where the value may be
_DOUBTED: Final = 8  # likely outcomes that are doubted, to find work for idle workers

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Proved:
    """What is proved of a position, as far as it was asked.

    Attributes:
        position: the position.
        lower: the lower bound of its value, in discs for the side to move; minus the squares of the board while
            none is proved.
        upper: the upper bound; the squares of the board while none is proved.

    Raises:
        InputError: a bound is not a score on the board, or the lower one is above the upper one.
    """

    position: Position
    lower: int
    upper: int

    def __post_init__(self) -> None:
        check_bounds(self.position, self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class ProverProgress:
    """How far a proof is.

    Attributes:
        lower: the proved lower bound of the first position that is not finished.
        upper: its proved upper bound.
        finished: positions that are finished.
        jobs: jobs done, in all sessions on the store.
        running: jobs that workers have.
        nodes: positions visited, in all sessions on the store.
    """

    lower: int
    upper: int
    finished: int
    jobs: int
    running: int
    nodes: int


def default_frontier(rules: Rules) -> int:
    """Return the empty squares of positions that workers solve, so that each takes a second or a few."""
    if rules.same_play(OTHELLO):
        return 22
    if rules.mandatory_capture:
        return 16 if rules.optional_skip else 28 if rules.board.cells <= 32 else 19
    return 13 if rules.optional_skip else 15


class Prover(ClosedAtEnd):
    """Proves positions: workers solve the positions of a frontier, and their bounds flow up.

    What is likely decides what is proved first; proved bounds alone decide what is proved. Close it at the end, or
    use it as a context manager; the store stays open.

    Args:
        solver: sorts moves in this thread, and does the jobs with as many threads as it has.
        store: keeps what is known; in memory if not given.
        cluster: does the jobs instead; see `reversi.work.connect`.
        hash_mb: size of the table of each worker process of the cluster in MB (2**20 bytes).
        workers: do the jobs instead, in this process.
        frontier_empties: the empty squares of positions that are solved whole; if not given, 22 under ``othello``
            and 13 to 28 under other rules.
        cancel: stops it from another thread or a signal handler.
        progress: called a few times a second.

    Attributes:
        store: what is known.
        nodes: positions visited by jobs and by searches of this thread.
        jobs: jobs done.

    Raises:
        InputError: ``frontier_empties`` is negative.
        TableSizeError: the tables of local workers of a cluster do not fit in memory.
    """

    def __init__(
        self,
        solver: Solver,
        store: ProofStore | None = None,
        *,
        cluster: Connection | None = None,
        hash_mb: int = DEFAULT_BATCH_HASH_MB,
        workers: Workers[Any, ProofFound] | None = None,
        frontier_empties: int | None = None,
        cancel: Cancel | None = None,
        progress: Callable[[ProverProgress], None] | None = None,
    ) -> None:
        check_type("solver", solver, Solver)
        check_type("store", store, ProofStore, NoneType)
        check_type("workers", workers, Workers, NoneType)
        check_type("cancel", cancel, Cancel, NoneType)
        check_count("hash_mb", hash_mb, MAX_HASH_MB, unit="MB")
        check_count("frontier_empties", frontier_empties, least=0, optional=True)
        self.nodes: int = 0
        self.jobs: int = 0
        self.store: ProofStore = store or ProofStore(None, "", "")
        self._own_store = store is None
        self._solver_of_job: Callable[[], Solver] = lambda: solver
        if cluster is not None:
            from reversi.work.cluster.workers import ClusterWorkers

            workers = ClusterWorkers(cluster, "position", rate=FIRST_RATE, hash_mb=hash_mb)
            self._solver_of_job = functools.partial(kept_solver, SearchSettings(hash_mb))
        self._workers: Workers[tuple[_Goal[object], Claim], ProofFound] = workers or Threads(solver.threads)
        self._frontier = frontier_empties
        self._cancel = cancel or Cancel()
        self._progress = progress
        self._sorting = _Sorting(solver, self._cancel)
        self._goals: list[_Goal[object]] = []
        self._is_asked = False  # whether a call of `prove_all` has not come to its end
        self._finished = 0

    def prove(self, position: Position, question: Question | None = None) -> Proved:
        """Return what is proved of one position: enough to answer the question.

        Raises:
            ProofStopped: it was cancelled; the store has what is proved.
            InputError: the question is about moves, or the store has proofs under other rules.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        check_type("question", question, Question, NoneType)
        ((_, proved),) = self.prove_all([(None, position, question or Question())])
        return proved

    def prove_all(self, goals: Iterable[tuple[K, Position, Question]]) -> Iterator[tuple[K, Proved]]:
        """Yield what is proved of several positions under the same rules, each with its key, in any order.

        A caller that leaves before the end ends the others; what is proved of them stays in the store.

        Raises:
            ProofStopped: it was cancelled; the store has what is proved.
            InputError: a question is about moves, or a position is under other rules than the store.
            BusyError: an earlier call has not come to its end.
        """
        if self._is_asked:
            raise BusyError("the prover has other goals under way; take what is proved of all of them before")
        self._is_asked = True
        waiting = iter(goals)
        more = True
        try:
            while more or self._goals:
                if self._cancel.cancelled:
                    raise ProofStopped("the proof was stopped")
                begins = more and (not self._goals or (self._workers.is_free and not self._send()))
                if begins:
                    new = next(waiting, None)
                    if new is None:
                        more = False
                    else:
                        self._goals.append(self._goal(*new))
                while self._workers.is_free and self._send():
                    pass
                finished = self._finished
                yield from self._finish()  # type: ignore[misc]  # the keys are those of the goals
                if self._goals and self._finished == finished and not begins:
                    self._wait()
        finally:  # the caller may leave before the end
            self._is_asked = False
            self._goals.clear()
            self._withdraw_needless()
        self.store.commit(now=True)

    def _goal(self, key: object, position: Position, question: Question) -> _Goal[object]:
        check_question(question)
        frontier = default_frontier(position.rules) if self._frontier is None else self._frontier
        goal = _Goal(key, position, question, frontier, self.store, self._sorting)
        self._withdraw_needless()
        return goal

    def _finish(self) -> Iterator[tuple[object, Proved]]:
        """Yield the goals that are settled, and withdraw what only they needed."""
        done = [goal for goal in self._goals if goal.is_settled]
        if not done:
            return
        self._goals = [goal for goal in self._goals if not goal.is_settled]
        self._withdraw_needless()
        for goal in done:
            self._finished += 1
            self._save(goal)
            yield goal.key, goal.proved()

    # --- jobs

    def _send(self) -> bool:
        """Send the job that is worth most; return whether there is one."""
        for goal in self._goals:
            if goal.wants_guess:
                if all(job.key[0] is not goal for job in self._workers.running):
                    self._submit(goal, goal.tree.claim(goal.root, 0), JobKind.GUESS)
                    return True
            elif (claim := goal.next()) is not None:
                self._submit(goal, claim)
                return True
        if 2 * len(self._workers.running) < self._workers.threads:
            return self._speculate()
        return False

    def _speculate(self) -> bool:
        """Send what is needed if a likely outcome is wrong."""
        running = [job.key for job in self._workers.running]
        doubtful = sorted(running, key=lambda item: abs(item[1].chance - 0.5))
        for goal, claim in doubtful[:_DOUBTED]:
            supposed = claim.supposed
            if supposed is None:
                continue
            goal.tree.suppose(claim, not supposed)
            found = goal.next()
            goal.tree.suppose(claim, supposed)
            if found is not None and found.supposed is None:
                self._submit(goal, found)
                return True
        return False

    def _submit(self, goal: _Goal[object], claim: Claim, kind: JobKind | None = None) -> None:
        if kind is None:
            kind = JobKind.LOOK if goal.tree.is_unlooked(claim) and not goal.is_whole else JobKind.PROVE
        question = goal.question if goal.is_whole else Question(at_least=claim.number)
        alone = goal.is_whole and len(self._goals) == 1
        if kind is not JobKind.GUESS:
            goal.tree.suppose(claim, claim.chance >= 0.5)
        work = ProofWork(kind, claim.node.position, question, self._solver_of_job, alone)
        self._workers.send((goal, claim), work, claim.node.cost)

    def _wait(self) -> None:
        """Take what the next job found."""
        if not self._workers.is_busy:
            raise AssertionError("the proof has nothing to do, and is not done")
        job, proved = self._workers.next(POLL_S), False
        while job is not None:
            proved |= self._take(job)
            job = self._workers.next(0.0) if self._workers.has_ended else None
        if proved:
            self._withdraw_needless()
        self._report()
        self.store.commit()

    def _take(self, job: Job[tuple[_Goal[object], Claim], ProofFound]) -> bool:
        """Note what a job found; return whether bounds changed."""
        (goal, claim), answer = job.key, job.result()
        assert answer is not None  # nobody cancelled it
        assert isinstance(job.work, ProofWork)
        self._count(answer.nodes + self._sorting.take_nodes())
        goal.take(job.work, answer, claim)
        proves = job.work.kind is JobKind.PROVE or claim.node is goal.root
        if proves:
            self._save(goal)
        return proves

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        self.jobs += 1
        self.store.add("nodes", nodes)
        self.store.add("jobs", 1)

    def _save(self, goal: _Goal[object]) -> None:
        if changed := goal.tree.take_changed():
            self.store.save_bounds((node.key, node.lower, node.upper) for node in changed)

    def _withdraw_needless(self) -> None:
        """Stop the jobs that can no longer settle anything."""
        running = {job: job.key for job in self._workers.running}
        needed: set[Claim] = set()
        for goal in self._goals:
            mine = [claim for of, claim in running.values() if of is goal]
            needed |= set(mine) if goal.wants_guess else goal.tree.needed(mine, goal.claims())
        needless = [job for job, (_, claim) in running.items() if claim not in needed]
        for job in needless:
            goal, claim = job.key
            goal.tree.suppose(claim, None)
        if needless:
            self._workers.withdraw(needless)

    def _report(self) -> None:
        if self._progress is not None and self._goals:
            root = self._goals[0].root
            counted = self.store.count("jobs"), len(self._workers.running), self.store.count("nodes")
            self._progress(ProverProgress(root.lower, root.upper, self._finished, *counted))

    @property
    def _is_open(self) -> bool:
        return self._workers.has_threads

    def close(self) -> None:
        """Stop the workers."""
        self._workers.close()
        self._goals.clear()
        self._sorting.close()
        if self._own_store:
            self.store.close()


class _Sorting:
    """Searches that say what is likely; `ProofStopped` ends them."""

    def __init__(self, solver: Solver, cancel: Cancel) -> None:
        self._solver = solver
        self._cancel = cancel
        self._stack = contextlib.ExitStack()
        self._task: Task | None = None
        self._table: Table | None = None
        self._nodes = 0  # since `take_nodes`

    def likely(self, position: Position) -> int:
        """Return the value that a shallow search in this thread expects."""
        if self._task is None:
            self._task = self._new_task(position)
        before = self._task.nodes
        value = _value(self._task, position, _DEPTH)
        self._nodes += self._task.nodes - before
        self._check()
        return value

    def aim(self, position: Position) -> int:
        """Return the value that a search of up to a second expects."""
        task, value = self._new_task(position), [0]

        def work() -> None:
            value.append(_value(task, position, _AIM_DEPTH))

        ask(task, work, cancel=self._cancel)
        self._nodes += task.nodes
        self._check()
        return value[-1]

    def _new_task(self, position: Position) -> Task:
        if self._table is None:
            self._table = self._stack.enter_context(self._solver.shared.use(position.rules))
        return Task(self._table, self._solver.weights(position))

    def _check(self) -> None:
        if self._cancel.cancelled:
            raise ProofStopped("the proof was stopped")

    def is_learned(self, position: Position) -> bool:
        """Return whether the learned evaluation knows the rules."""
        return self._solver.weights(position) is not None

    def take_nodes(self) -> int:
        """Return the nodes since the last call."""
        nodes, self._nodes = self._nodes, 0
        return nodes

    def close(self) -> None:
        """Give the table back."""
        self._task = None
        self._stack.close()


def _value(task: Task, position: Position, depth: int) -> int:
    """Return the value that a search of some depth expects."""
    cells = position.rules.board.cells
    depth = min(depth, position.empties - 1)
    value = task.value(position, -cells - 1, cells + 1, depth + (depth + position.empties) % 2, 0)
    return max(-cells, min(cells, value or 0))


class _Goal(Generic[K]):
    """One position with what is asked about it, and the tree below it."""

    def __init__(
        self, key: K, position: Position, question: Question, frontier: int, store: ProofStore, sorting: _Sorting
    ) -> None:
        self.key = key
        self.position = position
        self.question = question
        self._frontier = frontier
        self._store = store
        self._sorting = sorting
        rules = position.rules
        self._cells = rules.board.cells
        self._step = 2 if rules.empties_to_winner else 1  # with the empties to the winner every score is even
        alpha, beta = question.bounds(self._cells)
        self._first, self._last = self._rounded(alpha + 1), self._rounded(beta)  # claims that are asked about
        learned = sorting.is_learned(position)
        self.tree = Tree(self._node, self._step, looks=learned, recall=self._recall)
        self.root = self.tree.node(position)
        self._stride = self._step
        #: whether one job answers the question
        self.is_whole = self.root.is_leaf
        self._aims: set[int] = set()
        self._aim = 0
        #: whether a job has to guess the value first
        self.wants_guess = False
        if not self.is_whole and not self.is_settled:
            if learned:
                self._aim = self._rounded(sorting.aim(position))
            else:
                self.wants_guess = True

    def _rounded(self, number: int) -> int:
        return -(-number // self._step) * self._step

    @property
    def is_settled(self) -> bool:
        """Whether the question is answered."""
        root = self.root
        return root.lower == root.upper or root.lower >= self._last or root.upper < self._first

    def proved(self) -> Proved:
        """Return the proved bounds, as far as they were asked."""
        lower, upper = self.root.lower, self.root.upper
        if lower >= self._last:
            lower, upper = self._last, self._cells
        elif upper < self._first:
            lower, upper = -self._cells, self._first - self._step
        return Proved(self.position, lower, upper)

    def next(self) -> Claim | None:
        """Return the claim to look at or to prove next; ``None`` where workers have all that may count."""
        while True:
            lower, upper = self.root.lower, self.root.upper
            for root in self.claims():
                if (claim := self.tree.next(root)) is not None:
                    return claim
            if (lower, upper) == (self.root.lower, self.root.upper):
                return None
            self._move_aim(lower, upper)  # what was known already settled a claim, which leads to the next

    def claims(self) -> list[Claim]:
        """Return the claims about the position that are worth settling now: the two around the likely value."""
        if self.is_settled:
            return []
        if self.is_whole:
            return [self.tree.claim(self.root, max(self._first, self.root.lower + self._step))]
        first, last = max(self._first, self.root.lower + self._step), min(self._last, self.root.upper)
        while True:
            aim = max(first - self._step, min(last, self._aim))
            claims = [self.tree.claim(self.root, number) for number in (aim, aim + self._step)]
            claims = [claim for claim in claims if first <= claim.number <= last]
            # a selective search may have seen that the value is elsewhere; each place is tried once
            self._aims.add(aim)
            moved = aim
            if claims[0].number == aim and claims[0].expected is False:
                moved = aim - self._step
            elif claims[-1].number > aim and claims[-1].expected is True:
                moved = aim + self._step
            if moved == aim or moved in self._aims or not first - self._step <= moved <= last:
                return claims
            self._aim = moved

    def take(self, work: ProofWork, answer: ProofFound, claim: Claim) -> None:
        """Note what a job found."""
        if work.kind is JobKind.GUESS:
            self.wants_guess = False
            self._aim = self._rounded(int(self.root.likely) if answer.value is None else answer.value)
            return
        self.tree.suppose(claim, None)
        if answer.value is not None:
            holds = answer.value >= claim.number
            hint = None if answer.best is None else work.position.play(answer.best).canonical()
            self._store.save_look(claim.node.key, claim.number, holds, hint)
            self.tree.expect(claim, holds, hint)
        elif answer.lower is not None and answer.upper is not None:
            lower, upper = self.root.lower, self.root.upper
            self.tree.learn(claim.node, answer.lower, answer.upper)
            self._move_aim(lower, upper)

    def _move_aim(self, lower: int, upper: int) -> None:
        """Go further from a refuted likely value each time, as long as the value is not found."""
        if self.root.upper < upper and self.root.upper < self._aim:
            self._aim = self.root.upper - self._stride + self._step
            self._stride *= 2
        elif self.root.lower > lower and self.root.lower > self._aim:
            self._aim = self.root.lower + self._stride - self._step
            self._stride *= 2

    def _node(self, position: Position, key: Position) -> Node:
        if position.is_over:
            return Node(position, position.score, position.score, key=key)
        lower, upper = self._store.bounds(key)
        return Node(
            position,
            lower,
            upper,
            key=key,
            likely=self._sorting.likely(position) if lower < upper else lower,
            cost=estimated_nodes(position),
            leaf=position.empties <= self._frontier,
        )

    def _recall(self, claim: Claim) -> None:
        look = self._store.look(claim.node.key, claim.number)
        if look is not None:
            claim.expected, hint = look
            after = (claim.node.position.play(move).canonical() for move in claim.node.position.legal_moves)
            claim.hint = next((position for position in after if format_board(position) == hint), None)
