"""``reversi doctor``, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from reversi import __version__
from reversi._core import ISA, USABLE_ISAS

FIELDS = [
    "version",
    "path",
    "python",
    "platform",
    "cpu",
    "isas",
    "isa",
    "forced",
    "compiler",
    "threads",
    "memory_mb",
    "weights",
]
FIELDS += ["extras", "checks", "ok"]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "reversi", "doctor", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **variables},
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.thorough
def test_the_text() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    lines = dict(line.split("  ", 1) for line in done.stdout.splitlines())
    assert lines["reversi"].strip().startswith(f"{__version__} in ")
    assert lines["build used"].strip().startswith(ISA)
    assert lines["builds agree"].strip().startswith("ok: ")
    assert all(
        lines[f"compiled code for {isa}"].strip().startswith("ok: perft 8 is 390216") for isa in USABLE_ISAS
    )


@pytest.mark.thorough
@pytest.mark.parametrize("isa", USABLE_ISAS)
def test_json_with_each_build(isa: str) -> None:
    done = run("--json", REVERSI_ISA=isa)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert list(found) == FIELDS
    assert (found["isa"], found["forced"], found["ok"]) == (isa, True, True)
    assert all(list(check) == ["name", "ok", "message"] and check["ok"] for check in found["checks"])


def test_a_finding_is_exit_status_1() -> None:
    # an interpreter that fails: no build can run
    script = "import sys; sys.executable = '/no/such/python'; sys.argv = ['reversi', 'doctor']; "
    script += "from reversi.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "WRONG: cannot run" in done.stdout
