"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import reversi
from reversi import ResourceError

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(reversi.__path__, "reversi.", onerror=lambda name: None)
    if not module.name.startswith(("reversi._kernel", "reversi.library"))
    and not module.name.rpartition(".")[2].startswith("_")
    and ".tui" not in module.name
)


def examples(name: str) -> list[doctest.DocTest]:
    """The docstrings of a module that have examples."""
    try:
        module = importlib.import_module(name)
    except ResourceError:  # an extra is not installed
        return []
    return [test for test in doctest.DocTestFinder().find(module, name) if test.examples]


TESTS = [test for name in [*MODULES, "reversi._core"] for test in examples(name)]


def test_there_are_examples() -> None:
    """Were the search for examples broken, the test below would have no cases, and pass."""
    assert {test.name.split(".")[1] for test in TESTS} >= {"rules", "solver", "openings"}


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_examples(test: doctest.DocTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])  # they read examples/
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(report)
