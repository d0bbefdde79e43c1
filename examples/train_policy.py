"""Learn 6x6 Othello from games with oneself, with NumPy alone; then play against level 1.

    python examples/train_policy.py [--seconds 120] [--seed 1] [--games 200] [--save net.npz]

It is the loop of AlphaZero (Silver et al. 2017) in small. A search with the net plays many games at once. The
shares of its visits teach the policy; its values and the results of the games teach the value. `Puct` proves the
ends of games, so what the net learns from is exact from the first game on. docs/arrays.md describes the recipe.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reversi import Color, Engine, Move, Position, Rules, parse_rules
from reversi.arrays import PositionArray
from reversi.puct import Puct

Floats = NDArray[np.float32]
VISITS = 48
EXPLORATION = 8.0


class Lessons(NamedTuple):
    """What games teach; a row for each position.

    Attributes:
        seen: what the net sees, shape ``(n, 3, cells)``.
        policy: how often to play each move, ``(n, cells + 1)``, a pass last.
        value: what the position is worth to its mover, from -1 to 1, ``(n,)``.
    """

    seen: Floats
    policy: Floats
    value: Floats


class Learner(Protocol):
    """A net: the evaluation that `Puct` asks, which learns."""

    def __call__(self, batch: PositionArray) -> tuple[Floats, Floats]:
        """Return the values in discs ``(n,)`` and the logits ``(n, 65)`` of positions."""
        ...

    def learn(self, lessons: Lessons, rate: float) -> None:
        """Take one step towards what these positions teach."""
        ...


class Board:
    """The numbers of a rule set's board.

    Attributes:
        cells: how many squares it has.
        moves: what is which of the 65 moves of `reversi.puct`, for each square and for the pass.
        symmetries: the squares in the order of each symmetry.
    """

    def __init__(self, rules: Rules) -> None:
        rows, columns = rules.board
        self.cells = rows * columns
        self.moves = np.array([8 * row + column for row in range(rows) for column in range(columns)] + [64])
        grid = np.arange(self.cells).reshape(rows, columns)
        turned = [np.rot90(grid, quarter) for quarter in range(0, 4, 1 if rows == columns else 2)]
        self.symmetries = [
            each.ravel() for grid in turned for each in (grid, grid.T if rows == columns else grid[::-1])
        ]

    def seen(self, batch: PositionArray) -> Floats:
        """Return what a net sees: the discs of the mover, those of the other side, and the legal moves."""
        planes: Floats = batch.planes("float32", planes=("player", "opponent", "legal"))
        return planes.reshape(len(batch), 3, self.cells)

    def logits(self, given: Floats) -> Floats:
        """Return a net's logits ``(n, cells + 1)`` as those of 65 moves."""
        logits = np.zeros((len(given), 65), np.float32)
        logits[:, self.moves] = given
        return logits


class Net:
    """Two layers of rectified units, then logits and a value. It learns by Adam (Kingma and Ba 2015)."""

    def __init__(self, rules: Rules, width: int = 256, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.board = Board(rules)
        sizes = [3 * self.board.cells, width, width, self.board.cells + 2]
        self.weights = [
            (random.standard_normal((above + 1, below)) * math.sqrt(2 / above)).astype(np.float32)
            for above, below in pairwise(sizes)
        ]
        self.weights[-1] *= 0  # all moves count alike, and all positions are even
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.steps = 0

    def __call__(self, batch: PositionArray) -> tuple[Floats, Floats]:
        out = self._layers(self.board.seen(batch))[-1]
        return self.board.cells * np.tanh(out[:, -1]), self.board.logits(out[:, :-1])

    def _layers(self, seen: Floats) -> list[Floats]:
        layers = [seen.reshape(len(seen), -1)]
        for number, weights in enumerate(self.weights):
            out = layers[-1] @ weights[:-1] + weights[-1]
            layers.append(out if number == 2 else np.maximum(out, 0, out=out))
        return layers

    def learn(self, lessons: Lessons, rate: float) -> None:
        layers = self._layers(lessons.seen)
        out = layers.pop()
        likely = np.exp(out[:, :-1] - out[:, :-1].max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        value = np.tanh(out[:, -1])
        error = np.empty_like(out)  # of the cross entropy, and four times the squared error
        error[:, :-1] = likely - lessons.policy
        error[:, -1] = 8 * (value - lessons.value) * (1 - value**2)
        error /= len(out)
        self.steps += 1
        scale = rate * math.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for number in (2, 1, 0):
            change = np.vstack([layers[number].T @ error, error.sum(axis=0)])
            error = (error @ self.weights[number][:-1].T) * (layers[number] > 0)
            self.means[number] += 0.1 * (change - self.means[number])
            self.squares[number] += 0.001 * (change**2 - self.squares[number])
            self.weights[number] -= scale * self.means[number] / (np.sqrt(self.squares[number]) + 1e-8)


class Replay:
    """The latest positions, in which old ones give way to new ones."""

    def __init__(self, size: int, board: Board) -> None:
        self.board = board
        self.kept = Lessons(
            np.zeros((size, 3, board.cells), np.float32),
            np.zeros((size, board.cells + 1), np.float32),
            np.zeros(size, np.float32),
        )
        self.added = 0

    def add(self, lessons: Lessons) -> None:
        size = len(self.kept.value)
        places = (self.added + np.arange(len(lessons.value))) % size
        for kept, new in zip(self.kept, lessons, strict=True):
            kept[places] = new
        self.added += len(places)

    def draw(self, count: int, random: np.random.Generator) -> Lessons:
        """Draw positions, all under one symmetry of the board."""
        chosen = random.integers(min(self.added, len(self.kept.value)), size=count)
        order = self.board.symmetries[random.integers(len(self.board.symmetries))]
        seen, policy, value = (kept[chosen] for kept in self.kept)
        return Lessons(seen[:, :, order], policy[:, [*order, self.board.cells]], value)


def play(puct: Puct, rules: Rules, count: int, random: np.random.Generator, drawn: int = 10) -> Lessons:
    """Play games at once until their ends are proved; return what they teach.

    Args:
        puct: the search, with noise.
        rules: the rule set.
        count: how many games.
        random: decides with how many random moves a game begins.
        drawn: the plies whose moves are drawn by their visits; after that the best is played.
    """
    board = Board(rules)
    running = dict(enumerate(opened(rules, count, random, most=6)))
    rows: list[tuple[int, Position, Floats, float]] = []
    results: dict[int, float] = {}  # for Black
    ply = 0
    while running:
        found = puct.search(list(running.values()))
        for number, each in zip(list(running), found, strict=True):
            position = each.position
            sign = 1 if position.to_move is Color.BLACK else -1
            rows.append((number, position, each.policy()[board.moves], each.value))
            running[number] = position.play(puct.play(each) if ply < drawn else each.best.move)
            if each.is_exact:
                results[number] = sign * each.value
            elif (result := running[number].result) is not None:
                results[number] = result.score
            if number in results:
                del running[number]
        ply += 1
    batch = PositionArray([position for _, position, _, _ in rows], rules)
    ends = np.array([results[number] for number, _, _, _ in rows]) * np.where(batch.to_move, -1, 1)
    values = (ends + np.array([value for _, _, _, value in rows])) / (2 * board.cells)
    policy = np.array([policy for _, _, policy, _ in rows])
    return Lessons(board.seen(batch), policy, values.astype(np.float32))


def opened(rules: Rules, count: int, random: np.random.Generator, most: int, least: int = 0) -> list[Position]:
    """Return positions after a few random moves, from which games go on."""
    positions = []
    for plies in random.integers(least, most + 1, count):
        position = Position(rules)
        for _ in range(plies):
            moves = list(position.legal_moves)
            after = position.play(moves[random.integers(len(moves))])
            position = position if after.is_over else after
        positions.append(position)
    return positions


def train(
    net: Learner, rules: Rules, seconds: float, seed: int = 1, count: int = 64, visits: int = VISITS
) -> None:
    """Let a net learn from games with itself.

    Args:
        net: the net.
        rules: the rule set.
        seconds: how long, in processor time.
        seed: of all that is random.
        count: games at once.
        visits: of each search.
    """
    random, began = np.random.default_rng(seed), time.process_time()
    replay = Replay(100_000, Board(rules))
    batch, iteration = 512, 0
    while seconds and (share := (time.process_time() - began) / seconds) < 1:
        iteration += 1
        puct = Puct(net, visits=visits, noise=0.25, exploration=EXPLORATION, seed=int(random.integers(1 << 31)))
        lessons = play(puct, rules, count, random)
        replay.add(lessons)
        for _ in range(4 * len(lessons.value) // batch + 1):
            net.learn(replay.draw(batch, random), rate=1e-3 * (1 - share) + 1e-4)
        if iteration % 10 == 0:
            sys.stderr.write(f"{share:6.1%}  {iteration * count} games, {replay.added} positions\n")


def score(
    choose: Callable[[Sequence[Position]], Sequence[Move]], rules: Rules, games: int, level: int = 1
) -> float:
    """Return the share of points against a level; each opening of four random moves is played with both colors."""
    engine, random = Engine(level, seed=1), np.random.default_rng(7)
    openings = opened(rules, (games + 1) // 2, random, most=4, least=4)
    running = [(position, color) for position in openings for color in Color][:games]
    points = 0.0
    while running:
        mine = [position for position, color in running if position.to_move is color]
        chosen = iter(choose(mine) if mine else ())
        after = [
            (position.play(next(chosen) if position.to_move is color else engine.choose(position).move), color)
            for position, color in running
        ]
        running = []
        for position, color in after:
            if (result := position.result) is None:
                running.append((position, color))
            else:
                points += 0.5 if result.winner is None else result.winner is color
    return points / games


def alone(net: Learner) -> Callable[[Sequence[Position]], Sequence[Move]]:
    """Return a player that plays the likeliest move of a net, without a search."""

    def choose(positions: Sequence[Position]) -> Sequence[Move]:
        _, logits = net(PositionArray(positions))
        return [
            max(position.legal_moves, key=lambda move: row[64 if move.is_pass else move.index])
            for position, row in zip(positions, logits, strict=True)
        ]

    return choose


def searching(net: Learner, visits: int = VISITS) -> Callable[[Sequence[Position]], Sequence[Move]]:
    """Return a player that searches with a net."""
    return lambda positions: [
        found.best.move for found in Puct(net, visits=visits, exploration=EXPLORATION).search(list(positions))
    ]


def main() -> None:
    """Train, and print what it was good for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="of training, in processor time")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", type=parse_rules, default=parse_rules("othello,board=6x6"))
    parser.add_argument("--level", type=int, default=1, help="the opponent")
    parser.add_argument("--save", type=Path, help="write the weights, as .npz")
    options = parser.parse_args()
    rules, games = options.rules, options.games
    net = Net(rules, seed=options.seed)

    for when, seconds in (("before", 0), (f"after {options.seconds:g} s", options.seconds)):
        train(net, rules, seconds, options.seed)
        shares = [score(player, rules, games, options.level) for player in (alone(net), searching(net))]
        print(f"{when}: {shares[0]:.1%} alone, {shares[1]:.1%} with {VISITS} visits, {games} games")
    if options.save:
        np.savez(options.save, *net.weights)


if __name__ == "__main__":
    main()
