"""The training of a net on labelled shards, and its errors on those held out."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.boards import Words, empties
from training.data import in_held_out
from training.fit import CLASSES, Floats, design, stage_of
from training.generate import WEIGHT_OF, shard_files
from training.net import STAGE_OF, Net, Settings, Trainer, values

_SAMPLE = 200_000  # positions in which the states are counted
_NUMBERS = range(4, 61)


@dataclass(frozen=True)
class Shape:
    """The size of a net.

    Attributes:
        width: the length of a state's vector; a multiple of 16.
        units: rectified units of a stage.
        second: units of its second layer, 0 for none.
        kept: directions of the linear weights that a vector begins with.
    """

    width: int = 16
    units: int = 16
    second: int = 0
    kept: int = 8


@dataclass(frozen=True)
class StageError:
    """Mean absolute errors in discs on the held-out positions of one stage.

    Attributes:
        n: the fewest empty squares of the stage.
        count: positions.
        before: of other values, for comparison.
        net: of the net.
    """

    n: int
    count: int
    before: float
    net: float


@dataclass(frozen=True)
class Epoch:
    """One pass over all positions.

    Attributes:
        number: from 1.
        positions: positions that took part.
        error: the root of the weighted mean squared error in discs, during the pass.
        held: the mean absolute error on held-out positions after it.
        seconds: processor time since the start.
    """

    number: int
    positions: int
    error: float
    held: float
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

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Positions:
        """Return some of the positions."""
        return Positions(self.p[which], self.o[which], self.labels[which], self.sure[which])


class Shards:
    """The positions of a folder's shards, read one round after the other: memory holds one round."""

    def __init__(self, folder: Path, numbers: range = _NUMBERS, rounds: int | None = None) -> None:
        groups: dict[str, list[Path]] = defaultdict(list)
        self._archive: Path | None = None
        for file in shard_files(folder):
            name, n = file.stem.rsplit("-", 1)
            if int(n) not in numbers:
                continue
            if name == "archive":
                self._archive = file
            else:
                groups[name].append(file)
        self._rounds = [groups[name] for name in sorted(groups)][:rounds]
        if not self._rounds:
            raise ValueError(f"{folder}: no shards with {numbers[0]} to {numbers[-1]} empty squares")

    def __len__(self) -> int:
        return len(self._rounds)

    def read(self, number: int, held_out: bool = False) -> Positions:
        """Return the positions of a round, from 0 on, to train on or those held out."""
        parts = [np.load(file) for file in self._rounds[number]]
        if self._archive is not None:
            parts.append(np.load(self._archive)[number :: len(self)])
        records = np.concatenate(parts)
        p, o = records["p"], records["o"]
        held = in_held_out(p, o)
        records = records[held if held_out else ~held]
        labels = records["label"].astype(np.float32)
        p, o = np.ascontiguousarray(records["p"]), np.ascontiguousarray(records["o"])
        return Positions(p, o, labels, WEIGHT_OF[records["kind"]])

    def held_out(self, most: int = 500_000) -> Positions:
        """Return the held-out positions, `most` at most."""
        parts: list[Positions] = []
        for number in range(len(self)):
            parts.append(self.read(number, held_out=True))
            if sum(len(part.p) for part in parts) >= most:
                break
        p, o, labels, sure = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("p", "o", "labels", "sure")
        )
        return Positions(p, o, labels, sure)


def first_net(shards: Shards, weights: Floats, shape: Shape, seed: int) -> Net:
    """Return a net that values positions as the linear `weights`; the first round tells how often states occur."""
    known = shards.read(0)
    sample = np.random.default_rng(seed).permutation(len(known.p))[:_SAMPLE]
    counted = design(known.p[sample], known.o[sample])
    often = np.bincount(counted.indices, minlength=CLASSES).astype(np.float32)
    return Net.start(weights, often, shape.width, shape.units, shape.second, shape.kept, seed)


def learn(net: Net, shards: Shards, settings: Settings, held: Positions) -> Iterator[Epoch]:
    """Train a net in place; yield after each pass over the positions.

    Raises:
        ValueError: a round has fewer positions than a batch.
    """
    random = np.random.default_rng(settings.seed)
    sizes = [len(shards.read(number).p) // settings.batch for number in range(len(shards))]
    if not min(sizes):
        raise ValueError(f"a round has fewer positions than a batch of {settings.batch}")
    trainer = Trainer(net, settings, settings.epochs * sum(sizes))
    began = time.process_time()
    for number in range(1, settings.epochs + 1):
        loss = weight = 0.0
        for at in random.permutation(len(shards)).tolist():
            known = shards.read(at)
            if number == 1:
                numbers = empties(known.p, known.o)
                net.trained[:] = min(net.trained[0], numbers.min()), max(net.trained[1], numbers.max())
            order = random.permutation(len(known.p))
            for start in range(0, sizes[at] * settings.batch, settings.batch):
                batch = known.chosen(order[start : start + settings.batch])
                loss += trainer.step(batch.p, batch.o, batch.labels, batch.sure)
                weight += float(batch.sure.sum())
        off = float(np.abs(values(net, held.p, held.o) - held.labels).mean()) if len(held.p) else 0.0
        count = sum(sizes) * settings.batch
        yield Epoch(number, count, (loss / weight) ** 0.5, off, time.process_time() - began)


def settle(net: Net, shards: Shards, settings: Settings) -> None:
    """Round the patterns' vectors as the kernel does, and let the rest of the net adapt to that on some rounds.

    The rounding of states that are in almost every position would shift all values.
    """
    net.snap()
    rounds = min(len(shards), 4)
    steps = sum(len(shards.read(at).p) // settings.batch for at in range(rounds))
    trainer = Trainer(net, replace(settings, rate=settings.rate / 10), steps, frozen=True)
    random = np.random.default_rng(settings.seed + 1)
    for at in range(rounds):
        known = shards.read(at)
        order = random.permutation(len(known.p))
        for start in range(0, len(known.p) // settings.batch * settings.batch, settings.batch):
            batch = known.chosen(order[start : start + settings.batch])
            trainer.step(batch.p, batch.o, batch.labels, batch.sure)


def stage_errors(held: Positions, before: Floats, net: Net) -> list[StageError]:
    """Compare other values and a net's on held-out positions, by stage; the last row (n = 0) has all."""
    stages = STAGE_OF[empties(held.p, held.o)]
    off = np.abs(before - held.labels), np.abs(values(net, held.p, held.o) - held.labels)
    rows = []
    for stage in np.unique(stages).tolist():
        chosen = np.flatnonzero(stages == stage)
        n = next(n for n in _NUMBERS if stage_of(n) == stage)
        rows.append(StageError(n, len(chosen), float(off[0][chosen].mean()), float(off[1][chosen].mean())))
    if len(held.p):
        rows.append(StageError(0, len(held.p), float(off[0].mean()), float(off[1].mean())))
    return rows
