"""The house: public names are there, former ones still are, and the rooms stay small."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest

import reversi

HOME = Path(reversi.__file__).parent
STUBS = sorted(HOME.rglob("__init__.pyi"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: ".".join(stub.parent.relative_to(HOME.parent).parts))
def test_every_public_name_is_there(stub: Path) -> None:
    if stub.parent.name == "arrays":
        pytest.importorskip("numpy")
    package = importlib.import_module(".".join(stub.parent.relative_to(HOME.parent).parts))
    named = 0
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname == alias.name:
                assert getattr(package, alias.name) is not None
                assert alias.name in package.__all__
                named += 1
    assert named
    with pytest.raises(AttributeError):
        _ = package.no_such_name


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("reversi", "Choice", "reversi.MoveScore"),
        ("reversi.engine", "Choice", "reversi.MoveScore"),
        ("reversi.text", "recognise", "reversi.text.text_kind"),
        ("reversi.records", "recognise", "reversi.records.recognize"),
    ],
)
def test_former_names_warn(module: str, old: str, new: str) -> None:
    home, _, name = new.rpartition(".")
    with pytest.warns(DeprecationWarning, match=re.escape(new)):
        found = getattr(importlib.import_module(module), old)
    assert found is getattr(importlib.import_module(home), name)


def test_the_library_is_the_database() -> None:
    sys.modules.pop("reversi.library", None)
    with pytest.warns(DeprecationWarning, match=r"reversi\.database"):
        library = importlib.import_module("reversi.library")
    assert library.Library is importlib.import_module("reversi.database").Database


def test_rooms_stay_small() -> None:
    if not (HOME / "_core.pyx").exists():
        pytest.skip("the sources are not here")
    modules = {path.stem for path in HOME.iterdir() if path.suffix in (".py", ".pyi", ".pyx")}
    folders = [path for path in HOME.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(modules) <= 12
    assert len(folders) <= 20
    for path in HOME.rglob("*.p*"):
        if path.suffix in (".py", ".pyi", ".pyx", ".pxi"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path


def test_the_compiled_core_imports_what_is_below_it() -> None:
    sources = [*HOME.glob("_core.pyx"), *HOME.glob("_kernel/binding/*.pxi"), *HOME.glob("_kernel/*.p*")]
    if not sources:
        pytest.skip("the sources are not here")
    for path in sources:
        found = re.findall(r"^\s*(?:from|import) reversi\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(found) <= {"color", "errors", "rules", "score"}, path
