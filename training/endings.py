"""Labels that know the end: the values of whole lines, from few empty squares to many.

A line is a position and some that follow it, one placement apart. Each position's value bounds that of the one
before: a position is worth at least what its move leads to. So most positions of a line need one question with a
null window, and all share a table. With 14 to 20 empty squares a label costs half of that of a search alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import EXACT_LEVEL, Position, Table, Task, Weights, batch_play
from reversi.color import Color
from reversi.rules import OTHELLO
from training.boards import Words, empties
from training.generate import PARTS, RECORD, Shard, label_shard, part_of, save_shard
from training.positions import Bytes, distinct, generate, openings_of
from training.wthor import TRAINING_YEARS, read_games

EXACT = 16  # values are exact up to this number of empty squares
LEVEL = 0  # of the searches to the end above
_MB = 16  # the table that the positions of a line share
_RANDOM = 0.35  # the share of random placements between the positions of a line
_NOISE = 64  # in 1/128 disc: of the others, which see one placement ahead


@dataclass(frozen=True)
class Line:
    """The positions of many lines with one number of empty squares.

    Attributes:
        n: empty squares.
        p: the movers' discs; 0 where a line has no such position.
        o: the opponents' discs.
        tail: how many random placements come just before, 2 at most.
        passed: whether the same side moves in the position before.
    """

    n: int
    p: Words
    o: Words
    tail: Bytes
    passed: NDArray[np.bool_]


def generate_endings(
    folder: Path,
    data: Path,
    weights: Weights,
    *,
    numbers: Sequence[int],
    size: int,
    rounds: int,
    seed: int,
    glances: Path | None = None,
) -> Iterator[Shard]:
    """Write `rounds` shards for each of the `numbers` of empty squares to `folder`, of `size` positions or fewer.

    A round whose files are there already is skipped. Positions and labels depend on the seed, the round, the
    numbers, the weights, the real games and the kernel's search. `glances` names a folder for the same positions
    with the labels of `training.generate`.

    Yields:
        Each new shard; its seconds are those of its labels.
    """
    folder.mkdir(parents=True, exist_ok=True)
    games = read_games(data / "wthor", *TRAINING_YEARS)
    openings = openings_of(data, seed, weights)
    for number in range(1, rounds + 1):
        files = {n: folder / f"endings{seed}.{number:03}-{n:02}.npy" for n in numbers}
        if all(file.exists() for file in files.values()):
            continue
        top = max(numbers)
        first = generate(top, size, 1000 * seed + number, weights, part_of(games, number % PARTS), openings)
        lines = follow(weights, *first, fewest=min(numbers), seed=1000 * seed + number)
        labels, nodes, seconds = label_lines(weights, lines)
        for line in lines:
            there = np.flatnonzero(line.p)
            p, o, chosen = distinct(line.p[there], line.o[there])
            records = np.empty(len(p), RECORD)
            records["p"], records["o"], records["kind"] = p, o, line.tail[there][chosen]
            if glances is not None:
                glances.mkdir(parents=True, exist_ok=True)
                records["label"] = label_shard(weights, Table(2), p, o)[0]
                save_shard(glances / files[line.n].name, records)
            records["label"] = labels[line.n][there][chosen]
            save_shard(files[line.n], records)
            yield Shard(number, line.n, len(p), nodes[line.n] / max(1, len(p)), seconds[line.n])


def follow(weights: Weights, p: Words, o: Words, tail: Bytes, *, fewest: int, seed: int) -> list[Line]:
    """Play on from positions with one number of empty squares, down to `fewest`.

    Returns:
        The positions with each number of empty squares, the fewest first.
    """
    random = np.random.default_rng((seed, 61))
    n = int(empties(p[:1], o[:1])[0])
    lines = [Line(n, p, o, tail, np.zeros(len(p), bool))]
    while n > fewest:
        n -= 1
        before = lines[-1]
        p, o = before.p.copy(), before.o.copy()
        at_random = random.random(len(p)) < _RANDOM
        until = np.full(len(p), n, np.uint8)
        batch_play(weights, p, o, until, at_random.astype(np.uint8), 0, _NOISE, int(random.integers(1 << 60)))
        gone = (before.p == 0) | ((p | o) == 0) | (empties(p, o) != n)
        p[gone] = o[gone] = 0
        tail = np.where(at_random, np.minimum(before.tail + 1, 2), 0).astype(np.uint8)
        # a placement leaves the discs that the other side keeps where they are
        passed = np.bitwise_count(before.p & ~p) == 0
        lines.append(Line(n, p, o, tail, passed))
    return lines[::-1]


def label_lines(
    weights: Weights, lines: Sequence[Line]
) -> tuple[dict[int, NDArray[np.int8]], dict[int, int], dict[int, float]]:
    """Return, by the number of empty squares, labels in discs, positions visited and seconds of processor time."""
    labels = {line.n: np.zeros(len(line.p), np.int8) for line in lines}
    nodes = {line.n: 0 for line in lines}
    seconds = {line.n: 0.0 for line in lines}
    task = Task(Table(_MB), weights)
    for i in range(len(lines[0].p)):
        least = None
        same_mover = False
        for line in lines:
            if not line.p[i]:
                least = None
                continue
            began, visited = time.process_time(), task.nodes
            value = None
            position = Position.from_discs(int(line.p[i]), int(line.o[i]), Color.BLACK, OTHELLO)
            level = EXACT_LEVEL if line.n <= EXACT else LEVEL
            if least is not None:
                least = least if same_mover else -least
                value = task.value(position, least, least + 1, line.n, level)
            if least is None or value is None or value > least:
                value = task.value(position, -65 if least is None else least, 65, line.n, level)
            assert value is not None  # not cancelled
            labels[line.n][i] = least = value if least is None else max(value, least)
            same_mover = bool(line.passed[i])
            nodes[line.n] += task.nodes - visited
            seconds[line.n] += time.process_time() - began
    return labels, nodes, seconds
