"""The fit of the model of people's moves (`reversi.engine.people`) by its likelihood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from reversi._core import SQUARES, Position, Square
from reversi.engine.habits import habits_of
from reversi.engine.people import (
    FEATURES,
    LEAST_PLAYED,
    OPENING_PLIES,
    Model,
    basis_of,
    features_of,
    format_openings,
    played_games,
    read_openings,
)
from reversi.solver.symmetry import Image
from training.people import FIT, Samples, people_games

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Openings = Mapping[Position, Mapping[int, float]]
LEAST_GAMES = 50  # of a position of the openings
RIDGE = 20.0  # in standard deviations of the features
_STEPS = 250


def opening_games(data: Path) -> Openings:
    """Return in how many games of people each move of the openings was played, in the years of the fit.

    The key is the position that stands for all symmetric ones, Black to move.
    """
    counts: dict[Position, Counter[int]] = {}
    for record, year in people_games(data):
        if not FIT[0] <= year <= FIT[1]:
            continue
        position = record.start
        for move in record.moves[:OPENING_PLIES]:
            if not position.is_legal(move):
                break
            if isinstance(move, Square):
                image = Image.canonical(Position.from_discs(position.player, position.opponent))
                counts.setdefault(image.position, Counter())[image.moves([move])[0].index] += 1
            position = position.play(move)
    usual = {position: moves for position, moves in counts.items() if moves.total() >= LEAST_GAMES}
    kept = {
        position: {square: float(count) for square, count in moves.items() if count >= LEAST_PLAYED}
        for position, moves in usual.items()
    }
    return read_openings(format_openings({position: moves for position, moves in kept.items() if moves}))


@dataclass(frozen=True)
class Choices:
    """Positions with as many legal moves each.

    Attributes:
        at: the numbers of their samples.
        x: the features, [position, move, feature].
        chosen: the move played, [position].
        best: what the best move is worth, in discs, [position].
    """

    at: Ints
    x: Floats
    chosen: Ints
    best: Ints

    def where(self, kept: NDArray[np.bool_]) -> Choices:
        """Return those of some positions."""
        return Choices(self.at[kept], self.x[kept], self.chosen[kept], self.best[kept])


def choices_of(
    samples: Samples, values: NDArray[np.int8], openings: Openings, habits: Sequence[int]
) -> list[Choices]:
    """Return the features of the moves of all samples, whose own game does not count among the openings."""
    rows: dict[int, list[tuple[int, list[list[float]], int, int]]] = {}
    own, first = values.tolist(), 0
    for at, sample in enumerate(samples):
        position = Position.from_discs(int(sample["p"]), int(sample["o"]))
        moves = list(position.legal_moves)
        move = SQUARES[int(sample["move"])]
        fitted = FIT[0] <= int(sample["year"]) <= FIT[1]
        games = played_games(openings, position, move if fitted else None)
        worth = own[first : first + len(moves)]
        first += len(moves)
        found = features_of(position, worth, games, habits_of(position, habits))
        rows.setdefault(len(moves), []).append((at, found, moves.index(move), max(each[-1] for each in worth)))
    parts = (list(zip(*of, strict=True)) for _, of in sorted(rows.items()))
    return [
        Choices(np.array(at), np.array(x, np.float32), np.array(chosen), np.array(best))
        for at, x, chosen, best in parts
    ]


def part_of(choices: Sequence[Choices], wanted: NDArray[np.bool_]) -> list[Choices]:
    """Return the choices of the wanted samples."""
    return [one.where(wanted[one.at]) for one in choices if wanted[one.at].any()]


def basis(choices: Sequence[Choices], samples: Samples, rating: float | None = None) -> Floats:
    """Return what weights are combined from, [sample, number]; with a rating of all instead of their own."""
    found = np.zeros((len(samples), len(basis_of(30, 1500, 0, 8))), np.float32)
    empties = 64 - np.bitwise_count(samples["p"] | samples["o"]).astype(int)
    for one in choices:
        for at, best in zip(one.at.tolist(), one.best.tolist(), strict=True):
            own = float(samples["rating"][at]) if rating is None else rating
            found[at] = basis_of(int(empties[at]), own, best, one.x.shape[1])
    return found


def chances(one: Choices, base: Floats, theta: Floats) -> Floats:
    """Return the chances of the moves, [position, move]; the weights are [basis, feature]."""
    scores = np.matmul(one.x, (base[one.at] @ theta)[:, :, None])[:, :, 0]
    scores -= scores.max(axis=1, keepdims=True)
    parts = np.exp(scores)
    found: Floats = parts / parts.sum(axis=1, keepdims=True)
    return found


def log_likelihood(choices: Sequence[Choices], base: Floats, theta: Floats) -> float:
    """Return the mean logarithm of the chance of the move played."""
    logs = [np.log(chances(one, base, theta)[np.arange(len(one.at)), one.chosen]) for one in choices]
    return float(np.concatenate(logs).mean())


def fit(choices: Sequence[Choices], base: Floats, ridge: float = RIDGE, steps: int = _STEPS) -> Floats:
    """Return the weights of the largest likelihood, less the ridge's part, [basis, feature]."""
    count = sum(len(one.at) for one in choices)
    moves = sum(one.x.shape[0] * one.x.shape[1] for one in choices)
    mean = sum(one.x.sum(axis=(0, 1), dtype=np.float64) for one in choices) / moves
    square = sum((one.x**2).sum(axis=(0, 1), dtype=np.float64) for one in choices) / moves
    scale = (np.sqrt(np.maximum(square - mean**2, 0)) + 1e-3).astype(np.float32)
    scaled = [replace(one, x=one.x / scale) for one in choices]
    bases = [base[one.at] for one in choices]
    shape = base.shape[1], len(scale)

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        theta = flat.reshape(shape).astype(np.float32)
        total, slope = 0.0, np.zeros(shape)
        for one, own in zip(scaled, bases, strict=True):
            scores = np.matmul(one.x, (own @ theta)[:, :, None])[:, :, 0]
            scores -= scores.max(axis=1, keepdims=True)
            parts = np.exp(scores)
            sums = parts.sum(axis=1, keepdims=True)
            played = np.arange(len(one.at)), one.chosen
            total += float((np.log(sums[:, 0]) - scores[played]).sum(dtype=np.float64))
            parts /= sums
            parts[played] -= 1
            slope += own.T @ np.matmul(parts[:, None, :], one.x)[:, 0, :]
        return (total + ridge * float(flat @ flat) / 2) / count, (slope.ravel() + ridge * flat) / count

    start = np.zeros(shape).ravel()
    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": steps, "maxcor": 20, "ftol": 1e-9, "gtol": 1e-6},
    )
    theta: Floats = found.x.reshape(shape).astype(np.float32) / scale
    return theta


def model_of(theta: Floats, openings: Openings, habits: Sequence[int]) -> Model:
    """Return the model of the package, with rounded weights."""
    weights = {name: [round(w, 3) for w in theta[:, at].tolist()] for at, name in enumerate(FEATURES)}
    return Model(weights, openings, habits)


def weights_of(model: Model) -> Floats:
    """Return the weights of a model, [basis, feature]."""
    return np.array([model.weights[name] for name in FEATURES], np.float32).T
