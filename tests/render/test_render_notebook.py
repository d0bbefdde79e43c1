"""Notebooks show positions, games, records, solutions and analyses as pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from command_line import run_python
from pictures import elements
from reversi import Game, Position, Square, solve
from reversi.analysis import analyze
from reversi.inputs.input import parse_position
from reversi.records import Line, Node, Record
from reversi.render import svg
from reversi.score import short_score

ENDGAME = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"
CELLS = (
    "from reversi import Game, Position\nPosition()",
    "game = Game(); game.play_all(['f5', 'd6']); game",
    "from reversi.records import parse_record\nparse_record('1. f5 d6 *')",
    "from reversi import solve\nfrom reversi.inputs.input import parse_position\n"
    f"solution = solve(parse_position('{ENDGAME}')); solution",
    "from reversi.analysis import analyze\nanalysis = analyze(game, level=1); analysis",
    "from reversi.records import Line, Node, Record\nRecord(line=Line([Node(game.moves[1])]))",
)


def test_values_show_themselves() -> None:
    game = Game()
    game.play_all(["f5", "d6"])
    record = Record(line=Line([Node(Square("f5")), Node(Square("d6"))]))
    assert Position()._repr_svg_() == svg(Position())
    assert game._repr_svg_() == record._repr_svg_() == svg(game)
    assert Record(line=Line([Node(Square("a1"))]))._repr_svg_() is None


def test_a_solution_shows_its_scores() -> None:
    position = parse_position(ENDGAME)
    one, every = solve(position), solve(position, all_moves=True)
    shown = {text.text for text in elements(one._repr_svg_(), "text")}
    assert {"+0", "+0 exact, draw"} <= shown
    shown = {text.text for text in elements(every._repr_svg_(), "text")}
    assert {short_score(move.score) for move in every.moves} | {"+0 exact, draw"} <= shown


def test_a_solution_without_a_square_to_mark() -> None:
    over = parse_position("X" * 64 + " O")
    passing = parse_position("X" * 62 + "O- O")
    assert [str(move) for move in solve(passing).best] == ["--"]
    for position in (over, passing):
        assert ET.fromstring(solve(position)._repr_svg_()).find("{*}title") is not None


def test_pictures_are_loaded_when_they_are_asked_for() -> None:
    code = "import sys, reversi; reversi.Position, reversi.Game; print('reversi.render' in sys.modules)"
    done = run_python("-c", code, check=True)
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
    solved, analysis = solve(parse_position(ENDGAME)), analyze(game, level=1)
    pictures = [svg(Position()), svg(game), svg(game), solved._repr_svg_(), analysis._repr_svg_()]
    assert [data.get("image/svg+xml") for data in shown[:5]] == pictures
    assert all("text/plain" in data for data in shown)
    assert "image/svg+xml" not in shown[5]  # an illegal move: the text alone
