"""The training of a net on labelled positions, and its errors on those held out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.boards import Words, empties
from training.data import load_positions
from training.fit import CLASSES, STAGES, Floats, design, stage_of
from training.net import Net, Settings, Trainer, values

__all__ = ["Epoch", "Positions", "Shape", "StageError", "first_net", "learn", "load_training", "stage_errors"]

_SAMPLE = 200_000  # positions in which the states are counted
_RANGE = range(4, 61)


@dataclass(frozen=True)
class Shape:
    """The size of a net.

    Attributes:
        width: the length of a state's vector; even.
        units: rectified units of a stage.
        kept: directions of the linear weights that a vector begins with.
    """

    width: int = 16
    units: int = 16
    kept: int = 8


@dataclass(frozen=True)
class StageError:
    """Mean absolute errors in discs on the held-out positions of one stage.

    Attributes:
        n: the fewest empty squares of the stage.
        count: positions.
        linear: of the linear weights.
        net: of the net.
    """

    n: int
    count: int
    linear: float
    net: float


@dataclass(frozen=True)
class Epoch:
    """One pass over all positions.

    Attributes:
        number: from 1.
        positions: positions that took part.
        error: the root of the weighted mean squared error in discs, during the pass.
        seconds: processor time since the start.
    """

    number: int
    positions: int
    error: float
    seconds: float


@dataclass(frozen=True)
class Positions:
    """Labelled positions.

    Attributes:
        p: the movers' discs.
        o: the opponents' discs.
        labels: values for the mover in discs.
        sure: how much each counts.
    """

    p: Words
    o: Words
    labels: Floats
    sure: Floats


def load_training(folder: Path, held_out: bool = False) -> Positions:
    """Return the positions of a folder to train on, or those held out."""
    parts = [load_positions(folder, n, held_out) for n in _RANGE]
    p, o, labels, sure = (np.concatenate([part[i] for part in parts]) for i in range(4))
    return Positions(p, o, labels, sure)


def first_net(known: Positions, weights: Floats, shape: Shape, seed: int) -> Net:
    """Return a net that values positions as the linear `weights`; `known` tells how often each state occurs."""
    sample = np.random.default_rng(seed).permutation(len(known.p))[:_SAMPLE]
    counted = design(known.p[sample], known.o[sample])
    often = np.bincount(counted.indices, minlength=CLASSES).astype(np.float32)
    return Net.start(weights, often, shape.width, shape.units, shape.kept, seed)


def learn(net: Net, known: Positions, settings: Settings) -> Iterator[Epoch]:
    """Train a net in place; yield after each pass over the positions.

    Raises:
        ValueError: there are fewer positions than a batch has.
    """
    random = np.random.default_rng(settings.seed)
    batches = len(known.p) // settings.batch
    if not batches:
        raise ValueError(f"{len(known.p)} positions to train on; a batch has {settings.batch}")
    trainer = Trainer(net, settings, settings.epochs * batches)
    numbers = empties(known.p, known.o)
    net.trained[:] = numbers.min(), numbers.max()
    began = time.process_time()
    for number in range(1, settings.epochs + 1):
        order = random.permutation(len(known.p))[: batches * settings.batch]
        loss = 0.0
        for at in range(0, len(order), settings.batch):
            chosen = order[at : at + settings.batch]
            loss += trainer.step(known.p[chosen], known.o[chosen], known.labels[chosen], known.sure[chosen])
        error = (loss / float(known.sure[order].sum())) ** 0.5
        yield Epoch(number, len(order), error, time.process_time() - began)


def stage_errors(folder: Path, weights: Floats, net: Net) -> list[StageError]:
    """Compare linear weights and a net on the held-out positions of a folder, by stage; the last row (n = 0) has
    all."""
    held = load_training(folder, held_out=True)
    stages = np.array([stage_of(n) for n in range(65)])[empties(held.p, held.o)]
    linear = np.empty(len(held.p), np.float32)
    for stage in range(STAGES):
        chosen = np.flatnonzero(stages == stage)
        linear[chosen] = design(held.p[chosen], held.o[chosen]) @ weights[stage]
    off = np.abs(np.clip(linear, -64, 64) - held.labels), np.abs(values(net, held.p, held.o) - held.labels)
    rows = []
    for stage in np.unique(stages).tolist():
        chosen = np.flatnonzero(stages == stage)
        n = next(n for n in _RANGE if stage_of(n) == stage)
        rows.append(StageError(n, len(chosen), float(off[0][chosen].mean()), float(off[1][chosen].mean())))
    if len(held.p):
        rows.append(StageError(0, len(held.p), float(off[0].mean()), float(off[1].mean())))
    return rows
