"""Commands on hosts that fail: a part of benchmarks/cluster_faults.py, which only root can run."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def faults() -> ModuleType:
    if not (BENCHMARKS / "cluster_faults.py").exists():
        pytest.skip("the sources are not here")
    sys.path.append(str(BENCHMARKS))
    module = importlib.import_module("cluster_faults")
    if why := module.what_is_missing():
        pytest.skip(why)
    return module


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_nothing_is_lost_and_nothing_done_twice(faults: ModuleType) -> None:
    only = ["50 ms", "host dies", "another version", "expired"]
    rows = list(faults.all_rows(faults.QUICK, only, ["solve", "prove"]))
    assert {row.fault for row in rows} >= {"worker host dies", "scheduler host dies and comes back"}
    assert [row for row in rows if row.verdict not in ("right", "refused", "found")] == []
    assert [row for row in rows if row.status not in (0, 1, 2) or (" / " in row.said and row.status)] == []
    lost = [row for row in rows if row.fault == "scheduler host dies and comes back"]
    assert all(row.said.endswith(": the connection to the scheduler is lost") for row in lost if row.status)


def test_hosts_are_apart_and_lose_what_they_are_told_to(faults: ModuleType, tmp_path: Path) -> None:
    from cluster_hosts import hosts

    server = "import socket; s = socket.create_server(('', 5000)); print(s.accept()[0].recv(9), flush=True)"
    client = "import socket; socket.create_connection(({!r}, 5000), timeout=5).sendall(b'hello')"
    variables = faults.environment(faults.QUICK)
    with hosts("first", "second") as (switch, (first, second)):
        log, err = tmp_path / "log", tmp_path / "err"
        listening = first.start([sys.executable, "-c", server], variables, log)
        words = [sys.executable, "-c", client.format(first.address)]
        first.cut()
        assert second.start(words, variables, err).wait() == 1
        first.mend()
        switch.delay_s, switch.loss = 0.02, 0.0
        while second.start(words, variables, err).wait():  # until the server listens
            assert listening.poll() is None
        assert listening.wait() == 0
        assert second.start(["hostname"], variables, log).wait() == 0
    assert log.read_text().split() == ["b'hello'", "second"]
    assert faults.what_is_missing() == ""
