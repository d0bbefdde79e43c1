"""docs/diagrams.md: its examples are true, and its pictures are those of docs/make_diagrams.py."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from command_line import run_command
from reversi.cli.diagram import PictureFormat
from reversi.render import THEMES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "diagrams.md").read_text(encoding="utf-8")
PICTURES = sorted(path.stem for path in (DOCS / "diagrams").iterdir())


def script() -> ModuleType:
    """The script that makes the pictures."""
    spec = importlib.util.spec_from_file_location("make_diagrams", DOCS / "make_diagrams.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_examples() -> None:
    code = "".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "diagrams.md", None, 0)
    assert len(test.examples) >= 10
    report: list[str] = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)


def test_the_commands() -> None:
    examples = re.findall(r"^```console\n\$ (reversi [^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert examples
    for command, expected in examples:
        done = run_command(*shlex.split(command)[1:])
        assert (done.returncode, done.stdout) == (0, expected)


def test_the_page_names_every_form_and_theme() -> None:
    for form in PictureFormat:
        assert f"`.{form.value}`" in PAGE
    for theme in THEMES:
        assert f"`{theme}`" in PAGE


def test_every_picture_is_shown_and_exists() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(diagrams/([\w-]+)\.svg\)", PAGE)
    assert sorted(shown) == PICTURES
    assert len(PICTURES) >= 5


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_those_that_the_script_makes(name: str) -> None:
    committed = (DOCS / "diagrams" / f"{name}.svg").read_text(encoding="utf-8")
    assert script().PICTURES[name]() == committed, f"{name}: run python docs/make_diagrams.py"
    assert len(committed) < 20_000
    assert ET.fromstring(committed).find("{*}title") is not None
