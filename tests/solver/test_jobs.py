"""The work of solving: what a process keeps, and how far away a deadline is."""

from __future__ import annotations

import pickle
import time

import pytest

from endings import random_ending
from reversi.solver import Question, SearchSettings, Solver, jobs as solver_jobs
from reversi.solver.jobs import Deadline, SolveWork, kept_solver
from reversi.work.jobs import Job


def kept() -> Solver:
    return kept_solver(SearchSettings(1))


def test_tables_stay_between_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_jobs, "_kept", None)
    first = kept_solver(SearchSettings(1))
    assert kept_solver(SearchSettings(1)) is first
    larger = kept_solver(SearchSettings(4), 2)
    assert larger is not first
    assert larger.settings == SearchSettings(2)
    assert kept_solver(SearchSettings(4), 1) is larger  # what is larger than useful is not made anew
    plain = kept_solver(SearchSettings(4, evaluation=False), 1)
    assert plain is not larger
    assert kept_solver(SearchSettings(1, evaluation=False)) is plain
    assert kept_solver(SearchSettings(1)) is not plain


def test_a_deadline_is_as_far_away_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    sent = pickle.dumps(Deadline(5.0))
    monkeypatch.setattr(time, "monotonic", lambda: 3.0)
    deadline = pickle.loads(sent)
    assert deadline.left == 5.0
    monkeypatch.setattr(time, "monotonic", lambda: 9.0)
    assert deadline.left == 0.0


def test_after_the_deadline_nothing_is_begun() -> None:
    work = SolveWork(random_ending(8, 1), Question(), kept, deadline=Deadline(0.0))
    job = Job("it", work)
    assert work.do(job) is None
    assert job.amount == 0


def test_solving_says_how_far_it_is() -> None:
    work = SolveWork(random_ending(12, 1), Question(), kept, deadline=Deadline(60.0))
    job = Job("it", work)
    solution = work.do(job)
    assert solution is not None
    assert solution.is_exact
    assert job.amount == solution.score.nodes > 0
