"""Making certificates: a position is solved, and its strategy collected.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import check_certificate, prove
>>> certificate = prove(Position(parse_rules("othello,board=4x4")), leaf_empties=6)
>>> certificate.lower, certificate.upper
(-10, -10)
>>> check_certificate(certificate).leaves > 0
True
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import NoneType
from typing import Final

from reversi._core import Move, Position
from reversi._version import __version__
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type
from reversi.solver.proofs.certificate import (
    Bound,
    Certificate,
    ProofStopped,
    Relation,
    Statement,
    check_question,
)
from reversi.solver.proofs.prover import Proved
from reversi.solver.proofs.store import ProofStore
from reversi.solver.question import Question
from reversi.solver.solver import Solver
from reversi.solver.symmetry import Image
from reversi.work.cancel import Cancel

LEAF_EMPTIES: Final = 10
"""Empty squares of a leaf: the plain solver needs a few milliseconds for it."""


def prove(
    position: Position,
    question: Question | None = None,
    *,
    leaf_empties: int = LEAF_EMPTIES,
    solver: Solver | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Certificate:
    """Solve a position, and return the strategy that proves its value.

    Args:
        position: the position.
        question: its exact value, or who wins (``wld``), or a window.
        leaf_empties: the solver alone proves positions with at most this many empty squares: the leaves.
        solver: the solver, whose table helps; one is made where none is given.
        cancel: stops it from another thread or a signal handler.
        progress: called with the statements so far and those that still wait to be expanded.

    Raises:
        ProofStopped: ``cancel`` stopped it.
        InputError: ``leaf_empties`` is negative, or the question asks for the scores of moves.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    check_type("question", question, Question, NoneType)
    check_count("leaf_empties", leaf_empties, least=0)
    check_type("solver", solver, Solver, NoneType)
    check_type("cancel", cancel, Cancel, NoneType)
    question = question or Question()
    check_question(question)
    solver = solver or Solver()
    cancel = cancel or Cancel()
    score = solver.ask(position, question, cancel=cancel).score
    if cancel.cancelled:
        raise ProofStopped("the proof was stopped")
    return collect(
        Proved(position, score.lower, score.upper),
        leaf_empties=leaf_empties,
        solver=solver,
        cancel=cancel,
        progress=progress,
    )


def collect(
    proved: Proved,
    *,
    leaf_empties: int = LEAF_EMPTIES,
    solver: Solver | None = None,
    store: ProofStore | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Certificate:
    """Return the strategy that proves what is known of a position.

    Args:
        proved: the position and the bounds of its value.
        leaf_empties: the solver alone proves positions with at most this many empty squares: the leaves.
        solver: finds moves where the store has none; one is made where none is given.
        store: has the bounds of a `Prover`.
        cancel: stops it from another thread or a signal handler.
        progress: called with the statements so far and those that still wait to be expanded.

    Raises:
        ProofStopped: ``cancel`` stopped it.
        InputError: ``leaf_empties`` is negative.
    """
    check_type("proved", proved, Proved)
    check_count("leaf_empties", leaf_empties, least=0)
    check_type("solver", solver, Solver, NoneType)
    check_type("store", store, ProofStore, NoneType)
    check_type("cancel", cancel, Cancel, NoneType)
    solver = solver or Solver()
    cancel = cancel or Cancel()
    claim = Certificate(proved.position, proved.lower, proved.upper, ())
    statements: dict[Bound, Statement] = {}
    # positions as the search met them: its table knows nothing about their images
    waiting = deque((claim.position, bound) for bound in claim.goals())
    while waiting:
        if cancel.cancelled:
            raise ProofStopped("the proof was stopped")
        now, bound = waiting.popleft()
        if bound in statements:
            continue
        if now.is_over or now.empties <= leaf_empties:
            statements[bound] = Statement(bound, leaf=True)
            continue
        move = None
        if bound.relation is Relation.AT_LEAST:
            move = (store and _stored(store, now, bound.value)) or _reaching(solver, now, bound.value, cancel)
        there = None if move is None else Image.like(now, bound.position).moves([move])[0]
        statements[bound] = Statement(bound, there)
        for played in now.legal_moves if move is None else (move,):
            after = now.play(played)
            waiting.append((after, Bound(after.canonical(), bound.relation.other, -bound.value)))
        if progress is not None:
            progress(len(statements), len(waiting))
    return Certificate(claim.position, claim.lower, claim.upper, tuple(statements.values()), __version__)


def _stored(store: ProofStore, position: Position, value: int) -> Move | None:
    """Return a move of a position that the bounds of a store prove to reach a value."""
    for move in position.legal_moves:
        if store.bounds(position.play(move).canonical())[1] <= -value:
            return move
    return None


def _reaching(solver: Solver, position: Position, value: int, cancel: Cancel) -> Move:
    """Return a move of a position that reaches a value."""
    moves = position.legal_moves
    if len(moves) == 1:
        return moves[0]
    move = solver.reaching(position, value, cancel=cancel)
    if cancel.cancelled:
        raise ProofStopped("the proof was stopped")
    if move is None:
        raise AssertionError(f"the solver contradicts itself: {position} is not at least {value}")
    return move
