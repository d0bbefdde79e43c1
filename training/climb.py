"""One round: positions, labels and a fit, from few empty squares to many; each stage builds on the one below."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Table, Weights, batch_search
from training.boards import Words, empties, start
from training.data import load_fitted, load_positions, quantised, save_positions, save_weights, shard
from training.fit import CLASSES, STAGES, Floats, design, fit, numbers_of, stage_of
from training.positions import distinct, generate, openings_of
from training.wthor import ARCHIVE, TRAINING_YEARS, Games, read_games

FIRST, LAST = 4, 60  # numbers of empty squares with positions
SURE = np.array([1.0, 0.35, 0.25], np.float32)  # how much positions after 0, 1, 2 random placements count


@dataclass(frozen=True)
class Plan:
    """The size of a round.

    Attributes:
        scale: positions for each number of empty squares, in thousands (more where it is cheap or matters most).
        exact: the solver makes the labels up to this number of empty squares.
        depth: the depth of the searches that make the other labels.
        ridge: the fit's ridge.
        steps: steps of conjugate gradients.
        years: the first and last year of real games to use.
        first: the first number of empty squares; the stages below do not change.
        relabel: label the positions of the previous round again instead of generating others.
    """

    scale: float
    exact: int = 12
    depth: int = 6
    ridge: float = 10.0
    steps: int = 40
    years: tuple[int, int] = TRAINING_YEARS
    first: int = FIRST
    relabel: bool = False

    def label_depth(self, n: int) -> int:
        """Return the depth of the search that labels positions with `n` empty squares."""
        return n if n <= self.exact else self.depth

    def count(self, n: int) -> int:
        """Return the number of positions with `n` empty squares."""
        share = 1.0 if n < 11 else 0.8 if n <= 26 else 0.4 if n <= 36 else 0.2
        return round(1000 * self.scale * share)


def fit_stage(
    folder: Path, stage: int, weights: Floats, ridge: float, steps: int
) -> tuple[int, float, float] | None:
    """Fit one stage in place, near its present weights; neighbouring numbers of empties count less.

    The number of positions, and the mean absolute error in discs on those held out before and after; ``None``
    without positions.
    """
    parts: list[tuple[Words, Words, Floats, Floats]] = []
    sure = []
    own = numbers_of(stage)
    for n in range(own[0] - 2, own[-1] + 3):
        part = load_positions(folder, n, held_out=False)
        parts.append(part)
        off = max(own[0] - n, n - own[-1], 0)
        few = max(1.0, 2000 / max(1, len(part[0])))  # near the start there are not many different positions
        sure.append(np.float32((1.0, 0.5, 0.25)[off] * few) * part[3])
    p, o, labels = (np.concatenate([part[i] for part in parts]) for i in range(3))
    if not any(len(part[0]) for part in parts[2:-2]):
        return None
    held = [load_positions(folder, n, held_out=True) for n in own]
    held_labels = np.concatenate([h[2] for h in held])
    held_matrix = design(np.concatenate([h[0] for h in held]), np.concatenate([h[1] for h in held]))
    before = float(np.abs(held_matrix @ weights[stage] - held_labels).mean())
    weights[stage] = fit(design(p, o), labels, np.concatenate(sure), weights[stage], ridge, steps)
    after = float(np.abs(held_matrix @ weights[stage] - held_labels).mean())
    return len(p), before, after


def label(weights: Weights, table: Table, p: Words, o: Words, depth: int) -> tuple[NDArray[np.int16], int]:
    """Labels in 1/128 disc, and the number of positions searched.

    A label that is not solved is the mean of two searches, one a placement less deep than the other. Their leaves
    have different sides to move: what the evaluation gives whoever is to move too much or too little cancels,
    where otherwise it would add up from stage to stage.
    """
    labels = np.empty(len(p), np.int16)
    nodes = batch_search(weights, table, p, o, labels, depth)
    open_ended = empties(p, o) > depth
    if open_ended.any():
        others = np.empty(len(p), np.int16)
        nodes += batch_search(weights, table, p, o, others, depth - 1)
        labels = np.where(open_ended, (labels.astype(np.int32) + others) >> 1, labels).astype(np.int16)
    return labels, nodes


def climb(folder: Path, data: Path, round_number: int, plan: Plan, seed: int) -> None:
    """Run a round, or continue an interrupted one, and write `folder`/weights.npy.

    A round after the first plays and labels with the weights of the one before (kept as weights-<round>.npy).
    """
    weights_file = folder / "weights.npy"
    before = folder / f"weights-{round_number - 1}.npy"
    folder.mkdir(parents=True, exist_ok=True)
    player: Weights | None = None
    if round_number > 1:
        if not before.exists():
            before.write_bytes(weights_file.read_bytes())
        weights, player = load_fitted(before)
    else:
        weights = np.zeros((STAGES, CLASSES), np.float32)
    games = read_games(data / "wthor", *plan.years)
    openings = openings_of(data, seed, player)
    table = Table(64)
    for n in range(plan.first, LAST + 1):
        began = time.perf_counter()
        if n == ARCHIVE and len(games.p) and not shard(folder, "archive", n).exists():
            keep_archive(folder, games)
        if not shard(folder, str(round_number), n).exists():
            earlier = shard(folder, str(round_number - 1), n)
            if plan.relabel and earlier.exists():
                with np.load(earlier) as data_before:
                    p, o, sure = data_before["p"], data_before["o"], data_before["sure"]
            else:
                p, o, tail = generate(n, plan.count(n), seed, player, games, openings)
                sure = SURE[tail]
            table.age()
            labels, nodes = label(Weights.from_classes(quantised(weights)), table, p, o, plan.label_depth(n))
            save_positions(folder, str(round_number), n, p, o, labels, sure)
            if plan.relabel:
                earlier.unlink(missing_ok=True)
            print(
                f"{n} empty: {len(p)} positions, {nodes / len(p):.0f} nodes each, "
                f"{time.perf_counter() - began:.1f} s",
                flush=True,
            )
        if n == numbers_of(stage_of(n))[-1] or n == LAST:
            stage = stage_of(n)
            if stage:
                weights[stage] = weights[stage - 1]
            result = fit_stage(folder, stage, weights, plan.ridge, plan.steps)
            if round_number == 1:
                weights[stage + 1 :] = weights[stage]
            save_weights(weights_file, weights)
            if result:
                print(
                    f"stage {stage}: {result[0]} positions, error {result[1]:.3f} -> {result[2]:.3f} discs, "
                    f"{time.perf_counter() - began:.1f} s",
                    flush=True,
                )


def keep_archive(folder: Path, games: Games) -> None:
    """Add the archive's solved values of real games to the labels."""
    p, o, values = solved(games)
    save_positions(folder, "archive", ARCHIVE, p, o, 128 * values, np.full(len(p), 2, np.float32))


def solved(games: Games) -> tuple[Words, Words, NDArray[np.int16]]:
    """Return the different positions of games that the archive has solved, with their values in discs."""
    there = np.flatnonzero(games.p[:, ARCHIVE])
    values = np.where(games.black[there, ARCHIVE], games.theoretical[there], -games.theoretical[there])
    p, o, first = distinct(games.p[there, ARCHIVE], games.o[there, ARCHIVE])
    return p, o, values[first]


def refit(folder: Path, ridge: float, steps: int) -> None:
    """Fit every stage again on all positions, from below; neighbours on both sides take part now."""
    weights = np.zeros((STAGES, CLASSES), np.float32)
    for stage in range(STAGES):
        if stage:
            weights[stage] = weights[stage - 1]
        result = fit_stage(folder, stage, weights, ridge, steps)
        if result:
            print(
                f"stage {stage}: {result[0]} positions, error {result[1]:.3f} -> {result[2]:.3f} discs", flush=True
            )
    save_weights(folder / "weights.npy", weights)


def anchor(weights: Floats, depth: int = 6) -> float:
    """Make the start position a draw, in place; return the value that it had, in discs.

    Above the archive's 24 empty squares nothing solved holds the labels, and over thirty placements they drift a
    few discs in favour of one colour. The start is a known draw (H. Takizawa, "Othello is solved", 2023): what a
    search gives Black there is taken back, in proportion to the distance from 24 empty squares. A colour moves at
    even, the other at odd numbers of empty squares, so this is one number a stage, with opposite signs in its two
    constants.
    """
    p, o = start(1)
    found = np.empty(1, np.int16)
    batch_search(Weights.from_classes(quantised(weights)), Table(1), p, o, found, depth)
    excess = float(found[0]) / 128
    for stage in range(stage_of(ARCHIVE) + 1, STAGES):
        numbers = numbers_of(stage)
        share = (numbers[0] + numbers[-1] - 2 * ARCHIVE) / (2 * (60 - depth - ARCHIVE))
        weights[stage, CLASSES - 4] -= excess * share
        weights[stage, CLASSES - 3] += excess * share
    return excess
