"""What a person hears of a game: a turn as a sentence, and the board in words."""

from __future__ import annotations

import pytest

from reversi.game.game import Game
from reversi.inputs.input import parse_position
from reversi.rules import parse_rules
from reversi.session.sentences import ply_sentence, spoken_board


@pytest.mark.parametrize(
    ("rules", "moves", "heard"),
    [
        ("othello", "f5", "Black f5, flips e5; White to move."),
        ("othello", "f5 d6", "White d6, flips d5; Black to move."),
        ("adjacent,optional-skip", "c3 --", "White skips the turn; Black to move."),
        ("adjacent", "c4", "Black c4, flips d4; White to move."),
        ("adjacent", "f4", "Black f4, flips nothing; White to move."),
    ],
)
def test_a_turn_as_somebody_hears_it(rules: str, moves: str, heard: str) -> None:
    game = Game(parse_rules(rules))
    game.play_all(moves.split())
    assert game.last is not None
    assert ply_sentence(game.last) == heard
    assert ply_sentence(game.last, lambda color: f"{color}!") == heard.replace("Black", "Black!").replace(
        "White", "White!"
    )


def test_a_forced_pass_and_the_end() -> None:
    game = Game(parse_position("-" * 16 + "XO" + "-" * 42 + "XOO- X"))
    game.play_all(["h8", "--", "c3"])
    assert [ply_sentence(ply) for ply in game] == [
        "Black h8, flips 2: f8 g8; White to move.",
        "White has no placement and passes; Black to move.",
        "Black c3, flips b3; the game is over.",
    ]


def test_the_board_in_words() -> None:
    spoken = spoken_board(Game(parse_rules("othello,board=4x6")).position)
    assert [*spoken] == [*"1234abcdef"]
    assert spoken["1"] == "Row 1: a to f empty."
    assert spoken["2"] == "Row 2: a to b empty, c White, d Black, e to f empty."
    assert spoken["d"] == "Column d: 1 empty, 2 Black, 3 White, 4 empty."
