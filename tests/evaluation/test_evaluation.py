import array
import mmap
import random
import struct
import sys
import time
from pathlib import Path

import pytest

import reference_evaluation as reference
from evaluation_digests import evaluation_digests
from files import new_file
from random_games import random_positions
from reversi import PASS, Color, Position, parse_rules
from reversi._core import ISA, Random, Table, Weights, evaluation_layout, expand_weights, weights_size
from reversi.errors import InputError, ReversiError
from reversi.evaluation import weights as module
from reversi.evaluation.weights import (
    FILE_NAME,
    HEADER_SIZE,
    WeightsError,
    check_default_weights,
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
    return Weights.from_classes(noise)


@pytest.mark.thorough
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
weights = Weights.from_classes(b"".join(hashlib.sha256(b"%d" % i).digest() for i in range(size // 32 + 1))[:size])
"""


def test_every_instruction_set_gives_the_same_values():
    digests = evaluation_digests(NOISE)
    assert ISA in digests
    assert len(set(digests.values())) == 1, digests


def test_weights_of_a_wrong_size_are_refused():
    with pytest.raises(ValueError, match="weights"):
        Weights.from_classes(bytes(10))


def test_other_rules_are_refused(weights):
    for rules in (
        parse_rules("othello,board=6x6"),
        parse_rules("othello,misere"),
        parse_rules("othello,optional-capture"),
    ):
        with pytest.raises(InputError, match="standard"):
            weights.evaluate(Position(rules))


# ---- the file


def planes(number=5):
    """Weights that are all the same number, as training packs them."""
    return bytes([number]) * (STAGES * CLASSES) + bytes(STAGES * CLASSES)


def test_packed_weights_are_signed_and_scaled():
    loaded = read_weights(pack_weights(planes(), 3), "test")  # 5 stands for -3
    position = next(random_positions(1, 5))
    assert loaded.evaluate(position) == -9 * (len(LANES) + 3)


def test_damage_is_noticed():
    good = pack_weights(planes(), 3)
    for at in (0, 8, 10, 12, 16, 20, 28, 59, HEADER_SIZE, len(good) // 2, len(good) - 1):
        bad = bytearray(good)
        bad[at] ^= 0x40
        with pytest.raises(WeightsError, match=r"^some\.file: "):
            read_weights(bytes(bad), "some.file")
    for length in (0, 5, HEADER_SIZE - 1, HEADER_SIZE, len(good) - 1):
        with pytest.raises(ReversiError, match=r"^some\.file: "):
            read_weights(good[:length], "some.file")
    with pytest.raises(WeightsError, match="not 20,542,388"):
        read_weights(good + b"x", "some.file")


@pytest.fixture
def package_file(tmp_path, monkeypatch):
    """A copy of the package's file, which takes its place."""
    copy = new_file(tmp_path / "standard.weights", module._PACKAGE_FILE.read_bytes())
    monkeypatch.setattr(module, "_PACKAGE_FILE", copy)
    monkeypatch.setattr(module, "_default", None)
    return copy


def test_header_and_size_of_the_package_file_are_checked_on_every_load(package_file):
    data = package_file.read_bytes()
    for bad in (
        b"",
        data[:7],
        data[:HEADER_SIZE],
        data[:-1],
        data + b"x",
        data[:8] + b"\5" + data[9:],
        b"x" + data[1:],
    ):
        package_file.write_bytes(bad)
        with pytest.raises(
            WeightsError, match=r"^evaluation/standard\.weights: .*; reinstall|not a file of evaluation"
        ):
            default_weights()
    package_file.unlink()
    with pytest.raises(WeightsError, match=r"cannot be read \(No such file or directory\); reinstall the package"):
        default_weights()


def test_damage_inside_the_package_file_is_found_by_a_full_check_and_never_crashes(package_file):
    check_default_weights()
    with package_file.open("r+b") as file:
        size = package_file.stat().st_size
        for start, end in ((size // 8, size // 2), (size * 7 // 8, size)):  # rows of the net
            file.seek(start)
            file.write(b"\x7f" * (end - start))
    with pytest.raises(
        WeightsError, match=r"^evaluation/standard\.weights: damaged \(wrong checksum\); reinstall"
    ):
        check_default_weights()
    for position in random_positions(20, 6):
        assert abs(default_weights().evaluate(position)) < 64 * 128


def test_weights_are_used_where_they_lie_when_they_can_be():
    weights = Weights(mapped := memoryview(mmap.mmap(-1, weights_size(1))), 1)
    assert weights.stages() == bytes(len(weights.stages()))
    with pytest.raises(ValueError, match="net names"):
        Weights(bytes(b"\1" * weights_size(3)), 3)
    for parts in (0, 8):
        with pytest.raises(ValueError, match=f"no parts {parts}"):
            Weights(mapped, parts)
    del weights
    body, parts = expand_weights(planes(), 3)
    for shift in (0, 1, 2, 63):
        moved = memoryview(bytes(shift) + body)[shift:]
        assert Weights(moved, parts).stages() == body


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_processes_share_the_package_file():
    default_weights()
    maps = Path("/proc/self/maps").read_text()
    line = next(line for line in maps.splitlines() if line.endswith(FILE_NAME))
    assert line.split()[1] in ("r--s", "r--p")


def test_the_package_has_weights_that_load_quickly():
    took = []
    for _ in range(5):
        began = time.perf_counter()
        module._mapped().evaluate(Position(STANDARD))
        took.append(time.perf_counter() - began)
    assert min(took) < 0.05  # 0.2 ms on an idle machine
    assert default_weights() is default_weights()
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
