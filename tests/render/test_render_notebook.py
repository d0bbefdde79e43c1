"""Notebooks show positions, games and records as pictures."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reversi import Game, Position, Square
from reversi.records import Line, Node, Record
from reversi.render import svg

CELLS = (
    "from reversi import Game, Position\nPosition()",
    "game = Game(); game.play_all(['f5', 'd6']); game",
    "from reversi.records import parse_record\nparse_record('1. f5 d6 *')",
    "from reversi.records import Line, Node, Record\nRecord(line=Line([Node(game.moves[1])]))",
)


def test_values_show_themselves() -> None:
    game = Game()
    game.play_all(["f5", "d6"])
    record = Record(line=Line([Node(Square("f5")), Node(Square("d6"))]))
    assert Position()._repr_svg_() == svg(Position())
    assert game._repr_svg_() == record._repr_svg_() == svg(game)
    assert Record(line=Line([Node(Square("a1"))]))._repr_svg_() is None


def test_pictures_are_loaded_when_they_are_asked_for() -> None:
    code = "import sys, reversi; reversi.Position, reversi.Game; print('reversi.render' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_notebook() -> None:
    nbformat = pytest.importorskip("nbformat", reason="notebooks need nbclient")
    nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient")
    pytest.importorskip("ipykernel", reason="notebooks need ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs[0].data for cell in notebook.cells]
    game = Game()
    game.play_all(["f5", "d6"])
    assert [data.get("image/svg+xml") for data in shown[:3]] == [svg(Position()), svg(game), svg(game)]
    assert all("text/plain" in data for data in shown)
    assert "image/svg+xml" not in shown[3]  # an illegal move: the text alone
