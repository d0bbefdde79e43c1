"""Proofs on a cluster: the values of one machine, and only needed jobs."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from endings import random_ending
from files import new_file
from reversi import Cancel, Position
from reversi.solver import ProofStopped, Question, SearchSettings, Solver, solve
from reversi.solver.jobs import kept_solver
from reversi.solver.proofs import ProofStore, Prover
from reversi.solver.proofs.jobs import JobKind, ProofFound, ProofWork
from reversi.text import format_board
from reversi.work import Connection
from reversi.work.cluster.workers import ClusterWorkers

pytest.importorskip("distributed")

ENDING = random_ending(14, 3)


@pytest.mark.parametrize("question", [Question(), Question(wld=True)], ids=str)
def test_the_values_are_those_of_one_machine(local: Connection, question: Question) -> None:
    expected = solve(ENDING, wld=question.wld).score
    with Prover(Solver(1), cluster=local, hash_mb=1, frontier_empties=11) as prover:
        found = prover.prove(ENDING, question)
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert prover.store.count("jobs") > 3


def test_small_jobs_travel_together(local: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    sent, submit = [], local.client.submit

    def noting(*arguments: Any, **options: Any) -> Any:
        sent.append(arguments)
        return submit(*arguments, **options)

    monkeypatch.setattr(local.client, "submit", noting)
    with Prover(Solver(1), cluster=local, hash_mb=1, frontier_empties=8) as prover:
        found = prover.prove(ENDING)
    assert found.lower == found.upper == solve(ENDING).score.value
    assert 0 < len(sent) < prover.jobs / 3


def test_withdrawn_jobs_stop(local: Connection) -> None:
    def work(kind: JobKind, position: Position, question: Question) -> ProofWork:
        return ProofWork(kind, position, question, partial(kept_solver, SearchSettings(1)))

    with ClusterWorkers[int, ProofFound](local, "position") as workers:
        hard = workers.send(1, work(JobKind.PROVE, random_ending(30, 1), Question()))
        easy = workers.send(2, work(JobKind.PROVE, random_ending(6, 1), Question()))
        assert workers.next(60) is easy
        workers.withdraw([hard])
        assert workers.next(0.5) is None
        look = workers.send(3, work(JobKind.LOOK, random_ending(16, 1), Question(at_least=0)))
        assert workers.next(60) is look
        assert look.result() is not None


def test_a_stopped_proof_continues(local: Connection) -> None:
    cancel = Cancel()
    with ProofStore(None, "", "") as store:
        prover = Prover(
            Solver(1),
            store,
            cluster=local,
            hash_mb=1,
            frontier_empties=10,
            cancel=cancel,
            progress=lambda now: cancel.cancel() if now.jobs > 5 else None,
        )
        with prover, pytest.raises(ProofStopped):
            prover.prove(ENDING)
        assert store.count("jobs") > 5
        with Prover(Solver(1), store, cluster=local, hash_mb=1, frontier_empties=10) as prover:
            assert prover.prove(ENDING).lower == solve(ENDING).score.value


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["attack-proof", "--seconds", "5", "--every", "2", "--workers", "2"], id="workers"),
        pytest.param(["resume-proof", "--kills", "3"], id="client, worker and scheduler"),
    ],
)
def test_proofs_continue_when_processes_are_killed(tmp_path: Path, options: list[str]) -> None:
    positions = new_file(tmp_path / "position.obf", format_board(random_ending(20, 1)))
    program = Path(__file__).parents[3] / "benchmarks" / "cluster.py"
    if not program.exists():
        pytest.skip("the sources are not here")
    command = [sys.executable, str(program), options[0], str(positions), *options[1:], "--frontier-empties", "15"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=True)
    assert re.search(r"[1-9]\d* workers killed|kill 3: scheduler", done.stdout), done.stdout
    assert ": right" in done.stdout
    assert "WRONG" not in done.stdout
