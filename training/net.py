"""A model beyond the linear one: a vector for each state of a pattern, and small dense layers on their sum.

A position's vector x is the sum of the vectors of its states (mobilities and the constant included), clipped. All
stages share one table of vectors. z is x with the products of its first and its second half. The head of a stage
makes the value of z: a linear part, and a layer of rectified units.

The table begins with the directions in which the linear weights of the stages differ most (a singular value
decomposition), the heads with what makes the linear evaluation of them: the net starts as the linear evaluation.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reversi._core import batch_features
from training.boards import Words, empties
from training.compiled import NetPointers, library
from training.fit import CLASSES, STAGES, WIDTH, Floats, stage_of

STAGE_OF = np.array([stage_of(n) for n in range(65)], np.uint8)
_PATTERNS = CLASSES - 68  # classes of patterns' states; the rest are mobilities and constants


@dataclass(frozen=True)
class Settings:
    """How a net is trained.

    Attributes:
        rate: the largest step of Adam; it falls to 0.
        damping: what Adam adds to the root of the squares of a gradient, as a share of one position's part in a
            batch. It keeps states that occur seldom near their start.
        batch: positions that make one step.
        epochs: how often every position is used.
        limit: entries of the patterns' vectors are held within so much; the kernel has 8 bits for each.
        seed: of the order of positions and of the start.
    """

    rate: float = 1.6e-2
    damping: float = 30.0
    batch: int = 4096
    epochs: int = 4
    limit: float = 1.2
    seed: int = 2026


@dataclass
class Net:
    """The numbers of a net.

    Attributes:
        table: a vector for each class of states, [class, width].
        bias: what is added to the sum of vectors, [width].
        linear: the linear part of the heads, [stage, 3/2 width].
        constant: the constants of the heads, [stage].
        layer: the weights of the units, [stage, 3/2 width, units].
        layer_bias: the constants of the units, [stage, units].
        out: what the units add to the value, [stage, units].
        second: the weights of the second layer's units, [stage, units, second units]; none where that is empty.
        second_bias: the constants of those units, [stage, second units].
        second_out: what those units add to the value, [stage, second units].
        trained: the fewest and the most empty squares of the positions that it was trained on.
    """

    table: Floats
    bias: Floats
    linear: Floats
    constant: Floats
    layer: Floats
    layer_bias: Floats
    out: Floats
    second: Floats
    second_bias: Floats
    second_out: Floats
    trained: NDArray[np.int32]

    @staticmethod
    def start(weights: Floats, often: Floats, width: int, units: int, second: int, kept: int, seed: int) -> Net:
        """Return a net that values positions as the linear `weights`, [stage, class], in discs.

        Args:
            weights: fitted linear weights.
            often: how often each class occurs; directions that matter in frequent classes come first.
            width: the length of the vectors; even.
            units: the rectified units of a stage.
            second: those of its second layer, 0 for none.
            kept: the directions of the linear weights that the table keeps.
            seed: of the random numbers in the rest.
        """
        random = np.random.default_rng(seed)
        scale = np.sqrt(often + np.float32(0.1))
        _, _, directions = np.linalg.svd(weights * scale, full_matrices=False)
        first = (directions[:kept] / scale).T
        # a unit of x is what moves the value of some stage by 16 discs
        coefficients = np.linalg.lstsq(directions[:kept].T, (weights * scale).T, rcond=None)[0]
        largest = np.abs(coefficients).max(1) / 16
        table = random.normal(0, 0.005, (CLASSES, width)).astype(np.float32)
        table[:, :kept] = first * largest
        linear = np.zeros((STAGES, width + width // 2), np.float32)
        linear[:, :kept] = (coefficients / largest[:, None]).T
        layer = random.normal(0, 1 / np.sqrt(width), (STAGES, width + width // 2, units)).astype(np.float32)
        layer[:] = layer[0]
        deeper = random.normal(0, 1 / np.sqrt(units), (STAGES, units, second)).astype(np.float32)
        deeper[:] = deeper[0]
        return Net(
            table,
            np.zeros(width, np.float32),
            linear,
            np.zeros(STAGES, np.float32),
            layer,
            np.zeros((STAGES, units), np.float32),
            np.zeros((STAGES, units), np.float32),
            deeper,
            np.zeros((STAGES, second), np.float32),
            np.zeros((STAGES, second), np.float32),
            np.array([60, 0], np.int32),
        )

    def parts(self) -> list[Floats]:
        """Return what training changes, the table first."""
        return [
            self.table,
            self.bias,
            self.linear,
            self.constant,
            self.layer,
            self.layer_bias,
            self.out,
            self.second,
            self.second_bias,
            self.second_out,
        ]

    def functions(self) -> ctypes.CDLL:
        """Return the compiled functions for this shape."""
        return library(self.table.shape[1], self.out.shape[1], self.second.shape[2], WIDTH)

    def snap(self) -> None:
        """Round the patterns' vectors to the steps that the kernel has (quantise.py)."""
        patterns = self.table[:_PATTERNS]
        scale = np.minimum(512, 127 / np.maximum(np.abs(patterns).max(0), 1e-6))
        patterns[...] = np.rint(patterns * scale) / scale

    def save(self, path: Path) -> None:
        """Save the net."""
        temporary = path.with_name(f"new-{path.name}")
        np.savez(temporary, **vars(self))
        temporary.replace(path)

    @staticmethod
    def load(path: Path) -> Net:
        """Load a net."""
        with np.load(path) as data:
            parts = dict(data)
        for name in ("second", "second_bias", "second_out"):
            shape = (STAGES, parts["out"].shape[1], 0) if name == "second" else (STAGES, 0)
            parts.setdefault(name, np.zeros(shape, np.float32))
        return Net(**parts)


def values(net: Net, p: Words, o: Words, block: int = 16384) -> Floats:
    """Return the net's values of positions for their movers, in discs."""
    found = np.empty(len(p), np.float32)
    functions, pointers = net.functions(), _pointers(net.parts())
    for at in range(0, len(p), block):
        columns, stages = _inputs(p[at : at + block], o[at : at + block])
        out = found[at : at + block]
        functions.values(pointers, len(stages), columns.ctypes.data, stages.ctypes.data, out.ctypes.data)
    return np.clip(found, -64, 64)


class Trainer:
    """Steps of Adam on a net."""

    def __init__(self, net: Net, settings: Settings, steps: int, frozen: bool = False) -> None:
        """Prepare to train a net in `steps` steps; the patterns' vectors do not move if `frozen`."""
        np.clip(net.table[:_PATTERNS], -settings.limit, settings.limit, out=net.table[:_PATTERNS])
        self.net = net
        self.frozen = frozen
        self.settings = settings
        self.steps = steps
        self.done = 0
        parts = net.parts()
        for part in parts:
            if part.dtype != np.float32 or not part.flags.c_contiguous:
                raise ValueError("a net has contiguous arrays of 32-bit floating-point numbers")
        self._functions = net.functions()
        self._slopes, self._means, self._squares = ([np.zeros_like(part) for part in parts] for _ in range(3))
        # a table's rows count alone; of the other parts every number is its own row
        self._seen = [np.zeros(len(part) if i == 0 else part.size, np.uint8) for i, part in enumerate(parts)]

    def slopes(self, p: Words, o: Words, labels: Floats, sure: Floats) -> float:
        """Add the slopes of a batch; return the sum of its squared errors, each counting `sure`."""
        columns, stages = _inputs(p, o)
        loss: float = self._functions.slopes(
            _pointers(self.net.parts()),
            _pointers(self._slopes),
            len(stages),
            columns.ctypes.data,
            stages.ctypes.data,
            np.ascontiguousarray(labels, np.float32).ctypes.data,
            np.ascontiguousarray(sure, np.float32).ctypes.data,
            1 / len(stages),
        )
        return loss

    def current_slopes(self) -> list[Floats]:
        """Return the slopes since the last step, along the parts of the net."""
        return self._slopes

    def step(self, p: Words, o: Words, labels: Floats, sure: Floats) -> float:
        """Train on a batch; return the sum of its squared errors, each counting `sure`."""
        loss = self.slopes(p, o, labels, sure)
        settings = self.settings
        self.done += 1
        rate = settings.rate * min(1.0, self.done / 20) * max(0.0, 1 - self.done / (self.steps + 1))
        rate *= (1 - 0.999**self.done) ** 0.5 / (1 - 0.9**self.done)
        damping = settings.damping / settings.batch
        for i, part in enumerate(self.net.parts()):
            arrays = (part, self._slopes[i], self._means[i], self._squares[i], self._seen[i])
            if i == 0:
                if not self.frozen:
                    self._adam([one[:_PATTERNS] for one in arrays], rate, damping, settings.limit)
                self._adam([one[_PATTERNS:] for one in arrays], rate, damping)
            else:
                self._adam(arrays, rate, 1e-6)
        return loss

    def _adam(
        self, arrays: Sequence[NDArray[Any]], rate: float, damping: float, limit: float = float("inf")
    ) -> None:
        rows = len(arrays[-1])
        width = arrays[0].size // max(1, rows)
        self._functions.step(rows, width, *(one.ctypes.data for one in arrays), rate, damping, limit)


def _inputs(p: Words, o: Words) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the classes of positions' states, and their stages."""
    columns = np.empty((len(p), WIDTH), np.int32)
    batch_features(np.ascontiguousarray(p), np.ascontiguousarray(o), columns)
    return columns, STAGE_OF[empties(p, o)]


def _pointers(parts: list[Floats]) -> NetPointers:
    return NetPointers(*(part.ctypes.data for part in parts))
