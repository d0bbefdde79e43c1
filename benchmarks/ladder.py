"""The ladder of `auto`: games between neighbors, against stand-ins for beginners, and players who walk it.

    python benchmarks/ladder.py                                # beginners against the stand-ins
    python benchmarks/ladder.py --neighbors --jobs 2           # each rung against the one below
    python benchmarks/ladder.py --walks                        # players of fixed strength on the ladder
    python benchmarks/ladder.py --games 1000 beginner-2:discs people-1300:4

They write the tables of docs/engine.md. A pair of games begins with one opening, each player once with each color:
the start position against stand-ins, else one of the built-in balanced openings. A seed of its own makes the
players differ from pair to pair. The intervals are those of `reversi match`, by pairs.

A walk plays no games: the player's strength and the Elo of the rungs say how likely a win is.

The stand-ins play elsewhere too: ``reversi match beginner-2 python:benchmarks/ladder.py:MostDiscs``.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import random
import statistics
from collections.abc import Callable, Iterator
from typing import Final

from reversi import Color, Engine, Move, Position
from reversi.engine.levels import BEGINNER_LEVELS, parse_level
from reversi.engine.player import Player, ask_player
from reversi.game.game import Game
from reversi.match.statistics import PairCounts, elo_of, score_of_elo
from reversi.openings.starts import balanced_lines
from reversi.person.auto_level import AUTO_RUNGS, RUNG_ELO, Standing

_RUNGS: Final = (*BEGINNER_LEVELS, 3)
_NEAR: Final = 150  # Elo
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


def score(first: str, second: str, balanced: bool, pair: int) -> float:
    """The points of ``first`` in a pair of games, from the start position or a balanced opening."""
    points = 0.0
    start = balanced_lines()[pair].position if balanced else Position()
    for half, color in enumerate(Color):
        seed = 4 * pair + 2 * half
        sides = {color: player(first, seed), color.opponent: player(second, seed + 1)}
        game = Game(start)
        while not game.is_over:
            if not game.pass_if_forced():
                game.play(ask_player(sides[game.to_move], game.position).move)
        assert game.outcome is not None
        points += 0.5 if game.outcome.winner is None else float(game.outcome.winner is color)
    return points


def meeting(first: str, second: str, games: int, jobs: int = 1, *, balanced: bool = True) -> PairCounts:
    one = functools.partial(score, first, second, balanced)
    if jobs == 1:
        return PairCounts.of(map(one, range(games // 2)))
    with multiprocessing.Pool(jobs) as pool:
        return PairCounts.of(pool.imap(one, range(games // 2)))


def percent(pairs: PairCounts) -> str:
    """The score with its 95 % interval."""
    elo = elo_of(pairs)
    return f"{100 * pairs.mean:.0f} % ({100 * score_of_elo(elo.low):.0f} to {100 * score_of_elo(elo.high):.0f})"


def table(games: int, jobs: int) -> Iterator[str]:
    yield f"| level | {' | '.join(NAMES.values())} |"
    yield "|---|---|---|---|"
    for level in map(str, _RUNGS):
        cells = [percent(meeting(level, name, games, jobs, balanced=False)) for name in NAMES]
        yield f"| {level} | {' | '.join(cells)} |"


def neighbors(games: int, jobs: int, first: str, last: str) -> Iterator[str]:
    """Each rung against the one below, from one to another."""
    yield "| rungs | score | Elo | 95 % interval |"
    yield "|---|---|---|---|"
    rungs = [str(rung) for rung in AUTO_RUNGS]
    pairs_of = zip(["random", *rungs], rungs, strict=False)
    for below, rung in list(pairs_of)[rungs.index(first) : rungs.index(last) + 1]:
        pairs = meeting(rung, below, games, jobs)
        elo = elo_of(pairs)
        row = f"{elo.elo:+.0f} | {elo.low:+.0f} to {elo.high:+.0f}"
        yield f"| {rung} – {NAMES.get(below, below)} | {100 * pairs.mean:.1f} % | {row} |"


def walk(elo: float, seed: int, games: int) -> list[tuple[int, bool]]:
    """The Elo of the rung of each game of a newcomer, and whether the newcomer won."""
    rolls, standing, met = random.Random(seed), Standing(), []
    for _ in range(games):
        rung = RUNG_ELO[standing.level]
        won = rolls.random() < score_of_elo(elo - rung)
        met.append((rung, won))
        standing = standing.after("won" if won else "lost")
    return met


def walks(players: int = 20, runs: int = 200, games: int = 80) -> Iterator[str]:
    """Where players of fixed strength settle: games until they meet a rung within 150 Elo, and what comes then."""
    yield "| strength | nearest rung | games until there, median | nine of ten | then mean rung | won |"
    yield "|---|---|---|---|---|---|"
    top = max(RUNG_ELO.values())
    for number in range(players):
        elo = top * number / (players - 1)
        every = [walk(elo, run, games) for run in range(runs)]
        begins = sorted(
            next((at for at, (rung, _) in enumerate(met, 1) if abs(rung - elo) <= _NEAR), games) for met in every
        )
        later = [game for met in every for game in met[begins[-1] :]]
        rung = statistics.fmean(rung for rung, _ in later)
        won = 100 * statistics.fmean(won for _, won in later)
        nearest = min(RUNG_ELO, key=lambda each: abs(RUNG_ELO[each] - elo))
        middle, most = begins[runs // 2], begins[runs * 9 // 10]
        yield f"| {elo:.0f} | {nearest} | {middle} | {most} | {rung:.0f} ({rung - elo:+.0f}) | {won:.0f} % |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", metavar="PLAYER:PLAYER")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument("--neighbors", action="store_true")
    parser.add_argument("--walks", action="store_true")
    parser.add_argument("--first", default="beginner-1", help="the first rung for --neighbors")
    parser.add_argument("--last", default="20", help="the last one")
    options = parser.parse_args()
    for pair in options.pairs:
        first, second = pair.split(":")
        pairs = meeting(first, second, options.games, options.jobs)
        print(f"{first} - {second}: {percent(pairs)}, Elo {elo_of(pairs)}", flush=True)
    if not options.pairs:
        if options.walks:
            lines = walks()
        elif options.neighbors:
            lines = neighbors(options.games, options.jobs, options.first, options.last)
        else:
            lines = table(options.games, options.jobs)
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
