"""The program that measures clusters: runs that it simulates, against sums by hand, and hosts that fail."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def program() -> ModuleType:
    if not (BENCHMARKS / "cluster.py").exists():
        pytest.skip("the sources are not here")
    sys.path.append(str(BENCHMARKS))
    return importlib.import_module("cluster")


@pytest.fixture
def hosts(program: ModuleType) -> ModuleType:
    if why := program.what_is_missing():
        pytest.skip(why)
    return program


def simulated(
    program: ModuleType, workers: int, count: int, seconds: float = 1.0, last: float = 0.0, **changes: float
) -> Any:
    """What positions that take as long take a cluster that costs nothing, apart from some changes."""
    costs = ("start_s", "latency_s", "client_s", "scheduler_s", "worker_s", "news_s", "position_s")
    plan = replace(program.Plan(workers, **dict.fromkeys(costs, 0.0)), **changes)
    items = [(20e6 * seconds, seconds)] * count + [(20e6 * last, last)] * (last > 0)
    return program.simulate(items, plan)


def test_one_worker_takes_the_sum(program: ModuleType) -> None:
    found = simulated(program, 1, 100)
    assert found.seconds == pytest.approx(100)
    assert found.workers == pytest.approx(1)
    assert found.limit == "workers"


def test_workers_share_the_work(program: ModuleType) -> None:
    assert simulated(program, 10, 1000).speedup == pytest.approx(10, rel=0.02)
    assert simulated(program, 10, 10, last=50.0).seconds == pytest.approx(50, rel=0.05)


def test_slow_workers_and_deaths_cost_time_only(program: ModuleType) -> None:
    whole = simulated(program, 10, 1000)
    slow = simulated(program, 10, 1000, slow=0.5, slowness=4.0)
    deaths = simulated(program, 10, 1000, death_s=50.0)
    assert whole.seconds < slow.seconds < 4 * whole.seconds
    assert whole.lost == 0 < deaths.lost
    assert whole.seconds < deaths.seconds
    assert deaths.speedup * deaths.seconds == pytest.approx(1000)


@pytest.mark.parametrize(
    ("limit", "workers", "count", "seconds", "changes", "speedup"),
    [
        ("client", 100, 10_000, 0.01, {"position_s": 0.01}, 1),
        ("scheduler", 1000, 2_000, 3.0, {"scheduler_s": 0.1}, 30),
        ("frontier", 1000, 2_000, 3.0, {"frontier": 50}, 50),
    ],
)
def test_what_limits_a_run(
    program: ModuleType,
    limit: str,
    workers: int,
    count: int,
    seconds: float,
    changes: dict[str, float],
    speedup: float,
) -> None:
    found = simulated(program, workers, count, seconds, **changes)
    assert found.limit == limit
    assert found.speedup == pytest.approx(speedup, rel=0.05)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_nothing_is_lost_and_nothing_done_twice(hosts: ModuleType, tmp_path: Path) -> None:
    tasks = hosts.make_tasks(tmp_path, hosts.QUICK, None, None, [])
    only = ["50 ms", "host dies", "another version"]
    rows = list(hosts.all_rows(hosts.QUICK, only, {name: tasks[name] for name in ("solve", "prove")}))
    assert {row.fault for row in rows} >= {"worker host dies", "scheduler host dies and comes back"}
    assert [row for row in rows if row.verdict != "right"] == []
    assert [row for row in rows if row.status not in (0, 1, 2) or (" / " in row.said and row.status)] == []
    lost = [row for row in rows if row.fault == "scheduler host dies and comes back"]
    assert all(row.said.endswith(": the connection to the scheduler is lost") for row in lost if row.status)


def test_hosts_are_apart_and_lose_what_they_are_told_to(hosts: ModuleType, tmp_path: Path) -> None:
    server = "import socket; s = socket.create_server(('', 5000)); print(s.accept()[0].recv(9), flush=True)"
    client = "import socket; socket.create_connection(({!r}, 5000), timeout=5).sendall(b'hello')"
    with hosts.hosts("first", "second") as (switch, (first, second)):
        log, err = tmp_path / "log", tmp_path / "err"
        listening = first.start([sys.executable, "-c", server], {}, log)
        words = [sys.executable, "-c", client.format(first.address)]
        first.cut()
        assert second.start(words, {}, err).wait() == 1
        first.mend()
        switch.delay_s, switch.loss = 0.02, 0.0
        while second.start(words, {}, err).wait():  # until the server listens
            assert listening.poll() is None
        assert listening.wait() == 0
        assert second.start(["hostname"], {}, log).wait() == 0
    assert log.read_text().split() == ["b'hello'", "second"]
    assert hosts.what_is_missing() == ""
