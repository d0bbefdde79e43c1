"""docs/play.md on the full screen: its tables come from the code, its pictures from docs/make_screens.py.

python tests/tui/test_docs_screens.py      writes the tables anew
"""

from __future__ import annotations

import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from reversi.tui.keys import (
    ANALYSIS_KEYS,
    BOARD_KEYS,
    EDITOR_KEYS,
    EXERCISE_KEYS,
    EXPLORER_KEYS,
    MANUAL_KEYS,
    PEEK_KEYS,
    Key,
    key_table,
)
from reversi.tui.themes import DEFAULT, THEMES

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = DOCS / "play.md"
PICTURES = sorted(path.stem for path in (DOCS / "screens").glob("*.svg"))
TERMINAL = ["terminal-140x45", "terminal-80x24", "terminal-dumb", "terminal-no-color"]


def themes_table() -> str:
    """The themes as a table."""
    rows = [f"| `{name}`{' (the first)' * (name == DEFAULT)} | {theme.title} |" for name, theme in THEMES.items()]
    return "\n".join(["| theme | |", "|---|---|", *rows])


def keys_table(keys: Sequence[Key]) -> str:
    """Keys as a table."""
    rows = [f"| {shown} | {meaning} |" for shown, meaning in key_table(keys)]
    return "\n".join(["| key | what it does |", "|---|---|", *rows])


TABLES = {
    "keys: board": keys_table(BOARD_KEYS),
    "keys: analysis": keys_table(ANALYSIS_KEYS),
    "keys: exercise": keys_table(EXERCISE_KEYS),
    "keys: explorer": keys_table(EXPLORER_KEYS),
    "keys: peek": keys_table(PEEK_KEYS),
    "keys: editor": keys_table(EDITOR_KEYS),
    "keys: manual": keys_table(MANUAL_KEYS),
    "themes": themes_table(),
}


def with_tables(text: str) -> str:
    """The page with the tables as the code has them."""
    for name, table in TABLES.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert len(pattern.findall(text)) == 1, name
        text = pattern.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
    return text


def scenes() -> ModuleType:
    """The script that makes the pictures."""
    pytest.importorskip("textual", reason="the extra tui is not installed")
    spec = importlib.util.spec_from_file_location("make_screens", DOCS / "make_screens.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_screens"] = module
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_tables(text) == text


def test_every_picture_is_shown_and_exists() -> None:
    shown = re.findall(r"\]\(screens/([\w-]+)\.svg\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == PICTURES


@pytest.mark.thorough
def test_the_pictures_are_those_that_the_script_makes() -> None:
    script = scenes()
    assert sorted([*(scene.name for scene in script.SCENES), *TERMINAL]) == PICTURES
    for scene in script.SCENES:
        if scene.stable:
            committed = (DOCS / "screens" / f"{scene.name}.svg").read_text(encoding="utf-8")
            assert script.picture(scene) == committed, f"{scene.name}: run python docs/make_screens.py"


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_small_and_well_formed(name: str) -> None:
    path = DOCS / "screens" / f"{name}.svg"
    assert path.stat().st_size < 80_000
    root = ET.parse(path).getroot()
    assert root.find("{*}title") is not None
    text = " ".join(root.itertext())
    assert any(side in text for side in ("Black", "White", "Red", "Blue"))


def test_the_film_has_its_screens_in_both_sizes() -> None:
    text = (DOCS / "film.md").read_text(encoding="utf-8").partition("\n## 80x24\n")[2]
    screens = re.findall(r"^### [^\n]*\n\n```text\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
    heights = [len(screen.split("\n")) for screen in screens]
    assert heights == [24] * 23 + [40] * 23
    assert max(len(line) for screen in screens[:23] for line in screen.split("\n")) <= 80


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
