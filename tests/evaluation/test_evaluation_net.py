"""The evaluation's nets: their values against the reference, on every instruction set; and their file."""

import hashlib
import random
import struct

import pytest

import reference_evaluation as reference
from evaluation_digests import evaluation_digests
from random_games import random_positions
from reversi._core import ISA, WIDE_SHAPE, Weights, evaluation_layout, net_size, weights_size
from reversi.evaluation.weights import HEADER_SIZE, WeightsError, pack_weights, read_weights

STAGES, CLASSES, MOVES, LANES = evaluation_layout()
LINEAR = bytes(2 * STAGES * CLASSES)  # zeros
ROWS = CLASSES - 68  # of a net in a file of training: one for each class of the patterns
FROM_END = weights_size(2)  # where the narrow net begins in a file that ends with it


NARROW_SHAPE = (16, 16, 0)
SHAPES = pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])


def made_net(low=0, high=60, seed=b"net", layer=1024, out=64, product=8, second=3000, wide=False):
    """A net of random numbers whose sums cannot overflow, but whose entries and units are clipped."""
    width, units, seconds = WIDE_SHAPE if wide else NARROW_SHAPE
    size = net_size(wide)
    noise = b"".join(hashlib.sha256(seed + b"%d" % i).digest() for i in range(size // 32 + 1))
    numbers = random.Random(seed)

    def some(count, most):
        return [numbers.randrange(-most, most) for _ in range(count)]

    heads = b""
    for _ in range(STAGES):
        weights = some(width * units, layer) + some(width * units // 2, layer // product * 16 // width)
        head = struct.pack(f"<{len(weights)}h{units}i", *weights, *some(units, 1_000_000))
        head += struct.pack(
            f"<{units * seconds}h{seconds}i", *some(units * seconds, second), *some(seconds, 10**7)
        )
        head += struct.pack(f"<{units + seconds}h", *some(units + seconds, out))
        head += struct.pack(f"<{width * 3 // 2}hi", *some(width, 500), *some(width // 2, 50), *some(1, 1_000_000))
        heads += head + bytes(-len(head) % 64)
    small = struct.pack(f"<{68 * width}h", *some(68 * width, 3000))
    fixed = struct.pack("<2i", low, high) + bytes(56) + heads + small
    return fixed + noise[len(fixed) : size]


def weights_with(net, wide):
    """Weights with one net, the narrow or the wide one, and no others."""
    return Weights.from_classes(wide=net) if wide else Weights.from_classes(net=net)


@SHAPES
def test_values_are_those_of_the_reference(wide):
    net = made_net(wide=wide)
    weights = weights_with(net, wide)
    shape = WIDE_SHAPE if wide else NARROW_SHAPE
    values = set()
    for position in random_positions(60, 1):
        value = weights.evaluate(position)
        assert value == reference.net_value(position.player, position.opponent, net, STAGES, shape)
        values.add(value)
    assert len(values - {8191, -8191}) > 20


def test_the_wide_net_comes_before_the_narrow_one_and_that_before_the_stages():
    net, wide = made_net(10, 40), made_net(20, 50, wide=True)
    mixed = Weights.from_classes(LINEAR, net=net, wide=wide)
    sources = [
        Weights.from_classes(LINEAR),
        weights_with(made_net(), False),
        weights_with(made_net(wide=True), True),
    ]
    seen = set()
    for position in random_positions(120, 2):
        source = 2 if 20 <= position.empties <= 50 else 1 if 10 <= position.empties < 20 else 0
        seen.add(source)
        assert mixed.evaluate(position) == sources[source].evaluate(position)
    assert seen == {0, 1, 2}


def test_weights_value_every_number_of_empty_squares():
    Weights.from_classes(net=made_net(0, 20), wide=made_net(21, 60, wide=True))
    for low in (0, 2), (21, 59):
        with pytest.raises(ValueError, match="nothing values some numbers of empty squares"):
            Weights.from_classes(net=made_net(1, 20), wide=made_net(*low, wide=True))
    with pytest.raises(ValueError, match="nothing values"):
        Weights.from_classes()


def test_a_file_without_the_stages_weights_is_smaller_and_read_back():
    net, wide = made_net(0, 30), made_net(18, 60, wide=True)
    content = pack_weights(None, 1, net, wide)
    assert len(content) == HEADER_SIZE + weights_size(6) < weights_size(7)
    weights, same = read_weights(content, "own.weights"), Weights.from_classes(LINEAR, net=net, wide=wide)
    for position in random_positions(20, 3):
        assert weights.evaluate(position) == same.evaluate(position)
    with pytest.raises(ValueError, match="these weights are nets alone"):
        weights.stages()
    for at, name in ((60, "another version"), (61, "another version"), (16, "another version")):
        bad = bytearray(content)
        bad[at] ^= 1
        with pytest.raises(WeightsError, match=name):
            read_weights(bytes(bad), "own.weights")


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


@SHAPES
def test_every_instruction_set_gives_the_same_values(wide):
    weights = f"weights = Weights.from_classes({'wide' if wide else 'net'}=sys.stdin.buffer.read())"
    digests = evaluation_digests(weights, made_net(wide=wide))
    assert ISA in digests
    assert len(set(digests.values())) == 1, digests


OVERFLOWS = [{"low": 5, "high": 4}, {"low": -1}, {"high": 61}, {"layer": 32767, "product": 1}, {"out": 32767}]


@SHAPES
@pytest.mark.parametrize("settings", OVERFLOWS, ids=str)
def test_a_net_that_could_overflow_is_refused(settings, wide):
    with pytest.raises(ValueError, match="the net names other numbers of empty squares than 0 to 60, or its sums"):
        weights_with(made_net(**settings, wide=wide), wide)


def test_a_second_layer_that_could_overflow_is_refused():
    with pytest.raises(ValueError, match="its sums overflow"):
        weights_with(made_net(second=32767, wide=True), wide=True)


@SHAPES
def test_small_rows_that_could_overflow_are_refused(wide):
    net = bytearray(made_net(wide=wide))
    width, _, _ = WIDE_SHAPE if wide else NARROW_SHAPE
    struct.pack_into("<h", net, net_size(wide) - ROWS * width - 68 * width * 2, 32767)
    with pytest.raises(ValueError, match="its sums overflow"):
        weights_with(bytes(net), wide)


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
    at = HEADER_SIZE + weights_size(3) - FROM_END
    struct.pack_into("<2i", content, at, *numbers)
    content[28:60] = hashlib.sha256(content[HEADER_SIZE:]).digest()
    with pytest.raises(WeightsError, match=r"^own\.weights: damaged \(the net names other numbers"):
        read_weights(bytes(content), "own.weights")
