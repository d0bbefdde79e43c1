"""The doors of the core: numbers of any size, and buffers of any length, are refused and reach nothing else."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from reversi import PASS, Position, Square
from reversi._core import (
    Boards,
    Table,
    Task,
    alpha_beta,
    batch_keys,
    batch_play,
    batch_replay,
    batch_search,
    expand_bits,
    expand_weights,
    read_moves,
)
from reversi.errors import InvalidMoveError
from reversi.rules import OTHELLO

LARGE = (2**31 - 1, 2**60, 2**62, 2**63 - 1)
SMALL = (-(2**63), -(2**62), -1)


def expanded_cells(sets: int, rows: int, columns: int, first: int, position: int, cell: int) -> list[int]:
    return [first + i * position + c * cell for i in range(sets) for c in range(rows * columns)]


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_sets_of_squares_are_written_inside_the_buffer_alone(size: int) -> None:
    chance = random.Random(size)
    numbers = [0, 1, 2, 15, 16, 63, 64, *LARGE, *SMALL]
    written = refused = 0
    for first, position, cell in itertools.product(numbers, repeat=3):
        sets, rows, columns = chance.choice([(0, 8, 8), (1, 4, 4), (1, 8, 8), (3, 4, 6), (5, 8, 8)])
        room = chance.choice([0, 16, 64, 200, 1000])
        out = bytearray(size * room)
        cells = expanded_cells(sets, rows, columns, first, position, cell)
        fits = min(first, position, cell) >= 0 and all(at < room for at in cells)
        words = (b"\xff" * 8) * sets
        if fits:
            expand_bits(words, rows, columns, out, size, 1, first, position, cell)
            ones = {at for at in range(room) if any(out[size * at : size * (at + 1)])}
            assert ones == set(cells)
            written += bool(sets)
        else:
            with pytest.raises(ValueError, match="too small for the positions"):
                expand_bits(words, rows, columns, out, size, 1, first, position, cell)
            refused += 1
    assert written > 10 < refused


def test_a_refused_buffer_leaves_the_others_free() -> None:
    movers = bytearray(16)
    with pytest.raises(ValueError, match="do not fit the positions"):
        batch_search(None, Table(1), movers, bytes(8), bytearray(4), 60)
    movers.append(0)  # which a buffer that is still open refuses


@pytest.mark.parametrize("count", [1, 3])
def test_games_in_a_buffer(count: int) -> None:
    encoding, out = bytes(range(256)), bytearray(24 * count)
    for first, step, length in itertools.product(
        (0, 60, *LARGE, *SMALL), (0, 60, *LARGE, *SMALL), (60, *SMALL[2:])
    ):
        fits = first >= 0 and step >= 0 and length > 0 and first + (count - 1) * step + length <= 180
        if fits:
            batch_replay(Position(), bytes(180), encoding, first, step, length, out)
        else:
            with pytest.raises(ValueError, match=r"moves:|must be"):
                batch_replay(Position(), bytes(180), encoding, first, step, length, out)


def one_board() -> Boards:
    return Boards(OTHELLO, bytes(8), bytes(8), bytes(1), bytes(1))


@pytest.mark.parametrize("games", [-1, -(2**31), 2**31 - 1])
def test_random_games_fill_their_buffer(games: int) -> None:
    for size in (0, 1, 64):
        with pytest.raises(ValueError, match=r"no buffer holds|do not fit"):
            one_board().random_games(games, 0, bytearray(size))


@pytest.mark.parametrize("counts", [[-1, 3], [3], [2**31 - 1] * 5, [1], []])
def test_the_moves_of_games_add_up(counts: list[int]) -> None:
    lengths = b"".join(count.to_bytes(4, "little", signed=True) for count in counts)
    starts = bytes(8 * len(counts))
    with pytest.raises(ValueError, match=r"^(counts|moves): "):
        batch_keys(bytes(2), lengths, starts, starts, bytes(len(counts)))


@pytest.mark.parametrize("number", [2**31 - 1, -(2**31), 101, -101])
def test_a_window_that_no_value_needs(number: int) -> None:
    position, task = Position(), Task(Table(1))
    move = position.legal_moves[0]
    for alpha, beta in ((number, 0), (0, number)):
        for ask in (
            lambda a, b: task.value(position, a, b, 1),
            lambda a, b: task.move_value(position, move, a, b, 1),
            lambda a, b: task.root(position, [move], a, b, 1),
            lambda a, b: alpha_beta(position, a, b),
        ):
            with pytest.raises(ValueError, match="alpha must be below beta"):
                ask(alpha, beta)


def test_a_depth_below_zero() -> None:
    position, task = Position(), Task(Table(1))
    for depth in (-1, -(2**31)):
        for ask in (
            lambda d: task.value(position, -1, 1, d),
            lambda d: task.move_value(position, position.legal_moves[0], -1, 1, d),
            lambda d: task.root(position, position.legal_moves, -1, 1, d),
            lambda d: task.ordered_moves(position, d),
        ):
            with pytest.raises(ValueError, match="depth must be 0 or more"):
                ask(depth)


@pytest.mark.parametrize("number", [-1, -(2**31), 2**31 - 1])
def test_other_numbers(number: int) -> None:
    move_at: Callable[[int], object] = PASS.__reduce__()[0]  # type: ignore[assignment]
    with pytest.raises(InvalidMoveError, match="no move has the number"):
        move_at(number)
    with pytest.raises(ValueError, match="noise must be"):
        batch_play(None, bytearray(8), bytearray(8), bytes(1), bytes(1), 0, number, 0)
    with pytest.raises(ValueError, match="a step is 0 to"):
        expand_weights(b"", number)
    assert Square("h8").shift(number, 0) == (Square("h7") if number == -1 else None)
    assert Square("h8").shift(0, number) == (Square("g8") if number == -1 else None)
    with pytest.raises(ValueError, match="outside the text"):
        read_moves("f5", 2**62 + number)
    with pytest.raises(IndexError):
        Position().legal_moves[2**62 + number]
