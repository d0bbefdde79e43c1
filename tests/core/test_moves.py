"""Squares, the pass, the set of legal moves, and the generator that chooses among them."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

import oracle
from reversi import (
    OTHELLO,
    PASS,
    SQUARES,
    Color,
    InputError,
    InvalidMoveError,
    LegalMoves,
    Move,
    Pass,
    Position,
    Random,
    Square,
    State,
    is_pass,
    parse_rules,
)
from reversi.errors import MoveError
from rule_sets import pairs, positions

NAMES = [column + row for row in "12345678" for column in "abcdefgh"]
PASS_SPELLINGS = ["--", "pa", "PA", "pass", "Pass", "PASS", "ps", "pp", "@@", "@@@@"]
NO_MOVES = [
    "",
    " ",
    "a",
    "1",
    "a0",
    "a9",
    "i1",
    "1a",
    "a1b2",
    "a10",
    "aa",
    "11",
    "-",
    "---",
    "f5!",
    "ä1",
    "é5",
    "f\x005",
]


def test_squares_are_8_times_row_plus_column():
    assert [str(square) for square in SQUARES] == NAMES
    for index, square in enumerate(SQUARES):
        assert square.index == index
        assert (square.row, square.column) == divmod(index, 8)
        assert square.bit == 1 << index
        assert not square.is_pass
        assert isinstance(square, Square)
        assert isinstance(square, Move)
        assert repr(square) == f"Square('{square}')"


def test_squares_from_names_and_numbers():
    for index, name in enumerate(NAMES):
        assert Square(name) == Square(name.upper()) == Square(f" {name}\n") == Square(index) == SQUARES[index]
        assert Move.parse(name) == Move.parse(name.upper()) == SQUARES[index]


def test_pass():
    assert isinstance(PASS, Pass)
    assert isinstance(PASS, Move)
    assert not isinstance(PASS, Square)
    assert PASS.is_pass
    assert PASS.index == 64
    assert str(PASS) == "--"
    assert repr(PASS) == "PASS"


@pytest.mark.parametrize("text", PASS_SPELLINGS)
def test_pass_spellings(text):
    assert Move.parse(text) == PASS
    with pytest.raises(InvalidMoveError, match="not a square"):
        Square(text)


@pytest.mark.parametrize("text", NO_MOVES)
def test_what_is_no_move(text):
    for read in (Move.parse, Square, Position().play, Position().flips, Position().__getitem__):
        with pytest.raises(InvalidMoveError) as refusal:
            read(text)
        assert repr(text) in str(refusal.value)
        assert refusal.value.text == text
        assert isinstance(refusal.value, MoveError)
        assert isinstance(refusal.value, InputError)
        assert isinstance(refusal.value, ValueError)


@given(st.text(max_size=6))
def test_any_text_is_a_move_or_refused(text):
    try:
        move = Move.parse(text)
    except InvalidMoveError:
        return
    assert str(move) in [*NAMES, "--"]
    assert Move.parse(str(move)) == move


@pytest.mark.parametrize("value", [-1, 64, 2**70, True, 1.0, None, b"f5"])
def test_what_is_no_square(value):
    with pytest.raises(InvalidMoveError, match="not a square"):
        Square(value)


def test_a_bare_move_cannot_be_made():
    with pytest.raises(TypeError, match="Square or PASS"):
        Move()


def test_moves_are_ordered_as_on_the_board_with_the_pass_last():
    moves = [*SQUARES, PASS]
    backwards = moves[::-1]
    assert sorted(backwards) == moves
    for one, other in itertools.product(moves, repeat=2):
        assert (one < other) == (one.index < other.index)
        assert (one <= other) == (one.index <= other.index)
        assert (one > other) == (one.index > other.index)
        assert (one >= other) == (one.index >= other.index)
        assert (one == other) == (one.index == other.index)
        assert (one != other) == (one.index != other.index)


def test_moves_are_values():
    assert len({*SQUARES, PASS}) == 65
    assert {Square("f5"): 1}[Move.parse("F5")] == 1  # type: ignore[index]
    for move in (*SQUARES, PASS):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(move, protocol))
            assert again == move
            assert type(again) is type(move)
            assert hash(again) == hash(move)
        assert copy.copy(move) == copy.deepcopy(move) == move
    with pytest.raises(AttributeError):
        SQUARES[0].index = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        PASS.name = "pass"  # type: ignore[attr-defined]


def test_moves_are_not_numbers_or_texts():
    assert Square("a1") != 0
    assert Square("a1") != "a1"
    assert PASS != "--"
    with pytest.raises(TypeError):
        assert Square("a1") < 3  # type: ignore[operator]


# ---- legal moves


def test_legal_moves_at_the_start():
    moves = Position().legal_moves
    assert [str(move) for move in moves] == ["d3", "c4", "f5", "e6"]
    assert moves.placements == sum(Square(name).bit for name in ("d3", "c4", "f5", "e6"))
    assert not moves.can_pass
    assert len(moves) == 4
    assert moves
    assert isinstance(moves, LegalMoves)
    assert isinstance(moves, Sequence)
    assert "d3 c4 f5 e6" in repr(moves)


@given(pairs())
@settings(max_examples=60)
def test_legal_moves_are_a_sequence(pair):
    moves = pair.position.legal_moves
    expected = [Move.parse(move) for move in oracle.legal_moves(pair.table)]
    assert list(moves) == list(iter(moves)) == expected
    assert len(moves) == len(expected)
    assert bool(moves) == bool(expected)
    assert moves.can_pass == (PASS in expected)
    assert moves.placements == sum(move.bit for move in expected if not is_pass(move))
    assert list(reversed(moves)) == expected[::-1]
    assert sorted(moves) == expected
    every: tuple[Square | Pass, ...] = (*SQUARES, PASS)
    for move in every:
        assert (move in moves) == (move in expected) == pair.position.is_legal(move)
        assert (str(move) in moves) == (str(move).upper() in moves) == (move in expected)
        assert pair.position.is_legal(str(move)) == (move in expected)
        assert moves.count(move) == expected.count(move)
    for index, move in enumerate(expected):
        assert moves[index] == moves[index - len(expected)] == move
        assert moves.index(move) == index
    for index in (len(expected), -len(expected) - 1, 1000, -1000, 2**63, -(2**63) - 1):
        with pytest.raises(IndexError):
            moves[index]


@given(positions(), st.slices(70))
@settings(max_examples=60)
def test_slices_are_tuples(position, cut):
    assert position.legal_moves[cut] == tuple(position.legal_moves)[cut]


def test_legal_moves_are_compared_by_their_moves():
    moves = Position().legal_moves
    assert moves == Position().legal_moves
    assert hash(moves) == hash(Position().legal_moves)
    assert moves != Position().play("d3").legal_moves
    assert moves != Position(parse_rules("optional-skip")).legal_moves
    assert moves != list(moves)
    assert pickle.loads(pickle.dumps(moves)) == moves
    assert copy.deepcopy(moves) == moves


def test_legal_moves_refuse_what_they_do_not_have():
    moves = Position().legal_moves
    assert None not in moves
    with pytest.raises(ValueError, match=r".*"):
        moves.index(Square("a1"))
    with pytest.raises(TypeError):
        moves["d3"]  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        LegalMoves()
    with pytest.raises(AttributeError):
        moves.can_pass = True  # type: ignore[misc]


def test_a_finished_game_has_no_moves():
    over = Position.from_discs(Square("a1").bit, 0)
    assert over.is_over
    assert not over.legal_moves
    assert len(over.legal_moves) == 0
    assert list(over.legal_moves) == []
    assert over.legal_moves[:] == ()
    with pytest.raises(IndexError):
        over.legal_moves[0]
    with pytest.raises(IndexError):
        over.legal_moves.choice(Random())


def test_a_forced_pass_is_the_only_move():
    white_stuck = Position.from_discs(Square("a1").bit, Square("b1").bit, Color.WHITE)
    assert list(white_stuck.legal_moves) == [PASS]
    assert white_stuck.legal_moves.placements == 0
    assert white_stuck.legal_moves[0] == white_stuck.legal_moves[-1] == PASS


# ---- the generator


def test_random_is_reproducible():
    draws = [Random(5).below(1000) for _ in range(3)]
    assert len(set(draws)) == 1
    one, other = Random(5), Random(5)
    assert [one.below(64) for _ in range(50)] == [other.below(64) for _ in range(50)]
    assert [Random(seed).below(2**30) for seed in range(20)] != [Random(0).below(2**30)] * 20


def test_random_pickles_with_its_state():
    one = Random(9)
    one.below(10)
    other = pickle.loads(pickle.dumps(one))
    assert [one.below(100) for _ in range(20)] == [other.below(100) for _ in range(20)]


def test_random_is_even():
    random = Random(1)
    counts = [0] * 6
    for _ in range(6000):
        counts[random.below(6)] += 1
    assert all(850 < count < 1150 for count in counts)  # 1000 +- five standard deviations
    assert {Random(seed).below(1) for seed in range(9)} == {0}


@pytest.mark.parametrize("n", [0, -1])
def test_random_below_nothing(n):
    with pytest.raises(ValueError, match="n must be a whole number, from 1 to"):
        Random().below(n)


def test_choice_reaches_every_move():
    position = Position(parse_rules("optional-skip"))
    random = Random(3)
    chosen = [position.legal_moves.choice(random) for _ in range(500)]
    assert set(chosen) == set(position.legal_moves)
    assert all(60 < chosen.count(move) < 140 for move in position.legal_moves)


def test_state_names():
    assert [state.value for state in State] == ["fresh", "after-pass", "ended"]
    assert Position(OTHELLO).state is State.FRESH


# ---- what scripts do with moves


def test_squares_are_indices():
    assert list(range(64))[Square("f5")] == 37
    assert [square.__index__() for square in SQUARES] == list(range(64))
    with pytest.raises(TypeError):
        list(range(65))[PASS]  # type: ignore[call-overload]


def test_squares_by_row_and_column():
    for square in SQUARES:
        assert Square.at(square.row, square.column) is square
    for row, column in ((8, 0), (0, 8), (-1, 0), (0, -1)):
        with pytest.raises(InvalidMoveError, match=f"row and column must be 0 to 7, not {row} and {column}"):
            Square.at(row, column)
    assert Square("f5").shift(1, -1) == Square("e6")
    assert Square("f5").shift(columns=2) == Square("h5")
    assert Square("f5").shift(columns=3) is Square("f5").shift(-5) is None


def test_the_pass_is_recognised():
    assert is_pass(PASS)
    assert not any(map(is_pass, SQUARES))
    with pytest.raises(TypeError):
        is_pass(None)  # type: ignore[arg-type]


def test_text_that_is_not_a_move_is_not_legal():
    assert "f9" not in Position().legal_moves
    moves = Position().play("f5").legal_moves
    assert [number for number in range(-70, 70) if number in moves] == [move.index for move in moves]
    assert True not in moves
    assert 18.5 not in moves
    skipped = Position(parse_rules("othello,optional-skip")).legal_moves
    assert PASS.index in skipped
    assert "" not in Position().legal_moves
    with pytest.raises(InvalidMoveError):
        Position().is_legal("f9")
