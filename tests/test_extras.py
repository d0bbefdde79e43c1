"""What the library does where extras are not installed."""

from __future__ import annotations

import json

import pytest

from command_line import run_python
from reversi import MissingExtraError, ResourceError

WITHOUT = """
import sys
for name in (
    "numpy", "gymnasium", "pettingzoo", "duckdb", "polars", "pyarrow", "textual", "PIL", "resvg_py", "fsrs",
    "distributed", "pyspiel",
):
    sys.modules[name] = None  # as if it were not installed
import reversi
"""
HINTS = {
    "import reversi.arrays": "reversi-engine[numpy]",
    "from reversi import arrays": "reversi-engine[numpy]",
    "from reversi.arrays import PositionArray": "reversi-engine[numpy]",
    "import reversi.puct": "reversi-engine[numpy]",
    "import reversi.envs": "reversi-engine[",
    "import reversi.openspiel": "pip install ",
    "reversi.render.png(reversi.Position())": "reversi-engine[plot]",
    "from reversi.records.formats.database.file import load_duckdb; load_duckdb()": "reversi-engine[db]",
    "from reversi.analysis.exercises.schedule import Schedule; Schedule()": "reversi-engine[train]",
    "from reversi._system.arrow import load_arrow; load_arrow()": "reversi-engine[tables]",
    "from reversi._system.arrow import load_polars; load_polars()": "reversi-engine[tables]",
    "from reversi.work.cluster.connection import load_dask; load_dask()": "reversi-engine[cluster]",
}


def _printed(code: str, start: str = WITHOUT) -> list[str]:
    done = run_python("-c", start + code).ends(0)
    return done.stdout.splitlines()


def test_a_missing_extra_is_an_import_error_that_says_what_to_install() -> None:
    assert issubclass(MissingExtraError, ResourceError)
    assert issubclass(MissingExtraError, ModuleNotFoundError)
    code = f"""
for call in {json.dumps(list(HINTS))}:
    try:
        exec(call)
        print("no error")
    except ImportError as error:
        print(isinstance(error, reversi.MissingExtraError), error)
"""
    for line, (call, hint) in zip(_printed(code), HINTS.items(), strict=True):
        assert line.startswith("True "), call
        assert hint in line, call


def test_an_attribute_that_an_extra_provides_is_not_there() -> None:
    code = """
import inspect, pkgutil
print(*(hasattr(reversi, name) for name in ("arrays", "envs", "games", "analysis")))
names = {name for name, _ in inspect.getmembers(reversi)}
print("Position" in names, "arrays" in names)
print("reversi.learning" in {module.name for module in pkgutil.walk_packages(reversi.__path__, "reversi.")})
try:
    reversi.arrays
except AttributeError as error:
    print(error.name, error.obj is reversi, error)
"""
    assert _printed(code) == [
        "False False True True",
        "True False",
        "True",
        'arrays True arrays of positions need NumPy: pip install "reversi-engine[numpy]"',
    ]


def test_help_and_optional_tests_work() -> None:
    code = """
import pydoc, pytest
print("PACKAGE CONTENTS" in pydoc.plain(pydoc.render_doc(reversi)))
try:
    pytest.importorskip("reversi.arrays")
except pytest.skip.Exception:
    print("skipped")
"""
    assert _printed(code) == ["True", "skipped"]


@pytest.mark.thorough
@pytest.mark.parametrize("start", [WITHOUT, "import reversi\n"], ids=["without extras", "with what is installed"])
def test_prompts_and_help_know_every_name(start: str) -> None:
    code = """
import importlib, pkgutil, pydoc, rlcompleter
public = [name for _, name, _ in pkgutil.iter_modules(reversi.__path__) if not name.startswith("_")]
for name in ["reversi", *("reversi." + name for name in public)]:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        print(name, type(error).__name__)
        continue
    completer = rlcompleter.Completer({"module": module})
    shown = {completer.complete("module.", 0), *completer.matches}
    completed = {each.removeprefix("module.").rstrip("()") for each in shown}
    there = {each for each in dir(module) if not each.startswith("_")}
    text = pydoc.plain(pydoc.render_doc(name))
    assert there == {each for each in completed if not each.startswith("_")}, name
    assert all(each in text for each in {*getattr(module, "__all__", ())} - {"__version__"}), name
"""
    missing = [line.split() for line in _printed(code, start)]
    needing = {"reversi.arrays", "reversi.envs", "reversi.learning", "reversi.openspiel", "reversi.puct"}
    assert {name for name, _ in missing} <= needing
    assert start != WITHOUT or {name for name, _ in missing} == needing
    assert {error for _, error in missing} <= {"MissingExtraError", "ModuleNotFoundError"}
