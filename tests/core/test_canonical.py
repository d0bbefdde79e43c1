"""Keys of positions up to symmetry, one at a time and for many games at once."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, strategies as st

from reversi import OTHELLO, PASS, Color, Move, Position, Random, Square, parse_rules
from reversi._core import batch_keys, canonical_key, canonical_square


def random_game(seed: int, plies: int = 200, start: Position | None = None) -> tuple[list[Move], Position]:
    """The moves of a random game, at most so many, and the position they lead to."""
    random, position, moves = Random(seed), start or Position(), list[Move]()
    while not position.is_over and len(moves) < plies:
        moves.append(position.legal_moves.choice(random))
        position = position.play(moves[-1])
    return moves, position


Rows = list[tuple[int, int]]


def keys_of(moves: list[Move], start: Position) -> Rows:
    """What the batch should say of a game, by the slow way."""
    position, rows = start, []
    for move in moves:
        rows.append((canonical_key(position), canonical_square(position, move)))
        position = position.play(move)
    return [*rows, (canonical_key(position), 255)]


def batch(
    games: list[tuple[bytes, Position]],
) -> tuple[list[Rows], list[int], Rows]:
    """The rows of each game, whether it is legal, and its discs at the end."""
    keys, squares, counts, legal, black, white = batch_keys(
        b"".join(moves for moves, _ in games),
        array("i", [len(moves) for moves, _ in games]),
        array("Q", [start.black for _, start in games]),
        array("Q", [start.white for _, start in games]),
        bytes(start.to_move is Color.WHITE for _, start in games),
    )
    rows = list(zip(array("Q", keys), squares, strict=True))
    each = []
    for count in array("i", counts):
        each.append(rows[:count])
        rows = rows[count:]
    assert not rows
    return each, list(legal), list(zip(array("Q", black), array("Q", white), strict=True))


@given(st.integers(0, 2**32), st.integers(0, 60), st.sampled_from(["othello", "othello,board=6x6", "adjacent"]))
def test_symmetric_positions_share_key_and_squares(seed: int, plies: int, rules: str) -> None:
    _, position = random_game(seed, plies, Position(parse_rules(rules)))
    assert {canonical_key(image) for image in position.symmetries()} == {canonical_key(position)}
    canonical = position.canonical()
    for index, image in enumerate(position.symmetries()):
        for move in position.legal_moves:
            if isinstance(move, Square):
                moved = move.symmetry(index, position.rules)
                assert canonical_square(image, moved) == canonical_square(position, move)
                there = canonical.play(Square(canonical_square(position, move)))
                assert canonical_key(there) == canonical_key(position.play(move))


def test_a_key_tells_the_side_the_state_and_the_rules_apart() -> None:
    start = Position()
    skip = Position(parse_rules("othello,optional-skip"))
    keys = [
        canonical_key(start),
        canonical_key(start.with_to_move(Color.WHITE)),
        canonical_key(start, salt=1),
        canonical_key(skip.play(PASS).with_to_move(Color.BLACK), salt=2),
        canonical_key(skip.play(PASS), salt=2),
    ]
    assert len(set(keys)) == len(keys)
    assert canonical_key(skip) == canonical_key(start)  # the rules are the caller's


def test_the_first_moves_are_one_move() -> None:
    assert {canonical_square(Position(), move) for move in Position().legal_moves} == {19}
    assert canonical_square(Position(), PASS) == 64


@given(st.lists(st.tuples(st.integers(0, 2**32), st.integers(0, 70), st.booleans()), max_size=8))
def test_a_batch_is_the_games_one_by_one(choices: list[tuple[int, int, bool]]) -> None:
    games, expected, ends = [], [], []
    for seed, plies, write_passes in choices:
        _, start = random_game(seed + 1, seed % 20)
        moves, end = random_game(seed, plies, start)
        written = [
            move for at, move in enumerate(moves) if write_passes or move is not PASS or at == len(moves) - 1
        ]
        games.append((bytes(move.index for move in written), start))
        expected.append(keys_of(moves, start))
        ends.append((end.black, end.white))
    rows, legal, discs = batch(games)
    assert rows == expected
    assert all(legal)
    assert discs == ends


@pytest.mark.parametrize("wrong", ["a1", "d4", "--", "f5"])
def test_an_illegal_move_ends_its_game_only(wrong: str) -> None:
    good = [Square("f5"), Square("d6")]
    bad = bytes([good[0].index, good[1].index, Move.parse(wrong).index, Square("c3").index])
    rows, legal, _ = batch([(bad, Position()), (bytes(move.index for move in good), Position())])
    assert legal == [0, 1]
    assert rows[0] == rows[1] == keys_of(list(good), Position())


def test_nothing_is_played_after_the_end() -> None:
    full = Position.from_discs((1 << 64) - 2, 1, Color.BLACK, OTHELLO)
    rows, legal, _ = batch([(bytes([64]), full), (b"", full)])
    assert legal == [0, 1]
    assert rows[0] == rows[1] == [(canonical_key(full), 255)]


def test_wrong_buffers_are_refused() -> None:
    start = array("Q", [Position().black]), array("Q", [Position().white]), bytes(1)
    with pytest.raises(ValueError, match="is not a move"):
        batch_keys(bytes([65]), array("i", [1]), *start)
    with pytest.raises(ValueError, match="moves"):
        batch_keys(bytes(2), array("i", [1]), *start)
    with pytest.raises(ValueError, match="counts"):
        batch_keys(b"", array("i", [-1]), *start)
    with pytest.raises(ValueError, match="turns"):
        batch_keys(b"", array("i", [0]), *start[:2], b"")
