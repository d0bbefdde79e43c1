import array
import hashlib
import random
import struct
import time
import zlib

import pytest

import reference_evaluation as reference
from evaluation_digests import evaluation_digests
from random_games import random_positions
from reversi import PASS, Color, Position, parse_rules
from reversi._core import ISA, Random, Table, Weights, evaluation_layout
from reversi.errors import InputError, ReversiError
from reversi.evaluation.weights import (
    WeightsError,
    default_weights,
    evaluate,
    pack_weights,
    read_weights,
    weights_version,
)

STANDARD = parse_rules("othello")
STAGES, CLASSES, _, LANES = evaluation_layout()


@pytest.fixture(scope="module")
def noise():
    """Random weights, small enough that sums rarely reach the limit."""
    return array.array("h", struct.unpack(f"<{STAGES * CLASSES}b", random.Random(7).randbytes(STAGES * CLASSES)))


@pytest.fixture(scope="module")
def weights(noise):
    return Weights(noise)


def test_the_layout_is_the_reference_one():
    tables, pattern_classes = reference.classes()
    assert pattern_classes + 2 * reference.MOBILITY_CLASSES + 4 == CLASSES
    lanes = {(pattern, frozenset(squares)) for pattern, squares in LANES}
    expected = {
        (number, frozenset(8 * r + c for r, c in squares))
        for number, pattern in enumerate(reference.PATTERNS)
        for squares in reference.copies(pattern)
    }
    assert lanes == expected
    assert len(LANES) == len(lanes) <= 64
    assert [len(table) for table in tables] == [3 ** len(pattern.split()) for pattern in reference.PATTERNS]


def test_values_are_those_of_the_reference(weights, noise):
    values = [
        (weights.evaluate(p), reference.value(p.player, p.opponent, noise, STAGES))
        for p in random_positions(60, 1)
    ]
    assert [value for value, _ in values] == [expected for _, expected in values]
    assert len({value for value, _ in values}) > 40


def test_indices_followed_move_by_move_give_the_same_values(weights, noise):
    for position in random_positions(12, 2):
        children = weights.children(position)
        assert [move for move, _ in children] == [move for move in position.legal_moves if not move.is_pass]
        for move, value in children:
            after = position.play(move)
            # the next to move by the board, whether or not that side can move
            player, opponent = after.player, after.opponent
            if after.to_move is position.to_move:
                player, opponent = opponent, player
            if after.is_over:
                assert value == 128 * (
                    after.count.score if position.to_move is Color.BLACK else -after.count.score
                )
            else:
                assert value == -reference.value(player, opponent, noise, STAGES)


def brute(position, depth, noise):
    """Plain minimax with the reference evaluation; exact where as few squares are empty."""
    if position.is_over:
        return 128 * (position.count.score if position.to_move is Color.BLACK else -position.count.score)
    moves = list(position.legal_moves)
    if moves == [PASS]:
        if depth == 0 and position.empties > 0:
            return reference.value(position.player, position.opponent, noise, STAGES)
        return -brute(position.play(PASS), depth, noise)
    if depth == 0:
        return reference.value(position.player, position.opponent, noise, STAGES)
    return max(-brute(position.play(move), depth - 1, noise) for move in moves)


@pytest.mark.parametrize(("depth", "count"), [(1, 12), (2, 5), (3, 1)])
def test_the_search_is_minimax_over_the_evaluation(weights, noise, depth, count):
    table = Table(1)
    for position in random_positions(count, 3 + depth):
        if position.empties > depth:
            assert weights.search(position, depth, table) == brute(position, depth, noise), repr(position)


def test_the_search_passes_like_the_reference(weights, noise):
    """Positions whose mover has to pass, and those that lead to one: the indices are seen from the other side."""
    table, drawn = Table(1), random.Random(13)
    found: list[Position] = []
    while len(found) < 12:
        line = [Position(STANDARD)]
        while not line[-1].is_over:
            line.append(line[-1].play(drawn.choice(line[-1].legal_moves)))
        at = next((i for i, one in enumerate(line) if list(one.legal_moves) == [PASS]), 0)
        if at and line[at].empties > 3:
            found += [line[at], line[at - 1]]
    for position in found:
        for depth in (0, 1, 2):
            expected = brute(position, depth, noise)
            assert weights.search(position, depth, table) == expected, (repr(position), depth)


def test_the_search_is_exact_where_it_sees_the_end(weights):
    table = Table(1)
    seen = 0
    for position in random_positions(400, 9):
        if position.empties <= 6:
            seen += 1
            assert weights.search(position, 6, table) == brute(position, 60, None), repr(position)
    assert seen > 20


def test_both_sides_are_treated_alike(weights):
    for position in random_positions(30, 4):
        swapped = Position.from_discs(
            position.white,
            position.black,
            Color.WHITE if position.to_move is Color.BLACK else Color.BLACK,
            STANDARD,
        )
        assert weights.evaluate(position) == weights.evaluate(swapped)
        assert {weights.evaluate(turned) for turned in position.symmetries()} == {weights.evaluate(position)}


NOISE = """
stages, classes, _, _ = evaluation_layout()
size = 2 * stages * classes
weights = Weights(b"".join(hashlib.sha256(b"%d" % i).digest() for i in range(size // 32 + 1))[:size])
"""


def test_every_instruction_set_gives_the_same_values():
    digests = evaluation_digests(NOISE)
    assert ISA in digests
    assert len(set(digests.values())) == 1, digests


def test_weights_of_a_wrong_size_are_refused():
    with pytest.raises(ValueError, match="weights"):
        Weights(bytes(10))


def test_other_rules_are_refused(weights):
    for rules in (
        parse_rules("othello,board=6x6"),
        parse_rules("othello,misere"),
        parse_rules("othello,optional-capture"),
    ):
        with pytest.raises(InputError, match="standard"):
            weights.evaluate(Position(rules))


# ---- the file


def packed(step=3, numbers=None):
    """A weights file of which every weight is the same number, or those given."""
    count = STAGES * CLASSES
    low = bytes([5]) * count if numbers is None else numbers
    return pack_weights(low + bytes(count), step)


def test_packed_weights_are_signed_and_scaled():
    loaded = read_weights(packed(step=3), "test")  # 5 stands for -3
    position = next(random_positions(1, 5))
    assert loaded.evaluate(position) == -9 * (len(LANES) + 3)


def test_damage_is_noticed():
    good = packed()
    header = struct.calcsize("<8sHHIHHII32s")
    for at in (0, 8, 10, 12, 20, 24, header - 1, header, len(good) - 1):
        bad = bytearray(good)
        bad[at] ^= 0x40
        with pytest.raises(WeightsError, match=r"^some\.file: "):
            read_weights(bytes(bad), "some.file")
    for length in (0, 5, header - 1, header, len(good) - 1):
        with pytest.raises(ReversiError, match=r"^some\.file: "):
            read_weights(good[:length], "some.file")
    with pytest.raises(WeightsError):
        read_weights(good + b"x", "some.file")


def test_a_file_that_unpacks_to_another_size_is_refused():
    good = packed()
    header = struct.calcsize("<8sHHIHHII32s")
    short = zlib.compress(bytes(100))
    fields = list(struct.unpack("<8sHHIHHII32s", good[:header]))
    fields[7:9] = [len(short), hashlib.sha256(short).digest()]
    with pytest.raises(WeightsError, match="unpacked"):
        read_weights(struct.pack("<8sHHIHHII32s", *fields) + short, "some.file")


def test_the_package_has_weights_that_load_quickly():
    began = time.perf_counter()
    loaded = default_weights()
    took = time.perf_counter() - began
    assert loaded is default_weights()
    assert took < 1.0  # under 0.1 s on an idle machine
    assert len(weights_version()) == 12
    assert abs(evaluate(Position(STANDARD)).discs) < 4


def test_the_evaluation_knows_who_is_ahead():
    """Random games, eight squares left: the evaluation tells the winner far more often than not."""
    draws, table, right, decided = Random(11), Table(4), 0, 0
    weights = default_weights()
    for _ in range(150):
        position = Position(STANDARD)
        while not position.is_over and position.empties > 10:
            position = position.play(position.legal_moves[draws.below(len(position.legal_moves))])
        if position.is_over:
            continue
        exact = weights.search(position, 10, table)
        if abs(exact) >= 4 * 128:
            decided += 1
            right += exact * weights.evaluate(position) > 0
    assert decided > 80
    assert right > 0.85 * decided
