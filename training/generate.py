"""Labelled positions for as long as one likes, in shards: every shard is a file, an interrupted run continues."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reversi._core import Table, Weights
from training.climb import ARCHIVE, OPENINGS, SURE, keep_archive, label
from training.data import save_positions, shard
from training.positions import balanced_openings, generate, read_openings
from training.wthor import TRAINING_YEARS, read_games

__all__ = ["Shard", "generate_shards"]


@dataclass(frozen=True)
class Shard:
    """One file of labelled positions.

    Attributes:
        round: the round that it belongs to; a round has one shard for each number of empty squares.
        n: empty squares.
        count: positions.
        nodes: positions visited for the labels, per label.
        seconds: processor time.
    """

    round: int
    n: int
    count: int
    nodes: float
    seconds: float


def generate_shards(
    folder: Path,
    data: Path,
    weights: Weights,
    *,
    numbers: Sequence[int],
    size: int,
    rounds: int,
    exact: int,
    depth: int,
    seed: int,
) -> Iterator[Shard]:
    """Write `rounds` shards of about `size` positions for each of the `numbers` of empty squares to `folder`.

    Positions come as in a round of `climb`. The labels are exact up to `exact` empty squares; above, they are the
    mean of the searches of `depth` and one less. The archive's solved positions are a file, too. Files that are
    there already are skipped, and a file appears only when it is complete. The positions depend on the seed, the
    round, the number of empty squares and the weights.

    Yields:
        Each new shard.
    """
    games = read_games(data / "wthor", *TRAINING_YEARS)
    openings = read_openings(data / "xot" / "xot_large.txt")
    if not len(openings[0]):
        openings = balanced_openings(OPENINGS, seed, weights)
    if ARCHIVE in numbers and len(games.p) and not shard(folder, "archive", ARCHIVE).exists():
        keep_archive(folder, games)
    table = Table(64)
    for number in range(1, rounds + 1):
        for n in numbers:
            name = f"generated{seed}.{number}"
            if shard(folder, name, n).exists():
                continue
            began = time.process_time()
            p, o, tail = generate(n, size, seed + number, weights, games, openings)
            table.age()
            labels, nodes = label(weights, table, p, o, n if n <= exact else depth)
            save_positions(folder, name, n, p, o, labels, SURE[tail])
            yield Shard(number, n, len(p), nodes / max(1, len(p)), time.process_time() - began)
