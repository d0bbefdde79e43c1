"""docs/diagrams.md: its pictures are those of docs/make_diagrams.py; test_readme.py runs its examples."""

from __future__ import annotations

import importlib.util
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

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
