"""Golden playthroughs: every observable of eleven seeded games, byte for byte (``golden/make.py`` writes them)."""

from __future__ import annotations

import os
import sys

import pytest

from command_line import run_python
from golden import make
from reversi._core import ISA, USABLE_ISAS


@pytest.mark.parametrize(("text", "seed", "skips"), make.GAMES, ids=[game[0] for game in make.GAMES])
def test_playthrough(text, seed, skips):
    """A difference shows what changed; ``python tests/golden/make.py`` accepts it."""
    expected = make.path_of(text).read_bytes().decode()
    found = make.playthrough(text, seed, skips)
    assert found.splitlines() == expected.splitlines()
    assert found == expected


def test_every_file_is_compared():
    files = {path.name for path in make.FOLDER.glob("*.txt")}
    assert files == {make.path_of(text).name for text, _, _ in make.GAMES}


def test_games_hold_what_they_are_there_for():
    """Forced passes, skips, an end by two passes, and full boards."""
    texts = {text: make.path_of(text).read_text(encoding="utf-8") for text, _, _ in make.GAMES}
    assert any("legal moves: -- (1)" in text for text in texts.values())
    assert "state: ended" in texts["othello,optional-skip"]
    assert "played: --" in texts["othello,optional-skip,full-board"]
    assert "state: after-pass" in texts["adjacent,optional-skip,board=6x4"]
    assert "empties: 0" in texts["adjacent"]


@pytest.mark.parametrize("isa", [isa for isa in USABLE_ISAS if isa != ISA])
def test_other_instruction_sets_play_the_same_games(isa):
    path = os.pathsep.join(path for path in sys.path if path)
    run_python(
        str(make.FOLDER / "make.py"), "--check", env={**os.environ, "PYTHONPATH": path, "REVERSI_ISA": isa}
    ).ends(0, err="")
