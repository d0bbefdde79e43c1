"""The simulator of runs on a cluster, against sums that one can do by hand."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("distributed")

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "cluster_simulator.py"


@pytest.fixture(scope="module")
def simulator() -> ModuleType:
    if not PROGRAM.exists():
        pytest.skip("the sources are not here")
    spec = importlib.util.spec_from_file_location("cluster_simulator", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["cluster_simulator"] = module  # its data classes look themselves up
    spec.loader.exec_module(module)
    return module


def free(simulator: ModuleType, workers: int, **changes: float) -> object:
    """A cluster that costs nothing, apart from some changes."""
    costs = ("start_s", "latency_s", "client_s", "scheduler_s", "worker_s", "news_s", "position_s")
    return replace(simulator.Plan(workers, **dict.fromkeys(costs, 0.0)), **changes)


def items(count: int, seconds: float = 1.0) -> list[tuple[float, float]]:
    return [(20e6 * seconds, seconds)] * count


def test_one_worker_takes_the_sum(simulator: ModuleType) -> None:
    found = simulator.simulate(items(100), free(simulator, 1))
    assert found.seconds == pytest.approx(100)
    assert found.workers == pytest.approx(1)
    assert found.limit == "workers"


def test_workers_share_the_work(simulator: ModuleType) -> None:
    found = simulator.simulate(items(1000), free(simulator, 10))
    assert found.speedup == pytest.approx(10, rel=0.02)
    longest = simulator.simulate([*items(10), *items(1, 50.0)], free(simulator, 10))
    assert longest.seconds == pytest.approx(50, rel=0.05)


def test_slow_workers_and_deaths_cost_time_only(simulator: ModuleType) -> None:
    whole = simulator.simulate(items(1000), free(simulator, 10))
    slow = simulator.simulate(items(1000), free(simulator, 10, slow=0.5, slowness=4.0))
    deaths = simulator.simulate(items(1000), free(simulator, 10, death_s=50.0))
    assert whole.seconds < slow.seconds < 4 * whole.seconds
    assert whole.lost == 0 < deaths.lost
    assert whole.seconds < deaths.seconds
    assert deaths.work_s == 1000


def test_what_limits_a_run(simulator: ModuleType) -> None:
    client = simulator.simulate(items(10_000, 0.01), free(simulator, 100, position_s=0.01))
    assert client.limit == "client"
    assert client.seconds == pytest.approx(100, rel=0.05)
    scheduler = simulator.simulate(items(2_000, 3.0), free(simulator, 1000, scheduler_s=0.1))
    assert scheduler.limit == "scheduler"
    frontier = simulator.simulate(items(2_000, 3.0), free(simulator, 1000, frontier=50))
    assert frontier.limit == "frontier"
    assert frontier.speedup == pytest.approx(50, rel=0.05)
