"""Positions: where they start, what can be set up, what stays the same, and what is refused."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

import oracle
from reversi import (
    ADJACENT,
    OTHELLO,
    PASS,
    SQUARES,
    Color,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    Move,
    Position,
    Random,
    Result,
    Rules,
    Square,
    State,
    parse_rules,
)
from reversi._core import USABLE_ISAS
from reversi.errors import ArgumentError, BoardError, MoveError
from reversi.rules import BoardSize
from reversi.text import format_board, format_diagram
from rule_sets import SIZES, endgames, every_rule_set, pairs, positions, table_of, variant_of

SKIP = parse_rules("othello,optional-skip")
SKIP_FULL = parse_rules("othello,optional-skip,full-board")


def bits(*names: str) -> int:
    return sum(Square(name).bit for name in names)


# ---- the score


@given(positions(), st.booleans())
def test_the_score_is_the_count_for_the_side_to_move(position: Position, discs_only: bool):
    if discs_only:
        position = position.with_rules(replace(position.rules, empties_to_winner=False))
    sign = 1 if position.to_move is Color.BLACK else -1
    assert position.score == sign * position.count.score
    assert type(position.score) is int
    if position.result is not None:
        assert (
            position.score
            == sign * position.result.score
            == -position.with_to_move(position.to_move.opponent).score
        )
        assert (position.score > 0) == (position.result.winner is position.to_move)


def test_the_score_counts_empty_squares_and_misere():
    position = Position.from_discs(0b1111, 0b110000, Color.WHITE)
    assert (position.score, position.with_to_move(Color.BLACK).score) == (-60, 60)
    assert position.with_rules(parse_rules("othello,discs-only")).score == -2
    assert position.with_rules(parse_rules("othello,misere")).score == 60
    assert Position().score == 0


# ---- the start, and what a position shows


def test_the_start_of_othello():
    start = Position()
    assert start == Position(OTHELLO) == Position(rules=OTHELLO)
    assert start.white == bits("d4", "e5")
    assert start.black == bits("d5", "e4")
    assert start.to_move is Color.BLACK
    assert start.state is State.FRESH
    assert start.rules is OTHELLO
    assert (start.player, start.opponent) == (start.black, start.white)
    assert start.empties == 60
    assert start.empty == 2**64 - 1 - start.black - start.white
    assert not start.is_over
    assert start.result is None
    assert start.count == Result(2, 2, OTHELLO)
    assert start.cells == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    assert repr(start) == f"<Position '{start.cells} X' under othello>"


def test_the_parallel_start():
    start = Position(parse_rules("start=parallel"))
    assert start.white == bits("d4", "e4")
    assert start.black == bits("d5", "e5")


def test_the_start_of_every_rule_set():
    for rules in every_rule_set():
        start = Position(rules)
        assert table_of(start) == oracle.initial(variant_of(rules))
        assert start.empties == rules.board.cells - 4


@given(pairs())
@settings(max_examples=60)
def test_what_a_position_shows(pair):
    position, table = pair.position, pair.table
    assert table_of(position) == table
    assert position.black & position.white == 0
    mine, theirs = position.player, position.opponent
    assert (mine, theirs)[:: 1 if position.to_move is Color.BLACK else -1] == (position.black, position.white)
    board = position.rules.board
    mask = sum(1 << (8 * row + column) for row in range(board.rows) for column in range(board.columns))
    assert position.empty == mask - position.black - position.white
    assert position.empties == position.empty.bit_count() == table.cells.count("-")
    seen = {"X": Color.BLACK, "O": Color.WHITE, "-": None}
    for name, cell in zip(oracle.all_squares(table.variant), table.cells, strict=True):
        assert position[name] is position[Square(name)] is position[Square(name).index] is seen[cell]
    assert all(position[square] is None for square in SQUARES if not square.bit & mask)
    assert position.cells == table.cells
    line = format_board(position)
    assert line.split()[:2] == [table.cells, table.to_move]
    assert (line.split()[2:] == ["--"]) == (position.state is State.AFTER_PASS)
    assert len(line.split()) == 2 + (position.state is not State.FRESH)
    assert repr(position) == f"<Position '{line}' under {position.rules}>"
    *diagram, last = str(position).splitlines()
    assert "\n".join(diagram) == format_diagram(position)
    assert last.startswith("game over" if position.is_over else f"{position.to_move} to move")


def test_texts_of_the_states():
    assert format_board(Position(SKIP).play("--")).endswith("- O --")
    assert format_board(Position(SKIP)).endswith("- X")
    assert str(Position(SKIP)).endswith("\nBlack to move")
    assert str(Position(SKIP).play("--")).endswith("\nWhite to move, after a pass")
    assert str(Position.from_discs(1, 0)).endswith("\ngame over: Black wins 1-0 (by 64)")


def test_only_squares_have_contents():
    with pytest.raises(InvalidMoveError):
        Position()["--"]
    for index in (64, -1):
        with pytest.raises(InvalidMoveError):
            Position()[index]
    for wrong in (PASS, None, 1.0):
        with pytest.raises(TypeError):
            Position()[wrong]  # type: ignore[index]


# ---- values


@pytest.mark.parametrize("name", ["rules", "to_move", "state", "black", "white", "player", "empties", "anything"])
def test_positions_cannot_be_changed(name):
    position = Position()
    before = format_board(position)
    with pytest.raises(AttributeError):
        setattr(position, name, getattr(position, name, 1))
    with pytest.raises(AttributeError):
        delattr(position, name)
    with pytest.raises(TypeError):
        position["d3"] = Color.BLACK  # type: ignore[index]
    assert format_board(position) == before


def test_positions_cannot_be_initialised_again():
    position = Position().play("d3")
    with pytest.raises(TypeError):
        position.__init__(ADJACENT)
    assert position == Position().play("d3")


@given(pairs())
@settings(max_examples=40)
def test_playing_leaves_the_position_as_it_was(pair):
    position = pair.position
    before = format_board(position), position.state, hash(position)
    for move in position.legal_moves:
        position.play(move)
    position.random_playout(Random(1))
    position.canonical()
    position.perft(2)
    assert (format_board(position), position.state, hash(position)) == before


@given(positions())
@settings(max_examples=60)
def test_equal_positions(position):
    twin = Position.from_discs(position.black, position.white, position.to_move, position.rules, position.state)
    assert twin == position
    assert not twin != position  # noqa: SIM202 - both operators
    assert hash(twin) == hash(position)
    assert len({twin, position}) == 1
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(position, protocol))
        assert again == position
        assert hash(again) == hash(position)
        assert again.legal_moves == position.legal_moves
    assert copy.copy(position) == copy.deepcopy(position) == position


def test_everything_is_part_of_equality():
    one = Position(SKIP).play("d3").play("--")
    others = [
        one.with_to_move(Color.WHITE).with_state(State.AFTER_PASS),
        one.with_state(State.FRESH),
        one.with_state(State.ENDED),
        one.with_rules(SKIP_FULL),
        one.with_rules(parse_rules("othello,optional-skip,misere")),
        Position.from_discs(one.black | bits("a1"), one.white, one.to_move, SKIP, one.state),
        Position.from_discs(one.black, one.white | bits("a1"), one.to_move, SKIP, one.state),
        Position.from_discs(one.white, one.black, one.to_move, SKIP, one.state),
    ]
    for other in others:
        assert other != one
        assert not other == one  # noqa: SIM201 - both operators
    assert len({one, *others}) == 9
    for state in (State.FRESH, State.ENDED):
        assert hash(one.with_state(state)) != hash(one)


def test_rules_that_play_alike_are_still_different_values():
    full = parse_rules("othello,full-board")
    assert full.same_play(OTHELLO)
    assert Position(full) != Position(OTHELLO)


def test_positions_compare_only_with_positions():
    assert Position() != str(Position())
    assert Position() != None  # noqa: E711 - the operator is what is tested
    with pytest.raises(TypeError):
        assert Position() < Position()  # type: ignore[operator]


def test_hashes_spread():
    position, seen = Position(), set()
    random = Random(4)
    for _ in range(3000):
        position = Position() if position.is_over else position.play(position.legal_moves.choice(random))
        seen.add(position)
    assert len({hash(one) for one in seen}) > 0.999 * len(seen)


OTHER_PROCESS = """
import pickle, sys
values = pickle.load(sys.stdin.buffer)
texts = [str(value) for value in values]
sys.stdout.buffer.write(pickle.dumps((texts, [value == value for value in values], values)))
"""


@pytest.mark.parametrize("isa", USABLE_ISAS)
def test_values_travel_between_processes_and_instruction_sets(isa):
    values = [*SQUARES, PASS, State.AFTER_PASS, Color.WHITE]
    for number, rules in enumerate(every_rule_set()):
        if number % 37 == 0:
            position = Position(rules).play(Position(rules).legal_moves[-1])
            values += [
                rules,
                position,
                position.legal_moves,
                position.count,
                position.random_playout(Random(1)).result,
            ]
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        input=pickle.dumps(values),
        capture_output=True,
        check=True,
        env={**os.environ, "REVERSI_ISA": isa, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        timeout=60,
    )
    texts, same, again = pickle.loads(done.stdout)
    assert all(same)
    assert texts == [str(value) for value in values]
    assert again == values
    assert [hash(value) for value in again] == [hash(value) for value in values]


# ---- set-up positions


@given(endgames())
@settings(max_examples=60)
def test_set_up_positions_are_as_given(position):
    again = Position.from_discs(
        black=position.black,
        white=position.white,
        to_move=position.to_move,
        rules=position.rules,
        state=position.state,
    )
    assert again == position
    assert list(map(str, position.legal_moves)) == oracle.legal_moves(table_of(position))
    assert position.is_over == oracle.is_over(table_of(position))


def test_defaults_of_a_set_up_position():
    start = Position()
    assert Position.from_discs(start.black, start.white) == start
    empty = Position.from_discs(0, 0)
    assert empty.is_over
    assert empty.result == Result(0, 0, OTHELLO)


@pytest.mark.parametrize("rules", [Rules(board=size) for size in SIZES if size != (8, 8)], ids=str)
def test_discs_outside_the_board_are_refused(rules):
    outside = [square for square in SQUARES if not square.bit & Position(rules).empty][4:]
    for square in outside:
        if square.row < rules.board.rows and square.column < rules.board.columns:
            continue
        for black, white in ((square.bit, 0), (0, square.bit)):
            with pytest.raises(BoardError, match=f"outside the {rules.board} board"):
                Position.from_discs(black, white, Color.BLACK, rules)
    with pytest.raises(BoardError):
        Position.from_discs(2**64 - 1, 0, Color.BLACK, rules)


@pytest.mark.parametrize(("black", "white"), [(-1, 0), (0, -1), (2**64, 0), (0, 2**64), (2**200, 0)])
def test_words_beyond_64_bits_are_refused(black, white):
    with pytest.raises(BoardError, match="outside"):
        Position.from_discs(black, white)


def test_overlapping_discs_are_refused():
    for square in SQUARES:
        with pytest.raises(BoardError, match=f"{square} holds two discs"):
            Position.from_discs(square.bit | Position().black, square.bit)
    assert issubclass(BoardError, InputError)
    assert issubclass(BoardError, ValueError)


def test_states_that_the_rules_do_not_know_are_refused():
    for rules in every_rule_set():
        if rules.board != (4, 4):
            continue
        for state in State:
            known = state is State.FRESH or (
                rules.optional_skip and (state is State.AFTER_PASS or rules.ending.value == "no-moves")
            )
            if known:
                assert Position(rules).with_state(state).state is state
            else:
                with pytest.raises(BoardError, match=f"state {state.value} does not exist under {rules}"):
                    Position(rules).with_state(state)


def test_wrong_types_are_refused():
    for make in (
        lambda: Position("othello"),  # type: ignore[arg-type]
        lambda: Position.from_discs("a1", 0),  # type: ignore[arg-type]
        lambda: Position.from_discs(0, None),  # type: ignore[arg-type]
        lambda: Position.from_discs(0, 0, Color.BLACK, "othello"),  # type: ignore[arg-type]
        lambda: Position().play(None),  # type: ignore[arg-type]
        lambda: Position().play(19),  # type: ignore[arg-type]
        lambda: Position().is_legal(19),  # type: ignore[arg-type]
        lambda: Position().flips(None),  # type: ignore[arg-type]
        lambda: Position().random_playout(7),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            make()


def test_with_to_move():
    after = Position(SKIP).play("--")
    assert after.state is State.AFTER_PASS
    turned = after.with_to_move(Color.BLACK)
    assert turned == Position(SKIP)
    assert turned.state is State.FRESH
    assert after.with_to_move(Color.WHITE).state is State.FRESH


def test_with_rules():
    after = Position(SKIP).play("--")
    assert after.with_rules(SKIP_FULL).state is State.AFTER_PASS
    assert after.with_rules(OTHELLO).state is State.FRESH
    ended = after.play("--")
    assert ended.state is State.ENDED
    assert ended.with_rules(SKIP_FULL).state is State.FRESH
    assert ended.with_rules(OTHELLO).rules is OTHELLO
    assert ended.with_rules(parse_rules("adjacent,optional-skip,no-moves")).state is State.ENDED
    with pytest.raises(BoardError, match="outside the 4x4 board"):
        Position().with_rules(parse_rules("board=4x4"))


# ---- symmetry


def _moved(square: Square, index: int, rules: Rules) -> Square:
    """Where a square goes: bit 0 mirrors the columns, bit 1 the rows, bit 2 then swaps rows and columns."""
    row, column = square.row, square.column
    if index & 1:
        column = rules.board.columns - 1 - column
    if index & 2:
        row = rules.board.rows - 1 - row
    if index & 4:
        row, column = column, row
    return Square(8 * row + column)


def _symmetries(rules: Rules) -> int:
    return 8 if rules.board.rows == rules.board.columns else 4


@given(positions(), st.integers(0, 7))
@settings(max_examples=80)
def test_symmetry_moves_every_square(position, index):
    rules = position.rules
    index %= _symmetries(rules)
    image = position.symmetry(index)
    assert (image.rules, image.to_move, image.state) == (rules, position.to_move, position.state)
    on_board = [
        square for square in SQUARES if square.row < rules.board.rows and square.column < rules.board.columns
    ]
    for square in on_board:
        assert square.symmetry(index, rules) == _moved(square, index, rules)
        assert image[_moved(square, index, rules)] is position[square]
    moves = {move if move.is_pass else _moved(move, index, rules) for move in position.legal_moves}
    assert set(image.legal_moves) == moves
    assert image.is_over == position.is_over
    assert image.result == position.result
    for move in position.legal_moves:
        there = move if move.is_pass else _moved(move, index, rules)
        assert image.play(there) == position.play(move).symmetry(index)
        assert move.symmetry(index, rules) == there
        assert set(image.flips(there)) == {_moved(square, index, rules) for square in position.flips(move)}


@given(positions())
@settings(max_examples=60)
def test_symmetries_and_the_canonical_one(position):
    images = position.symmetries()
    assert len(images) == _symmetries(position.rules)
    assert images == tuple(position.symmetry(index) for index in range(len(images)))
    assert images[0] == position
    assert position.canonical() in images
    assert {image.canonical() for image in images} == {position.canonical()}
    assert len({image.perft(2) for image in images}) == 1


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_there_is_no_other_symmetry(size):
    position = Position(Rules(board=size))
    for index in (-1, _symmetries(position.rules), 8):
        with pytest.raises(ValueError, match=r"the symmetry of a board of .* must be a whole number, from 0 to"):
            position.symmetry(index)
        with pytest.raises(ValueError, match=r"the symmetry of a board of .* must be a whole number, from 0 to"):
            Square("a1").symmetry(index, position.rules)
        with pytest.raises(ValueError, match=r"the symmetry of a board of .* must be a whole number, from 0 to"):
            PASS.symmetry(index, position.rules)


def test_a_square_outside_the_board_has_no_symmetry():
    rules = Rules(board=BoardSize(6, 8))
    with pytest.raises(InvalidMoveError, match="a7 is outside the 6x8 board") as caught:
        Square("a7").symmetry(1, rules)
    assert caught.value.text == "a7"
    assert Square("a6").symmetry(1, rules) == Square("h6")
    assert Square("f5").symmetry(6) == Square("d6")
    with pytest.raises(ArgumentError, match="rules must be a Rules value, not str"):
        PASS.symmetry(0, "othello")  # type: ignore[arg-type]


def test_the_first_moves_are_one_move():
    firsts = [Position().play(move).canonical() for move in Position().legal_moves]
    assert len(set(firsts)) == 1


# ---- play and its refusals


def test_play_takes_moves_and_texts():
    for move in ("d3", "D3", " d3 ", Square("d3"), Move.parse("d3")):
        after = Position().play(move)
        assert after.black == bits("d3", "d4", "d5", "e4")
        assert after.white == bits("e5")
        assert after.to_move is Color.WHITE
        assert Position().flips(move) == (Square("d4"),)


def test_flips_are_in_square_order_and_leave_both_sides_whole():
    #   . O O .     Black on d4 turns lines in four directions
    position = Position.from_discs(
        bits("d1", "a4", "h4", "d7", "g1", "a1", "a7", "g7"),
        bits("d2", "d3", "b4", "c4", "e4", "f4", "g4", "d5", "d6", "e3", "f2", "b2", "c3", "c5", "b6", "e5", "f6"),
    )
    flipped = position.flips("d4")
    assert list(flipped) == sorted(flipped)
    assert len(flipped) == 17
    after = position.play("d4")
    assert after.white == 0
    assert after.black == position.black | position.white | bits("d4")
    assert after.is_over


def test_a_chain_is_not_followed():
    """b1 turns, and with b3 it would close b2: but only the disc just placed closes lines."""
    position = Position.from_discs(bits("a1", "b3"), bits("b1", "b2"), Color.BLACK)
    after = position.play("c1")
    assert after.black == bits("a1", "b1", "c1", "b3")
    assert after.white == bits("b2")


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (Position(), "a1", "flips nothing"),
        (Position(), "e3", "flips nothing"),
        (Position(), "d4", "the square is occupied"),
        (Position(), "e4", "the square is occupied"),
        (Position(), "--", "a pass is not allowed while there is a placement"),
        (Position(parse_rules("board=6x6")), "g3", "outside the 6x6 board"),
        (Position(parse_rules("board=4x8")), "c5", "outside the 4x8 board"),
        (Position(ADJACENT), "a1", "touches no disc"),
        (Position(ADJACENT), "d4", "the square is occupied"),
        (Position(parse_rules("optional-capture,board=4x4")), "h8", "outside the 4x4 board"),
        (Position(SKIP_FULL).play("--"), "--", "a skip is not allowed directly after a pass"),
        (Position(SKIP).play("--").play("--"), "--", "the game is over"),
        (Position(SKIP).play("--").play("--"), "d3", "the game is over"),
        (Position.from_discs(1, 0), "b1", "the game is over"),
        (Position.from_discs(1, 0), "--", "the game is over"),
    ],
)
def test_illegal_moves_name_the_move_the_position_and_the_reason(position, move, why):
    for attempt in (position.play, position.flips):
        for given_as in (move, Move.parse(move), move.upper()):
            with pytest.raises(IllegalMoveError) as refusal:
                attempt(given_as)
            assert str(refusal.value) == f"{move} is not allowed in {format_board(position)}: {why}"
            assert refusal.value.text == move
            assert isinstance(refusal.value, MoveError)
            assert isinstance(refusal.value, ValueError)
            assert isinstance(refusal.value, InputError)
            again = pickle.loads(pickle.dumps(refusal.value))
            assert (type(again), str(again), again.text) == (IllegalMoveError, str(refusal.value), move)
    assert not position.is_legal(Move.parse(move))


@given(pairs())
@settings(max_examples=40)
def test_whatever_is_not_legal_is_refused(pair):
    legal = oracle.legal_moves(pair.table)
    for move in (*SQUARES, PASS):
        if str(move) in legal:
            assert pair.position.play(move).to_move is pair.position.to_move.opponent
        else:
            with pytest.raises(IllegalMoveError):
                pair.position.play(move)
            with pytest.raises(IllegalMoveError):
                pair.position.flips(move)


def test_perft_refuses_a_negative_depth():
    with pytest.raises(ValueError, match="depth must be a whole number, from 0 to"):
        Position().perft(-1)


# ---- playouts


@given(positions(), st.integers(0, 2**64 - 1))
@settings(max_examples=60)
def test_a_playout_is_a_game_of_chosen_moves(position, seed):
    end = position.random_playout(Random(seed))
    assert end.is_over
    assert end.result == end.count
    assert end == position.random_playout(Random(seed))
    random = Random(seed)
    while not position.is_over:
        position = position.play(position.legal_moves.choice(random))
    assert position == end


# ---- text


def test_from_moves_plays_a_transcript_or_moves():
    position = Position().play("f5").play("d6").play("c3")
    assert Position.from_moves("f5d6c3") == Position.from_moves("F5 d6, c3") == position
    assert Position.from_moves(["f5", Square("d6"), "c3"]) == position
    assert Position.from_moves("") == Position()
    assert Position.from_moves("f5", parse_rules("adjacent")).rules == parse_rules("adjacent")
    with pytest.raises(IllegalMoveError, match=r"ply 2 \(White\): a1 is not allowed"):
        Position.from_moves("f5a1")
    with pytest.raises(InvalidMoveError):
        Position.from_moves("f5zz")


def test_a_transcript_goes_on_from_a_position():
    assert Position.from_moves("f5").parse_moves("d6c3") == [Square("d6"), Square("c3")]
    last = Position.parse("XO" + "-" * 62 + " X")
    assert last.parse_moves("c1") == [Square("c1")]


def test_parse_reads_every_form_of_a_position():
    position = Position.from_moves("f5d6c3")
    board = format_board(position)
    for text in (
        board,
        board + ";",
        "f5d6c3",
        f"{format_diagram(position)}\nWhite to move",
        position.cells.lower() + " O",
    ):
        assert Position.parse(text) == position, text
    assert Position.parse(str(position)) == position
    assert Position.parse(position.cells, to_move=Color.WHITE) == position
    small = Position(parse_rules("board=4x4"))
    assert Position.parse(format_board(small), small.rules) == small
    for text in ("", "hello", f"{board}\n{board}"):
        with pytest.raises(InputError):
            Position.parse(text)


def test_a_printed_position_is_read_again():
    random = Random(11)
    for rules in every_rule_set():
        if rules.optional_skip:
            continue  # the diagram does not say in a way that is read whether the last ply was a pass
        position = Position(rules)
        while not position.is_over:
            if random.below(4) == 0:
                assert Position.parse(str(position), rules) == position
            position = position.play(position.legal_moves.choice(random))
