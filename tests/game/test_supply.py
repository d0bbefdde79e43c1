from __future__ import annotations

import pickle

import pytest
from hypothesis import given, strategies as st

from reversi import Color, GameError, Position, Rules, parse_rules
from reversi.game.supply import Supply

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("rules", "each"), [("othello", 30), ("adjacent", 30), ("othello,board=6x6", 16), ("othello,board=4x6", 10)]
)
def test_a_start_leaves_each_player_half_the_squares_less_two(rules: str, each: int) -> None:
    assert Supply.for_position(Position(parse_rules(rules))) == Supply(each, each)


@pytest.mark.parametrize(("to_move", "expected"), [(BLACK, Supply(30, 29)), (WHITE, Supply(29, 30))])
def test_a_set_up_position_gives_the_mover_the_odd_one(to_move: Color, expected: Supply) -> None:
    start = Position()
    position = Position.from_discs(start.black | 1, start.white, to_move, Rules())
    assert position.empties == 59
    assert Supply.for_position(position) == expected


def test_a_placement_takes_one() -> None:
    supply = Supply(2, 1)
    assert supply.place(BLACK) == Supply(1, 1)
    assert supply.place(WHITE) == Supply(2, 0)
    assert supply.total == 3
    assert not supply.needs_hand_over(BLACK)
    assert supply == Supply(2, 1)


def test_a_player_without_discs_is_handed_one() -> None:
    supply = Supply(0, 3)
    assert supply.needs_hand_over(BLACK)
    after = supply.place(BLACK)
    assert after == Supply(0, 2, handed_to_black=1)
    assert after.place(BLACK) == Supply(0, 1, handed_to_black=2)
    assert Supply(3, 0).place(WHITE) == Supply(2, 0, handed_to_white=1)
    assert after.handed_over == 1


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(GameError, match="neither player"):
        Supply(0, 0).place(BLACK)


@pytest.mark.parametrize("numbers", [(-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1)])
def test_negative_numbers_are_refused(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(GameError, match="negative"):
        Supply(*numbers)


def test_it_is_a_value() -> None:
    supply = Supply(3, 4, 1, 0)
    assert pickle.loads(pickle.dumps(supply)) == supply
    assert hash(supply) == hash(Supply(3, 4, 1, 0))
    assert str(supply) == "Black 3, White 4"
    assert (supply.of(BLACK), supply.of(WHITE)) == (3, 4)


@given(st.integers(0, 32), st.integers(0, 32), st.lists(st.sampled_from(Color), max_size=64))
def test_each_placement_takes_exactly_one_disc(black: int, white: int, turns: list[Color]) -> None:
    supply = Supply(black, white)
    for color in turns[: black + white]:
        before, needed = supply, supply.needs_hand_over(color)
        supply = supply.place(color)
        assert supply.total == before.total - 1
        assert supply.handed_over - before.handed_over == int(needed)
        assert supply.of(color) == (0 if needed else before.of(color) - 1)
