"""Boards that begin with dashes are no options; some options need no value."""

import pytest

from reversi.cli.arguments import complete_options, protect_boards

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


@pytest.mark.parametrize(
    ("given", "completed"),
    [
        (["play", "--xot"], ["play", "--xot="]),
        (["play", "--xot", "7"], ["play", "--xot", "7"]),
        (["play", "--xot", "--quiet"], ["play", "--xot=", "--quiet"]),
        (["play", "--xot=7", "-q"], ["play", "--xot=7", "-q"]),
        (["play", "--resume", "-q"], ["play", "--resume=", "-q"]),
        (["play", "--resume", "a/2026.session"], ["play", "--resume", "a/2026.session"]),
        (["play", "--resume", "no/such/file"], ["play", "--resume", "no/such/file"]),
        (["play", "--resume", "-"], ["play", "--resume", "-"]),
        (["play", "--xot", "abc"], ["play", "--xot", "abc"]),
        (["solve", "--resume", "-q"], ["solve", "--resume", "-q"]),
        ([], []),
    ],
)
def test_an_option_that_needs_no_number(given: list[str], completed: list[str]) -> None:
    assert complete_options(given) == completed
