"""What the project's own pages and settings promise: addresses, links, the API reference."""

import pkgutil
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import reversi

ROOT = Path(__file__).parents[1]
HOME = Path(reversi.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
URLS = PROJECT["urls"]
# where an address of the project may stand beside pyproject.toml
PAGES = ["CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml"]


@pytest.mark.parametrize("page", PAGES)
def test_addresses_are_those_of_pyproject(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"https://[\w.-]*(?:github|reversi-engine)[\w./-]*", text)
    assert found
    for address in found:
        assert address.startswith((URLS["Repository"], URLS["Documentation"])), address


def test_the_table_of_extras_is_that_of_pyproject() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| .* \| ([\w., -]+) \|$", (ROOT / "docs/index.md").read_text("utf-8"), re.MULTILINE
    )
    extras = {
        name: ", ".join(re.split("[>=]", needs)[0] for needs in packages)
        for name, packages in PROJECT["optional-dependencies"].items()
        if name not in ("test-base", "test", "test-all", "docs", "dev")
    }
    extras["play"] = extras["play"].removeprefix("reversi-engine[").removesuffix("]").replace(",", ", ")
    assert dict(rows) == extras


def test_the_tests_install_on_windows_for_arm64() -> None:
    (pyarrow,) = (need for need in PROJECT["optional-dependencies"]["tables"] if need.startswith("pyarrow"))
    marker = Requirement(pyarrow).marker
    assert marker is not None
    machines = [("win32", "ARM64"), ("win32", "AMD64"), ("linux", "aarch64"), ("darwin", "arm64")]
    wanted = [
        marker.evaluate({"sys_platform": system, "platform_machine": machine}) for system, machine in machines
    ]
    assert wanted == [False, True, True, True]  # pyarrow has no wheels for the first, which test.yml has


def test_the_sdist_has_what_contributors_need() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    for path in (".ci/run", ".gitignore", ".pre-commit-config.yaml", "noxfile.py"):
        assert (ROOT / path).is_file()
        assert path in manifest
    tools = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    extras = PROJECT["optional-dependencies"]
    needed = {re.split("[>=;\\[]", line)[0] for line in (*extras["dev"], *extras["test-all"])}
    assert {"pre-commit", *re.findall(r"entry: ([\w-]+)", tools)} - {"lint-imports"} <= needed


def reference() -> str:
    return "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "api").glob("*.md"))


def test_every_public_name_is_in_the_reference() -> None:
    pages = reference()
    documented = {name.removeprefix("reversi.") for name in names_in(pages)}
    names = dir(reversi)
    public = {name for name in names if not isinstance(getattr(reversi, name), ModuleType)}
    errors = {name for name in public if name.endswith("Error")}  # the page of reversi.errors has them
    assert public - errors - documented == {"__version__"}
    assert "::: reversi.errors" in pages


EXTRAS = {
    "reversi.arrays": "numpy",
    "reversi.puct": "numpy",
    "reversi.envs": "pettingzoo",
    "reversi.openspiel": "pyspiel",
}
# the formats of records have a reference of their own, where they need one
STUBS = [stub for stub in HOME.rglob("__init__.pyi") if stub.parent != HOME and "formats" not in stub.parts]
PACKAGES = [*EXTRAS, *sorted(".".join(stub.parent.relative_to(HOME.parent).parts) for stub in STUBS)]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_of_a_package_is_in_the_reference(name: str) -> None:
    if is_missing(name):
        pytest.skip(f"{name} needs an extra")
    documented = {it for it in names_in(reference()) if not is_missing(it)}
    package = pkgutil.resolve_name(name)

    def is_documented(it: str) -> bool:
        if f"{name}.{it}" in documented:
            return True
        # in another package: reversi.game.Game is reversi.Game
        places = [place for place in documented if place.endswith(f".{it}")]
        return any(pkgutil.resolve_name(place) is getattr(package, it) for place in places)

    assert [it for it in package.__all__ if not is_documented(it)] == []


def test_every_name_in_the_reference_exists() -> None:
    names = names_in(reference())
    assert len(names) > 100
    assert [name for name in names if not is_missing(name) and not exists(name)] == []


def names_in(pages: str) -> list[str]:
    return re.findall(r"^::: (\S+)$", pages, re.MULTILINE)


def is_missing(name: str) -> bool:
    """Whether a name needs an extra that is not installed."""
    return any(name.startswith(home) and find_spec(needed) is None for home, needed in EXTRAS.items())


def exists(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert page.relative_to(ROOT / "docs").as_posix() in navigation, page
