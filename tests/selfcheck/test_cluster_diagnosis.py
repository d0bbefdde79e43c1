"""What ``reversi doctor --cluster`` makes of the answers of workers."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from reversi.selfcheck.cluster import ClusterDiagnosis, WorkerDiagnosis, diagnose_cluster, examine
from reversi.work import Connection
from reversi.work.cluster.versions import fingerprint

distributed = pytest.importorskip("distributed")

MINE = fingerprint()


@pytest.fixture(scope="module")
def own_answer() -> dict[str, Any]:
    """What a worker on this machine answers, as if nothing else ran here."""
    return {**examine(), "nodes_per_s": 20e6, "cpu_share": 1.0, "cpus": 4, "memory_mb": 8000, "host": "first"}


class Cluster(Connection):
    """A connection to workers that give these answers.

    Args:
        first: the answers to the first question, for the fingerprint.
        second: those to the second.
        limit: the memory at which Dask ends a worker, in bytes.
        threads: of each worker.
    """

    def __init__(self, first: list[object], second: list[object], limit: int = 0, threads: int = 1) -> None:
        super().__init__("here", SimpleNamespace(scheduler=SimpleNamespace(address="tls://s:1")))
        self._answers = [first, second]
        self._info = {"nthreads": threads, "memory_limit": limit}

    def workers(self) -> dict[str, dict[str, Any]]:
        return {f"w{number}": self._info for number in range(len(self._answers[0]))}

    def ask_each(self, function: object, *_: object, workers: object = None, **__: object) -> dict[str, object]:
        answers = self._answers[function is examine]
        answers = [answer() if callable(answer) else answer for answer in answers]
        return dict(zip(self.workers(), answers, strict=False))


def only(diagnosis: ClusterDiagnosis) -> WorkerDiagnosis:
    (worker,) = diagnosis.workers
    return worker


def test_a_sound_worker(own_answer: dict[str, Any]) -> None:
    found = diagnose_cluster(Cluster([MINE], [{**own_answer, "clock": time.time()}]))
    assert (found.is_sound, only(found).problems, only(found).hints, found.hints) == (True, (), (), ())
    assert (found.scheduler, found.hash_mb) == ("tls://s:1", 6400)
    assert (only(found).package, only(found).weights, only(found).dask) == (
        MINE.package,
        MINE.weights,
        distributed.__version__,
    )


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (MINE._replace(package="0.0"), f"has version 0.0, not {MINE.package}; install "),
        (MINE._replace(weights="123"), f"has weights 123, not {MINE.weights}; install "),
        (MINE._replace(rules="123"), "has other rules; install "),
        (
            ModuleNotFoundError("No module named 'reversi'"),
            "does not run this package (No module named 'reversi')",
        ),
        (TimeoutError(), "does not answer; look at its machine"),
        (distributed.comm.CommClosedError("gone"), "does not answer; look at its machine"),
    ],
    ids=["version", "weights", "rules", "missing", "timeout", "gone"],
)
def test_a_worker_that_cannot_work(answer: object, problem: str) -> None:
    found = diagnose_cluster(Cluster([answer], []))
    assert not found.is_sound
    assert only(found).problems[0].startswith(problem)


def test_a_worker_that_finds_a_wrong_value(own_answer: dict[str, Any]) -> None:
    found = diagnose_cluster(Cluster([MINE], [{**own_answer, "value": 36, "clock": time.time()}]))
    assert only(found).problems == ("finds +36 for a position of +38; run 'reversi doctor' there",)


def test_a_worker_that_dies_in_the_middle() -> None:
    found = diagnose_cluster(Cluster([MINE], [TimeoutError()]))
    assert only(found).problems[0].startswith("does not answer; ")


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({"cpu_share": 0.5}, "a thread has 50% of a CPU: its machine does something else, too"),
        ({"python": "2.7.1"}, "Python 2.7.1, not "),
        ({"dask": "1.0"}, f"Dask 1.0, not {distributed.__version__}"),
    ],
    ids=["busy", "python", "dask"],
)
def test_hints(own_answer: dict[str, Any], fields: dict[str, object], hint: str) -> None:
    found = diagnose_cluster(Cluster([MINE], [{**own_answer, "clock": time.time(), **fields}]))
    assert found.is_sound
    assert [text.startswith(hint) for text in only(found).hints] == [True]


@pytest.mark.parametrize(("seconds", "words"), [(120, "120 s ahead of"), (-120, "120 s behind"), (1, "")])
def test_a_wrong_clock(own_answer: dict[str, Any], seconds: float, words: str) -> None:
    found = diagnose_cluster(Cluster([MINE], [lambda: {**own_answer, "clock": time.time() + seconds}]))
    assert only(found).hints == ((f"its clock is {words} this one; certificates go by it",) if words else ())


def test_a_slow_worker_and_another_build(own_answer: dict[str, Any]) -> None:
    first = {**own_answer, "clock": time.time()}
    found = diagnose_cluster(Cluster([MINE, MINE], [first, {**first, "nodes_per_s": 8e6, "isa": "slow"}]))
    assert [worker.hints for worker in found.workers] == [(), ("2.5 times as slow as the fastest",)]
    assert len(found.hints) == 1
    assert found.hints[0].startswith("workers use several builds (")


def test_memory_and_threads(own_answer: dict[str, Any]) -> None:
    answer = {**own_answer, "clock": time.time()}
    found = diagnose_cluster(Cluster([MINE] * 3, [answer] * 3, limit=1000 << 20, threads=2))
    assert found.hints == ("first: 6 threads of workers on 4 CPUs",)
    assert found.hash_mb == 400
    assert found.workers[0].hints == (
        "Dask ends it at 1,000 MB, its table included; start it with --memory-limit 0",
    )


def test_no_workers() -> None:
    found = diagnose_cluster(Cluster([], []))
    assert (found.is_sound, found.workers, found.hash_mb) == (False, (), None)


def test_the_question_has_the_known_answer() -> None:
    assert examine()["value"] == 38


def test_a_scheduler_that_lets_everyone_in(own_answer: dict[str, Any]) -> None:
    cluster = Cluster([MINE], [{**own_answer, "clock": time.time()}])
    cluster.client.scheduler.address = "tcp://s:1"
    assert diagnose_cluster(cluster).hints == ("no TLS: everyone who reaches these ports can run programs there",)
