"""The shipped example files are what their scripts make, and right."""

import runpy
from pathlib import Path

import pytest

from reversi.errors import ReversiError
from reversi.solver import Solver
from reversi.text.obf import read_obf

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_endgames_are_as_made(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "make_endgames.py"), run_name="__main__")
    assert capsys.readouterr().out == (EXAMPLES / "endgames.obf").read_text()


def test_endgames_list_every_move_with_its_score() -> None:
    solver = Solver()
    entries = [entry for _, entry in read_obf((EXAMPLES / "endgames.obf").read_text())]
    assert len(entries) == 12
    for entry in entries:
        assert not isinstance(entry, ReversiError)
        scored = {move: solver.solve(entry.position.play(move)).score.value for move in entry.position.legal_moves}
        # a forced pass is a ply too, so what follows is always seen by the opponent
        assert dict(entry.annotated) == {move: -value for move, value in scored.items()}
