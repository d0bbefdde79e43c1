"""The weights file of the package, from fitted weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reversi.evaluation.weights import pack_weights
from training.data import load_fitted

__all__ = ["export"]


def export(fitted: Path, file: Path, step: int) -> int:
    """Write a weights file in units of `step` 1/128 disc; return its size in bytes."""
    weights, _ = load_fitted(fitted)
    numbers = (
        np.clip(np.rint(weights * (128 / step)), -(32767 // step), 32767 // step).astype(np.int32).reshape(-1)
    )
    signed = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers).astype("<u2")
    planes = signed.view(np.uint8).reshape(-1, 2)
    content = pack_weights(planes[:, 0].tobytes() + planes[:, 1].tobytes(), step)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return len(content)
