"""The examples of every page are typed: mypy accepts them untouched, and strictly."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import pytest

import reversi
from command_line import run_python

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?:pycon|python)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code_of(page: Path) -> str:
    """The examples of a page, one after another, as its reader types them."""
    parts = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        examples = doctest.DocTestParser().get_examples(block)
        parts.append("".join(example.source for example in examples) if examples else block)
    return "\n".join(parts)


@pytest.mark.thorough
def test_examples_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    pages = {page: code for page in PAGES if (code := code_of(page))}
    assert len(pages) > 15
    for page, code in pages.items():
        name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    environment = dict(os.environ)
    if "site-packages" not in (source := str(Path(reversi.__file__).parents[1])):  # where mypy looks by itself
        environment["MYPYPATH"] = source
    run_python(
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(tmp_path / "cache"),
        str(tmp_path),
        cwd=tmp_path,
        env=environment,
    ).ends(0)
