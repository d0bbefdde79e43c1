"""The evaluation's net: its values against the reference, on every instruction set; and its file."""

import hashlib
import random
import struct

import pytest

import reference_evaluation as reference
from evaluation_digests import evaluation_digests
from random_games import random_positions
from reversi._core import ISA, Weights, evaluation_layout, expand_weights, net_size
from reversi.evaluation.weights import HEADER_SIZE, WeightsError, pack_weights, read_weights
from weights_samples import earlier

STAGES, CLASSES, MOVES, LANES = evaluation_layout()
LINEAR = bytes(2 * STAGES * CLASSES)  # zeros


def made_net(low=0, high=60, seed=b"net", layer=1024, out=64, product=8):
    """A net of random numbers whose sums cannot overflow, but whose entries and units are clipped."""
    size = net_size()
    noise = b"".join(hashlib.sha256(seed + b"%d" % i).digest() for i in range(size // 32 + 1))
    numbers = random.Random(seed)
    head = b""
    for _ in range(STAGES):
        weights = [numbers.randrange(-layer, layer) for _ in range(12 * 16 * 2)]
        for i in range(8 * 16 * 2, 12 * 16 * 2):
            weights[i] //= product
        head += struct.pack("<384h", *weights)
        head += struct.pack("<16i", *(numbers.randrange(-1_000_000, 1_000_000) for _ in range(16)))
        head += struct.pack("<16h", *(numbers.randrange(-out, out) for _ in range(16)))
        linear = [numbers.randrange(-500, 500) for _ in range(16)] + [numbers.randrange(-50, 50) for _ in range(8)]
        head += struct.pack("<24hi", *linear, numbers.randrange(-1_000_000, 1_000_000)) + bytes(44)
    small = struct.pack("<1088h", *(numbers.randrange(-3000, 3000) for _ in range(68 * 16)))
    fixed = struct.pack("<2i", low, high) + bytes(56) + head + small
    return fixed + noise[len(fixed) : size]


def test_values_are_those_of_the_reference():
    net = made_net()
    weights = Weights.from_classes(LINEAR, net=net)
    values = set()
    for position in random_positions(60, 1):
        value = weights.evaluate(position)
        assert value == reference.net_value(position.player, position.opponent, net, STAGES)
        values.add(value)
    assert len(values - {8191, -8191}) > 20


def test_the_net_values_only_the_numbers_of_empty_squares_that_it_names():
    net = made_net(20, 30)
    plain, mixed, everywhere = (
        Weights.from_classes(LINEAR),
        Weights.from_classes(LINEAR, net=net),
        Weights.from_classes(LINEAR, net=made_net()),
    )
    for position in random_positions(80, 2):
        source = everywhere if 20 <= position.empties <= 30 else plain
        assert mixed.evaluate(position) == source.evaluate(position)


def test_every_instruction_set_gives_the_same_values():
    weights = f"weights = Weights.from_classes(bytes({len(LINEAR)}), net=sys.stdin.buffer.read())"
    digests = evaluation_digests(weights, made_net())
    assert ISA in digests
    assert len(set(digests.values())) == 1, digests


@pytest.mark.parametrize(
    "settings",
    [{"low": 5, "high": 4}, {"low": -1}, {"high": 61}, {"layer": 32767, "product": 1}, {"out": 32767}],
    ids=str,
)
def test_a_net_that_could_overflow_is_refused(settings):
    with pytest.raises(ValueError, match="the net names other numbers of empty squares than 0 to 60, or its sums"):
        Weights.from_classes(LINEAR, net=made_net(**settings))


def test_small_rows_that_could_overflow_are_refused():
    net = bytearray(made_net())
    struct.pack_into("<h", net, 64 + 960 * STAGES, 32767)
    with pytest.raises(ValueError, match="its sums overflow"):
        Weights.from_classes(LINEAR, net=bytes(net))


def test_a_net_of_a_wrong_size_is_refused():
    with pytest.raises(ValueError, match="net"):
        Weights.from_classes(LINEAR, net=made_net() + b"x")


def test_a_file_with_a_net_is_read_back():
    net = made_net(4, 44)
    weights, same = (
        read_weights(pack_weights(LINEAR, 2, net), "own.weights"),
        Weights.from_classes(LINEAR, net=net),
    )
    for position in random_positions(10, 3):
        assert weights.evaluate(position) == same.evaluate(position)


def test_a_net_that_does_not_fit_is_no_file():
    with pytest.raises(ValueError, match="net: "):
        pack_weights(LINEAR, 2, made_net()[:-1])
    with pytest.raises(ValueError, match="the net names other numbers"):
        pack_weights(LINEAR, 2, made_net(7, 6))


@pytest.mark.parametrize("numbers", [(7, 6), (-1, 60), (0, 61), (1, -1)], ids=str)
def test_a_file_whose_net_was_damaged_before_its_checksum_is_refused(numbers):
    content = bytearray(pack_weights(LINEAR, 2, made_net()))
    at = HEADER_SIZE + expand_weights(LINEAR).rindex(struct.pack("<2i", 1, 0))
    struct.pack_into("<2i", content, at, *numbers)
    content[28:60] = hashlib.sha256(content[HEADER_SIZE:]).digest()
    with pytest.raises(WeightsError, match=r"^own\.weights: damaged \(the net names other numbers"):
        read_weights(bytes(content), "own.weights")


def test_a_file_of_version_2_is_read():
    net = made_net(4, 44)
    weights, same = read_weights(earlier(LINEAR, 2, net), "own.weights"), Weights.from_classes(LINEAR, net=net)
    for position in random_positions(10, 3):
        assert weights.evaluate(position) == same.evaluate(position)
    with pytest.raises(WeightsError, match=r"^own\.weights: evaluation weights of another version"):
        read_weights(earlier(LINEAR, 2, net[:-1]), "own.weights")
    with pytest.raises(WeightsError, match=r"^own\.weights: damaged \(the net names other numbers"):
        read_weights(earlier(LINEAR, 2, made_net(7, 6)), "own.weights")
