"""What people try first at a prompt works, or says in one line what to write instead."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reversi
from command_line import run_python
from reversi import (
    PASS,
    ArgumentError,
    Engine,
    Game,
    Position,
    Square,
    analyze,
    evaluate,
    hint,
    open_records,
    search,
    solve,
)
from reversi.records import parse_record, validate_record

TEXT: Any = "f5d6"  # as from a notebook, where no type checker looks
NOTHING: Any = None
ENDING = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: solve(TEXT), "position must be a Position, not str; Position.parse reads text"),
        (lambda: hint(TEXT), "position must be a Position, not str; Position.parse reads text"),
        (lambda: search(TEXT), "position must be a Position, not str; Position.parse reads text"),
        (lambda: evaluate(TEXT), "position must be a Position, not str; Position.parse reads text"),
        (lambda: Engine().choose(TEXT), "position must be a Position, not str; Position.parse reads text"),
        (lambda: solve(NOTHING), "position must be a Position, not None; Position.parse reads text"),
        (lambda: Game(TEXT), "start must be a Position or a Rules, not str; Game().play_all(moves) plays text"),
        (
            lambda: analyze(TEXT),
            "game must be a Game or a Record, not str; open_records reads files, "
            "Game().play_all(moves) plays text",
        ),
        (
            lambda: Position(TEXT),
            "rules must be a Rules value, not str; parse_rules reads rules, Position.parse reads positions",
        ),
    ],
)
def test_text_where_a_value_is_expected(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_a_picture_of_text() -> None:
    with pytest.raises(ArgumentError, match=r"not of str; Position\.parse reads text"):
        reversi.render.svg(TEXT)


def test_packages_are_there_after_the_import_of_reversi() -> None:
    code = "import reversi; print(reversi.render.svg(reversi.Position())[:4], reversi.inputs.load_game.__name__)"
    done = run_python("-c", code, check=True)
    assert done.stdout == "<svg load_game\n"


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("types.ModuleType('reversi._core')", "older than the package; build it again"),
        ("None", "missing; build it"),
    ],
)
def test_a_compiled_core_that_does_not_fit(what: str, words: str) -> None:
    start = f"import sys, types; sys.modules['reversi._core'] = {what}; "
    library = run_python("-c", f"{start}from reversi import Position")
    assert f"ImportError: the compiled core is {words}: pip install ." in library.stderr.splitlines()[-1]
    command = run_python("-c", f"{start}from reversi.cli import run; sys.exit(run(['perft', '1']))").ends(2)
    (line,) = command.stderr.splitlines()
    assert line.startswith(f"reversi: the compiled core is {words}")


def test_answers_print_on_one_line() -> None:
    position = Position.parse(ENDING)
    assert str(solve(position)) == "+0 exact, best a4"
    assert str(solve(position, all_moves=True)) == "+0 exact, best f3 a4 e8"
    assert [str(choice) for choice in hint(position, 1)] == ["a4 +0 exact"]
    assert str(search(position, count=2)) == "a4 +0 exact, e8 +0 exact"
    (finding,) = validate_record(parse_record("1. f5 d6 2. c3 d7 *")).findings
    assert str(finding) == "ply 4: d7: flips nothing; legal: d3 f3 f4 g5 [illegal-move]"
    assert str(solve(Position.from_discs(1, 0))) == "+64 exact"  # over


def test_games_print_as_their_texts() -> None:
    record = next(open_records(Path(__file__).parents[1] / "examples" / "games.pgn"))
    assert str(record).startswith('[Event "Example games"]\n')
    assert str(record).endswith(" 45-19\n")
    lines = str(analyze(Game().play_all("f5d6c3"), level=1)).splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["1", "X", "f5"], ["2", "O", "d6"], ["3", "X", "c3"]]


def test_values_behave_as_values() -> None:
    position = Position()
    game = Game().play_all("f5d6c3")
    assert position == Position.from_moves([])
    assert {position: 1}[Position()] == 1
    assert game.positions[3] == game.position == Position.from_moves("f5d6c3")
    assert str(game[0].move) == "f5"
    assert sorted([Square("h8"), PASS, Square("a1")]) == [Square("a1"), Square("h8"), PASS]
    for value in (position, Square("f5"), PASS, game.moves, position.rules):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(game)).positions == game.positions
