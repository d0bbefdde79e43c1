"""The house: public names are there, and imports go down."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Set
from pathlib import Path

import pytest

import reversi
from command_line import run_python

HOME = Path(reversi.__file__).parent
PROJECT = Path(__file__).parent.parent / "pyproject.toml"
STUBS = sorted(HOME.rglob("__init__.pyi"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: ".".join(stub.parent.relative_to(HOME.parent).parts))
def test_every_public_name_is_there(stub: Path) -> None:
    package = importlib.import_module(".".join(stub.parent.relative_to(HOME.parent).parts))
    named = 0
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname == alias.name:
                assert getattr(package, alias.name) is not None
                needs_extra = alias.name in ("arrays", "database", "envs", "puct")
                assert (alias.name in package.__all__) is not needs_extra
                named += 1
    assert named
    with pytest.raises(AttributeError):
        _ = package.no_such_name


def test_no_other_module_names_its_public_names() -> None:
    """Packages with a stub do, and modules that people import by their own names."""
    named = {path for path in HOME.rglob("*.py") if "__all__" in path.read_text(encoding="utf-8")}
    modules = {
        HOME / name
        for name in (
            "arrays.py",
            "envs.py",
            "openspiel.py",
            "people.py",
            "puct.py",
            "render/pictures.py",
            "_lazy.py",
        )
    }
    assert named <= modules | {stub.with_suffix(".py") for stub in STUBS}


def test_the_compiled_core_imports_what_is_below_it() -> None:
    sources = [*HOME.glob("_core.pyx"), *HOME.glob("_kernel/binding/*.pxi"), *HOME.glob("_kernel/*.p*")]
    if not sources:
        pytest.skip("the sources are not here")
    below = {"arguments", "color", "errors", "rules", "score"}
    # What a position does with texts and pictures: imported when it is called.
    above = {"parse_position", "parse_transcript", "format_diagram", "svg"}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for space, package, what in re.findall(r"^( *)(?:from|import) reversi\.(\w+)(.*)", text, re.MULTILINE):
            local = space and path.name == "position.pxi" and what.rpartition(" import ")[2].split()[0] in above
            assert package in below or local, (path, package, what)


def _hides_imports(source: str) -> bool:
    """Return whether a module may import others by a name in a string."""
    return re.search(r"\b(import_module|__import__|resolve_name|run_module)\b", source) is not None


def test_no_import_is_hidden_in_a_string() -> None:
    # The command that the arguments name, the build of the kernel for this processor, the user's own player.
    named = {"cli/app.py", "_kernel/binding/isa.pxi", "protocols/bots.py"}
    sources = [path for ending in ("py", "pyx", "pxi") for path in HOME.rglob(f"*.{ending}")]
    hidden = {
        path.relative_to(HOME).as_posix() for path in sources if _hides_imports(path.read_text(encoding="utf-8"))
    }
    assert hidden <= named


@pytest.mark.parametrize(
    "planted",
    [
        'importlib.import_module("reversi.cli.app")',
        "from importlib import import_module as load",
        '__import__("reversi.cli.app")',
        'pkgutil.resolve_name("reversi.cli.app:main")',
    ],
)
def test_an_import_in_a_string_is_found(planted: str) -> None:
    source = (HOME / "text" / "boards.py").read_text(encoding="utf-8")
    assert not _hides_imports(source)
    assert _hides_imports(f"{source}\n\ndef planted() -> None:\n    {planted}\n")


def test_paths_that_may_not_exist_are_asked_in_one_way() -> None:
    """The methods of `Path` raise before Python 3.14 where the functions of `reversi._system.paths` say no."""
    asks = re.compile(r"\.(exists|is_file|is_dir|is_symlink|is_fifo|is_socket|is_mount|resolve|expanduser)\(")
    assert asks.search("if Path(name).exists():")
    found = {
        f"{path.relative_to(HOME)}: {line.strip()}"
        for path in HOME.rglob("*.py")
        if path != HOME / "_system" / "paths.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if asks.search(line)
    }
    assert found == set()


def _modules() -> dict[str, Path]:
    """Return the modules of the package by name; a package itself has its ``__init__.py``."""
    names = {}
    for path in HOME.rglob("*.py"):
        parts = path.relative_to(HOME.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def _imported(path: Path, modules: Iterable[str]) -> set[str]:
    """Return the modules that a module imports, at its top, in functions or for type checkers."""
    names, known = set(), set(modules)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            wholes = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= wholes if wholes <= known else {*wholes, node.module}
    return names & known


def _circle(imports: Mapping[str, Set[str]]) -> list[str]:
    """Return modules of which each imports the next one and the last the first; none without a circle."""
    closed: set[str] = set()

    def visit(module: str, trail: list[str]) -> list[str]:
        if module in trail:
            return trail[trail.index(module) :]
        if module in closed:
            return []
        circle = next(filter(None, (visit(name, [*trail, module]) for name in sorted(imports[module]))), [])
        closed.add(module)
        return circle

    return next(filter(None, (visit(module, []) for module in sorted(imports))), [])


def test_there_are_no_circles() -> None:
    """Local imports count, except those that the contracts name."""
    modules = _modules()
    imports = {name: _imported(path, modules) - {name} for name, path in modules.items()}
    if PROJECT.exists():
        contracts = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
        for exception in {line for contract in contracts for line in contract.get("ignore_imports", ())}:
            above, _, below = exception.partition(" -> ")
            assert below in imports[above], exception
            imports[above].remove(below)
        assert _circle(imports) == []
    imports["reversi.text.boards"].add("reversi.records.record")
    assert "reversi.text.boards" in _circle(imports)


@pytest.mark.parametrize("planted", ["from reversi.render.graphs import graph", "import reversi.cli.app"])
def test_the_contracts_find_an_import_that_goes_up(planted: str, tmp_path: Path) -> None:
    pytest.importorskip("importlinter")
    if not PROJECT.exists():
        pytest.skip("the contracts are not here")
    home = tmp_path / "reversi"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("__pycache__", "*.weights", "*.book", "*.so"))
    with (home / "text" / "boards.py").open("a", encoding="utf-8") as module:
        module.write(f"\n\ndef planted() -> None:\n    {planted}\n")
    run = "from importlinter.cli import lint_imports_command as run; run()"
    run_python(
        "-c",
        run,
        "--no-cache",
        "--config",
        str(PROJECT),
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    ).ends(1, prints="reversi.text.boards -> reversi.")


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_a_public_name_is_not_that_of_a_module(stub: Path) -> None:
    """An import of the module puts it in the place of what has its name."""
    modules = {path.stem for path in stub.parent.glob("*.py*")} | {path.name for path in stub.parent.glob("*/")}
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    of_modules = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
    assert modules & {alias.asname or alias.name for node in of_modules for alias in node.names} == set()
