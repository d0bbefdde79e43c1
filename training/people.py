"""How people move: positions of real games, the moves played, by whom, and what each legal move is worth.

A player whose name has an author in parentheses is a program. Games with programs count for the ratings only. A
player's rating is the one at the end of the year before the game. Players are numbers here: no name is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Position, Square
from reversi.color import Color
from reversi.engine.people import DEPTHS, values_of
from reversi.games import Games
from reversi.games.statistics.ratings import ratings_by_year
from reversi.games.statistics.results import result_of
from reversi.records.record import Record
from reversi.solver.symmetry import Image

FIT = (1977, 2006)
CHOOSE = (2007, 2008)
HELD_OUT = (2009, 2019)
SHARD = 4000  # positions
_SAMPLES = {FIT: 1, CHOOSE: 2, HELD_OUT: 3}  # positions of each player in a game, by its year
MOST_DEVIATION = 150  # of players whose moves take part; those without a rating have another kind of record
_FIRST = 1  # the first move is always f5 in the archive

SAMPLE = np.dtype(
    [
        ("p", "<u8"),  # the mover's discs; the position is the one that stands for all symmetric ones
        ("o", "<u8"),
        ("move", "u1"),
        ("rating", "<f4"),  # NaN without one
        ("deviation", "<f4"),
        ("player", "<u4"),
        ("game", "<u4"),
        ("year", "<u2"),
    ]
)
Samples = NDArray[np.void]


def is_program(name: str) -> bool:
    """Whether the name of the archive is that of a program: its author stands in parentheses."""
    return "(" in name


def records_of(data: Path) -> Iterator[Record]:
    files = {path.name: path for path in sorted(data.rglob("WTH_[0-9][0-9][0-9][0-9].wtb"), reverse=True)}
    for _, path in sorted(files.items()):
        yield from Games(path).select()


def people_games(data: Path) -> Iterator[tuple[Record, int]]:
    """Yield the games between people with their years."""
    for record in records_of(data):
        result = result_of(record)
        if not (is_program(result.black) or is_program(result.white)) and result.black and result.white:
            yield record, result.year or 0


def samples(data: Path, seed: int) -> Samples:
    """Return positions of games of people with the moves played, in random order."""
    results = [result_of(record) for record in records_of(data)]
    ends = ratings_by_year(results)
    numbers: dict[str, int] = {}
    rows = []
    for game, (record, result) in enumerate(zip(records_of(data), results, strict=True)):
        year = result.year or 0
        if is_program(result.black) or is_program(result.white) or not result.black or not result.white:
            continue
        count = next((count for (first, last), count in _SAMPLES.items() if first <= year <= last), 0)
        random = np.random.default_rng((seed, game))
        turns = list(turns_of(record))
        for side in Color:
            own = [turn for turn in turns if turn[0].to_move is side]
            name = result.player(side)
            number = numbers.setdefault(name, len(numbers))
            rating = ends.get(year - 1, {}).get(name)
            if rating is not None and rating.deviation > MOST_DEVIATION:
                continue
            known = (np.nan, np.nan) if rating is None else (rating.rating, rating.deviation)
            for index in random.permutation(len(own))[: count if rating is not None else 1]:
                rows.append((*_canonical(*own[index]), *known, number, game, year))
    found = np.array(rows, SAMPLE)
    return found[np.random.default_rng((seed, len(found))).permutation(len(found))]


def turns_of(record: Record) -> Iterator[tuple[Position, Square]]:
    """Yield the positions of a game with a choice of moves, and the move."""
    position = record.start
    for ply, move in enumerate(record.moves):
        if not position.is_legal(move):
            return
        if isinstance(move, Square) and ply >= _FIRST and len(position.legal_moves) > 1:
            yield position, move
        position = position.play(move)


def _canonical(position: Position, move: Square) -> tuple[int, int, int]:
    image = Image.canonical(Position.from_discs(position.player, position.opponent))
    (played,) = image.moves([move])
    return image.position.black, image.position.white, played.index


def shard_name(number: int) -> str:
    """Return the name of the file of a shard."""
    return f"people-{number:03}.npz"


def make_shards(
    folder: Path, data: Path, seed: int, part: int = 0, parts: int = 1, most: int | None = None
) -> Iterator[tuple[int, int]]:
    """Write the positions with the values of their moves to a folder, in shards; those that are there stay.

    Several processes share the work: each makes one of the ``parts``. The positions are in random order, so the
    first ``most`` shards are a sample of all.

    Yields:
        The number of each new shard, and its positions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    every = samples(data, seed)
    every = every[: None if most is None else SHARD * most]
    for number, first in enumerate(range(0, len(every), SHARD)):
        path = folder / shard_name(number)
        if number % parts != part or path.exists():
            continue
        chosen = every[first : first + SHARD]
        values = [
            values
            for p, o in zip(chosen["p"].tolist(), chosen["o"].tolist(), strict=True)
            for values in values_of(Position.from_discs(p, o))
        ]
        aside = path.with_suffix(".part")
        with aside.open("wb") as file:
            np.savez_compressed(file, samples=chosen, values=np.array(values, np.int8).reshape(-1, len(DEPTHS)))
        aside.rename(path)
        yield number, len(chosen)


def read_shards(folder: Path) -> tuple[Samples, NDArray[np.int8]]:
    """Return the positions of all shards of a folder, and the values of their moves one after another."""
    parts = [np.load(path) for path in sorted(folder.glob("people-*.npz"))]
    if not parts:
        raise ValueError(f"{folder}: no shards of people's moves; make them with the command people-values")
    return np.concatenate([part["samples"] for part in parts]), np.concatenate([part["values"] for part in parts])
