"""The paths in docs/architecture.md exist, and its table has every room of the house."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = ROOT / "src" / "reversi"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# `solver/stopping.py`, `records/formats/`, `upper.pxi`; NAME stands for a name to choose
PATH = re.compile(r"`([\w./]+(?:/|\.(?:py|pyi|pyx|pxi|h|js|md|toml)))`")
PATHS = sorted({path for path in PATH.findall(PAGE) if "NAME" not in path})


def test_there_are_paths() -> None:
    assert len(PATHS) > 25


@pytest.mark.parametrize("path", PATHS)
def test_paths_exist(path: str) -> None:
    if not (HOME / "_core.pyx").exists():
        pytest.skip("the sources are not here")
    places = (
        [ROOT, HOME] if "/" in path else [ROOT, *(folder for folder in HOME.rglob("*") if folder.is_dir()), HOME]
    )
    assert any((place / path).exists() for place in places), path


def test_every_path_of_the_questions_is_named_once_and_exists() -> None:
    table = PAGE.partition("## Where is …")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (where .+?\?|what .+?\?|how .+?\?|which .+?\?) \| (.+) \|$", table, re.MULTILINE)
    assert len(rows) == table.count("\n| ") - 1  # but the heading
    for question, place in rows:
        assert PATH.search(place) or "](#" in place, question


def test_the_table_has_every_room() -> None:
    table = PAGE.partition("## The house")[2].partition("\n## ")[0]
    named = {
        name for row in re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    rooms = {
        path.name.partition(".")[0] for path in HOME.iterdir() if path.is_dir() or path.suffix in (".py", ".pyx")
    }
    not_rooms = {"__pycache__", "__init__", "__main__", "_lazy", "_regex", "_version"}
    assert named == rooms - not_rooms
