"""Play two source trees of the project against each other, at a level, at equal processor time, or by a clock.

    python benchmarks/match_builds.py OLD NEW --level 10 --pairs 100 --openings XOT.txt --results level-10.jsonl
    python benchmarks/match_builds.py OLD NEW --cpu 0.1 --pairs 100 --openings XOT.txt --results cpu-0.1.jsonl
    python benchmarks/match_builds.py OLD NEW --clock 0:40+0.3 --pairs 10 --results clock-40.jsonl
    python benchmarks/match_builds.py OLD NEW --level 10 --results level-10.jsonl --pairs 0

A tree is a folder of the project with its modules built in place. Each tree plays in a process of its own, with
one thread and a new engine for each game. Every opening is played twice, with colors changed, to the end of the
game. Without ``--openings`` the openings are the project's own balanced ones; their order is the same every time,
so that a longer match continues a shorter one.

``--cpu`` limits a move by the processor time of the engine's process instead of elapsed time, so that other work
on the machine does not decide who wins. ``--clock`` gives each tree a game clock that runs on its processor time,
for the same reason; a tree whose time is up loses. At a level the games do not depend on the machine.

Each finished game is a line of ``--results``; the same command again plays only the games that are missing. The
figures are the second tree's: its Elo with an interval of 95 % from the pairs, its mean disc difference, and the
processor time per move of both. With a clock a table shows what is left on the clocks, by empty squares, before
a move, and after the last one.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final

from measuring import Tree
from reversi import Color, Position
from reversi.game.clocks import ClockReading, GameClock, TimeControl
from reversi.match.openings import MatchOpening, balanced_openings, read_openings
from reversi.match.statistics import PairCounts, elo_of
from reversi.text import format_board

# runs in each tree: the names it imports have been the same since the first version
WORKER: Final = """
import json, sys, time
settings = json.loads(sys.argv[1])
if "level" not in settings:
    time.perf_counter = time.process_time  # limits and decisions of the search by processor time
from reversi import Position
from reversi.engine import Engine
from reversi.game.clocks import ClockReading
from reversi.text.obf import parse_obf
Engine(7).choose(Position())  # loads the weights
print("ready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["first"]:
        engine = Engine(seed=asked["seed"], **(settings or {"level": 60}))
    position = parse_obf(asked["position"]).position
    clock = ClockReading(*asked["clock"]) if asked["clock"] else None
    began = time.process_time()
    choice = engine.choose(position, clock)
    took = time.process_time() - began
    print(json.dumps([str(choice.move), choice.score.value, took]), flush=True)
"""


def chosen_by(
    tree: Tree, position: Position, first: bool, seed: int, reading: ClockReading | None
) -> tuple[str, float]:
    """Return the tree's move and its seconds of processor time."""
    clock = None if reading is None else astuple(reading)
    asked = {"position": format_board(position), "first": first, "seed": seed, "clock": clock}
    move, _, seconds = tree.ask(json.dumps(asked))
    return move, seconds


def play(
    black: Tree, white: Tree, opening: MatchOpening, seed: int, control: TimeControl | None
) -> dict[str, Any]:
    """Play a game; forced moves and passes are not asked for, and take no time."""
    position = opening.start
    for move in opening.moves:
        position = position.play(move)
    seconds: dict[Color, list[float]] = {Color.BLACK: [], Color.WHITE: []}
    clocks: dict[Color, list[tuple[int, float]]] = {Color.BLACK: [], Color.WHITE: []}
    spent = 0.0
    clock = GameClock(dict.fromkeys(Color, control), now=lambda: spent)
    late = ""
    moves = [str(move) for move in opening.moves]
    while not position.is_over:
        legal = position.legal_moves
        if len(legal) == 1:
            chosen = str(legal[0])
        else:
            mover = position.to_move
            times = seconds[mover]
            player = black if mover is Color.BLACK else white
            chosen, took = chosen_by(player, position, not times, seed, clock.reading(mover))
            times.append(took)
            clock.start(mover)
            spent += took
            if clock.is_up(mover):
                late = str(mover)
                break
            clock.press()
            clocks[mover].append((position.empties, round(clock.time_left(mover), 3)))
        moves.append(chosen)
        position = position.play(chosen)
    if late:
        score = -64 if late == str(Color.BLACK) else 64
    else:
        assert position.result is not None
        score = position.result.score
    return {
        "score": score,
        "black_s": [round(took, 6) for took in seconds[Color.BLACK]],
        "white_s": [round(took, 6) for took in seconds[Color.WHITE]],
        "moves": "".join(moves),
    } | (
        {}
        if control is None
        else {"late": late, "black_clock": clocks[Color.BLACK], "white_clock": clocks[Color.WHITE]}
    )


def openings(path: Path | None, seed: int) -> list[MatchOpening]:
    """The openings in the order of the match, which does not depend on its length."""
    found = list(balanced_openings() if path is None else read_openings(path))
    random.Random(seed).shuffle(found)
    return found


def finished(path: Path, match: dict[str, Any]) -> dict[tuple[str, bool], dict[str, Any]]:
    """The games of the file by their opening and whether the second tree was Black; all must be of this match."""
    if not path.exists():
        return {}
    games = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if any(game["match"] != match for game in games):
        raise SystemExit(f"{path}: has games of another match; give another file")
    return {(game["opening"], game["new_black"]): game for game in games}


def report(games: dict[tuple[str, bool], dict[str, Any]]) -> None:
    """Print the figures of the pairs that are complete."""
    pairs: dict[str, list[int]] = {}
    spent: dict[bool, list[float]] = {False: [], True: []}  # by whether it is the second tree's
    for (opening, new_black), game in games.items():
        pairs.setdefault(opening, []).append(game["score"] if new_black else -game["score"])
        spent[new_black] += game["black_s"]
        spent[not new_black] += game["white_s"]
    complete = [scores for scores in pairs.values() if len(scores) == 2]
    if not complete:
        return
    scores = [score for pair in complete for score in pair]
    results = Counter((score > 0) - (score < 0) for score in scores)
    counts = PairCounts.of(sum((score > 0) + (score == 0) / 2 for score in pair) for pair in complete)
    means = [statistics.mean(pair) for pair in complete]
    error = 1.96 * statistics.stdev(means) / math.sqrt(len(means)) if len(means) > 1 else math.inf
    print(
        f"{len(scores)} games: {results[1]} won, {results[0]} drawn, {results[-1]} lost,"
        f" Elo {elo_of(counts)}, discs {statistics.mean(scores):+.2f} ± {error:.2f};"
        " CPU per move, mean and 99th percentile:"
        f" old {describe(spent[False])}, new {describe(spent[True])}",
        flush=True,
    )


def report_clocks(games: Iterable[dict[str, Any]], control: TimeControl) -> None:
    """Print the mean seconds on the clocks of both trees by empty squares, and the games lost on time."""
    marks = (50, 45, 40, 36, 33, 30, 27, 24, 21, 18, 12, 0)
    left: dict[bool, list[list[float]]] = {new: [[] for _ in marks] for new in (False, True)}
    late = Counter[bool]()
    for game in games:
        for color in ("black", "white"):
            new = game["new_black"] == (color == "black")
            late[new] += game["late"].casefold() == color
            for mark, values in zip(marks, left[new], strict=True):
                # after the last move before this number of empty squares
                shown = [seconds for empties, seconds in game[f"{color}_clock"] if empties > mark]
                values.append(shown[-1] if shown else control.main_s)
    print("empty squares" + "".join(f"{mark:>7}" for mark in marks[:-1]) + "    end   lost on time")
    for new, name in ((False, "old, s left"), (True, "new, s left")):
        means = "".join(f"{statistics.mean(values):7.2f}" for values in left[new])
        print(f"{name:13}{means}   {late[new]}", flush=True)


def describe(seconds: list[float]) -> str:
    """The mean and the 99th percentile in milliseconds."""
    return f"{1e3 * statistics.mean(seconds):.1f} and {1e3 * statistics.quantiles(seconds, n=100)[-1]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="The figures are those of NEW.", allow_abbrev=False
    )
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    strength = parser.add_mutually_exclusive_group(required=True)
    strength.add_argument("--level", type=int)
    strength.add_argument("--cpu", type=float, metavar="SECONDS", help="processor time per move")
    strength.add_argument(
        "--clock", type=TimeControl.parse, metavar="CONTROL", help="as in 0:40+0.3, processor time"
    )
    parser.add_argument("--openings", type=Path, metavar="FILE", help="transcripts, one a line")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games; 0 prints the figures only")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the openings")
    parser.add_argument("--results", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    settings: dict[str, float] = {}
    if options.level is not None:
        settings["level"] = options.level
    elif options.cpu is not None:
        settings["time_s"] = options.cpu
    match: dict[str, Any] = {"trees": [options.old.resolve().name, options.new.resolve().name]} | settings
    if options.clock is not None:
        match["clock"] = str(options.clock)
    games = finished(options.results, match)
    if options.pairs:
        trees = [Tree(path.resolve(), WORKER, json.dumps(settings)) for path in (options.old, options.new)]
        old, new = trees
        with options.results.open("a", encoding="utf-8") as file:
            for number, opening in enumerate(openings(options.openings, options.seed)[: options.pairs], 1):
                for new_black in (True, False):
                    if (str(opening), new_black) in games:
                        continue
                    black, white = (new, old) if new_black else (old, new)
                    game = {"opening": str(opening), "new_black": new_black, "match": match}
                    game |= play(black, white, opening, number, options.clock)
                    games[str(opening), new_black] = game
                    file.write(json.dumps(game) + "\n")
                    file.flush()
                if number % 10 == 0:
                    report(games)
        for tree in trees:
            tree.end()
    report(games)
    if options.clock is not None and games:
        report_clocks(games.values(), options.clock)


if __name__ == "__main__":
    main()
