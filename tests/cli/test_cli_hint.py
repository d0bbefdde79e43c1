"""``reversi hint --explain``, ``reversi rules show`` in words, and the limits of a search."""

from __future__ import annotations

import json

import pytest

from command_line import run_command
from reversi import Position
from reversi.engine.explaining import Feature, explain
from reversi.rules import NAMED_RULES

POSITION = "---X------XXX-----OXOO----OOO-----OOX-----OOOO------XO---------- X"
EQUAL = "-OXXXX--OXXXXXOOOXXXOXOOOOOOOXOOOOXOXXOO-XOOXX--XXXXOOX---XXOXXX O"


def reversi(*arguments: str) -> str:
    done = run_command(*arguments).ends(0, err="")
    return done.stdout


def test_explained_in_words() -> None:
    lines = reversi("hint", POSITION, "--explain", "-n", "64", "--level", "4").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("    b2 "))
    assert "        - lets White take the corner a1" in lines[at + 1 : at + 3]
    assert any(line.startswith("        + ") for line in lines)
    plain = reversi("hint", POSITION, "-n", "64", "--level", "4").splitlines()
    assert plain == [line for line in lines if not line.startswith("        ")]


def test_explained_in_json() -> None:
    found = json.loads(reversi("hint", POSITION, "--explain", "-n", "64", "--level", "4", "--json"))
    remarks = {move["move"]: move["remarks"] for move in found["moves"]}
    assert {"feature": "gives-corner", "good": False, "text": "lets White take the corner a1"} in remarks["b2"]
    features = {remark["feature"] for said in remarks.values() for remark in said}
    assert features <= {feature.value for feature in Feature}
    plain = json.loads(reversi("hint", POSITION, "-n", "1", "--level", "4", "--json"))
    assert "remarks" not in plain["moves"][0]


def test_another_best_move_gets_its_own_reasons() -> None:
    text = json.loads(reversi("hint", EQUAL, "--explain", "-n", "64", "--exact", "--json"))
    moves = text["moves"]
    best = [move for move in moves if move["score"] == moves[0]["score"]]
    assert len(best) > 1
    for move in best:
        own = explain(Position.parse(EQUAL), move["move"], line=move["pv"][1:])
        assert [remark["text"] for remark in move["remarks"]] == [remark.text for remark in own]


@pytest.mark.parametrize("rules", [*NAMED_RULES, "adjacent,optional-skip,board=6x4,misere"])
def test_rules_are_explained_with_board_and_objective(rules: str) -> None:
    name, text, flips = reversi("rules", "show", rules).splitlines()
    assert name == rules
    assert "flip" in flips
    rows, columns = (6, 4) if "6x4" in rules else (8, 8)
    assert f"Board: {rows} rows, {columns} columns" in text
    assert ("The fewest discs win." if "misere" in rules else "The most discs win.") in text


def test_a_limit_in_nodes() -> None:
    lines = reversi("hint", "f5d6c3", "--nodes", "1000", "-n", "2").splitlines()[1:]
    assert len(lines) == 2
    assert all("heuristic" in line for line in lines)
    assert lines == reversi("hint", "f5d6c3", "--nodes", "1000", "-n", "2").splitlines()[1:]


def test_a_move_that_ends_the_game_does_not_speak_for_the_position() -> None:
    # h1 makes it a draw
    ends = "OOOOOOO-OOOOO-OXOOOOOOOXOOOXXXOXOOOXXXOXOOXOOXXXOXOOOXXXXXXXXXXX X"
    lines = reversi("hint", ends, "--level", "1").splitlines()[1:]
    assert lines[0] == "    f2  -2 ends the game, White wins  f2"
    assert "heuristic" in lines[1]
    skips = "----------XO-----XXOOO---X-OO---OOXXOX---XOXOO---XX------------- O --"
    options = ("--rules", "othello,optional-skip", "--time", "0.05", "--count", "1")
    assert reversi("hint", skips, *options).splitlines()[1:] == ["    --  +42 ends the game, White wins  --"]
