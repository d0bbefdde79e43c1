"""Hooks of the documentation site: the repository's address, and links that leave docs/."""

import re
import tomllib
from pathlib import Path
from typing import Any

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY: str = PROJECT["urls"]["Repository"]
# A page may link to a file beside docs/: on GitHub the relative link works, on the site it goes to the repository.
OUTSIDE = re.compile(r"\]\(\.\./(?P<path>[^)#\s]+)")


def on_config(config: Any) -> Any:
    """Take the addresses from pyproject.toml, their only home."""
    config["repo_url"] = REPOSITORY
    config["repo_name"] = REPOSITORY.removeprefix("https://github.com/")
    config["site_url"] = PROJECT["urls"]["Documentation"]
    return config


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Send links to files outside docs/ to the repository."""
    if "/" in page.file.src_uri:  # a page in a folder of docs/: ../ stays inside
        return markdown
    return OUTSIDE.sub(lambda link: f"]({REPOSITORY}/blob/main/{link['path']}", markdown)
