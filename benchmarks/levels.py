"""The strength of the engine's levels: the discs that their moves lose. Matches between them: ``reversi match``.

    python benchmarks/levels.py loss 10 13 16 20 --positions ../shared/data/wthor/WTH_2010.wtb --count 300
    python benchmarks/levels.py guard --positions ../shared/data/wthor/WTH_2010.wtb --count 100

``loss`` asks each level for a move in positions with 24 empty squares and compares the exact value after it with
the exact value before. ``guard`` plays positions with 20 empty squares to the end at full strength against a weak
level, both sides, and looks for ends below the exact value.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from pathlib import Path

from reversi import Color, Kind, Position
from reversi.engine.engine import Engine
from reversi.engine.levels import MAX_LEVEL
from reversi.game.game import Game
from reversi.games import open_records
from reversi.records.replay import positions as replayed
from reversi.solver.solver import Solver


def play(position: Position, black: Engine, white: Engine) -> int:
    """The score from Black's view."""
    game = Game(position)
    while not game.is_over:
        engine = black if game.to_move is Color.BLACK else white
        game.play(engine.choose(game.position).move)
    assert game.result is not None
    return game.result.score


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95 % interval."""
    return statistics.mean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))


def positions(path: Path, count: int, empties: int, seed: int) -> list[Position]:
    """Different positions of real games with a given number of empty squares and a choice of placements."""
    games = list(open_records(path))
    random.Random(seed).shuffle(games)
    found: dict[Position, None] = {}
    for record in games:
        position = next((each for each in replayed(record) if each.empties == empties), None)
        if position is not None and len(position.legal_moves) > 1:
            found[position] = None
        if len(found) == count:
            break
    return list(found)


def loss(options: argparse.Namespace) -> None:
    cases = positions(options.positions, options.count, 24, options.seed)
    solver = Solver(256)
    values: dict[Position, int] = {}

    def value_of(position: Position) -> int:
        """The exact value from Black's view."""
        if position not in values:
            score = solver.solve(position).score
            assert score.kind is Kind.EXACT
            values[position] = score.value if position.to_move is Color.BLACK else -score.value
        return values[position]

    print(f"  {len(cases)} positions with 24 empty squares of {options.positions.name}")
    print("  level  mean loss  95 % interval  best move  s/move")
    for level in options.levels:
        engine = Engine(level, options.seed)
        began = time.perf_counter()
        chosen = [engine.choose(position).move for position in cases]
        seconds = (time.perf_counter() - began) / len(cases)
        losses = []
        for position, move in zip(cases, chosen, strict=True):
            lost = value_of(position) - value_of(position.play(move))
            losses.append(float(lost if position.to_move is Color.BLACK else -lost))
        mean, error = interval(losses)
        best = sum(lost == 0 for lost in losses) / len(losses)
        print(
            f"  {level:5} {mean:10.3f}  {mean - error:6.3f}-{mean + error:6.3f}"
            f" {100 * best:8.1f} % {seconds:7.3f}",
            flush=True,
        )


def guard(options: argparse.Namespace) -> None:
    below = games = 0
    solver = Solver(64)
    for position in positions(options.positions, options.count, 20, options.seed):
        value = solver.solve(position).score.value
        value = value if position.to_move is Color.BLACK else -value
        for level in options.levels or [1]:
            strong, weak = Engine(MAX_LEVEL), Engine(level, options.seed)
            below += play(position, strong, weak) < value
            below += play(position, weak, strong) > value
            games += 2
    print(f"  {games} games from 20 empty squares at full strength: {below} ended below the exact value")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("loss", "guard"))
    parser.add_argument("levels", type=int, nargs="*")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=Path)
    options = parser.parse_args()
    {"loss": loss, "guard": guard}[options.what](options)


if __name__ == "__main__":
    main()
