"""Make the package's list of balanced openings, from the rules and this project's evaluation alone.

    python -m training.starts > src/reversi/openings/balanced.txt

The program finds all positions after eight moves up to symmetry and drops the lopsided ones by a shallow search.
It searches a random sample of the rest more deeply and lists those near zero. The same weights and seed give the
same list. A run takes about a quarter of an hour.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence

from reversi._core import Move, Position, Random, Table, Weights, batch_search, canonical_key
from reversi.evaluation.weights import default_weights, weights_version

PLIES = 8
SHALLOW = (5, 6)
DEEP = (11, 12)
KEEP_SHALLOW = 4.0
KEEP = 1.0
LEAST_MOVES = 4
SAMPLE = 2000
SEED = 2026
UNIT = 128  # parts of a disc that the evaluation counts in


def openings(plies: int) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Yield one line for each position after `plies` moves, up to symmetry: the first in a1, b1, … order that
    begins with f5. Games that end or pass on the way are left out."""
    first = Move.parse("f5")
    level: list[tuple[tuple[Move, ...], Position]] = [((first,), Position().play(first))]
    for _ in range(plies - 1):
        found = dict[int, tuple[tuple[Move, ...], Position]]()
        for moves, position in level:
            for move in position.legal_moves:
                if not move.is_pass:
                    after = position.play(move)
                    found.setdefault(canonical_key(after), ((*moves, move), after))
        level = list(found.values())
    yield from level


def values(positions: Sequence[Position], depths: tuple[int, int], weights: Weights) -> list[float]:
    """Return the value of each position for its mover in discs: the mean of two searches of these depths."""
    player = array("Q", [position.player for position in positions])
    opponent = array("Q", [position.opponent for position in positions])
    sums = [0] * len(positions)
    for depth in depths:
        found = array("h", bytes(2 * len(positions)))
        table = Table(256)
        step = 100  # an older entry never changes a value, but a full table changes the time
        for at in range(0, len(positions), step):
            part = array("h", bytes(2 * len(player[at : at + step])))
            batch_search(weights, table, player[at : at + step], opponent[at : at + step], part, depth)
            found[at : at + step] = part
        sums = [total + value for total, value in zip(sums, found, strict=True)]
    return [total / len(depths) / UNIT for total in sums]


def make(sample: int = SAMPLE, shallow: tuple[int, int] = SHALLOW, deep: tuple[int, int] = DEEP) -> Iterator[str]:
    """Yield the transcripts of the list, in a1, b1, … order."""
    weights = default_weights()
    lines = [entry for entry in openings(PLIES) if len(entry[1].legal_moves) >= LEAST_MOVES]
    rough = values([position for _, position in lines], shallow, weights)
    close = [entry for entry, value in zip(lines, rough, strict=True) if abs(value) <= KEEP_SHALLOW]
    random = Random(SEED)
    chosen: list[tuple[tuple[Move, ...], Position]] = []
    while close and len(chosen) < sample:
        at = random.below(len(close))
        close[at], close[-1] = close[-1], close[at]
        chosen.append(close.pop())
    exacter = values([position for _, position in chosen], deep, weights)
    even = [moves for (moves, _), value in zip(chosen, exacter, strict=True) if abs(value) <= KEEP]
    for moves in sorted(even):
        yield "".join(map(str, moves))


def main() -> None:
    """Write the list to standard output."""
    lines = list(make())
    sys.stdout.write(
        f"% {len(lines)} openings of {PLIES} moves, no two alike by symmetry. Neither side is ahead by more than\n"
        f"% {KEEP:.0f} disc, by the mean of searches of {DEEP[0]} and {DEEP[1]} moves.\n"
        f"% Made by training/starts.py with the evaluation {weights_version()}.\n"
    )
    for line in lines:
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
