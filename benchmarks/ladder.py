"""The ladder of the weakest levels: games against three stand-ins for beginners, and against the level below.

    python benchmarks/ladder.py
    python benchmarks/ladder.py --games 1000 beginner-2:discs 1:beginner-4

Without pairs it plays the beginners and level 3 against each stand-in and the rung below, and writes the table of
docs/engine.md. A pair of games begins at the start position, each player once with each color; a seed
of its own makes the players differ from pair to pair. The intervals are those of `reversi match`, by pairs.

The stand-ins play elsewhere too: ``reversi match beginner-2 python:benchmarks/ladder.py:MostDiscs``.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Final

from reversi import Color, Engine, Move, Position
from reversi.engine.levels import BEGINNER_LEVELS, parse_level
from reversi.engine.player import Player, ask_player
from reversi.game.game import Game
from reversi.match.statistics import PairCounts, elo_of, score_of_elo

_RUNGS: Final = (*BEGINNER_LEVELS, 3)
_PLACES: Final = {"corner": 4, "edge": 3, "inside": 2, "c": 1, "x": 0}


class RandomMoves:
    """Plays any legal move."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: object = None) -> Move:
        return self._random.choice(list(position.legal_moves))


class MostDiscs:
    """Flips as many discs as it can."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: object = None) -> Move:
        moves = list(position.legal_moves)
        return max(moves, key=lambda move: (len(position.flips(move)), self._random.random()))


class CornersAndEdges:
    """Takes corners, else edges, else what is inside; squares beside corners come last, C before X."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: object = None) -> Move:
        moves = list(position.legal_moves)
        return max(moves, key=lambda move: (_PLACES[place(move)], self._random.random()))


def place(move: Move) -> str:
    """Name the place of a square of the 8x8 board."""
    row, column = divmod(move.index, 8)
    rows, columns = min(row, 7 - row), min(column, 7 - column)
    if (rows, columns) in ((0, 0), (1, 1)):
        return "x" if rows else "corner"
    if (rows, columns) in ((0, 1), (1, 0)):
        return "c"
    return "inside" if rows and columns else "edge"


STAND_INS: Final[dict[str, Callable[[int], Player]]] = {
    "random": RandomMoves,
    "discs": MostDiscs,
    "edges": CornersAndEdges,
}
NAMES: Final = {"random": "random moves", "discs": "most discs", "edges": "corners and edges"}


def player(name: str, seed: int) -> Player:
    return STAND_INS[name](seed) if name in STAND_INS else Engine(parse_level(name), seed)


def score(first: str, second: str, pair: int) -> float:
    """The points of ``first`` in a pair of games."""
    points = 0.0
    for half, color in enumerate(Color):
        seed = 4 * pair + 2 * half
        sides = {color: player(first, seed), color.opponent: player(second, seed + 1)}
        game = Game(Position())
        while not game.is_over:
            if not game.pass_if_forced():
                game.play(ask_player(sides[game.to_move], game.position).move)
        assert game.outcome is not None
        points += 0.5 if game.outcome.winner is None else float(game.outcome.winner is color)
    return points


def meeting(first: str, second: str, games: int) -> PairCounts:
    return PairCounts.of(score(first, second, pair) for pair in range(games // 2))


def percent(pairs: PairCounts) -> str:
    """The score with its 95 % interval."""
    elo = elo_of(pairs)
    return f"{100 * pairs.mean:.0f} % ({100 * score_of_elo(elo.low):.0f} to {100 * score_of_elo(elo.high):.0f})"


def table(games: int) -> Iterator[str]:
    yield f"| level | {' | '.join(NAMES.values())} | the rung below: Elo | 95 % interval |"
    yield "|---|---|---|---|---|---|"
    below = ""
    for level in map(str, _RUNGS):
        cells = [percent(meeting(level, name, games)) for name in NAMES]
        if below:
            elo = elo_of(meeting(level, below, games))
            cells += [f"{elo.elo:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}"]
        else:
            cells += ["–", "–"]
        yield f"| {level} | {' | '.join(cells)} |"
        below = level


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", metavar="PLAYER:PLAYER")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    for pair in options.pairs:
        first, second = pair.split(":")
        pairs = meeting(first, second, options.games)
        print(f"{first} - {second}: {percent(pairs)}, Elo {elo_of(pairs)}", flush=True)
    for line in () if options.pairs else table(options.games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
