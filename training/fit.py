"""The fit: one ridge regression per stage on tied pattern weights, by conjugate gradients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from reversi._core import batch_features, evaluation_layout
from training.boards import Words

STAGES, CLASSES, _, _LANES = evaluation_layout()
WIDTH = len(_LANES) + 3
Floats = NDArray[np.float32]


def stage_of(n: int) -> int:
    """The stage of a number of empty squares (as in evaluation.h)."""
    return 0 if n < 4 else (n - 4) // 2 if n < 36 else min(STAGES - 1, 16 + (n - 36) // 4)


def numbers_of(stage: int) -> range:
    """Return the numbers of empty squares of a stage, from 4 on."""
    numbers = [n for n in range(4, 61) if stage_of(n) == stage]
    return range(numbers[0], numbers[-1] + 1)


def design(p: Words, o: Words) -> csr_array:
    """Return the sparse matrix that maps weights to values."""
    columns = np.empty((len(p), WIDTH), np.int32)
    batch_features(p, o, columns)
    rows = np.arange(0, columns.size + 1, WIDTH, dtype=np.int32)
    return csr_array((np.ones(columns.size, np.float32), columns.reshape(-1), rows), shape=(len(p), CLASSES))


def fit(matrix: csr_array, labels: Floats, sure: Floats, prior: Floats, ridge: float, steps: int) -> Floats:
    """Weights near `prior` for labels in discs, row i counting `sure[i]`.

    Minimises sum(sure * (matrix @ w - labels)**2) + ridge * |w - prior|**2: rare states keep the prior.
    """
    transposed = matrix.T
    diagonal = np.asarray(transposed @ sure).reshape(-1) + np.float32(ridge)
    change = np.zeros(CLASSES, np.float32)
    residual = np.asarray(transposed @ (sure * (labels - matrix @ prior)), np.float32)
    scaled = residual / diagonal
    direction = scaled.copy()
    product = float(residual @ scaled)
    for _ in range(steps):
        if product <= 0:
            break  # solved to the last digit
        image = transposed @ (sure * (matrix @ direction)) + np.float32(ridge) * direction
        length = product / float(direction @ image)
        change += np.float32(length) * direction
        residual -= np.float32(length) * image
        scaled = residual / diagonal
        before, product = product, float(residual @ scaled)
        direction = scaled + np.float32(product / before) * direction
    return (prior + change).astype(np.float32)
