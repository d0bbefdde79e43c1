"""The weights file of the package, from fitted weights, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reversi._core import evaluation_classes, weights_size
from reversi.evaluation.weights import HEADER_SIZE, WeightsError, load_weights, pack_weights
from training.data import load_fitted
from training.fit import CLASSES, STAGES, Floats
from training.net import Net
from training.quantise import NARROW, SMALL, net_bytes, net_of


def export(fitted: Path, file: Path, step: int) -> int:
    """Write a weights file in units of `step` 1/128 disc; return its size in bytes."""
    weights, _ = load_fitted(fitted)
    return _write(file, pack_weights(_planes(weights, step), step))


def export_net(net: Net, weights: Floats, file: Path, step: int) -> int:
    """Write a weights file with a net, and with linear `weights` for the rest; return its size in bytes.

    Raises:
        ValueError: the net does not fit the kernel.
    """
    return _write(file, pack_weights(_planes(weights, step), step, net_bytes(net)))


def export_nets(net: Net, wide: Net | None, fewest: int, file: Path) -> int:
    """Write a weights file with a narrow and perhaps a wide net, without linear weights; return its size in bytes.

    Args:
        net: the narrow net; it values what the wide one does not.
        wide: the wide net, if any.
        fewest: the fewest empty squares that the wide net values.
        file: where to.

    Raises:
        ValueError: a net does not fit the kernel.
    """
    narrow_bytes = net_bytes(net, numbers=(0, 60))
    wide_bytes = None if wide is None else net_bytes(wide, wide=True, numbers=(fewest, 60))
    return _write(file, pack_weights(None, 1, narrow_bytes, wide_bytes))


def _planes(weights: Floats, step: int) -> bytes:
    numbers = (
        np.clip(np.rint(weights * (128 / step)), -(32767 // step), 32767 // step).astype(np.int32).reshape(-1)
    )
    signed = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers).astype("<u2")
    planes = signed.view(np.uint8).reshape(-1, 2)
    both: bytes = planes.T.tobytes()
    return both


def _write(file: Path, content: bytes) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return len(content)


def exported(file: Path) -> Floats:
    """Return the weights of a weights file in discs, [stage, class].

    Raises:
        WeightsError: it cannot be read, is damaged or of another version, or has nets alone.
    """
    of_state = np.frombuffer(evaluation_classes(), np.int32)
    loaded = load_weights(file)
    try:
        stages = loaded.stages()
    except ValueError as error:
        raise WeightsError(f"{file}: {error}; fit linear weights with climb") from None
    stored = np.frombuffer(stages, np.int16).reshape(STAGES, -1)
    weights = np.empty((STAGES, CLASSES), np.float32)
    weights[:, of_state] = stored / np.float32(128)
    return weights


def exported_net(file: Path) -> Net:
    """Return the narrow net of a weights file, to train it further.

    Raises:
        WeightsError: the file cannot be read, is damaged, of another version, or has no net.
    """
    load_weights(file)  # checks it
    body = file.read_bytes()[HEADER_SIZE:]
    parts = next((parts for parts in (2, 3, 6, 7) if weights_size(parts) == len(body)), None)
    if parts is None:
        raise WeightsError(f"{file}: has no net")
    at = weights_size(3) - weights_size(2) if parts & 1 else 0
    of_state = np.frombuffer(evaluation_classes(), np.int32)[:-SMALL]
    fixed = weights_size(2) - NARROW[0] * len(of_state)
    rows = np.frombuffer(body, np.int8, NARROW[0] * len(of_state), at + fixed).reshape(-1, NARROW[0])
    of_class = np.empty((CLASSES - SMALL, NARROW[0]), np.int8)
    of_class[of_state] = rows
    return net_of(body[at : at + fixed] + of_class.tobytes())
