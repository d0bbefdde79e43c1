"""docs/reports.md: its pictures exist and are small, its keys are those of the page."""

from __future__ import annotations

import re
import struct
from importlib.resources import files
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reports.md").read_text(encoding="utf-8")
PICTURES = sorted(path.name for path in (DOCS / "reports").iterdir())


def test_every_picture_is_shown_and_exists() -> None:
    assert sorted(re.findall(r"!\[[^\]]+\]\(reports/([\w.-]+)\)", PAGE)) == PICTURES
    script = (DOCS / "make_report_pictures.py").read_text(encoding="utf-8")
    windows = re.findall(r'^    "(\w+)": \{"viewport"', script, re.MULTILINE)
    assert sorted(f"{name}.png" for name in windows) == PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_small(name: str) -> None:
    data = (DOCS / "reports" / name).read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert len(data) < 150_000
    width, height = struct.unpack(">II", data[16:24])
    assert 300 < width < 1600
    assert 300 < height < 1600


def test_the_keys_are_those_of_the_page() -> None:
    page = files("reversi.render.report").joinpath("page.html").read_text(encoding="utf-8")
    named = {"&larr;": "←", "&rarr;": "→"}
    keys = {named.get(key, key) for key in re.findall(r"<kbd>([^<]+)</kbd>", page)}
    table = PAGE.partition("| key |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([^`]+)`", table)) == keys
