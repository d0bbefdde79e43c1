from __future__ import annotations

import pytest

from reversi import PASS, Color, InputError, Position, Square
from reversi.records import Record
from reversi.records.ggf import is_ggf, read_ggf

START = "8 ---------------------------O*------*O--------------------------- *"


def games(text: str) -> list[Record | InputError]:
    return [record for _, record in read_ggf(text)]


def game(text: str) -> Record:
    (record,) = games(text)
    assert isinstance(record, Record)
    return record


def test_a_game() -> None:
    record = game(f"(;GM[Othello]PC[GGS/os]DT[x]PB[ada]PW[b c]RE[?]BO[{START}]B[F5//0.01]W[d6/2.39/1]B[c3];)")
    assert record.start == Position()
    assert record.moves == (Square("f5"), Square("d6"), Square("c3"))
    assert (record.black, record.white) == ("ada", "b c")


def test_boards_in_rows_and_other_sizes_and_starts() -> None:
    record = game("1 (;GM[othello]BO[4 ---- -O*- -*O- ---- O]W[PA]B[pass/1]W[--];)")
    assert (record.rules.board.cells, record.start.to_move) == (16, Color.WHITE)
    assert record.moves == (PASS, PASS, PASS)
    assert game("(;GM[Othello]B[f5];)").start == Position()


def test_misere_by_type() -> None:
    assert game(f"(;GM[Othello]TY[8a]BO[{START}]B[f5];)").rules.misere
    assert not game(f"(;GM[Othello]TY[s8r18]BO[{START}]B[f5];)").rules.misere


def test_several_games_with_their_lines() -> None:
    text = f"2 (;GM[Othello]BO[{START}];)(;GM[Othello]BO[{START}]\nB[f5]\n;)\n\n(;GM[Othello]BO[{START}];)"
    assert [line for line, _ in read_ggf(text)] == [1, 1, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[Chess];)", "a game of 'Chess'"),
        ("(;GM[Othello]BO[10 x];)", "a board of size '10'"),
        ("(;GM[Othello]BO[8 x *];)", "cells"),
        (f"(;GM[Othello]BO[{START}]W[f5];)", "ply 1: W[f5] is Black's turn"),
        (f"(;GM[Othello]BO[{START}]B[z9];)", "'z9' is not a move"),
        (f"(;GM[Othello]BO[{START}]B[f5]", "does not end with ';)'"),
    ],
)
def test_games_that_cannot_be_read_do_not_hide_the_next(text: str, message: str) -> None:
    first, second = games(text + f"\n(;GM[Othello]BO[{START}];)")
    assert isinstance(first, InputError)
    assert message in str(first)
    assert isinstance(second, Record)


def test_recognising() -> None:
    assert is_ggf(" 2 (;GM[Othello];)")
    assert not is_ggf("f5d6")
