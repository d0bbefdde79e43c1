"""Checking certificates: inner statements by the rules, leaves by a solver that shares nothing with the prover."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType

from reversi._core import Position, alpha_beta
from reversi.arguments import check_count, check_type
from reversi.solver.proofs.certificate import (
    Bound,
    Certificate,
    CertificateError,
    ProofStopped,
    Relation,
    Statement,
)
from reversi.solver.question import Question
from reversi.solver.solver import Solver
from reversi.work.cancel import Cancel


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check has looked at.

    Attributes:
        inner: statements that follow from others by the rules.
        leaves: leaves in the certificate.
        solved: leaves that were solved again.
        nodes: positions that this took.
    """

    inner: int
    leaves: int
    solved: int
    nodes: int

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What the check has left out, as short sentences; empty when everything was checked."""
        left = self.leaves - self.solved
        return (f"{left:,d} of {self.leaves:,d} leaves were not solved again",) if left else ()


def check_certificate(
    certificate: Certificate,
    *,
    leaves: int | None = None,
    solver: Solver | None = None,
    name: str = "the certificate",
    cancel: Cancel | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Checked:
    """Check that a certificate proves what it claims.

    Statements with a move, or about all moves, are checked by the rules alone. Leaves are solved again by plain
    alpha-beta, which shares nothing with the solver beside the rules.

    Args:
        certificate: the certificate, as `read_certificate` returns it, hashes checked.
        leaves: how many leaves, chosen at random, are solved again; all when not given.
        solver: solves the leaves in place of plain alpha-beta.
        name: what errors call the file.
        cancel: stops it from another thread or a signal handler.
        progress: called with the number of leaves solved and to be solved.

    Raises:
        CertificateError: it does not prove its claim; the message names the first line that is wrong.
        ProofStopped: ``cancel`` stopped it.
    """

    check_type("certificate", certificate, Certificate)
    check_type("solver", solver, Solver, NoneType)
    check_type("cancel", cancel, Cancel, NoneType)
    check_count("leaves", leaves, least=0, optional=True)

    def poll() -> None:
        if cancel is not None and cancel.cancelled:
            raise ProofStopped("the check was stopped")

    lines: dict[tuple[Position, Relation], int] = {}
    statements = certificate.statements
    for number, statement in enumerate(statements, 2):
        poll()
        key = statement.bound.position, statement.bound.relation
        if key in lines:
            raise CertificateError(f"{name}:{number}: the same position as in line {lines[key]}")
        lines[key] = number
    needed: set[int] = set()

    def need(bound: Bound, where: str) -> None:
        line = lines.get((bound.position, bound.relation))
        if line is None:
            raise CertificateError(f"{name}:{where}: {bound} is missing")
        given = statements[line - 2].bound.value
        if given < bound.value if bound.relation is Relation.AT_LEAST else given > bound.value:
            raise CertificateError(
                f"{name}:{line}: {statements[line - 2].bound}, but {name}:{where} needs {bound}"
            )
        needed.add(line)

    for goal in certificate.goals():
        need(goal, "1")
    for number, statement in enumerate(statements, 2):
        poll()
        if not statement.leaf:
            _check_inner(statement, number, name, need)
    for number in range(2, len(statements) + 2):
        if number not in needed:
            raise CertificateError(f"{name}:{number}: nothing needs {statements[number - 2].bound}")
    all_leaves = [(number, statement.bound) for number, statement in enumerate(statements, 2) if statement.leaf]
    chosen = all_leaves
    if leaves is not None and leaves < len(all_leaves):
        chosen = sorted(random.SystemRandom().sample(all_leaves, leaves), key=lambda leaf: leaf[0])
    nodes = 0
    for count, (number, bound) in enumerate(chosen):
        poll()
        if progress is not None:
            progress(count, len(chosen))
        holds, visited = _holds(bound, solver, cancel, poll)
        poll()  # what was stopped holds nothing
        nodes += visited
        if not holds:
            raise CertificateError(f"{name}:{number}: {bound} is false")
    return Checked(len(statements) - len(all_leaves), len(all_leaves), len(chosen), nodes)


def _check_inner(statement: Statement, number: int, name: str, need: Callable[[Bound, str], None]) -> None:
    position = statement.bound.position
    if position.is_over:
        raise CertificateError(f"{name}:{number}: the game is over, so this must be a leaf")
    if statement.move is not None and not position.is_legal(statement.move):
        raise CertificateError(f"{name}:{number}: {statement.move} is not legal in {statement.bound}")
    for move, bound in statement.children().items():
        need(bound, f"{number} (move {move})")


def _holds(
    bound: Bound, solver: Solver | None, cancel: Cancel | None, poll: Callable[[], None]
) -> tuple[bool, int]:
    """Whether a bound is true, and the nodes that it took to find out."""
    position, at_least = bound.position, bound.relation is Relation.AT_LEAST
    cells = position.rules.board.cells
    if bound.value <= -cells if at_least else bound.value >= cells:
        return True, 0
    if bound.value > cells if at_least else bound.value < -cells:
        return False, 0
    if position.is_over:
        value = position.score
        nodes = 1
    elif solver is not None:
        score = solver.ask(position, Question(window=(bound.value, bound.value)), cancel=cancel).score
        value, nodes = score.lower if at_least else score.upper, score.nodes
    else:
        alpha = bound.value - at_least
        value, nodes = alpha_beta(position, alpha, alpha + 1, poll)
    return (value >= bound.value if at_least else value <= bound.value), nodes
