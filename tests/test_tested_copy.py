"""The tests meet the package that they stand beside, or refuse to run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reversi
from tested_copy import wrong_copy

NAMES = {"score.py": "a", "text/moves.py": "b", "_core.pyx": "c", "_core.cpython.so": "d"}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return package(tmp_path / "src" / "reversi")


def package(folder: Path, **changes: str) -> Path:
    """A package whose compiled module is as new as its sources."""
    for name, content in NAMES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        os.utime(path, (1000, 1000))
    return folder


def test_an_editable_installation_is_tested(sources: Path) -> None:
    assert wrong_copy(sources, sources) == ""


def test_a_change_that_is_not_compiled_is_refused(sources: Path) -> None:
    os.utime(sources / "_core.pyx", (2000, 2000))
    assert wrong_copy(sources, sources).startswith("_core.pyx is newer than the compiled modules; compile them")


def test_a_source_is_compared_with_the_modules_that_have_it(tmp_path: Path) -> None:
    names = {
        "_core.pyx",
        "_core.so",
        "_kernel/v3.pyx",
        "_kernel/v3.so",
        "_kernel/rules.h",
        "_kernel/binding/task.pxi",
    }
    folder = tmp_path / "reversi"
    for name in (*names, "_kernel/neon.pyx"):  # another architecture's
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
        os.utime(folder / name, (1000, 1000))
    os.utime(folder / "_kernel/binding/task.pxi", (2000, 2000))
    os.utime(folder / "_core.so", (3000, 3000))
    assert wrong_copy(folder, folder) == ""
    os.utime(folder / "_kernel/rules.h", (2000, 2000))
    assert wrong_copy(folder, folder).startswith("_kernel/rules.h is newer")


def test_an_installed_copy_of_the_same_files_is_tested(sources: Path, tmp_path: Path) -> None:
    assert wrong_copy(package(tmp_path / "site-packages" / "reversi"), sources) == ""
    assert wrong_copy(package(tmp_path / "site-packages" / "reversi"), tmp_path / "none") == ""


@pytest.mark.parametrize("name", ["score.py", "text/moves.py"])
def test_an_installed_copy_of_other_files_is_refused(sources: Path, tmp_path: Path, name: str) -> None:
    installed = package(tmp_path / "site-packages" / "reversi")
    (sources / name).write_text("changed")
    problem = wrong_copy(installed, sources)
    assert problem.startswith(f"the tests would meet {installed}, where {Path(name)} is another one than here; ")
    (installed / name).unlink()
    assert wrong_copy(installed, sources) == problem


@pytest.mark.thorough
def test_pytest_says_what_it_tests_and_refuses(tmp_path: Path) -> None:
    tests, here = tmp_path / "tests", Path(__file__).parent
    shutil.copytree(here / "support", tests / "support", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(here / "conftest.py", tests)
    (tests / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "pythonpath=tests/support", "tests"]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)

    done = run()
    assert (done.returncode, f"reversi: {Path(reversi.__file__).parent}" in done.stdout) == (0, True)
    package(tmp_path / "src" / "reversi")
    done = run()
    assert (done.returncode, "score.py is another one than here" in done.stderr) == (4, True)
