"""The time of pictures: SVG of positions and games, graphs, and PNG if the extra ``plot`` is installed.

    python benchmarks/rendering.py [--repeats 5] [--json]

Every figure is the median of several repeats over 200 random positions or games, in one thread, by processor time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable, Sequence
from typing import Any

from measuring import median_s
from reversi import Game, Random
from reversi.render import graph, plain_text, png, svg

COUNT = 200
LIMIT_MS = 1.0
"""Milliseconds that an SVG of a board may take."""


def random_games(count: int) -> list[Game]:
    """Whole games of random legal moves."""
    chance = Random(1)
    games = []
    for _ in range(count):
        game = Game()
        while not game.is_over:
            game.play(game.position.legal_moves.choice(chance))
        games.append(game)
    return games


def milliseconds(draw: Callable[[Any], object], things: Sequence[Any], repeats: int) -> float:
    """The median time of one picture."""
    return 1000 * median_s(lambda: [draw(thing) for thing in things], repeats) / len(things)


def measured(repeats: int) -> dict[str, float]:
    """Return the milliseconds per picture for each kind."""
    games = random_games(COUNT)
    middles = [game.positions[30] for game in games]
    values = {f"{column}{row}": "+12" for column in "abcdefgh" for row in (1, 8)}
    losses = dict.fromkeys(values, 7.5)
    walk = [(31 * ply % 41) - 20 for ply in range(61)]
    found = {
        "position": milliseconds(svg, middles, repeats),
        "position, values and losses on 16 squares, legal moves": milliseconds(
            lambda it: svg(it, values=values, losses=losses, legal_moves=True), middles, repeats
        ),
        "game, its end": milliseconds(svg, games, repeats),
        "game, transcript diagram": milliseconds(lambda it: svg(it, numbers=True), games, repeats),
        "graph of 61 values": milliseconds(lambda _: graph(walk), games, repeats),
        "text of a position": milliseconds(plain_text, middles, repeats),
    }
    if importlib.util.find_spec("resvg_py") and importlib.util.find_spec("PIL"):
        found["PNG of a position, 400 pixels wide"] = milliseconds(png, middles[:20], repeats)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measured(arguments.repeats)
    if arguments.json:
        print(json.dumps({"limit_ms": LIMIT_MS, "ms": found}))
        return
    for what, time_ms in found.items():
        limit = "" if what.startswith(("PNG", "text")) else f"  (limit {LIMIT_MS:g} ms)"
        print(f"{what:56} {time_ms:7.3f} ms{limit}")


if __name__ == "__main__":
    main()
