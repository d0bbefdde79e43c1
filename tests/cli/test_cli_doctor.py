"""``reversi doctor``, run as a user runs it."""

from __future__ import annotations

import json

import pytest

from command_line import Done, run_process, run_python
from reversi import __version__
from reversi._core import ISA, USABLE_ISAS

FIELDS = ["version", "path", "python", "platform", "cpu", "isas", "isa", "forced", "compiler", "threads"]
FIELDS += ["memory_mb", "weights", "extras", "checks", "ok"]


def run(*arguments: str, **variables: str) -> Done:
    return run_process("doctor", *arguments, environment=variables)


@pytest.mark.thorough
def test_the_text() -> None:
    done = run().ends(0, err="")
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
    done = run("--json", REVERSI_ISA=isa).ends(0, err="")
    found = json.loads(done.stdout)
    assert list(found) == FIELDS
    assert (found["isa"], found["forced"], found["ok"]) == (isa, True, True)
    assert all(list(check) == ["name", "ok", "message"] and check["ok"] for check in found["checks"])


def test_a_finding_is_exit_status_1() -> None:
    # an interpreter that fails: no build can run
    script = "import sys; sys.executable = '/no/such/python'; sys.argv = ['reversi', 'doctor']; "
    script += "from reversi.cli import main; main()"
    run_python("-c", script).ends(1, err="", prints="WRONG: cannot run")
