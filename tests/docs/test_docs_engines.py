"""The players that docs/engines.md and docs/match.md name can be read; test_readme.py runs the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reversi.match.contestants import parse_contestant

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "engines.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["engines.md", "match.md"])
def test_the_players_of_commands_can_be_read(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    players = re.findall(r'"((?:gtp|nboard):[^"]+)"|((?:\w+=)?(?:nboard|python):[\w./:]+\w)', text)
    named = [quoted or bare for quoted, bare in players]
    assert named
    for each in named:
        if "MODULE" not in each and "FILE" not in each:
            assert parse_contestant(each).side.program
