"""Paths that may not exist, or that the system does not show."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reversi._system.paths import exists, expanded, is_file, is_folder, is_link, may_exist, real_path

LONG = "n" * 256


def _all(path: str | Path) -> tuple[bool, ...]:
    return exists(path), may_exist(path), is_file(path), is_folder(path), is_link(path)


def test_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert _all(tmp_path / "file") == (True, True, True, False, False)
    assert _all(str(tmp_path)) == (True, True, False, True, False)
    assert _all(tmp_path / "none") == (False,) * 5


@pytest.mark.parametrize("name", [LONG, f"{LONG}/file", "file/below", "with\0zero"])
def test_names_that_nothing_can_have(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    assert _all(f"{tmp_path}/{name}") == (False,) * 5


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links(tmp_path: Path) -> None:
    (tmp_path / "itself").symlink_to("itself")
    (tmp_path / "nowhere").symlink_to("none")
    assert _all(tmp_path / "itself") == (False, True, False, False, True)
    assert _all(tmp_path / "nowhere") == (False, False, False, False, True)
    assert real_path(tmp_path / "nowhere") == real_path(tmp_path) / "none"
    assert real_path(tmp_path / "itself").name == "itself"


def test_a_closed_folder(tmp_path: Path, close: Callable[[Path], None]) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "file").touch()
    close(closed)
    assert _all(closed) == (True, True, False, True, False)
    assert _all(closed / "file") == (False, True, False, False, False)


def test_the_folder_of_a_user() -> None:
    assert expanded("~/games.pgn") == Path.home() / "games.pgn"
    assert expanded("~nobody-has-this-name/games.pgn") == Path("~nobody-has-this-name/games.pgn")
