"""A net as the kernel's integers (src/reversi/_kernel/evaluation_net.h)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.fit import CLASSES, STAGES, Floats
from training.net import Net

__all__ = ["net_bytes"]

WIDTH, UNITS = 16, 16  # the shape that the kernel has
SMALL = 2 * 32 + 4  # classes of mobilities and constants, the last of a stage
_FINEST = 512.0  # steps of the kernel in a unit of x: its clip of 4095 is then the net's 8
_UNIT = 2.0**17  # steps in a unit of what the layer sums; 2**10 after the shift
_VALUE = 128 * 2.0**10  # steps in a disc of what the heads sum
_HEAD = np.dtype(
    [
        ("layer", "<i2", (WIDTH * 3 // 4, UNITS, 2)),
        ("layer_bias", "<i4", UNITS),
        ("out", "<i2", UNITS),
        ("linear", "<i2", WIDTH * 3 // 2),
        ("constant", "<i4"),
        ("unused", "<i4", 11),
    ]
)


def net_bytes(net: Net) -> bytes:
    """Return the net as `reversi._core.expand_weights` takes it.

    Raises:
        ValueError: the net has another shape than the kernel's, or numbers too large for 16 bits.
    """
    if net.table.shape != (CLASSES, WIDTH) or net.out.shape != (STAGES, UNITS):
        raise ValueError(f"the package takes nets with vectors of {WIDTH} numbers and {UNITS} units")
    patterns = net.table[:-SMALL]
    scale = np.minimum(_FINEST, 127 / np.maximum(np.abs(patterns).max(0), 1e-6)).astype(np.float64)
    inputs = np.concatenate([scale, scale[: WIDTH // 2] * scale[WIDTH // 2 :] / 512])
    small = net.table[-SMALL:].astype(np.float64)
    small[-4:] += net.bias  # every position has one constant
    heads = np.zeros(STAGES, _HEAD)
    layer = _rounded(net.layer * _UNIT / inputs[:, None], np.int16)
    heads["layer"] = layer.reshape(STAGES, -1, 2, UNITS).transpose(0, 1, 3, 2)
    heads["layer_bias"] = _rounded(net.layer_bias * _UNIT, np.int32)
    heads["out"] = _rounded(net.out * (_VALUE / 2**10), np.int16)
    heads["linear"] = _rounded(net.linear * _VALUE / inputs, np.int16)
    heads["constant"] = _rounded(net.constant * _VALUE, np.int32)
    first = np.zeros(16, "<i4")
    first[:2] = net.trained
    rows = _rounded(patterns * scale, np.int8)
    return first.tobytes() + heads.tobytes() + _rounded(small * scale, np.int16).tobytes() + rows.tobytes()


def _rounded(numbers: Floats | NDArray[np.float64], kind: type[np.signedinteger]) -> NDArray[np.signedinteger]:
    limits = np.iinfo(kind)
    rounded = np.rint(numbers)
    if not (np.isfinite(rounded).all() and rounded.min() >= limits.min and rounded.max() <= limits.max):
        raise ValueError("the net has numbers that are too large for the kernel; train it with a lower --rate")
    return rounded.astype(kind)
