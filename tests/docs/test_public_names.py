"""Each public name has one meaning, an example, and a place in the reference, which names nothing else."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType
from typing import Any

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


def words_of(value: Any) -> set[str]:
    """Return the names that a caller meets: parameters, and the members and documented attributes of a class."""
    members: dict[str, Any] = {}
    attributes: set[str] = set()
    for class_ in value.__mro__ if inspect.isclass(value) else ():
        if class_.__module__.startswith("reversi"):
            members |= {name: each for name, each in vars(class_).items() if not name.startswith("_")}
            attributes |= {*vars(class_).get("__annotations__", ())}
            attributes |= set(re.findall(r"^ +(\w+): ", class_.__doc__ or "", re.MULTILINE))
    for each in (value, *members.values()):
        with contextlib.suppress(TypeError, ValueError):
            attributes |= set(inspect.signature(each).parameters)
    return {*members, *attributes}


def test_durations_have_one_word() -> None:
    """The time of an answer is ``time_s``, the time to wait for one ``timeout_s``; both name their unit."""
    words = {place: words_of(value) for place, value in public().items()}
    assert "time_s" in words["reversi.solver.SolveRun"]
    assert "timeout_s" in words["reversi.work.connect"]
    others = {"seconds", "timeout", "duration", "duration_s"}
    assert {place: sorted(found & others) for place, found in words.items() if found & others} == {}


def test_the_reference_has_every_public_name() -> None:
    listed = {name.rpartition(".")[2] for name in shown()}
    errors = vars(reversi.errors)  # the page of errors has all of them
    names = {place.rpartition(".")[2] for place in public()} - {"__version__"}
    assert sorted(names - listed - set(errors)) == []


def test_the_reference_has_nothing_else() -> None:
    known = {*public(), "reversi.errors"}
    others = {name for name in shown() - known if not name.startswith(("reversi.rules.", "reversi.openspiel."))}
    assert others == set()


REFERENCE_IN_TEXT = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)")
OTHER_PACKAGES = ("gymnasium.", "multiprocessing", "pathlib.")


def docstrings() -> dict[str, str]:
    """Return the docstrings of public names and of the public members of classes, by their places."""
    found: dict[str, str] = {}
    for place, value in public().items():
        if not getattr(value, "__module__", "").startswith("reversi"):
            continue
        members = [name for name in vars(value) if not name.startswith("_")] if inspect.isclass(value) else []
        for name, each in ((place, value), *((f"{place}.{member}", getattr(value, member)) for member in members)):
            found[name] = inspect.getdoc(each) or ""
    return found


def names_to_refer_to() -> set[str]:
    """Return the public names, their members, and the parameters of both."""
    found = {*dir(builtins), *vars(reversi.errors)}
    for place, value in public().items():
        found.add(place.rpartition(".")[2])
        classes = value.__mro__ if inspect.isclass(value) else ()
        members = {name: each for class_ in classes for name, each in vars(class_).items()}
        members |= {name: None for class_ in classes for name in vars(class_).get("__annotations__", ())}
        found |= {name for name in members if not name.startswith("_")}
        for each in (value, *members.values()):
            with contextlib.suppress(TypeError, ValueError):
                found |= set(inspect.signature(each).parameters)
    return found


def test_docstrings_refer_to_nothing_hidden() -> None:
    """What a docstring has in single backticks can be looked up; other words have double ones."""
    known, places = names_to_refer_to(), {*public()}
    modules = {
        module.name for module in pkgutil.walk_packages(reversi.__path__, "reversi.", onerror=lambda _: None)
    }
    texts = docstrings()
    assert len(texts) > 700
    dead = {
        f"{place}: {name}"
        for place, text in texts.items()
        for name in REFERENCE_IN_TEXT.findall(text)
        if not (name in places | modules or name.startswith(OTHER_PACKAGES))
        and not known.issuperset(name.removeprefix("reversi.errors.").split("."))
    }
    assert dead == set()


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
