"""How levels that play like people play, beside people: discs lost a move by phase, and openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi._core import Move, Position
from reversi.analysis.summary import Phase, phase_of
from reversi.color import Color
from reversi.engine.people import default_model
from reversi.games.statistics.ratings import ratings_by_year
from reversi.games.statistics.results import result_of
from reversi.openings.names import opening_of_positions
from reversi.records.replay import positions
from training.people import MOST_DEVIATION, Samples, is_program, records_of

RATINGS = (1200, 1450, 1700)
_BAND = 75  # people of a rating are those this near to it
_RARE = 0.02  # as in `reversi.engine.engine`
_MOST_LOST = 15  # discs
_OPENING = 12  # plies

Losses = dict[Phase, list[float]]


def _new() -> Losses:
    return {phase: [] for phase in Phase}


def _played(rating: int, position: Position, random: np.random.Generator) -> tuple[Move, float]:
    """Return a move as a level draws it, and the discs that it loses by the deepest search of the model."""
    seen = default_model().see(position, rating)
    chances = np.array(seen.chances)
    chances[chances < min(_RARE, chances.max())] = 0
    at = random.choice(len(chances), p=chances / chances.sum())
    return seen.moves[at], min(max(seen.values) - seen.values[at], _MOST_LOST)


def play(games: int, seed: int) -> tuple[dict[int, Losses], dict[int, Counter[str]]]:
    """Return what each level lost in games against each other from the start, and the openings of its games."""
    random = np.random.default_rng(seed)
    losses, openings = {rating: _new() for rating in RATINGS}, {rating: Counter[str]() for rating in RATINGS}
    for one, other in combinations(RATINGS, 2):
        for game in range(games):
            sides = {Color.BLACK: one, Color.WHITE: other} if game % 2 else {Color.BLACK: other, Color.WHITE: one}
            line = [Position()]
            while not line[-1].is_over:
                position, rating = line[-1], sides[line[-1].to_move]
                move, loss = _played(rating, position, random)
                if len(position.legal_moves) > 1 and position.empties < 60:
                    losses[rating][phase_of(position.empties, 64)].append(loss)
                line.append(position.play(move))
            for rating in sides.values():
                openings[rating][_opening(line)] += 1
    return losses, openings


def _opening(line: list[Position]) -> str:
    named = opening_of_positions(line[: _OPENING + 1])
    return "none" if named is None else named.opening.name


def losses_of_people(samples: Samples, values: NDArray[np.int8]) -> dict[int, Losses]:
    """Return what people of these ratings lost in the positions of the shards."""
    losses = {rating: _new() for rating in RATINGS}
    first = 0
    for sample in samples:
        position = Position.from_discs(int(sample["p"]), int(sample["o"]))
        moves = [move.index for move in position.legal_moves]
        own = values[first : first + len(moves), -1].astype(int)
        first += len(moves)
        for rating in RATINGS:
            if abs(float(sample["rating"]) - rating) <= _BAND:
                loss = min(own.max() - own[moves.index(int(sample["move"]))], _MOST_LOST)
                losses[rating][phase_of(position.empties, 64)].append(float(loss))
    return losses


def openings_of_people(data: Path) -> dict[int, Counter[str]]:
    """Return the openings of people of these ratings in the archive."""
    records = [(record, result_of(record)) for record in records_of(data)]
    ends = ratings_by_year(result for _, result in records)
    found = {rating: Counter[str]() for rating in RATINGS}
    for record, result in records:
        if is_program(result.black) or is_program(result.white) or not result.black or not result.white:
            continue
        line: list[Position] | None = None
        for side in Color:
            known = ends.get((result.year or 0) - 1, {}).get(result.player(side))
            if known is None or known.deviation > MOST_DEVIATION:
                continue
            for rating in RATINGS:
                if abs(known.rating - rating) <= _BAND:
                    line = list(positions(record))[: _OPENING + 1] if line is None else line
                    found[rating][_opening(line)] += 1
    return found


def rows(ours: dict[int, Losses], theirs: dict[int, Losses]) -> Iterator[str]:
    """Yield how many discs a move of a level loses by phase, beside people of its rating."""
    for rating in RATINGS:
        for phase in Phase:
            own, other = ours[rating][phase], theirs[rating][phase]
            ratio = np.mean(own) / np.mean(other)
            yield (
                f"{rating} {phase.value:8} level {np.mean(own):.2f} ({len(own)})"
                f"  people {np.mean(other):.2f} ({len(other)})  ratio {ratio:.2f}"
            )


def opening_rows(ours: dict[int, Counter[str]], theirs: dict[int, Counter[str]], most: int = 6) -> Iterator[str]:
    """Yield how many games have the openings that people play most, and the share that both have in common."""
    for rating in RATINGS:
        own, other = ours[rating], theirs[rating]
        every = {*own, *other}
        for name, count in other.most_common(most):
            level, people = 100 * own[name] / own.total(), 100 * count / other.total()
            yield f"{rating} {name}: level {level:.1f} %, people {people:.1f} %"
        common = sum(min(own[name] / own.total(), other[name] / other.total()) for name in every)
        yield f"{rating}: {own.total()} and {other.total()} games have {100 * common:.0f} % in common"
