"""Links and pictures work from where a page is: in a checkout, on the site, and on PyPI; no network is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from addresses import LINK, ROOT, URLS, address, with_addresses

FOLDERS = ("docs", "benchmarks", "training", "examples", ".github")
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
# code does not link
CODE = re.compile(r"^(`{3,}).*?^\1`*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
TARGET = re.compile(
    r"\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)|<(?:a|img)\s[^>]*(?:href|src)=\"([^\"]+)\"", re.MULTILINE
)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def targets(page: Path) -> Iterator[str]:
    for match in TARGET.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        yield next(filter(None, match.groups()))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges and the site make them."""
    text = re.sub(r"^(`{3,}).*?^\1`*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(text))
    return {re.sub(r"[^\w\s-]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_there_are_links() -> None:
    assert {"README.md", "docs/play.md", "benchmarks/README.md"} <= set(map(name, PAGES))
    assert sum(len(list(targets(page))) for page in PAGES) > 200


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_pictures_are_there(page: Path) -> None:
    for target in targets(page):
        path, _, anchor = target.partition("#")
        if path.startswith(("https://", "http://")):
            own = (URLS["Documentation"], f"{URLS['Repository']}/blob/")
            assert not path.startswith(own), f"{target}: link to the file"
            continue
        place = (page.parent / path).resolve() if path else page
        assert place.is_relative_to(ROOT), target
        assert place.is_file(), f"{target}: no such file"
        if anchor and place.suffix == ".md" and "/api/" not in name(place):
            assert anchor in anchors(place), f"{target}: no such heading"


def test_the_long_description_has_addresses() -> None:
    """PyPI shows README.md without the files beside it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    relative = [match[0] for match in LINK.finditer(text)]
    shown = with_addresses(text, "README.md")
    assert len(relative) > 30
    assert not LINK.search(shown)
    assert shown.count("](https://") == text.count("](https://") + len(relative)
    repository = f"{URLS['Repository']}/blob/main/"
    for link in (
        f"]({URLS['Documentation']}play/)",
        f"]({URLS['Documentation']}#install)",
        f"]({URLS['Documentation']}api/)",
        f"]({repository}CONTRIBUTING.md)",
        f"]({URLS['Repository']}/raw/main/docs/screens/board.svg)",
    ):
        assert link in shown


@pytest.mark.parametrize(
    ("urls", "page", "file", "picture"),
    [
        ({}, None, None, None),
        ({"Documentation": "https://d.example"}, "https://d.example/a/", None, None),
        (
            {"Changelog": "https://codeberg.org/me/mine/src/branch/main/CHANGELOG.md"},
            "https://codeberg.org/me/mine/src/branch/main/docs/a.md",
            "https://codeberg.org/me/mine/src/branch/main/b/c.py",
            "https://codeberg.org/me/mine/raw/branch/main/docs/d.svg",
        ),
        (
            {
                "Changelog": "https://gitlab.com/me/mine/-/blob/main/CHANGELOG.md",
                "Documentation": "https://d.example/x/",
            },
            "https://d.example/x/a/",
            "https://gitlab.com/me/mine/-/blob/main/b/c.py",
            "https://gitlab.com/me/mine/-/raw/main/docs/d.svg",
        ),
    ],
)
def test_addresses_follow_the_settings(
    urls: dict[str, str], page: str | None, file: str | None, picture: str | None
) -> None:
    assert [address(path, urls) for path in ("docs/a.md", "b/c.py", "docs/d.svg")] == [page, file, picture]
    if not urls:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        assert with_addresses(text, "README.md", urls=urls) == text


def test_pages_of_the_site_keep_their_links_inside() -> None:
    text = "[a](rules.md) ![b](screens/board.svg) [c](../benchmarks/README.md#x) [d](../no-such-file)"
    shown = with_addresses(text, "docs/play.md", below="docs")
    assert "(rules.md)" in shown
    assert "(screens/board.svg)" in shown
    assert f"({URLS['Repository']}/blob/main/benchmarks/README.md#x)" in shown
    assert "(../no-such-file)" in shown
    assert f"({URLS['Repository']}/blob/main/README.md)" in with_addresses(
        "[up](../../README.md)", "docs/api/index.md", below="docs"
    )


def test_a_missing_file_is_found(tmp_path: Path) -> None:
    """The check above sees a broken link, a broken picture and a wrong heading."""
    page = tmp_path / "page.md"
    page.write_text("# A b\n[x](no.md) ![y](no.svg) [z](#a-b) [w](#c)\n```\n[no](link)\n```\n`[no](link)`\n")
    assert list(targets(page)) == ["no.md", "no.svg", "#a-b", "#c"]
    assert anchors(page) == {"a-b"}
