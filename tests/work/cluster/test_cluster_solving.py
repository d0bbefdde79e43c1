"""Solving on a cluster: the answers of one machine, whatever becomes of workers."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from command_line import run_python
from endings import random_ending as ending
from patience import SOON_S
from reversi import Position, parse_rules
from reversi.errors import InputError, ResourceError
from reversi.inputs.input import positions_in
from reversi.solver import Batch, Question, SolveRun
from reversi.text import format_board
from reversi.work import ClusterError, Connection, Tls, connect
from reversi.work.cluster import connection as connection_module, remote, workers as workers_module
from reversi.work.cluster.connection import refuse
from reversi.work.cluster.versions import Fingerprint, fingerprint

pytest.importorskip("distributed")

SMALL = [ending(8, seed) for seed in range(12)]
LARGE = ending(30, 1)


@pytest.mark.parametrize("question", [Question(), Question(all_moves=True), Question(wld=True)], ids=str)
def test_the_answers_are_those_of_one_machine(local: Connection, question: Question) -> None:
    positions = [*SMALL, Position(parse_rules("adjacent,board=4x4"))]
    with Batch(enumerate(positions), question, threads=1, hash_mb=1) as batch:
        expected = {answer.key: answer.solution.score.value for answer in batch}
    with Batch(enumerate(positions), question, cluster=local, hash_mb=1) as cluster:
        found = [(answer.key, answer.solution.score.value) for answer in cluster]
    assert len(found) == len(positions)
    assert dict(found) == expected
    assert cluster.is_done
    assert cluster.answered == len(positions)


def test_tables_are_not_larger_than_positions_need(local: Connection) -> None:
    def table_mb() -> object:
        from reversi.solver import jobs

        return jobs._kept and jobs._kept.settings.hash_mb

    def sizes(positions: list[Position]) -> set[object]:
        with Batch(enumerate(positions), cluster=local, hash_mb=48, time_s=0.1) as cluster:
            assert len(list(cluster)) == len(positions)
        return set(local.call(table_mb).values())

    assert 16 in sizes(SMALL)
    assert 48 in sizes([LARGE] * 2)


def test_cancel_stops_the_workers_within_a_second(local: Connection) -> None:
    with Batch([("large", LARGE)], cluster=local, hash_mb=1) as batch:
        while not batch.under_way:
            batch.next(0.05)
        assert batch.under_way[0][0] == "large"
        assert batch.nodes > 0
        batch.cancel()
        began = time.monotonic()
        while not batch.is_done:
            batch.next(0.05)
        assert time.monotonic() - began < SOON_S
    running = local.client.run(lambda dask_worker: len(dask_worker.state.executing))
    assert not any(running.values())


def test_limits_end_searches(local: Connection) -> None:
    with Batch([("large", LARGE)], cluster=local, hash_mb=1, time_s=0.1) as batch:
        (answer,) = batch
    assert not answer.solution.is_exact
    with Batch([("large", LARGE)] * 50, cluster=local, hash_mb=1, total_time_s=0.3) as batch:
        answers = list(batch)
    assert len(answers) + batch.skipped == 50
    assert batch.skipped > 0


def test_a_worker_that_dies_costs_no_result(local: Connection) -> None:
    positions = [ending(14, seed) for seed in range(40)]
    found = []
    with Batch(enumerate(positions), cluster=local, hash_mb=1) as batch:
        found.append(next(iter(batch)).key)
        process = next(iter(local.client.run(os.getpid).values()))
        os.kill(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        found += [answer.key for answer in batch]
    assert sorted(found) == list(range(40))


@pytest.mark.thorough
def test_a_run_on_a_cluster_continues_its_file(local: Connection, tmp_path: Path) -> None:
    text = "\n".join(format_board(position) for position in SMALL)
    path = tmp_path / "results.jsonl"

    def run(entries: int, *, resume: bool) -> int:
        def given() -> object:
            return list(positions_in(text))[:entries]

        with SolveRun(given, output=path, resume=resume, hash_mb=1, cluster=local) as solving:  # type: ignore[arg-type]
            return len(list(solving))

    assert run(5, resume=False) == 5
    assert run(12, resume=True) == 7
    assert path.read_bytes().count(b"\n") == 12


def test_a_worker_of_another_version_is_refused(local: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    other = fingerprint()._replace(package="99.0", weights="0123456789ab")
    with pytest.raises(ClusterError, match=r"worker tls://127.* has version .*, not 99\.0, weights .*; install"):
        local.check_versions(other)
    # a worker that comes later is found by its first task
    monkeypatch.setattr(remote, "fingerprint", lambda: other)
    monkeypatch.setattr(workers_module, "fingerprint", lambda: other)
    with (
        Batch(enumerate(SMALL), cluster=local, hash_mb=1) as batch,
        pytest.raises(ClusterError, match=r"has version"),
    ):
        list(batch)


def test_a_worker_of_another_version_does_not_open_a_task(local: Connection) -> None:
    order = remote.Order("run", 1, "key", Fingerprint("99.0", "w", "r"), 1.0, b"not a pickle")
    report = local.client.submit(remote.perform, order, pure=False).result()
    assert (report.fingerprint, report.answers) == (fingerprint(), ())


def test_local_workers_do_not_sample_their_stacks(local: Connection) -> None:
    def samples() -> object:
        import dask

        return dask.config.get("distributed.worker.profile.enabled")

    assert set(local.call(samples).values()) == {False}


def test_refusals_name_what_differs() -> None:
    mine = Fingerprint("1.0", "a", "x")
    refuse("w", mine, mine)
    with pytest.raises(ClusterError, match="worker w has other rules; install"):
        refuse("w", Fingerprint("1.0", "a", "y"), mine)
    with pytest.raises(ClusterError, match="worker w does not run this package"):
        refuse("w", ModuleNotFoundError("No module named 'reversi'"), mine)


def test_a_scheduler_that_is_not_there_is_named() -> None:
    with (
        pytest.raises(ClusterError, match=r"tcp://127\.0\.0\.1:1: cannot connect"),
        connect("tcp://127.0.0.1:1", timeout_s=0.2),
    ):
        pass


def test_local_processes_have_limits() -> None:
    with pytest.raises(InputError, match="number of local processes"), connect("local:0"):
        pass


def test_encrypted_connections_need_their_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs the files"), connect("tls://127.0.0.1:1"):
        pass
    missing = Tls(str(tmp_path / "ca.pem"), str(tmp_path / "cert.pem"))
    with pytest.raises(InputError, match=r"ca\.pem: cannot read"), connect("tls://127.0.0.1:1", missing):
        pass


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"reversi-engine\[cluster\]"), connect("local:1"):
        pass


@pytest.mark.slow
def test_a_file_goes_on_after_the_scheduler_dies(tmp_path: Path) -> None:
    positions = tmp_path / "positions.obf"
    positions.write_text("\n".join(format_board(ending(16, seed)) for seed in range(60)), encoding="utf-8")
    program = Path(__file__).parents[3] / "benchmarks" / "cluster.py"
    if not program.exists():
        pytest.skip("the sources are not here")
    done = run_python(str(program), "resume", str(positions), "--kills", "3", check=True)
    assert "each once" in done.stdout, done.stdout
    assert "NOT" not in done.stdout
