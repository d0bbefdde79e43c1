"""Each public name has one meaning and is in the reference, which names nothing else."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

import reversi

pytest.importorskip("numpy", reason="some public names need NumPy")
pytest.importorskip("duckdb", reason="some public names need DuckDB")
pytest.importorskip("gymnasium", reason="some public names need Gymnasium")

HOME = Path(reversi.__file__).parent
REFERENCE = Path(__file__).parents[2] / "docs" / "api"
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
