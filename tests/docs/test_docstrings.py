"""Public names have docstrings, and the examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import reversi
from reversi import ResourceError

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(reversi.__path__, "reversi.", onerror=lambda name: None)
    if not module.name.startswith("reversi._kernel")
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


def undocumented(name: str, what: object) -> Iterator[str]:
    """Yield the public name, or those of its members, without a docstring; that of a base class counts."""
    if not (inspect.isclass(what) or inspect.isroutine(what)) or not what.__module__.startswith("reversi."):
        return
    if not inspect.getdoc(what):
        yield name
    for member, value in vars(what).items() if inspect.isclass(what) else ():
        is_code = inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod))
        if is_code and not member.startswith("_") and not inspect.getdoc(getattr(what, member)):
            yield f"{name}.{member}"


PACKAGES = sorted({path.parent for path in Path(reversi.__file__).parent.rglob("__init__.pyi")})


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)
def test_public_names_have_docstrings(folder: Path) -> None:
    package = importlib.import_module(".".join(folder.relative_to(Path(reversi.__file__).parents[1]).parts))
    try:
        public = {name: getattr(package, name) for name in package.__all__}
    except ResourceError:
        pytest.skip("an extra is not installed")
    assert [name for place, what in public.items() for name in undocumented(place, what)] == []


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
