"""What a notebook runs in docs/asyncio.md; test_readme.py runs the other examples."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "asyncio.md"


@pytest.mark.thorough
def test_the_cell_of_a_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("IPython")
    monkeypatch.chdir(ROOT)
    (cell,) = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    code = compile(cell, str(PAGE), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {}

    async def run() -> None:
        awaited = eval(code, names)
        assert inspect.isawaitable(awaited)
        await awaited

    asyncio.run(run())
    count = len(names["record"].moves)
    assert len(names["analysis"].turns) == names["bar"].progress == count > 30
    shown = capsys.readouterr().out.splitlines()
    assert [line.rpartition("] ")[2] for line in shown] == [f"{done}/{count}" for done in range(count + 1)]
