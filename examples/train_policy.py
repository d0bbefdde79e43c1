"""Train a policy for a minute with NumPy alone, then play it against random moves.

    python examples/train_policy.py [--seconds 60] [--games 1000]

The policy is one layer of weights from the discs to the squares. It learns by REINFORCE (Williams 1992) from games
with itself: the moves of the winner become more likely, those of the loser less.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from reversi.envs import OthelloVectorEnv

Weights = NDArray[np.float32]


def inputs(seen: dict[str, NDArray[np.int8]]) -> Weights:
    """Return a row for each game: the discs of the mover, those of the other side, and 1."""
    boards = seen["observation"].reshape(len(seen["action_mask"]), -1).astype(np.float32)
    return np.concatenate([boards, np.ones((len(boards), 1), np.float32)], axis=1)


def choices(weights: Weights, rows: Weights, mask: NDArray[np.int8]) -> Weights:
    """Return how likely each action is: a softmax over the legal ones."""
    scores = np.where(mask != 0, rows @ weights, -np.inf)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Weights = (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def drawn(likely: Weights, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw an action for each game."""
    noise = -np.log(-np.log(random.random(likely.shape, np.float32) + 1e-9) + 1e-9)
    actions: NDArray[np.int64] = np.where(likely > 0, np.log(likely + 1e-9) + noise, -np.inf).argmax(axis=1)
    return actions


def train(seconds: float, count: int = 256, rate: float = 8.0) -> Weights:
    """Return weights after that many seconds of games with itself."""
    random, until = np.random.default_rng(1), time.monotonic() + seconds
    weights = np.zeros((2 * 64 + 1, 65), np.float32)
    while time.monotonic() < until:
        env = OthelloVectorEnv(count)
        seen, _ = env.reset(seed=int(random.integers(1 << 31)))
        steps, running, won = [], np.ones(count, bool), np.zeros(count, np.float32)
        while running.any():
            rows, mask = inputs(seen), seen["action_mask"]
            likely = choices(weights, rows, mask + (mask.sum(axis=1, keepdims=True) == 0))
            actions, movers = drawn(likely, random), env.positions.to_move.copy()
            seen, rewards, ended, _, _ = env.step(actions)
            steps.append((running.copy(), rows, likely, actions, movers))
            ends = running & ended
            won[ends] = np.where(movers[ends] == 0, rewards[ends], -rewards[ends])  # for Black
            running &= ~ended
        change = np.zeros_like(weights)
        for played, rows, likely, actions, movers in steps:
            error = -likely
            error[np.arange(count), actions] += 1
            error *= (played * np.where(movers == 0, won, -won))[:, None]
            change += rows.T @ error
        weights += rate / (count * len(steps)) * change
    return weights


def wins(weights: Weights, games: int) -> float:
    """Return the share of games won against random moves, a draw as half a win."""
    env = OthelloVectorEnv(games, opponent="random")
    seen, _ = env.reset(seed=2)
    points, running = np.zeros(games), np.ones(games, bool)
    while running.any():
        mask = seen["action_mask"]
        likely = choices(weights, inputs(seen), mask + (mask.sum(axis=1, keepdims=True) == 0))
        seen, rewards, ended, _, _ = env.step(likely.argmax(axis=1))
        points[running & ended] = rewards[running & ended]
        running &= ~ended
    return float((points + 1).mean() / 2)


def main() -> None:
    """Train, and print what it was good for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    before = wins(np.zeros((129, 65), np.float32), options.games)
    after = wins(train(options.seconds), options.games)
    print(f"against random moves, {options.games} games: {before:.1%} before training, {after:.1%} after")


if __name__ == "__main__":
    main()
