"""Addresses on the web of this project's files, for pages that are shown without the files beside them.

Pages have relative links. ``[project.urls]`` in pyproject.toml is the only home of addresses: ``Documentation`` is
where the pages of docs/ are, and ``Changelog``, the address of CHANGELOG.md, says where the other files are. The
build makes the long description of README.md with them, and the site the links that leave docs/.
"""

import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
URLS: Mapping[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]

LINK = re.compile(r"(?<=\]\()(?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
"""A relative link of a page, or its picture."""
PICTURES = (".gif", ".png", ".svg")
_CHANGELOG = "CHANGELOG.md"


def address(path: str, urls: Mapping[str, str] = URLS) -> str | None:
    """Return the address of a file of the project, ``None`` where ``urls`` do not say."""
    if path.startswith("docs/") and path.endswith(".md") and "Documentation" in urls:
        page = re.sub(r"(?:^|(?<=/))index$", "", path.removeprefix("docs/").removesuffix(".md"))
        return posixpath.join(urls["Documentation"], page, "")
    log = urls.get("Changelog", "")
    if not log.endswith(f"/{_CHANGELOG}"):
        return None
    if path.endswith(PICTURES):  # the file, not the page around it
        log = re.sub("/(?:blob|src)/", "/raw/", log, count=1)
    return log.removesuffix(_CHANGELOG) + path


def with_addresses(text: str, page: str, *, below: str = "", urls: Mapping[str, str] = URLS) -> str:
    """Return a page with addresses for the relative links that leave the folder where the page is shown.

    Args:
        text: the page.
        page: its path.
        below: the folder; by default the page is shown alone.
        urls: the addresses; a link that they do not cover stays as it is.
    """

    def link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), match["path"]))
        stays = below and path.startswith(f"{below}/")
        found = None if stays or not (ROOT / path).exists() else address(path, urls)
        return match[0] if found is None else found + (match["anchor"] or "")

    return LINK.sub(link, text)
