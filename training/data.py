"""A folder of labelled positions and fitted weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Weights
from training.boards import Words
from training.fit import CLASSES, STAGES, Floats

__all__ = ["HELD_OUT", "load_fitted", "load_positions", "quantised", "save_positions", "save_weights"]

HELD_OUT = 25  # one position in 25 never takes part in a fit


def save_positions(
    folder: Path, name: str, n: int, p: Words, o: Words, labels: NDArray[np.int16], sure: Floats
) -> None:
    """Save labelled positions (values in 1/128 disc) with `n` empty squares, and their weight in a fit."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / f"positions-{name}-{n:02}.npz", p=p, o=o, labels=labels, sure=sure)


def load_positions(folder: Path, n: int, held_out: bool) -> tuple[Words, Words, Floats, Floats]:
    """Load positions with `n` empty squares, their labels in discs and their weight: to fit, or held out."""
    parts = []
    for path in sorted(folder.glob(f"positions-*-{n:02}.npz")):
        with np.load(path) as data:
            out = np.arange(len(data["p"])) % HELD_OUT == 0
            chosen = out if held_out else ~out
            parts.append((data["p"][chosen], data["o"][chosen], data["labels"][chosen], data["sure"][chosen]))
    if not parts:
        none = np.zeros(0, np.float32)
        return np.zeros(0, np.uint64), np.zeros(0, np.uint64), none, none
    p, o, labels, sure = (np.concatenate([part[i] for part in parts]) for i in range(4))
    discs: Floats = labels.astype(np.float32) / np.float32(128)
    return p, o, discs, sure


def quantised(weights: Floats) -> NDArray[np.int16]:
    """Round weights in discs, [stage, class], to the kernel's integers in 1/128 disc."""
    return np.clip(np.rint(weights * 128), -32767, 32767).astype(np.int16)


def save_weights(path: Path, weights: Floats) -> None:
    """Save fitted weights, [stage, class], in discs."""
    temporary = path.with_suffix(".new.npy")
    np.save(temporary, weights)
    temporary.replace(path)


def load_fitted(path: Path) -> tuple[Floats, Weights]:
    """Load fitted weights, in discs and ready for use.

    Raises:
        ValueError: they belong to other patterns.
    """
    weights = np.load(path)
    if weights.shape != (STAGES, CLASSES):
        raise ValueError(f"{path}: not weights of {STAGES} stages with {CLASSES} classes")
    return weights, Weights(quantised(weights))
