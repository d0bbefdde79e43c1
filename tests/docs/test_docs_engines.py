"""The examples in docs/engines.md run; those that need GRhino are only shown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from reversi.match.contestants import parse_contestant

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "engines.md").read_text(encoding="utf-8")


def test_the_python_examples() -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "engines.md", None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.attempted > 5
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("page", ["engines.md", "match.md"])
def test_the_players_of_commands_can_be_read(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    players = re.findall(r'"((?:gtp|nboard):[^"]+)"|((?:\w+=)?(?:nboard|python):[\w./:]+\w)', text)
    named = [quoted or bare for quoted, bare in players]
    assert named
    for each in named:
        if "MODULE" not in each and "FILE" not in each:
            assert parse_contestant(each).side.program
