"""What ratings the moves of people's games say, beside the ratings of the archive."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi.color import Color
from reversi.engine.people import GRID, default_model
from reversi.games.statistics.ratings import ratings_by_year
from reversi.games.statistics.results import result_of
from reversi.records.record import Record
from training.people import CHOOSE, HELD_OUT, MOST_DEVIATION, is_program, records_of, turns_of

MOST_GAMES = 6
"""Games of a player in a year at most."""
LEAST_GAMES = 5
"""Games of a player in a year at least."""
_FILE = "people-games-{}.npy"
GAME = np.dtype(
    [
        ("player", "<u4"),
        ("year", "<u2"),
        ("rating", "<f4"),
        ("deviation", "<f4"),
        ("moves", "<u2"),
        ("log", "<f4", (len(GRID),)),  # of the chance of all moves, at each rating
    ]
)
Sides = NDArray[np.void]


def make_games(folder: Path, data: Path, seed: int, part: int = 0, parts: int = 1) -> int:
    """Write how likely the moves of players with a rating were, game by game, in the years after those of the fit.

    Several processes share the work: each makes one of the ``parts``. Of each player and year some games count.
    """
    results = [result_of(record) for record in records_of(data)]
    ends = ratings_by_year(results)
    sides = [
        (game, side, name, year)
        for game, result in enumerate(results)
        if result.black
        and result.white
        and not (is_program(result.black) or is_program(result.white))
        and CHOOSE[0] <= (year := result.year or 0) <= HELD_OUT[1]
        for side in Color
        if (rating := ends.get(year - 1, {}).get(name := result.player(side))) is not None
        and rating.deviation <= MOST_DEVIATION
    ]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for _, _, name, _ in sides))}
    played = Counter((name, year) for _, _, name, year in sides)
    taken: Counter[tuple[str, int]] = Counter()
    chosen: dict[int, list[tuple[Color, str, int]]] = {}
    for at in np.random.default_rng(seed).permutation(len(sides)).tolist():
        game, side, name, year = sides[at]
        taken[name, year] += played[name, year] >= LEAST_GAMES
        if 0 < taken[name, year] <= MOST_GAMES and numbers[name] % parts == part:
            chosen.setdefault(game, []).append((side, name, year))
    rows = []
    for game, record in enumerate(records_of(data)):
        for side, name, year in chosen.get(game, ()):
            rating = ends[year - 1][name]
            log, moves = _log(record, side)
            rows.append((numbers[name], year, rating.rating, rating.deviation, moves, log))
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / _FILE.format(part), np.array(rows, GAME))
    return len(rows)


def _log(record: Record, side: Color) -> tuple[NDArray[np.float64], int]:
    logs = [
        default_model().log_chances(position, move)
        for position, move in turns_of(record)
        if position.to_move is side
    ]
    return np.array(logs, np.float64).reshape(-1, len(GRID)).sum(axis=0), len(logs)


def read_games(folder: Path) -> Sides:
    """Return the games of all parts."""
    parts = [np.load(path) for path in sorted(folder.glob(_FILE.format("*")))]
    if not parts:
        raise ValueError(f"{folder}: no games of people; make them with the command people-games")
    return np.concatenate(parts)
