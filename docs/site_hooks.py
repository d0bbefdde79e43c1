"""Hooks of the documentation site: the repository's address, links that leave docs/, and examples at a prompt."""

from typing import Any
from urllib.parse import urlsplit

from addresses import URLS, with_addresses
from example_blocks import with_prompts
from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

_BEFORE_FENCES = 30


class _Prompts(Preprocessor):  # type: ignore[misc] # Markdown has no types
    def run(self, lines: list[str]) -> list[str]:
        return with_prompts(lines)


class _PromptsExtension(Extension):  # type: ignore[misc]
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the name in Markdown
        md.preprocessors.register(_Prompts(md), "prompts", _BEFORE_FENCES)


def on_config(config: Any) -> Any:
    """Take the addresses from pyproject.toml, their only home."""
    config["repo_url"] = URLS["Repository"]
    config["repo_name"] = urlsplit(URLS["Repository"]).path.strip("/")
    config["site_url"] = URLS["Documentation"]
    config["markdown_extensions"].append(_PromptsExtension())
    return config


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Send links to files outside docs/ to the repository."""
    return with_addresses(markdown, f"docs/{page.file.src_uri}", below="docs")
