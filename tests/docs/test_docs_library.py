"""The commands in docs/database.md do what it shows, but for the times."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import run_command

pytest.importorskip("duckdb", reason="the game library needs DuckDB")
pytest.importorskip("numpy", reason="the game library needs NumPy")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "database.md").read_text(encoding="utf-8")
SECONDS = re.compile(r"[0-9]+\.[0-9]+ s\b")


def blocks(kind: str) -> str:
    return "".join(re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = re.split(r"^\$ ", blocks("shell-session"), flags=re.MULTILINE)[1:]
    assert len(examples) == 5
    for example in examples:
        command, _, expected = example.partition("\n")
        words = shlex.split(command.replace("example.duckdb", str(tmp_path / "example.duckdb")))
        assert words.pop(0) == "reversi"
        done = run_command(*words, redirection="2>&1").ends(0)
        said = done.stdout.replace(str(tmp_path / "example.duckdb"), "example.duckdb")
        assert SECONDS.sub("0 s", said) == SECONDS.sub("0 s", expected), command
