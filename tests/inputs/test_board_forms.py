"""Boards as bitboards and digits, names and scores beside boards, and what refusals recognize."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from reversi import Color, InputError, Position, parse_rules
from reversi.errors import BoardError, SideToMoveError
from reversi.inputs.input import positions_in
from reversi.inputs.positions import PositionEntry
from reversi.text import format_board, parse_board
from rule_sets import Pair, pairs

POSITION = Position.from_moves("f5d6c3")
BITS = f"{POSITION.black:016x} {POSITION.white:016x}"
DIGITS = POSITION.cells.translate(str.maketrans("-XO", "012"))
ZERO_ONE = POSITION.cells.translate(str.maketrans("XO", "01"))


def only(text: str, to_move: Color | None = None) -> PositionEntry:
    (entry,) = positions_in(text, to_move=to_move)
    return entry


@pytest.mark.parametrize(
    "text",
    [
        f"{BITS} O",
        f"{BITS.upper()} white",
        f"0x{POSITION.black:x} 0x{POSITION.white:X} O",
        f"0x{POSITION.black:x},0x{POSITION.white:x},O",
        f"{POSITION.black:016x}/{POSITION.white:016x} White to move",
        f"{DIGITS} O",
        f"{DIGITS} 2",
        f"{DIGITS} 2 -3",
        " ".join(DIGITS) + " W",
        "[" + ", ".join(DIGITS) + "] 2",
        " ".join(DIGITS[at : at + 8] for at in range(0, 64, 8)) + " O",
        f"{ZERO_ONE} 1",
        f"{ZERO_ONE.replace('-', '.')} O",
        f"{POSITION.cells},O,5",
        f"Tiger\t{format_board(POSITION)}",
        "Tiger\tf5d6c3",
        "7\tF5 D6 C3\t-12",
    ],
)
def test_every_form_is_the_position(text: str) -> None:
    assert only(text).position == POSITION


def test_bitboards_and_digits_leave_the_side_open() -> None:
    for text in (BITS, DIGITS, ZERO_ONE):
        assert isinstance(only(text).error, SideToMoveError)
        assert only(text, Color.WHITE).position == POSITION


@pytest.mark.parametrize(
    ("text", "score", "comment"),
    [
        (f"{format_board(POSITION)} +4", 4, ""),
        (f"{format_board(POSITION)} 4", 4, ""),
        (f"{format_board(POSITION)}\t-64", -64, ""),
        (f"{format_board(POSITION)}, 0 % level", 0, "level"),
        ("Tiger, half\tf5d6c3", None, "Tiger, half"),
        ("Tiger\tf5d6c3\t+2 % good", 2, "Tiger good"),
        ("f5d6c3\t-2", -2, ""),
    ],
)
def test_scores_and_names(text: str, score: int | None, comment: str) -> None:
    entry = only(text)
    assert (entry.position, entry.score, entry.best, entry.comment) == (POSITION, score, score, comment)
    assert entry.text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{POSITION.black:016x} {POSITION.black:016x} X", "both bitboards have a disc on c3"),
        ("01" * 32, "the digits 0 and 1 alone have two meanings"),
        (ZERO_ONE.replace("1", "2") + " X", "the digit 2 beside"),
        (f"{POSITION.cells} 1", "not a side to move"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a chess position, not an Othello position"),
        ("hello", "neither a board, nor a line of OBF, nor a transcript"),
        ("f5d6c3 -2", "'2' is not a move"),
    ],
)
def test_refusals_say_what_the_text_is(text: str, message: str) -> None:
    error = only(text).error
    assert isinstance(error, InputError)
    assert message in str(error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[2]SZ[8]", "a game in SGF"),
        ("(;GM[Othello]PC[x]", "a game in GGF"),
        ('{"moves": 3}', "is JSON"),
    ],
)
def test_a_game_among_positions_is_named(text: str, message: str) -> None:
    position, game = positions_in(f"{format_board(POSITION)}\n{text}")
    assert position.position == POSITION
    assert isinstance(game.error, InputError)
    assert f"is {message}".replace("is is", "is") in str(game.error)


def test_a_bitboard_outside_a_small_board() -> None:
    small = parse_rules("othello,board=6x6")
    start = Position(small)
    assert parse_board(f"{start.black:016x} {start.white:016x} X", small) == start
    with pytest.raises(BoardError, match="outside the 6x6 board"):
        parse_board(f"{1 << 63:016x} {start.white:016x} X", small)


@given(pairs())
@settings(max_examples=40)
def test_numbers_of_any_position(pair: Pair) -> None:
    position = pair.position
    rest = format_board(position).partition(" ")[2]
    assert parse_board(f"{position.black:016x} {position.white:016x} {rest}", position.rules) == position
    if set(position.cells) != {"-"}:
        digits = position.cells.translate(str.maketrans("-XO", "012"))
        if "2" in digits:
            assert parse_board(f"{digits} {rest}", position.rules) == position
    if "-" in position.cells and len(set(position.cells)) > 1:
        digits = position.cells.translate(str.maketrans("XO", "01"))
        assert parse_board(f"{digits} {rest}", position.rules) == position
