"""The work of the jobs of a proof.

It answers one question about a position, in most cases whether its value is at least a number. Or it looks at the
question with a selective search, which proves nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from reversi._core import Move, Position, Task
from reversi.solver.question import Question
from reversi.solver.search import ALL, Search
from reversi.solver.solver import Solver
from reversi.solver.stopping import ask
from reversi.work.jobs import Job

_LEVEL: Final = 0  # of selective looks: the cheapest; what it misses costs less than a more careful one


class JobKind(enum.Enum):
    """What a job does."""

    PROVE = "prove"
    LOOK = "look"
    GUESS = "guess"  # the value of the position, which no number bounds


@dataclass(frozen=True, slots=True)
class ProofFound:
    """What a job found.

    Attributes:
        nodes: positions visited.
        lower: the proved lower bound; ``None`` for a look or a guess.
        upper: the proved upper bound.
        value: the likely value or bound of a look or a guess; ``None`` if it does not pay.
        best: the move that a look prefers.
    """

    nodes: int
    lower: int | None = None
    upper: int | None = None
    value: int | None = None
    best: Move | None = None


@dataclass(frozen=True, slots=True)
class ProofWork:
    """What a job does.

    Attributes:
        kind: proof, look or guess.
        position: the position.
        question: what is asked about it.
        solver: returns the solver of the process.
        alone: whether it is the only job for now: all threads of the solver may do it together.
    """

    kind: JobKind
    position: Position
    question: Question
    solver: Callable[[], Solver]
    alone: bool = False

    def do(self, job: Job[Any, Any], /) -> ProofFound | None:
        """Do it; ``None`` if the job was cancelled."""
        solver = self.solver()
        answer = self._prove(solver, job) if self.kind is JobKind.PROVE else self._look(solver, job)
        return None if job.cancel.cancelled else answer

    def _prove(self, solver: Solver, job: Job[Any, Any]) -> ProofFound:
        threads = solver.threads if self.alone else 1
        score = solver.ask(self.position, self.question, threads=threads, cancel=job.cancel).score
        return ProofFound(score.nodes, score.lower, score.upper)

    def _look(self, solver: Solver, job: Job[Any, Any]) -> ProofFound:
        with solver.shared.use(self.position.rules) as table:
            weights = solver.weights(self.position)
            task = Task(table, weights)
            value: int | None = None
            best: Move | None = None

            def work() -> None:
                nonlocal value, best
                if self.kind is JobKind.GUESS:
                    value = Search(self.position, task, Question(), weights is not None, 0.0).guess()
                else:
                    alpha, beta = self.question.bounds(self.position.rules.board.cells)
                    value = task.value(self.position, alpha, beta, ALL, _LEVEL)
                best = None if task.cancelled else task.remembered(self.position)

            ask(task, work, cancel=job.cancel)
            return ProofFound(task.nodes, value=value, best=best)
