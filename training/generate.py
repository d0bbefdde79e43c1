"""Labelled positions for as long as one likes, in shards: every shard is a file, an interrupted run continues.

A shard is a NumPy file of records with 18 bytes (`RECORD`). Labels are whole discs: exact values with few empty
squares, else the value of one short search with the table and the lowest selective level. Its depth depends on the
position. Even and odd depths come equally often: what the evaluation gives whoever moves last cancels on average.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import EXACT_LEVEL, Position, Table, Task, Weights, batch_search
from reversi._system.files import atomic_stream
from reversi.color import Color
from reversi.rules import OTHELLO
from training.boards import Words
from training.climb import SURE, solved
from training.positions import generate, openings_of
from training.wthor import ARCHIVE, TRAINING_YEARS, Games, read_games

RECORD = np.dtype([("p", "<u8"), ("o", "<u8"), ("label", "i1"), ("kind", "u1")])
"""Mover's discs, opponent's, value for the mover in discs, random placements just before (3: the archive's)."""

WEIGHT_OF = np.array([*SURE, 2.0], np.float32)  # how much a position of each kind counts
EXACT = 12  # labels are solved up to this number of empty squares
DEPTHS = (4, 5, 5, 6)  # of the searches that make the others: up to 36 empty squares
OPENING_DEPTHS = (4, 5, 4, 5)  # above
WINDOW = 3  # discs to either side of what a glance expects
PARTS = 16  # a round takes positions of every 16th real game: none occurs twice in 16 rounds


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


def share_of(n: int) -> float:
    """Return how many positions a round has with `n` empty squares, against 18 to 32."""
    for most, share in ((7, 1 / 6), (12, 1 / 2), (17, 2 / 3), (32, 1.0), (36, 5 / 6), (50, 1 / 3)):
        if n <= most:
            return share
    return 1 / 10


def generate_shards(
    folder: Path, data: Path, weights: Weights, *, numbers: Sequence[int], size: int, rounds: int, seed: int
) -> Iterator[Shard]:
    """Write `rounds` shards for each of the `numbers` of empty squares to `folder`, of `size` positions or fewer.

    The archive's solved positions are a file, too. Files that are there already are skipped, and a file appears
    only when it is complete. Positions and labels depend on the seed, the round, the number of empty squares, the
    weights, the real games and the kernel's search.

    Yields:
        Each new shard.
    """
    folder.mkdir(parents=True, exist_ok=True)
    games = read_games(data / "wthor", *TRAINING_YEARS)
    openings = openings_of(data, seed, weights)
    archive = folder / f"archive-{ARCHIVE}.npy"
    if ARCHIVE in numbers and len(games.p) and not archive.exists():
        save_shard(archive, _archive(games))
    table = Table(2)
    for number in range(1, rounds + 1):
        part = part_of(games, number % PARTS)
        for n in numbers:
            file = folder / f"generated{seed}.{number:03}-{n:02}.npy"
            if file.exists():
                continue
            began = time.process_time()
            count = max(1, round(size * share_of(n)))
            p, o, tail = generate(n, count, 1000 * seed + number, weights, part, openings)
            records = np.empty(len(p), RECORD)
            records["p"], records["o"], records["kind"] = p, o, tail
            records["label"], nodes = label_shard(weights, table, p, o)
            save_shard(file, records)
            yield Shard(number, n, len(p), nodes / max(1, len(p)), time.process_time() - began)


def label_shard(weights: Weights, table: Table, p: Words, o: Words) -> tuple[NDArray[np.int8], int]:
    """Return labels in discs of positions with one number of empty squares, and the positions visited for them."""
    if not len(p):
        return np.zeros(0, np.int8), 0
    n = 64 - (int(p[0]) | int(o[0])).bit_count()
    guesses = np.empty(len(p), np.int16)
    nodes = batch_search(weights, table, p, o, guesses, 8 if n <= 8 else 2)
    values = np.rint(guesses / 128).astype(np.int8)
    if n <= 8:
        return values, nodes
    depths = [n] * 4 if n <= EXACT else DEPTHS if n <= 36 else OPENING_DEPTHS
    level = EXACT_LEVEL if n <= EXACT else 0
    mixed = (p * np.uint64(0xD6E8FEB86659FD93) ^ o * np.uint64(0xA0761D6478BD642F)) >> np.uint64(53)
    table.clear()
    task = Task(table, weights)
    rows = zip(p.tolist(), o.tolist(), values.tolist(), (mixed & np.uint64(3)).tolist(), strict=True)
    for i, (mine, theirs, guess, which) in enumerate(rows):
        position = Position.from_discs(mine, theirs, Color.BLACK, OTHELLO)
        depth = depths[which]
        low, high = max(guess - WINDOW, -65), min(guess + WINDOW, 65)
        value = task.value(position, low, high, depth, level)
        if value is not None and value <= low:
            value = task.value(position, -65, low + 1, depth, level)
        elif value is not None and value >= high:
            value = task.value(position, high - 1, 65, depth, level)
        assert value is not None  # not cancelled
        values[i] = max(-64, min(64, value))
    return values, nodes + task.nodes


def shard_files(folder: Path) -> list[Path]:
    """Return the shards of a folder, in order."""
    return sorted(file for kind in ("archive", "generated*", "endings*") for file in folder.glob(f"{kind}-??.npy"))


def shard_hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of the records of shards, in this order."""
    total = hashlib.sha256()
    for file in files:
        total.update(np.load(file).tobytes())
    return total.hexdigest()


def part_of(games: Games, part: int) -> Games:
    """Return every `PARTS`th game."""
    chosen = slice(part, None, PARTS)
    return replace(
        games,
        p=games.p[chosen],
        o=games.o[chosen],
        black=games.black[chosen],
        theoretical=games.theoretical[chosen],
    )


def _archive(games: Games) -> NDArray[np.void]:
    """Return the archive's solved values of real games."""
    p, o, values = solved(games)
    records = np.zeros(len(p), RECORD)
    records["p"], records["o"], records["label"], records["kind"] = p, o, values, 3
    return records


def save_shard(file: Path, records: NDArray[np.void]) -> None:
    """Save a shard; the file appears when it is complete."""
    with atomic_stream(file) as stream:
        np.save(stream, records)
