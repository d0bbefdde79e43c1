"""What README.md and docs/ show is what happens: console blocks are run, Python blocks are doctests.

A shell runs the commands of README.md, and all that need one; the others are run in this process.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run_command
from files import new_file

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = shutil.which("bash")
SHELL_SIGNS = {*"|<>;&$*?`"}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def console_blocks() -> list[tuple[str, str]]:
    """Each console block, with the place it is at."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            if match[1] == "console":
                found.append((f"{name(page)}:{text.count(chr(10), 0, match.start()) + 1}", match[2]))
    return found


def python_lines(page: Path) -> str:
    """The Python blocks of a page, which are one session, on the lines where they stand."""
    text = page.read_text(encoding="utf-8")
    lines: list[str] = []
    for match in BLOCK.finditer(text):
        if match[1] != "console":
            lines += [""] * (text.count("\n", 0, match.start(2)) - len(lines))
            lines += match[2].splitlines()
    return "\n".join(lines) + "\n"


def examples(block: str) -> list[tuple[str, str]]:
    """(command, expected output) of a console block: a command follows ``$ ``, continued after ``\\``."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n", part)
        assert command is not None
        found.append((command[0], part[command.end() :]))
    return found


NEEDS = {
    "reversi.arrays": "numpy",
    "reversi.puct": "numpy",
    "reversi.envs": "pettingzoo",
    "reversi.games": "duckdb",
}
"""What a page needs that imports these: extras that need not be installed."""
CONSOLE = console_blocks()
PYTHON = [page for page in PAGES if python_lines(page).strip()]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One where ``reversi`` is the package under test, whether it is installed or only on the path."""
    folder = tmp_path_factory.mktemp("bin")
    command = new_file(folder / "reversi", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m reversi "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}


def test_there_are_examples() -> None:
    assert sum(place.startswith("README.md") for place, _ in CONSOLE) >= 6
    assert {name(page) for page in PYTHON} >= {"README.md", "docs/library.md"}


@pytest.mark.skipif(SHELL is None or os.name == "nt", reason="the examples are written for a POSIX shell")
@pytest.mark.parametrize(("place", "block"), CONSOLE, ids=[place for place, _ in CONSOLE])
def test_console_examples(
    place: str, block: str, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = examples(block)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")  # examples may write beside it
    assert found, f"{place}: no command"
    monkeypatch.chdir(tmp_path)
    for command, expected in found:
        if not (place.startswith("README.md") or SHELL_SIGNS & {*command}):
            program, *words = shlex.split(command)
            assert program == "reversi"
            printed = run_command(*words, redirection="2>&1", environment={"COLUMNS": "80"}).stdout
            assert printed == expected, f"{place}: {command}"
            continue
        assert SHELL is not None
        done = subprocess.run(
            [SHELL, "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,  # some examples are of a command that finds something
        )
        assert done.stdout == expected, f"{place}: {command}"


@pytest.mark.parametrize("page", PYTHON, ids=name)
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # they read examples/
    for module, package in NEEDS.items():
        if f"from {module} import" in python_lines(page):
            pytest.importorskip(package)
    test = doctest.DocTestParser().get_doctest(python_lines(page), {}, name(page), str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
