"""Boards that begin with dashes are no options."""

import pytest

from reversi.cli.arguments import protect_boards

START = "---------------------------OX------XO---------------------------"


@pytest.mark.parametrize(
    "board", [START, f"{START} X; h8:+0", "-OX--XO-----XOOX", "-" * 16, "--------\n" * 8, "- - - - - - - - X O"]
)
def test_a_board_gets_a_blank(board: str) -> None:
    assert protect_boards(["solve", board, "--json"]) == ["solve", f" {board}", "--json"]


@pytest.mark.parametrize(
    "argument", ["-", "--", "-h", "--json", "--to-move", "--each", "f5d6", "--rules=othello", ""]
)
def test_anything_else_is_left_alone(argument: str) -> None:
    assert protect_boards([argument]) == [argument]
