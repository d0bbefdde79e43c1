"""Each public name has one meaning, an example, and a place in the reference, which names nothing else."""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from make_reference import file_of, reference

import reversi

pytest.importorskip("numpy", reason="some public names need NumPy")
pytest.importorskip("duckdb", reason="some public names need DuckDB")
pytest.importorskip("gymnasium", reason="some public names need Gymnasium")

HOME = Path(reversi.__file__).parent
ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "api"
MODULES = ("reversi.arrays", "reversi.envs", "reversi.people", "reversi.puct")


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


@functools.cache
def names_imported(module: str) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports anywhere, for type checkers too, with their modules."""
    try:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    except (OSError, TypeError):  # compiled
        return {}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in nodes for alias in node.names}


def classes_in(annotation: object, module: str) -> Iterator[type]:
    """Yield the classes that an annotation in a module names."""
    annotation = getattr(annotation, "__forward_arg__", annotation)  # a field of a named tuple
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Name):
            home, name = names_imported(module).get(node.id, (module, node.id))
            found = getattr(importlib.import_module(home), name, None) if home.startswith("reversi") else None
            if inspect.isclass(found):
                yield found


def annotations_of(value: Any) -> Iterator[tuple[object, str]]:
    """Yield the annotations that a caller meets, with their modules: of a function, or of all that a class has."""
    for class_ in value.__mro__ if inspect.isclass(value) else ():
        if class_.__module__.startswith("reversi"):
            fields = vars(class_).get("__annotations__", {})
            yield from ((each, class_.__module__) for name, each in fields.items() if not name.startswith("_"))
            for name, member in vars(class_).items():
                if not name.startswith("_") or name == "__init__":
                    function = getattr(
                        member, "__func__", getattr(member, "fget", getattr(member, "func", member))
                    )
                    if inspect.isfunction(function):
                        yield from annotations_of(function)
    if inspect.isfunction(value):
        parameters = value.__annotations__.items()
        yield from ((each, value.__module__) for name, each in parameters if not name.startswith("_"))


HANDED_ON = frozenset(
    {
        "Block Connection DatabaseFile Why",  # within the database
        "Column Marks PackedTurns Played ScoredSquares TableOptions",  # tuples and options that others make
        "Fingerprint ProofFound Table Weights Workers",  # what works for a solver
        "Search Server",  # what the servers of protocols have in common
    }
)
"""Classes in annotations that no caller makes or reads; protocols say themselves what they take."""


def test_what_a_public_name_takes_and_gives_is_public() -> None:
    known = {id(value) for value in public().values()}
    handed_on = {name for names in HANDED_ON for name in names.split()}
    hidden: dict[str, set[str]] = {}
    for place, value in public().items():
        for annotation, module in annotations_of(value):
            for class_ in classes_in(annotation, module):
                is_ours = class_.__module__.startswith("reversi") and class_.__module__ != "reversi.rules"
                if is_ours and id(class_) not in known and not getattr(class_, "_is_protocol", False):
                    hidden.setdefault(class_.__name__, set()).add(place)
    assert {name: sorted(places) for name, places in hidden.items() if name not in handed_on} == {}
    assert handed_on <= hidden.keys()  # none stands there in vain


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


@pytest.fixture(scope="module")
def page() -> str:
    return reference()


def words(text: str | None) -> str:
    return re.sub(r"\W+", " ", (text or "").replace("```python", "")).strip()


@pytest.mark.thorough
def test_each_name_has_its_signature_and_its_text(page: str) -> None:
    entries = dict(re.findall(r"^### (reversi\S+)\n(.*?)(?=^#{1,3} reversi|\Z)", page, re.MULTILINE | re.DOTALL))
    assert not re.search(r"^:::", page, re.MULTILINE)
    assert {name for name in shown() if not file_of(name)} <= set(entries)
    for name, value in public().items():
        if name not in entries or not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        if value.__module__ != "reversi._core":  # its stub has texts of its own
            assert words(inspect.getdoc(value)) in words(entries[name]), name
        for member, each in vars(value).items() if inspect.isclass(value) else ():
            text = each.__doc__ if isinstance(each, property) or inspect.isroutine(each) else None
            if not member.startswith("_") and text and value.__module__.startswith("reversi"):
                assert words(inspect.cleandoc(text)) in words(entries[name]), f"{name}.{member}"


def test_what_a_session_has_is_in_its_entry(page: str) -> None:
    (entry,) = re.findall(r"^### reversi.Session\n(.*?)(?=^### )", page, re.MULTILINE | re.DOTALL)
    listed = set(re.findall(r"^- `(\w+)`:", entry.split("**Attributes:**")[1], re.MULTILINE))
    assert {name for name in vars(reversi.Session()) if not name.startswith("_")} <= listed
    assert "- `takebacks`: Whether players may take back moves.\n" in entry


@pytest.mark.thorough
def test_signatures_are_python(page: str) -> None:
    blocks = re.findall(r"^### reversi\S+\n\n```python\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 300
    for block in blocks:
        ast.parse(re.sub(r":\n(?=@|class|def|\Z)", ": ...\n", block))
