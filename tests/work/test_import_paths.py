"""No process of this package takes a module of the current folder for one of the standard library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import ENVIRONMENT, run_python
from files import new_file

_PLANTED = "import sys\nsys.stderr.write(f'{__name__} of the current folder\\n')\nraise SystemExit(3)\n"
_NAMES = (
    "pickle",
    "socket",
    "struct",
    "multiprocessing",
    "ssl",
    "signal",
    "tempfile",
    "numpy",
    "tornado",
    "cryptography",
    "reversi_engine",
)
_MATCH = """
import sys, pickle, socket, struct, multiprocessing, signal, ssl, tempfile
from reversi.match import Match, MatchSettings, balanced_openings, parse_contestants
from reversi.work import connect

if __name__ == "__main__":
    sys.path.insert(0, "")  # as in an interactive session
    match = Match(parse_contestants(["1", "2"]), balanced_openings(), MatchSettings(games=2))
    match.run()
    print(len(match.games), sys.path[0] == "")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with modules that end whoever imports them."""
    here = tmp_path / "unpacked"
    here.mkdir()
    for name in _NAMES:
        (here / f"{name}.py").write_text(_PLANTED, encoding="utf-8")
    return here


def outcome(words: list[str], folder: Path) -> tuple[int, str, str]:
    done = run_python(*words, cwd=folder, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "where",
    [[], pytest.param(["--cluster", "local:1"], marks=pytest.mark.thorough)],
    ids=["match", "on a cluster"],
)
def test_a_command_in_a_strange_folder(folder: Path, tmp_path: Path, where: list[str]) -> None:
    if where:
        pytest.importorskip("distributed")
    command = tmp_path / "reversi"  # as pip installs it
    command.write_text(
        "import sys\nfrom reversi.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    status, out, err = outcome([str(command), "match", "1", "2", "--games", "2", "--json", *where], folder)
    assert (status, err) == (0, "")
    assert json.loads(out)["games"] == 2


def test_a_library_caller_in_a_strange_folder(folder: Path, tmp_path: Path) -> None:
    program = new_file(tmp_path / "program.py", _MATCH)
    assert outcome([str(program)], folder) == (0, "2 True\n", "")


def test_the_module_as_a_command_finds_the_current_folder_last(folder: Path) -> None:
    status, out, err = outcome(["-m", "reversi", "match", "1", "2", "--games", "2", "--json"], folder)
    assert (status, err) == (0, "")
    assert json.loads(out)["games"] == 2
