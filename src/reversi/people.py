"""How people move: the chance that a player of some rating plays each move, and how hard a position is.

Ratings are those of the WTHOR archive, by Glicko-2 (`reversi.games.ratings_of`), where a new player has 1500. They
are not those of a federation or a server.

    >>> from reversi import Position
    >>> from reversi.people import difficulty, move_chances
    >>> position = Position.from_moves("f5d6c3d3c4")
    >>> chances = move_chances(position, 1500)
    >>> str(max(chances, key=chances.get)), round(sum(chances.values()), 6)
    ('f4', 1.0)
    >>> difficulty(position, 1700).keeps >= difficulty(position, 1100).keeps
    True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, overload

from reversi._core import EXACT_LEVEL, Move, Position, Table, Task
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.engine.people import GRID, Seen, default_model
from reversi.engine.search import check_unfinished
from reversi.errors import ArgumentError, InputError
from reversi.evaluation.weights import default_weights
from reversi.solver.table import SMALL_HASH_MB

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from reversi.learning.positions import PositionArray

__all__ = ["Difficulty", "RatingEstimate", "difficulty", "estimate_rating", "move_chances"]

_EXACT_FROM: Final = 16
"""With this many empty squares or fewer the values that `difficulty` compares are exact."""
_CLOSE: Final = 2  # discs


# players of the archive, in points of its ratings: their mean, and the standard deviations of their strength, of
# what a player's style adds to the rating that the moves say, and of what the ratings themselves do not know
AVERAGE: Final = 1340.0
_SPREAD: Final = 160.0
_STYLE: Final = 80.0
_UNKNOWN: Final = 75.0
_INTERVAL: Final = 1.96  # standard deviations of 95 %


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a good move is to find.

    Attributes:
        keeps: the chance, 0 to 1, of a move that keeps the result: a win, or a draw where nothing wins.
        close: the chance of a move that loses two discs at most.
    """

    keeps: float
    close: float


@overload
def move_chances(position: Position, rating: float) -> dict[Move, float]: ...
@overload
def move_chances(position: PositionArray, rating: float) -> NDArray[np.float64]: ...
def move_chances(position: Position | PositionArray, rating: float) -> dict[Move, float] | NDArray[np.float64]:
    """Return the chance that a person of a rating plays each legal move. The chances of a position sum to 1.

    They depend on the position and the rating alone; mirror images have the same ones. A position takes some
    milliseconds.

    Args:
        position: a position of the standard game, or a batch of them.
        rating: the rating of the player, on the scale of the archive. The model tells ratings from 1000 to 1900
            apart; lower and higher ones are like these.

    Returns:
        The chance of each legal move. For a batch an array of shape ``(n, 65)``: squares are 0 to 63, 64 is the
        pass, and all are 0 where the game is over.

    Raises:
        GameError: the game is over.
        InputError: the position is not one of the standard game, or the rating is not a finite number.
    """
    skill = check_rating(rating)
    if isinstance(position, Position):
        check_unfinished(position)
        seen = default_model().see(position, skill)
        return dict(zip(seen.moves, seen.chances, strict=True))

    def row(each: Position) -> list[float]:
        chances = [0.0] * 65
        if not each.is_over:
            for move, chance in move_chances(each, skill).items():
                chances[move.index] = chance
        return chances

    return _each(position, row, 65)


@overload
def difficulty(position: Position, rating: float) -> Difficulty: ...
@overload
def difficulty(position: PositionArray, rating: float) -> NDArray[np.float64]: ...
def difficulty(position: Position | PositionArray, rating: float) -> Difficulty | NDArray[np.float64]:
    """Return how hard it is for a person of a rating to find a good move.

    What is good is exact with 16 empty squares or fewer. With more, a search of 8 placements says it.

    Args:
        position: a position of the standard game, or a batch of them.
        rating: as for `move_chances`.

    Returns:
        The difficulty. For a batch an array of shape ``(n, 2)``: the chances to keep the result and to come within
        two discs, both 0 where the game is over.

    Raises:
        GameError: the game is over.
        InputError: the position is not one of the standard game, or the rating is not a finite number.
    """
    skill = check_rating(rating)
    if isinstance(position, Position):
        check_unfinished(position)
        return _difficulty(position, default_model().see(position, skill))

    def row(each: Position) -> list[float]:
        if each.is_over:
            return [0.0, 0.0]
        found = difficulty(each, skill)
        return [found.keeps, found.close]

    return _each(position, row, 2)


@dataclass(frozen=True, slots=True)
class RatingEstimate:
    """A rating that moves say.

    Attributes:
        rating: the estimate.
        low: the lower end of the 95 % interval.
        high: its upper end. The interval includes what the ratings of the archive themselves do not know.
        games: the games with moves of the player.
    """

    rating: int
    low: int
    high: int
    games: int


def estimate_rating(games: Iterable[Iterable[tuple[Position, Move]]]) -> RatingEstimate | None:
    """Return the rating of people who play like a player, by the chances of the player's moves.

    One game says more than that the player is like everybody; several narrow the interval.

    Args:
        games: the player's moves in each game, with the positions before them. A game takes about 0.1 seconds.

    Returns:
        The estimate; ``None`` where the player has never had a choice.

    Raises:
        InputError: a position is not one of the standard game.
        IllegalMoveError: a move is not legal.
    """
    logs, count = [0.0] * len(GRID), 0
    for game in games:
        chosen = [(position, move) for position, move in game if len(position.legal_moves) > 1]
        count += bool(chosen)
        for position, move in chosen:
            position.play(move)  # it is legal
            logs = [log + one for log, one in zip(logs, default_model().log_chances(position, move), strict=True)]
    return rating_of_logs(logs, count) if count else None


def rating_of_logs(logs: Sequence[float], games: int) -> RatingEstimate:
    """Return the rating that the logarithms of the chances of all moves say, one for each rating of `GRID`.

    A player's strength is drawn from a normal distribution; the moves say it with an error that stays however many
    they are, the player's style.
    """
    top = max(logs)
    likely = [math.exp(log - top) for log in logs]

    def weight(strength: float) -> float:
        moves = math.fsum(
            each * math.exp(-(((rating - strength) / _STYLE) ** 2) / 2)
            for rating, each in zip(GRID, likely, strict=True)
        )
        return moves * math.exp(-(((strength - AVERAGE) / _SPREAD) ** 2) / 2)

    strengths = range(GRID[0] - 200, GRID[-1] + 201, 20)
    weights = list(map(weight, strengths))
    whole = math.fsum(weights)
    mean = math.fsum(each * strength for each, strength in zip(weights, strengths, strict=True)) / whole
    variance = (
        math.fsum(each * (strength - mean) ** 2 for each, strength in zip(weights, strengths, strict=True)) / whole
    )
    reach = _INTERVAL * math.sqrt(variance + _UNKNOWN**2)
    return RatingEstimate(round(mean), round(mean - reach), round(mean + reach), games)


def check_rating(rating: float) -> float:
    """Return a rating.

    Raises:
        ArgumentError: it is no number.
        InputError: it is not a finite number.
    """
    if isinstance(rating, bool) or not isinstance(rating, int | float):
        raise ArgumentError(f"rating must be a number, not {excerpt(rating)}")
    if not math.isfinite(rating):
        raise InputError(f"rating must be a finite number, not {rating}")
    return rating


def _each(positions: PositionArray, row: Callable[[Position], list[float]], width: int) -> NDArray[np.float64]:
    if not hasattr(positions, "legal_masks"):  # so that a wrong argument needs no NumPy
        check_type("position", positions, Position, advice=TEXT_TO_POSITION)
    import numpy as np

    return np.array([row(each) for each in positions], np.float64).reshape(-1, width)


def _difficulty(position: Position, seen: Seen) -> Difficulty:
    values: list[int] | tuple[int, ...] = seen.values
    if position.empties <= _EXACT_FROM:
        task = Task(Table(SMALL_HASH_MB), default_weights())
        exact = [task.move_value(position, move, -65, 65, 64, EXACT_LEVEL) for move in seen.moves]
        values = [value for value in exact if value is not None]  # nobody cancels it
    best = max(values)

    def chance(good: Callable[[int], bool]) -> float:
        return min(1.0, math.fsum(c for c, value in zip(seen.chances, values, strict=True) if good(value)))

    return Difficulty(
        chance(lambda value: value > 0 or (value == 0 and best == 0) or best < 0),
        chance(lambda value: value >= best - _CLOSE),
    )
