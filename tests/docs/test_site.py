"""The site copies examples without their prompts, and its first page shows what the program is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from example_blocks import with_prompts

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^ *(`{3,}|~{3,})(\S*)[^\n]*\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```python\n>>> 1 + 1\n2\n```", "```pycon\n>>> 1 + 1\n2\n```"),
        ("```python\nx = 1\n>>> 2\n```", "```python\nx = 1\n>>> 2\n```"),
        ("```\n$ reversi play\n```", "```console\n$ reversi play\n```"),
        ("```\nreversi play\n```", "```\nreversi play\n```"),
        ("- x\n  ```python\n  >>> 1\n  ```", "- x\n  ```pycon\n  >>> 1\n  ```"),
        ("A.\n\n>>> 1\n1\n\nB.", "A.\n\n```pycon\n>>> 1\n1\n```\n\nB."),
        ("A.\n\n    >>> 1\n    1", "A.\n\n```pycon\n>>> 1\n1\n```"),
        ("```text\n>>> 1\n\n>>> 2\n```", "```text\n>>> 1\n\n>>> 2\n```"),
        ("```\n", "```\n"),
    ],
)
def test_examples_name_their_prompt(before: str, after: str) -> None:
    assert "\n".join(with_prompts(before.split("\n"))) == after


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_no_prompt_is_copied(page: Path) -> None:
    """Where a page has a prompt, the block says so; the style sheet leaves prompts and answers out of a copy."""
    text = "\n".join(with_prompts(page.read_text(encoding="utf-8").split("\n")))
    for _, language, block in BLOCK.findall(text):
        if language not in ("pycon", "console", "shell-session"):
            assert not re.search(r"^ *(?:>>> |\$ )", block, re.MULTILINE), block
    assert not re.search(r"^ {4,}(?:>>> |\$ )", BLOCK.sub("", text), re.MULTILINE)


def test_the_style_sheet_hides_prompts_and_answers() -> None:
    style = (DOCS / "site.css").read_text(encoding="utf-8")
    assert "[data-md-copying] :is(.gp, .go, .gt, .gr) { display: none; }" in style
    assert "extra_css: [site.css]" in (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_reference_shows_the_values_of_defaults() -> None:
    griffe = pytest.importorskip("griffe", reason="what builds the site is not installed")
    extensions = griffe.load_extensions(str(DOCS / "griffe_values.py"))
    package = griffe.load("reversi", extensions=extensions, search_paths=[str(DOCS.parent / "src")])
    parameters = package["solver.solver.Solver.__init__"].parameters
    assert str(parameters["hash_mb"].default) == "64"
    assert str(package["solver.batch.Batch.__init__"].parameters["hash_mb"].default) == "256"
    assert str(package["games.reading.open_records"].parameters["rules"].default) == "OTHELLO"
