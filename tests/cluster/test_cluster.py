"""Solving on a cluster: the answers of one machine, whatever becomes of workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from endings import random_ending as ending
from reversi import Position, parse_rules
from reversi.cluster import (
    ClusterBatch,
    ClusterError,
    Connection,
    CostModel,
    Fingerprint,
    Tls,
    batch as batch_module,
    connect,
    connection as connection_module,
    fingerprint,
    pool as pool_module,
    work as work_module,
)
from reversi.cluster.connection import refuse
from reversi.errors import InputError, ResourceError
from reversi.inputs import read_positions
from reversi.solver import Batch, Question, Run
from reversi.text import format_obf

pytest.importorskip("distributed")

SMALL = [ending(8, seed) for seed in range(12)]
LARGE = ending(30, 1)


@pytest.mark.parametrize("question", [Question(), Question(all_moves=True), Question(wld=True)], ids=str)
def test_the_answers_are_those_of_one_machine(local: Connection, question: Question) -> None:
    positions = [*SMALL, Position(parse_rules("adjacent,board=4x4"))]
    with Batch(enumerate(positions), question, threads=1, hash_mb=1) as batch:
        expected = {answer.key: answer.solution.score.value for answer in batch}
    with ClusterBatch(enumerate(positions), question, connection=local, hash_mb=1) as cluster:
        found = [(answer.key, answer.solution.score.value) for answer in cluster]
    assert len(found) == len(positions)
    assert dict(found) == expected
    assert cluster.is_done
    assert cluster.answered == len(positions)


def test_tables_are_not_larger_than_positions_need(local: Connection) -> None:
    def table_mb() -> object:
        from reversi.cluster import batch

        return batch._solver and batch._solver[0][0]

    def sizes(positions: list[Position]) -> set[object]:
        with ClusterBatch(enumerate(positions), connection=local, hash_mb=48, time_limit=0.1) as cluster:
            assert len(list(cluster)) == len(positions)
        return set(local.call(table_mb).values())

    assert 16 in sizes(SMALL)
    assert 48 in sizes([LARGE] * 2)


def test_cancel_stops_the_workers_within_a_second(local: Connection) -> None:
    with ClusterBatch([("large", LARGE)], connection=local, hash_mb=1) as batch:
        while not batch.under_way:
            batch.next(0.05)
        assert batch.under_way[0][0] == "large"
        assert batch.nodes > 0
        batch.cancel()
        began = time.monotonic()
        while not batch.is_done:
            batch.next(0.05)
        assert time.monotonic() - began < 5  # a second, and a busy machine
    running = local.client.run(lambda dask_worker: len(dask_worker.state.executing))
    assert not any(running.values())


def test_limits_end_searches(local: Connection) -> None:
    with ClusterBatch([("large", LARGE)], connection=local, hash_mb=1, time_limit=0.1) as batch:
        (answer,) = batch
    assert not answer.solution.is_exact
    with ClusterBatch([("large", LARGE)] * 50, connection=local, hash_mb=1, total_time=0.3) as batch:
        answers = list(batch)
    assert len(answers) + batch.skipped == 50
    assert batch.skipped > 0


def test_a_worker_that_dies_costs_no_result(local: Connection) -> None:
    positions = [ending(14, seed) for seed in range(40)]
    found = []
    with ClusterBatch(enumerate(positions), connection=local, hash_mb=1) as batch:
        found.append(next(iter(batch)).key)
        process = next(iter(local.client.run(os.getpid).values()))
        os.kill(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        found += [answer.key for answer in batch]
    assert sorted(found) == list(range(40))


def test_a_run_on_a_cluster_continues_its_file(local: Connection, tmp_path: Path) -> None:
    text = "\n".join(format_obf(position) for position in SMALL)
    path = tmp_path / "results.jsonl"

    def run(entries: int, *, resume: bool) -> int:
        def make(*args: object, **options: object) -> ClusterBatch[object]:
            return ClusterBatch(*args, connection=local, **options)  # type: ignore[arg-type]

        def given() -> object:
            return list(read_positions(text))[:entries]

        with Run(given, output=path, resume=resume, hash_mb=1, make_batch=make) as solving:  # type: ignore[arg-type]
            return len(list(solving))

    assert run(5, resume=False) == 5
    assert run(12, resume=True) == 7
    assert path.read_bytes().count(b"\n") == 12


def test_a_worker_of_another_version_is_refused(local: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    other = fingerprint()._replace(package="99.0", weights="0123456789ab")
    with pytest.raises(ClusterError, match=r"worker tcp://127.* has version .*, not 99\.0, weights .*; install"):
        local.check_versions(other)
    # a worker that comes later is found by its first task
    monkeypatch.setattr(work_module, "fingerprint", lambda: other)
    monkeypatch.setattr(pool_module, "fingerprint", lambda: other)
    with (
        ClusterBatch(enumerate(SMALL), connection=local, hash_mb=1) as batch,
        pytest.raises(ClusterError, match=r"has version"),
    ):
        list(batch)


def test_a_worker_of_another_version_does_not_open_a_task(local: Connection) -> None:
    order = work_module.Order("run", 1, "key", Fingerprint("99.0", "w", "r"), 1.0, b"not a pickle")
    report = local.client.submit(work_module.perform, order, pure=False).result()
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


def test_tables_stay_between_tasks() -> None:
    first = batch_module.kept_solver(1, True)
    assert batch_module.kept_solver(1, True) is first
    assert batch_module.kept_solver(2, True) is not first


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


def test_the_model_learns_how_fast_workers_are() -> None:
    model = CostModel(Question())
    for _ in range(50):
        model.learn(1e6, 1.0)
    assert model.nodes_in(3.0) == pytest.approx(3e6, rel=0.1)
    assert model.predicted(LARGE) > 1000 * model.predicted(SMALL[0])


def test_sizes_of_tasks() -> None:
    costs = CostModel(Question())
    for _ in range(50):
        costs.learn(1e6, 1.0)

    def tasks(threads: int, count: int, *, are_last: bool) -> list[float]:
        waiting: batch_module.Waiting[int] = batch_module.Waiting()
        waiting.fill((0.1e6, number, LARGE) for number in range(count))  # a tenth of a second each
        found = []
        while waiting.found:
            found.append(waiting.next_task(costs, threads, are_last=are_last)[1] / 1e6)
        return found

    assert tasks(2, 100, are_last=False) == pytest.approx([3.0, 3.0, 3.0, 1.0], abs=0.2)
    last = tasks(2, 100, are_last=True)
    assert last[0] == pytest.approx(2.5, abs=0.2)
    assert last == sorted(last, reverse=True)
    assert last[-1] == pytest.approx(0.1)
    assert tasks(1000, 1000, are_last=False)[0] == pytest.approx(10, abs=0.3)
    assert tasks(1000, 1000, are_last=True)[-1] == pytest.approx(2, abs=0.3)


@pytest.mark.slow
def test_a_file_goes_on_after_the_scheduler_dies(tmp_path: Path) -> None:
    positions = tmp_path / "positions.obf"
    positions.write_text("\n".join(format_obf(ending(16, seed)) for seed in range(60)), encoding="utf-8")
    program = Path(__file__).parents[2] / "benchmarks" / "cluster.py"
    if not program.exists():
        pytest.skip("the sources are not here")
    done = subprocess.run(
        [sys.executable, str(program), "resume", str(positions), "--kills", "3"],
        capture_output=True,
        text=True,
        timeout=250,
        check=True,
    )
    assert "each once" in done.stdout, done.stdout
    assert "NOT" not in done.stdout
