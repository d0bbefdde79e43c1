"""Proofs on a cluster: the values of one machine, and only needed jobs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from endings import random_ending
from reversi import Cancel
from reversi.cluster import ClusterWorkers, Connection
from reversi.solver import ProofStopped, Question, Solver, solve
from reversi.solver.proofs import Job, Kind, ProofStore, Prover
from reversi.text import format_obf

pytest.importorskip("distributed")

ENDING = random_ending(14, 3)


@pytest.mark.parametrize("question", [Question(), Question(wld=True)], ids=str)
def test_the_values_are_those_of_one_machine(local: Connection, question: Question) -> None:
    expected = solve(ENDING, wld=question.wld).score
    with Prover(ClusterWorkers(local, hash_mb=1), Solver(1), frontier_empties=11) as prover:
        found = prover.prove(ENDING, question)
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert prover.store.count("jobs") > 3


def test_withdrawn_jobs_stop(local: Connection) -> None:
    workers = ClusterWorkers(local, hash_mb=1)
    hard = Job(1, Kind.PROVE, random_ending(30, 1), Question())
    easy = Job(2, Kind.PROVE, random_ending(6, 1), Question())
    workers.send(hard)
    workers.send(easy)
    found = workers.next(60)
    assert found is not None
    assert found.job == easy
    workers.withdraw([hard])
    assert workers.next(0.5) is None
    workers.send(Job(3, Kind.LOOK, random_ending(16, 1), Question(at_least=0)))
    found = workers.next(60)
    assert found is not None
    assert found.job.number == 3
    workers.close()


def test_a_stopped_proof_continues(local: Connection) -> None:
    cancel = Cancel()
    with ProofStore(None, "", "") as store:
        prover = Prover(
            ClusterWorkers(local, hash_mb=1),
            Solver(1),
            store,
            frontier_empties=10,
            cancel=cancel,
            progress=lambda now: cancel.cancel() if now.jobs > 5 else None,
        )
        with prover, pytest.raises(ProofStopped):
            prover.prove(ENDING)
        assert store.count("jobs") > 5
        with Prover(ClusterWorkers(local, hash_mb=1), Solver(1), store, frontier_empties=10) as prover:
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
    positions = tmp_path / "position.obf"
    positions.write_text(format_obf(random_ending(20, 1)), encoding="utf-8")
    program = Path(__file__).parents[2] / "benchmarks" / "cluster.py"
    if not program.exists():
        pytest.skip("the sources are not here")
    command = [sys.executable, str(program), options[0], str(positions), *options[1:], "--frontier-empties", "15"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=True)
    assert re.search(r"[1-9]\d* workers killed|kill 3: scheduler", done.stdout), done.stdout
    assert ": right" in done.stdout
    assert "WRONG" not in done.stdout
