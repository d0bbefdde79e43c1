"""``reversi doctor --cluster``: clusters that are sound, and workers that cannot work."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from command_line import run_command
from dask_processes import dask_cluster
from other_package import WEIGHTS, other_package
from reversi import __version__
from reversi._core import ISA, USABLE_ISAS
from reversi.evaluation.weights import weights_version

pytest.importorskip("distributed")

WORKER_FIELDS = ["address", "threads", "memory_limit_mb", "host", "package", "weights", "python", "dask", "isa"]
WORKER_FIELDS += ["isas", "cpus", "memory_mb", "nodes_per_s", "cpu_share", "clock_s", "problems", "hints", "ok"]


@pytest.mark.thorough
def test_a_good_cluster() -> None:
    done = run_command("doctor", "--cluster", "local:2", "--json").ends(0, err="")
    found = json.loads(done.stdout)
    assert list(found) == ["address", "scheduler", "workers", "hash_mb", "hints", "ok"]
    assert (found["address"], found["ok"], len(found["workers"])) == ("local:2", True, 2)
    for worker in found["workers"]:
        assert list(worker) == WORKER_FIELDS
        assert (worker["package"], worker["weights"]) == (__version__, weights_version())
        assert (worker["isa"], worker["isas"]) == (ISA, list(USABLE_ISAS))
        assert (worker["threads"], worker["problems"], worker["ok"]) == (1, [], True)
        assert worker["nodes_per_s"] > 0
        assert worker["clock_s"] == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="makes links")
def test_workers_that_cannot_work_are_named(tmp_path: Path) -> None:
    old = other_package(tmp_path / "old", version="0.0.1")
    bare = other_package(tmp_path / "bare", without=[WEIGHTS])
    with dask_cluster(tmp_path, None, old, bare) as address:
        done = run_command("doctor", "--cluster", address)
        refused = run_command("solve", "X" * 60 + "OO-- X", "--cluster", address)
    assert (done.returncode, done.stderr) == (1, "")
    lines = [line for line in done.stdout.splitlines() if "  note: " not in line]
    verdicts = sorted(line.split("  ", 1)[1].strip() for line in lines[3:])
    assert lines[1].endswith("3 with 3 threads on 1 machine")
    assert verdicts[0].startswith("WRONG: has no weights: evaluation/standard.weights: cannot be read (")
    assert verdicts[1] == (
        f"WRONG: has version 0.0.1, not {__version__}; install version {__version__} of this package there"
    )
    assert verdicts[2].startswith("ok: ")
    assert verdicts[2].endswith(" million nodes a second")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_cluster_without_workers(tmp_path: Path) -> None:
    with dask_cluster(tmp_path) as address:
        done = run_command("doctor", "--cluster", address)
        waited = run_command("solve", "X" * 60 + "OO-- X", "--cluster", address, "--total-time", "0.5")
    assert (done.returncode, done.stderr) == (1, "")
    assert "workers    WRONG: none; start one with 'dask worker " in done.stdout
    assert waited.returncode == 3
    assert f"reversi: --cluster {address}: no worker yet; waiting for one\n" in waited.stderr
