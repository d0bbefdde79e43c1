"""Hooks of the documentation site: the repository's address, and links that leave docs/."""

from typing import Any
from urllib.parse import urlsplit

from addresses import URLS, with_addresses


def on_config(config: Any) -> Any:
    """Take the addresses from pyproject.toml, their only home."""
    config["repo_url"] = URLS["Repository"]
    config["repo_name"] = urlsplit(URLS["Repository"]).path.strip("/")
    config["site_url"] = URLS["Documentation"]
    return config


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Send links to files outside docs/ to the repository."""
    return with_addresses(markdown, f"docs/{page.file.src_uri}", below="docs")
