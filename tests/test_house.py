"""The house: public names are there, and imports go down."""

from __future__ import annotations

import ast
import importlib
import re
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


def test_the_compiled_core_imports_what_is_below_it() -> None:
    sources = [*HOME.glob("_core.pyx"), *HOME.glob("_kernel/binding/*.pxi"), *HOME.glob("_kernel/*.p*")]
    if not sources:
        pytest.skip("the sources are not here")
    for path in sources:
        found = re.findall(r"^\s*(?:from|import) reversi\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(found) <= {"color", "errors", "rules", "score"}, path
