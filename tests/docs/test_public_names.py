"""Each public name has one meaning, an example, and a place in the reference, which names nothing else."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import reversi

pytest.importorskip("numpy", reason="some public names need NumPy")
pytest.importorskip("duckdb", reason="some public names need DuckDB")
pytest.importorskip("gymnasium", reason="some public names need Gymnasium")

HOME = Path(reversi.__file__).parent
ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "api"
MODULES = ("reversi.arrays", "reversi.envs")


def public() -> dict[str, object]:
    """Return the public names with their packages, without packages and modules."""
    packages = [".".join(stub.parent.relative_to(HOME.parent).parts) for stub in HOME.rglob("__init__.pyi")]
    found: dict[str, object] = {}
    for package in packages:
        if not package.startswith("reversi.records.formats"):
            module = importlib.import_module(package)
            found |= {f"{package}.{name}": getattr(module, name) for name in module.__all__}
    for package in MODULES:
        module = importlib.import_module(package)
        found |= {f"{package}.{name}": getattr(module, name) for name in module.__all__}
    return {name: value for name, value in found.items() if not isinstance(value, ModuleType)}


def shown() -> set[str]:
    pages = [page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md")]
    return {name for page in pages for name in re.findall(r"^::: (\S+)$", page, re.MULTILINE)}


def test_a_name_has_one_meaning() -> None:
    meanings: dict[str, dict[int, str]] = {}
    for place, value in public().items():
        meanings.setdefault(place.rpartition(".")[2], {})[id(value)] = place
    assert {name: sorted(places.values()) for name, places in meanings.items() if len(places) > 1} == {}
    assert len(meanings) > 200


def test_the_reference_has_every_public_name() -> None:
    listed = {name.rpartition(".")[2] for name in shown()}
    errors = vars(reversi.errors)  # the page of errors has all of them
    names = {place.rpartition(".")[2] for place in public()} - {"__version__"}
    assert sorted(names - listed - set(errors)) == []


def test_the_reference_has_nothing_else() -> None:
    known = {*public(), "reversi.errors"}
    others = {name for name in shown() - known if not name.startswith(("reversi.rules.", "reversi.openspiel."))}
    assert others == set()


EXAMPLE = re.compile(r"((?:^[^\n#`].*\n)*)\n^```(?:pycon|python).*\n((?:.*\n)*?)^```", re.MULTILINE)
"""A block of code, with the paragraph above it, which names what it shows."""
WITHOUT_EXAMPLE = frozenset({"__version__"})


def shown_in_examples() -> set[str]:
    """Return the words of the examples of pages and scripts, and the names in the paragraphs above them."""
    found: set[str] = set()
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for paragraph, code in EXAMPLE.findall(page.read_text(encoding="utf-8")):
            found |= {*re.findall(r"`(\w+)", paragraph), *re.findall(r"\w+", code)}
    for file in (ROOT / "examples").glob("*.py"):
        found |= set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    return found


def documented(value: object) -> str:
    """Return the docstrings of a class with its members, or of a function."""
    members = vars(value).values() if inspect.isclass(value) else ()
    return "\n".join(str(getattr(each, "__doc__", "")) for each in (value, *members))


def test_every_public_name_has_an_example() -> None:
    """Errors need none: the functions that raise them name them."""
    known = shown_in_examples() | WITHOUT_EXAMPLE
    missing = [
        place
        for place, value in public().items()
        if place.rpartition(".")[2] not in known
        and not (inspect.isclass(value) and issubclass(value, BaseException))
        and ">>>" not in documented(value)
    ]
    assert missing == []
    assert {"Position", "SolveTally"} <= known
    assert "SolveTallies" not in known
