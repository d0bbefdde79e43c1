"""A net as the kernel's integers (src/reversi/_kernel/evaluation_net.h)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._core import WIDE_SHAPE
from training.fit import CLASSES, STAGES, Floats, stage_of
from training.net import Net

NARROW = (16, 16, 0)  # the shapes that the kernel has: numbers in a row, units, units behind them
SMALL = 2 * 32 + 4  # classes of mobilities and constants, the last of a stage
_FINEST = 512.0  # steps of the kernel in a unit of x: its clip of 4095 is then the net's 8
_UNIT = 2.0**17  # steps in a unit of what the layer sums; 2**10 after the shift
_SECOND = 2.0**11  # steps in a unit of the weights of the second layer
_VALUE = 128 * 2.0**10  # steps in a disc of what the heads sum


def _head(width: int, units: int, seconds: int) -> np.dtype[np.void]:
    """Return the layout of a head, a multiple of 64 bytes."""
    head = np.dtype(
        [
            ("layer", "<i2", (width * 3 // 4, units, 2)),
            ("layer_bias", "<i4", units),
            ("second", "<i2", (units // 2, seconds, 2)),
            ("second_bias", "<i4", seconds),
            ("out", "<i2", units),
            ("second_out", "<i2", seconds),
            ("linear", "<i2", width * 3 // 2),
            ("constant", "<i4"),
        ]
    )
    return np.dtype([*head.descr, ("unused", "<i4", -head.itemsize % 64 // 4)])


def net_bytes(net: Net, wide: bool = False, numbers: tuple[int, int] | None = None) -> bytes:
    """Return the narrow or the wide net as `reversi._core.expand_weights` takes it.

    Args:
        net: the net.
        wide: whether it is the wide one; one without a second layer fits, too.
        numbers: the fewest and the most empty squares that it is to value, without it those that it was trained
            on; stages outside those take the nearest trained head.

    Raises:
        ValueError: the net has another shape than the kernel's, or numbers too large for 16 bits.
    """
    width, units, seconds = WIDE_SHAPE if wide else NARROW
    second = _filled(net, "second", (STAGES, units, seconds))
    second_bias = _filled(net, "second_bias", (STAGES, seconds))
    second_out = _filled(net, "second_out", (STAGES, seconds))
    shaped = net.table.shape == (CLASSES, width) and net.out.shape == (STAGES, units)
    if not shaped or second is None or second_bias is None or second_out is None:
        behind = f" and at most {seconds} behind them" if seconds else ""
        raise ValueError(f"the package takes nets with vectors of {width} numbers and {units} units{behind}")
    patterns = net.table[:-SMALL]
    scale = np.minimum(_FINEST, 127 / np.maximum(np.abs(patterns).max(0), 1e-6)).astype(np.float64)
    inputs = np.concatenate([scale, scale[: width // 2] * scale[width // 2 :] / 512])
    small = net.table[-SMALL:].astype(np.float64)
    small[-4:] += net.bias  # every position has one constant
    heads = np.zeros(STAGES, _head(width, units, seconds))
    heads["layer"] = _pairs(_rounded(net.layer * _UNIT / inputs[:, None], np.int16))
    heads["layer_bias"] = _rounded(net.layer_bias * _UNIT, np.int32)
    heads["second"] = _pairs(_rounded(second * _SECOND, np.int16))
    heads["second_bias"] = _rounded(second_bias * (2**10 * _SECOND), np.int32)
    heads["second_out"] = _rounded(second_out * (_VALUE / 2**10), np.int16)
    heads["out"] = _rounded(net.out * (_VALUE / 2**10), np.int16)
    heads["linear"] = _rounded(net.linear * _VALUE / inputs, np.int16)
    heads["constant"] = _rounded(net.constant * _VALUE, np.int32)
    lowest, highest = net.trained.tolist()
    heads = heads[np.clip(np.arange(STAGES), stage_of(lowest), stage_of(highest))]
    first = np.zeros(16, "<i4")
    first[:2] = numbers or (lowest, highest)
    rows = _rounded(patterns * scale, np.int8)
    return first.tobytes() + heads.tobytes() + _rounded(small * scale, np.int16).tobytes() + rows.tobytes()


def net_of(data: bytes) -> Net:
    """Return the narrow net that `net_bytes` made these bytes of, up to the scale of each number of a vector.

    The kernel's values are those of the net that is returned, and `net_bytes` makes the same bytes of it again.
    """
    width, units, seconds = NARROW
    kind = _head(width, units, seconds)
    heads = np.frombuffer(data, kind, STAGES, 64)
    at = 64 + heads.nbytes
    small = np.frombuffer(data, "<i2", SMALL * width, at).reshape(SMALL, width)
    rows = np.frombuffer(data, np.int8, offset=at + small.nbytes).reshape(-1, width)
    layer = heads["layer"].transpose(0, 1, 3, 2).reshape(STAGES, -1, units)
    lowest, highest = np.frombuffer(data, "<i4", 2).tolist()
    return Net(
        table=_floats(np.concatenate([rows, small]) / _FINEST),
        bias=np.zeros(width, np.float32),
        linear=_floats(heads["linear"] * (_FINEST / _VALUE)),
        constant=_floats(heads["constant"] / _VALUE),
        layer=_floats(layer * (_FINEST / _UNIT)),
        layer_bias=_floats(heads["layer_bias"] / _UNIT),
        out=_floats(heads["out"] * (2**10 / _VALUE)),
        second=np.zeros((STAGES, units, seconds), np.float32),
        second_bias=np.zeros((STAGES, seconds), np.float32),
        second_out=np.zeros((STAGES, seconds), np.float32),
        trained=np.array([max(lowest, 4), min(highest, 60)], np.int32),
    )


def _floats(numbers: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(numbers, np.float32)


def _filled(net: Net, name: str, shape: tuple[int, ...]) -> Floats | None:
    """Return numbers of the second layer, zeros where the net has none; None where they have another shape."""
    numbers: Floats = getattr(net, name)
    if numbers.size == 0:
        return np.zeros(shape, np.float32)
    return numbers if numbers.shape == shape else None


def _pairs(weights: NDArray[np.signedinteger]) -> NDArray[np.signedinteger]:
    """Return the weights [stage, input, unit] with those of two inputs side by side."""
    stages, inputs, units = weights.shape
    return weights.reshape(stages, inputs // 2, 2, units).transpose(0, 1, 3, 2)


def _rounded(numbers: Floats | NDArray[np.float64], kind: type[np.signedinteger]) -> NDArray[np.signedinteger]:
    limits = np.iinfo(kind)
    rounded = np.rint(numbers)
    if not ((rounded >= limits.min) & (rounded <= limits.max)).all():
        raise ValueError("the net has numbers that are too large for the kernel; train it with a lower --rate")
    return rounded.astype(kind)
