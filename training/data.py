"""A folder of labelled positions and fitted weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Weights
from reversi._system.files import atomic_stream
from training.boards import Words
from training.fit import CLASSES, STAGES, Floats

HELD_OUT = 25  # one position in 25 never takes part in a fit, wherever else it occurs


def shard(folder: Path, name: str, n: int) -> Path:
    """Return the file of the labelled positions of that name with `n` empty squares."""
    return folder / f"positions-{name}-{n:02}.npz"


def save_positions(
    folder: Path, name: str, n: int, p: Words, o: Words, labels: NDArray[np.int16], sure: Floats
) -> None:
    """Save labelled positions (values in 1/128 disc) with `n` empty squares, and their weight in a fit.

    The file appears when it is complete.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = shard(folder, name, n)
    with atomic_stream(file) as stream:
        np.savez(stream, p=p, o=o, labels=labels, sure=sure)


def load_positions(folder: Path, n: int, held_out: bool) -> tuple[Words, Words, Floats, Floats]:
    """Load positions with `n` empty squares, their labels in discs and their weight: to fit, or held out."""
    parts = []
    for path in sorted(folder.glob(f"positions-*-{n:02}.npz")):
        with np.load(path) as data:
            p, o = data["p"], data["o"]
            chosen = in_held_out(p, o) if held_out else ~in_held_out(p, o)
            parts.append((p[chosen], o[chosen], data["labels"][chosen], data["sure"][chosen]))
    if not parts:
        none = np.zeros(0, np.float32)
        return np.zeros(0, np.uint64), np.zeros(0, np.uint64), none, none
    p, o, labels, sure = (np.concatenate([part[i] for part in parts]) for i in range(4))
    discs: Floats = labels.astype(np.float32) / np.float32(128)
    return p, o, discs, sure


def in_held_out(p: Words, o: Words) -> NDArray[np.bool_]:
    mixed = p * np.uint64(0x9E3779B97F4A7C15) ^ o * np.uint64(0xC2B2AE3D27D4EB4F)
    chosen: NDArray[np.bool_] = (mixed >> np.uint64(40)) % np.uint64(HELD_OUT) == 0
    return chosen


def quantised(weights: Floats) -> NDArray[np.int16]:
    """Round weights in discs, [stage, class], to the kernel's integers in 1/128 disc."""
    return np.clip(np.rint(weights * 128), -32767, 32767).astype(np.int16)


def save_weights(path: Path, weights: Floats) -> None:
    """Save fitted weights, [stage, class], in discs."""
    with atomic_stream(path) as stream:
        np.save(stream, weights)


def load_fitted(path: Path) -> tuple[Floats, Weights]:
    """Load fitted weights, in discs and ready for use.

    Raises:
        ValueError: they belong to other patterns.
    """
    weights = np.load(path)
    if weights.shape != (STAGES, CLASSES):
        raise ValueError(f"{path}: not weights of {STAGES} stages with {CLASSES} classes")
    return weights, Weights.from_classes(quantised(weights))
