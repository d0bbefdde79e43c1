"""A model beyond the linear one: a vector for each state of a pattern, and small dense layers on their sum.

A position's vector x is the sum of the vectors of its states (mobilities and the constant included), clipped. All
stages share one table of vectors. z is x with the products of its first and its second half. The head of a stage
makes the value of z: a linear part, and a layer of rectified units.

The table begins with the directions in which the linear weights of the stages differ most (a singular value
decomposition), the heads with what makes the linear evaluation of them: the net starts as the linear evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.boards import Words, empties
from training.fit import CLASSES, STAGES, Floats, design, stage_of

__all__ = ["Net", "Settings", "Trainer", "values"]

Stages = NDArray[np.intp]
CLIP = 8.0  # entries of x are held within so much
_STAGE_OF = np.array([stage_of(n) for n in range(65)])


@dataclass(frozen=True)
class Settings:
    """How a net is trained.

    Attributes:
        rate: the largest step of Adam; it falls to 0.
        damping: what Adam adds to the root of the squares of a gradient, as a share of one position's part in a
            batch. It keeps states that occur seldom near their start.
        batch: positions that make one step.
        epochs: how often every position is used.
        seed: of the order of positions and of the start.
    """

    rate: float = 2e-3
    damping: float = 1.0
    batch: int = 8192
    epochs: int = 2
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
        trained: the fewest and the most empty squares of the positions that it was trained on.
    """

    table: Floats
    bias: Floats
    linear: Floats
    constant: Floats
    layer: Floats
    layer_bias: Floats
    out: Floats
    trained: NDArray[np.int32]

    @staticmethod
    def start(weights: Floats, often: Floats, width: int, units: int, kept: int, seed: int) -> Net:
        """Return a net that values positions as the linear `weights`, [stage, class], in discs.

        Args:
            weights: fitted linear weights.
            often: how often each class occurs; directions that matter in frequent classes come first.
            width: the length of the vectors; even.
            units: the rectified units of a stage.
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
        return Net(
            table,
            np.zeros(width, np.float32),
            linear,
            np.zeros(STAGES, np.float32),
            layer,
            np.zeros((STAGES, units), np.float32),
            np.zeros((STAGES, units), np.float32),
            np.array([60, 0], np.int32),
        )

    def parts(self) -> list[Floats]:
        """Return what training changes, the table first."""
        return [self.table, self.bias, self.linear, self.constant, self.layer, self.layer_bias, self.out]

    def save(self, path: Path) -> None:
        """Save the net."""
        temporary = path.with_name(f"new-{path.name}")
        np.savez(temporary, **vars(self))
        temporary.replace(path)

    @staticmethod
    def load(path: Path) -> Net:
        """Load a net."""
        with np.load(path) as data:
            return Net(**dict(data))


def values(net: Net, p: Words, o: Words, block: int = 16384) -> Floats:
    """Return the net's values of positions for their movers, in discs."""
    found = np.empty(len(p), np.float32)
    for at in range(0, len(p), block):
        mine, theirs = (np.ascontiguousarray(words[at : at + block]) for words in (p, o))
        x = design(mine, theirs) @ net.table + net.bias
        z = _products(np.clip(x, -CLIP, CLIP))
        for stage, chosen in _by_stage(mine, theirs):
            units = np.maximum(z[chosen] @ net.layer[stage] + net.layer_bias[stage], 0)
            found[at + chosen] = z[chosen] @ net.linear[stage] + units @ net.out[stage] + net.constant[stage]
    return np.clip(found, -64, 64)


class Trainer:
    """Steps of Adam on a net."""

    def __init__(self, net: Net, settings: Settings, steps: int) -> None:
        self.net = net
        self.settings = settings
        self.steps = steps
        self.done = 0
        self._means = [np.zeros_like(part) for part in net.parts()]
        self._squares = [np.zeros_like(part) for part in net.parts()]

    def step(self, p: Words, o: Words, labels: Floats, sure: Floats) -> float:
        """Train on a batch; return the sum of its squared errors, each counting `sure`."""
        net = self.net
        matrix = design(p, o)
        x = matrix @ net.table + net.bias
        clipped = np.clip(x, -CLIP, CLIP)
        z = _products(clipped)
        by_z = np.zeros_like(z)
        slopes = [np.zeros_like(part) for part in net.parts()[2:]]
        loss = 0.0
        for stage, chosen in _by_stage(p, o):
            inputs = z[chosen]
            before = inputs @ net.layer[stage] + net.layer_bias[stage]
            units = np.maximum(before, 0)
            off = inputs @ net.linear[stage] + units @ net.out[stage] + net.constant[stage] - labels[chosen]
            loss += float((sure[chosen] * off * off).sum())
            slope = sure[chosen] * off / np.float32(len(p))
            by_units = np.where(before > 0, slope[:, None] * net.out[stage], np.float32(0))
            slopes[0][stage] = slope @ inputs
            slopes[1][stage] = slope.sum()
            slopes[2][stage] = inputs.T @ by_units
            slopes[3][stage] = by_units.sum(0)
            slopes[4][stage] = slope @ units
            by_z[chosen] = slope[:, None] * net.linear[stage] + by_units @ net.layer[stage].T
        width = x.shape[1]
        half = width // 2
        by_x = by_z[:, :width]
        by_x[:, :half] += by_z[:, width:] * clipped[:, half:]
        by_x[:, half:] += by_z[:, width:] * clipped[:, :half]
        by_x[x != clipped] = 0
        self._move([matrix.T @ by_x, by_x.sum(0), *slopes])
        return loss

    def _move(self, slopes: list[Floats]) -> None:
        """Take a step of Adam (D. P. Kingma and J. Ba, 2014)."""
        self.done += 1
        rate = self.settings.rate * min(1.0, self.done / 20) * max(0.0, 1 - self.done / (self.steps + 1))
        rate *= (1 - 0.999**self.done) ** 0.5 / (1 - 0.9**self.done)
        for number, (part, slope) in enumerate(zip(self.net.parts(), slopes, strict=True)):
            mean, square = self._means[number], self._squares[number]
            np.multiply(mean, np.float32(0.9), out=mean)
            np.add(mean, np.float32(0.1) * slope, out=mean)
            np.multiply(square, np.float32(0.999), out=square)
            np.add(square, np.float32(0.001) * slope * slope, out=square)
            damping = self.settings.damping / self.settings.batch if number == 0 else 1e-6
            np.subtract(part, np.float32(rate) * mean / (np.sqrt(square) + np.float32(damping)), out=part)


def _products(x: Floats) -> Floats:
    half = x.shape[1] // 2
    found: Floats = np.concatenate([x, x[:, :half] * x[:, half:]], 1)
    return found


def _by_stage(p: Words, o: Words) -> Iterator[tuple[int, Stages]]:
    """Yield each stage that occurs, with the places of its positions."""
    stages = _STAGE_OF[empties(p, o)]
    for stage in np.unique(stages).tolist():
        yield stage, np.flatnonzero(stages == stage)
