from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from record_samples import random_moves, random_record
from reversi import PASS, SQUARES, Color, IllegalMoveError, Position, Square, State, parse_rules
from reversi.records import Line, Node, Record, positions
from reversi.records.replay import flipped_by_hand, moves_by_rule, rule_flips


def squares(text: str) -> tuple[Square, ...]:
    return tuple(map(Square, text.split()))


def test_a_record_is_replayed() -> None:
    record = random_record(1)
    boards = list(positions(record))
    assert len(boards) == len(record.moves) + 1
    assert (boards[0], boards[-1].is_over) == (Position(), True)
    assert list(positions(record.line)) == boards
    assert list(positions(record.line.nodes[3:], boards[3])) == boards[3:]


def test_a_wrong_move_is_reported_with_its_ply() -> None:
    record = Record(line=Line([Node(Square("f5")), Node(Square("a1"))]))
    with pytest.raises(IllegalMoveError, match=r"^ply 2 \(White\): a1 is not allowed"):
        list(positions(record))


def test_moves_count_up_to_the_first_wrong_flip() -> None:
    f5, d6, c3 = squares("f5 d6 c3")
    right = Record(line=Line([Node(f5, flips=squares("e5")), Node(d6), Node(c3)]))
    wrong = Record(line=Line([Node(f5), Node(d6, flips=()), Node(c3)]))
    stray = Record(line=Line([Node(f5), Node(squares("a1")[0]), Node(c3, flips=())]))
    assert [moves_by_rule(record) for record in (right, wrong, stray)] == [right.moves, (f5,), stray.moves]
    assert [flipped_by_hand(record) for record in (right, wrong, stray)] == [False, True, True]


@given(
    st.integers(0, 1000), st.sampled_from(["othello", "adjacent,optional-skip", "othello,optional-skip,board=4x6"])
)
def test_flips_of_the_rules_written_out_change_nothing(seed: int, rules: str) -> None:
    position = Position(parse_rules(rules))
    for move in random_moves(position, seed):
        after = position.play(move)
        node = Node(move, flips=position.flips(move))
        assert node.played_on(position) == after
        assert rule_flips(position, node)
        position = after


@settings(max_examples=2 * settings().max_examples)
@given(st.integers(0, 1000), st.integers(0, 50), st.lists(st.sampled_from(SQUARES), max_size=8))
def test_discs_flipped_by_hand(seed: int, plies: int, wanted: list[Square]) -> None:
    position = Position()
    for move in random_moves(position, seed, plies):
        position = position.play(move)
    if not position.legal_moves.placements:
        return
    move = position.legal_moves[0]
    turned = tuple(square for square in wanted if position[square] is not None)
    after = Node(move, flips=turned).played_on(position)
    for square in SQUARES:
        before = position.to_move if square is move else position[square]
        expected = before.opponent if before is not None and square in turned else before
        assert after[square] is expected
    assert (after.to_move, after.state) == (position.to_move.opponent, State.FRESH)


def test_a_forgotten_flip_stands() -> None:
    after = Node(Square("f5"), flips=()).played_on(Position())
    assert after[Square("e5")] is Color.WHITE
    assert after.count.discs == "3-2"
    assert not rule_flips(Position(), Node(Square("f5"), flips=()))
    with pytest.raises(IllegalMoveError):
        Node(Square("f6")).played_on(after)


@pytest.mark.parametrize(
    ("move", "flips", "message"),
    [
        (Square("f5"), "a1", "a1 has no disc to flip"),
        (Square("f5"), "e5 f5", "f5 has no disc to flip"),
        (Square("a1"), "e5", "a1 is not allowed"),
    ],
)
def test_impossible_flips(move: Square, flips: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        Node(move, flips=squares(flips)).played_on(Position())


def test_a_pass_turns_nothing() -> None:
    start = Position(parse_rules("othello,optional-skip"))
    assert Node(PASS, flips=()).played_on(start) == start.play(PASS)
    with pytest.raises(IllegalMoveError, match="a pass flips no discs"):
        Node(PASS, flips=squares("e5")).played_on(start)
