"""The page for packagers names each file that is not a program, once."""

from __future__ import annotations

import os
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "provenance.md"
FOLDERS = ("src", "docs", "examples", "tests", "training", "benchmarks")
PROGRAMS = (
    ".py",
    ".pyi",
    ".pyx",
    ".pxi",
    ".c",
    ".h",
    ".so",
    ".pyd",
    ".pyc",
    ".sh",
    ".yml",
    ".typed",
    "attributes",
    ".schema.json",
)
BY_HAND = (
    "docs/*.md",
    "docs/service.schema.json",
    "docs/site.css",
    "training/*.md",
    "benchmarks/*.md",
    "examples/scripts/*.md",
)


def test_each_file_has_its_row() -> None:
    rows = [row.split(" | ")[0] for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    patterns = [pattern for row in rows for pattern in re.findall(r"`(\S+)`", row)]
    used: set[str] = set()
    for folder in FOLDERS:
        for place, folders, files in os.walk(ROOT / folder):
            folders[:] = [name for name in folders if not name.endswith((".egg-info", "_cache", "__pycache__"))]
            for path in (Path(place, name).relative_to(ROOT).as_posix() for name in files):
                fitting = [pattern for pattern in patterns if fnmatch(path, pattern)]
                is_program = path.endswith(PROGRAMS) or any(fnmatch(path, pattern) for pattern in BY_HAND)
                assert len(fitting) <= 1 if is_program else len(fitting) == 1, path
                used.update(fitting)
    assert used == set(patterns)


def test_the_page_is_beside_the_license() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "docs/provenance.md"]
