"""Commands with paths that nobody may read, or that cannot be: a line and a status, no traceback."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import run_command
from command_tree import INPUTS, RUNS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")

LONG = "n" * 256
WITH_FILES = [name for name, words in RUNS.items() if any("{folder}" in word for word in words)]
WITH_POSITIONS = [name for name, words in RUNS.items() if "f5d6" in words]
REASONS = (
    "denied",
    "readable",
    "levels of symbolic links",
    "too long",
    "no such file",
    "not exist",
    "There is no history",
)


def _check(name: str, words: list[str]) -> None:
    done = run_command(*name.split(), *words, data=INPUTS.get(name, ""))
    said = done.stdout + done.stderr
    assert done.returncode in (2, 65, 66, 73) or "There is no history" in said, said
    assert any(reason in said for reason in REASONS), said


def _with_folder(name: str, folder: Path) -> list[str]:
    return [
        *(word.replace("{folder}", str(folder)) for word in RUNS[name]),
        *(["--yes"] * (name == "history delete")),
    ]


@pytest.fixture
def closed(tmp_path: Path, close: Callable[[Path], None]) -> Path:
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "games.pgn").touch()
    close(folder)
    return folder


@pytest.mark.parametrize("name", WITH_FILES)
def test_files_in_a_closed_folder(name: str, closed: Path) -> None:
    _check(name, _with_folder(name, closed))


@pytest.mark.parametrize("name", WITH_POSITIONS)
@pytest.mark.parametrize("place", ["games.pgn", "games.pgn#1@20", "none.pgn"])
def test_a_position_in_a_closed_folder(name: str, place: str, closed: Path) -> None:
    _check(name, [f"{closed}/{place}" if word == "f5d6" else word for word in RUNS[name]])


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_FILES)
def test_files_behind_a_link_to_itself_and_of_too_long_a_name(name: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("link")
    for path in (link, tmp_path / LONG):
        _check(name, _with_folder(name, path))
        _check(name, [str(path) if word.startswith(str(path)) else word for word in _with_folder(name, path)])


def test_a_position_in_a_link_to_itself_and_in_a_name_that_is_too_long(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("link")
    for path in (link, tmp_path / LONG, "~nobody-has-this-name/games.pgn"):
        _check("position show", [str(path)])


@pytest.mark.parametrize("command", ["validate", "stats", "filter"])
def test_a_closed_folder_among_others_is_named(command: str, closed: Path) -> None:
    (closed.parent / "games.pgn").write_text("1. f5 d6 *\n", encoding="utf-8")
    done = run_command("record", command, closed.parent).ends(66, says=f"{closed}: cannot read: Permission denied")
    assert "1 game" in done.stdout + done.stderr
