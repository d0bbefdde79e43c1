"""Tests wait for no process without end, and leave none behind."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from children import Child, end_children, keep

HERE = Path(__file__).parent
ENDLESS = [sys.executable, "-c", "import time\nprint(flush=True)\nwhile True: time.sleep(60)"]
STUBBORN = [sys.executable, "-c", "import signal\nsignal.signal(15, signal.SIG_IGN)\n" + ENDLESS[2]]


@pytest.mark.thorough
@pytest.mark.parametrize("command", [ENDLESS, STUBBORN])
def test_an_error_beside_a_process_ends_it(command: list[str]) -> None:
    child = Child(command, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    with pytest.raises(ZeroDivisionError), child:
        raise ZeroDivisionError
    assert child.returncode is not None


def test_what_a_test_leaves_behind_ends_with_it() -> None:
    with end_children():
        left = Child(ENDLESS, stdin=subprocess.PIPE)
        kept = Child(ENDLESS)
        keep(kept)
    assert left.returncode is not None
    assert kept.poll() is None
    with pytest.raises(ZeroDivisionError), kept:
        raise ZeroDivisionError
    assert kept.returncode is not None


@pytest.mark.thorough
def test_every_process_of_a_test_is_such_a_child() -> None:
    found = [
        f"{path.relative_to(HERE)}:{node.lineno}"
        for path in HERE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Popen")
    ]
    assert found == []
