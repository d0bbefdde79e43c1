"""How people choose a move: the chance that a player of some rating plays each legal move.

The model is a conditional logit (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974): a
move has a score, the weighted sum of its `FEATURES`, and a chance in proportion to the exponential of the score.
The weights change with the empty squares, the rating and the state of the game (`basis_of`). They were fitted to
games of people in the WTHOR archive (``training/people.py``), and ratings are those of that archive. The file has
the weights and the moves of the archive's openings; `habits_of` has a file of its own.

A move is valued by searches with a fresh table, so the same position has the same chances on every machine.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reversi._core import SQUARES, Move, Position, Square, Table, Task
from reversi.engine.explaining import around, regions
from reversi.engine.habits import default_habits, habits_of
from reversi.errors import InputError
from reversi.evaluation.weights import default_weights
from reversi.rules import OTHELLO, Rules
from reversi.solver.symmetry import Image, twins
from reversi.solver.table import SMALL_HASH_MB

FILE_NAME: Final = "people.json"
DEPTHS: Final = (1, 2, 4, 8)
"""Placements that the searches look ahead, the move itself among them."""
RATINGS: Final = (1000, 1900)
"""The lowest and the highest rating that the model tells apart."""
GRID: Final = range(RATINGS[0], RATINGS[1] + 1, 50)
"""The ratings at which `Model.log_chances` says how likely a move is."""
_MOST_LOST: Final = 15  # discs: moves that lose more than this to the best one are all alike
_KNOTS: Final = (60, 52, 44, 32, 20, 10, 2)  # numbers of empty squares between which weights change linearly
_REGIONS_FROM: Final = 30  # empty squares: with more of them nobody counts regions
_CORNERS: Final = 0x8100_0000_0000_0081
_EDGES: Final = 0xFF81_8181_8181_81FF
_KINDS: Final = ("corner", "C-square", "A-square", "B-square", "X-square", "c2", "d2", "c3", "d3", "d4")
OPENING_PLIES: Final = 24
"""Placements of a game that openings have at most."""
LEAST_PLAYED: Final = 5
"""Games in which a move of an opening was played; moves of fewer count as new."""
_PER_DOUBLING: Final = 4  # steps in which the numbers of games of openings are kept
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


def _kind(square: int) -> int:
    """Return the number of a square up to symmetry, in `_KINDS`."""
    row, column = sorted((min(square >> 3, 7 - (square >> 3)), min(square & 7, 7 - (square & 7))))
    return (0, 4, 7, 9)[row] + column - row


_KIND_OF: Final = tuple(map(_kind, range(64)))
_BESIDE: Final = {
    square: corner
    for corner, down, right in ((0, 8, 1), (7, 8, -1), (56, -8, 1), (63, -8, -1))
    for square in (corner + down, corner + right, corner + down + right)
}
"""The corner beside each X- and C-square."""

FEATURES: Final = (
    *(f"loss at depth {depth}" for depth in DEPTHS),
    *(f"root of the loss at depth {depth}" for depth in DEPTHS),
    *(f"best at depth {depth}" for depth in DEPTHS),
    *(f"second at depth {depth}" for depth in DEPTHS[2:]),
    "worse result",
    *_KINDS[:-1],
    "X-square of an empty corner",
    "C-square of an empty corner",
    "corners opened",
    "corners denied",
    "corners gained",
    "corners lost",
    "corners of the opponent",
    "replies",
    "root of the replies",
    "safe replies",
    "no reply",
    "own moves",
    "own frontier",
    "frontier of the opponent",
    "flips",
    "one flip",
    "directions",
    "exposed flips",
    "quiet",
    "edge flips",
    "edge discs attacked",
    "edge beside the opponent",
    "edge beside own discs",
    "edge between the opponent's",
    "edge with a gap",
    "edge alone",
    "edge from an own corner",
    "neighbors",
    "own neighbors",
    "odd region",
    "hole",
    "games of the opening",
    "share of the opening",
    "habit",
)
"""What the model sees of a move."""


def basis_of(empties: int, rating: float, best: int, count: int) -> list[float]:
    """Return what the weights are combined from.

    Args:
        empties: the number of empty squares.
        rating: the rating of the player.
        best: what the best move is worth, in discs, by the deepest search.
        count: how many legal moves there are.
    """
    low, high = RATINGS
    skill = (min(max(rating, low), high) - 1500) / 200
    hats = [max(0.0, 1 - abs(empties - knot) / _width(at, empties)) for at, knot in enumerate(_KNOTS)]
    lead = max(-1.0, min(best / 20, 1.0))
    return [*hats, skill, skill * (empties - 30) / 30, lead, abs(lead), math.log(count / 8)]


def _width(at: int, empties: int) -> int:
    """Return how far the knot beside one is, on the side of a number of empty squares."""
    beside = at + 1 if empties < _KNOTS[at] else at - 1
    return abs(_KNOTS[beside] - _KNOTS[at]) if 0 <= beside < len(_KNOTS) else 64


def values_of(position: Position) -> list[tuple[int, ...]]:
    """Return what each legal move is worth for the mover, in discs, by searches of the `DEPTHS`.

    A move that loses more than 15 discs has some value that is as far below the best one. Moves that lead to the
    same position up to symmetry have the same values.
    """
    task = Task(Table(SMALL_HASH_MB), default_weights())
    firsts = twins(position)
    found: dict[Move, list[int]] = {move: [] for move in firsts if firsts[move] == move}
    for depth in DEPTHS:
        best = -64 - _MOST_LOST
        for move in task.ordered_moves(position, depth):
            if move in found:
                value = task.move_value(position, move, max(best - _MOST_LOST, -65), 65, depth, 0)
                assert value is not None  # nobody cancels it
                found[move].append(value)
                best = max(best, value)
    return [tuple(found[firsts[move]]) for move in position.legal_moves]


def features_of(
    position: Position, values: Sequence[Sequence[int]], games: Sequence[float], habits: Sequence[float]
) -> list[list[float]]:
    """Return the `FEATURES` of each legal move.

    Args:
        position: a position of the standard game in which the mover can place a disc.
        values: what `values_of` returns.
        games: in how many games of the archive each move was played.
        habits: what `habits_of` returns.
    """
    view = _View(position, values, games)
    squares = map(_square, position.legal_moves)
    return [
        [*view.features(square, number), habit]
        for number, (square, habit) in enumerate(zip(squares, habits, strict=True))
    ]


def _square(move: Move) -> Square:
    assert isinstance(move, Square)
    return move


class _View:
    """A position as a player looks at it; what all moves have in common."""

    def __init__(self, position: Position, values: Sequence[Sequence[int]], games: Sequence[float]) -> None:
        self.position = position
        self.values = values
        self.games = games
        self.all_games = sum(games)
        self.moves = position.legal_moves.placements
        self.corners = _CORNERS & position.empty
        self.threatened = position.with_to_move(position.to_move.opponent).legal_moves.placements
        self.unsafe = sum(1 << square for square, corner in _BESIDE.items() if self.corners >> corner & 1)
        self.regions = regions(position) if position.empties <= _REGIONS_FROM else []
        self.ranked = [sorted(set(column), reverse=True) for column in zip(*values, strict=True)]

    def features(self, square: Square, number: int) -> list[float]:
        position, corners, games = self.position, self.corners, self.games[number]
        bit, at = square.bit, square.index
        after = position.play(square)
        mine, theirs = after.opponent, after.player
        replies, own = after.legal_moves.placements, after.with_to_move(position.to_move).legal_moves.placements
        flipped = position.opponent & mine
        left = position.empty & ~bit
        near = around(left)
        beside = around(bit) & ~bit
        exposed = (flipped & near).bit_count()
        area = next((area for area in self.regions if area & bit), 0).bit_count()
        by_corner = bool(self.unsafe & bit)
        diagonal = _KINDS[_KIND_OF[at]] == "X-square"
        ranks = [ranked.index(value) for ranked, value in zip(self.ranked, self.values[number], strict=True)]
        losses = [
            min(ranked[0] - value, _MOST_LOST) / _MOST_LOST
            for ranked, value in zip(self.ranked, self.values[number], strict=True)
        ]
        return [
            *losses,
            *map(math.sqrt, losses),
            *(float(not rank) for rank in ranks),
            *(float(rank == 1) for rank in ranks[2:]),
            float(_sign(self.ranked[-1][0]) - _sign(self.values[number][-1])),
            *(float(_KIND_OF[at] == kind) for kind in range(len(_KINDS) - 1)),
            float(by_corner and diagonal),
            float(by_corner and not diagonal),
            float((replies & corners & ~self.threatened).bit_count()),
            0.0 if bit & corners else float((self.threatened & corners & ~replies).bit_count()),
            float((own & corners & ~self.moves).bit_count()),
            float((self.moves & corners & ~bit & ~own).bit_count()),
            float((replies & _CORNERS).bit_count()),
            replies.bit_count() / 10,
            math.sqrt(replies.bit_count() / 10),
            (replies & ~self.unsafe).bit_count() / 10,
            float(not replies),
            own.bit_count() / 10,
            (mine & near).bit_count() / 10,
            (theirs & near).bit_count() / 10,
            flipped.bit_count() / 10,
            float(flipped.bit_count() == 1),
            (flipped & beside).bit_count() / 4,  # each direction begins beside the square
            exposed / 4,
            float(not exposed),
            (flipped & _EDGES).bit_count() / 4,
            (mine & _EDGES & around(replies & _EDGES)).bit_count() / 4,
            *_on_edge(position, at),
            _from_corner(mine, at),
            (beside & ~position.empty).bit_count() / 8,
            (beside & position.player).bit_count() / 8,
            float(area % 2),
            float(area == 1),
            math.log1p(games),
            games / self.all_games if games else 0.0,
        ]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _along(square: int) -> tuple[int, int]:
    """Return the step along the edge of a square, and its steps from the first corner; 0, 0 elsewhere."""
    row, column = square >> 3, square & 7
    if row in (0, 7):
        return 1, column
    return (8, row) if column in (0, 7) else (0, 0)


def _on_edge(position: Position, square: int) -> list[float]:
    """Return what is beside a square of an edge: an opponent, own discs, two opponents, gaps, or nothing."""
    step, at = _along(square)
    if not 0 < at < 7:
        return [0.0] * 5
    sides = 1 << square - step | 1 << square + step
    theirs, own = (sides & position.opponent).bit_count(), (sides & position.player).bit_count()
    gaps = sum(
        0 <= at + 2 * way <= 7
        and position.empty >> square + way * step & 1
        and not position.empty >> square + 2 * way * step & 1
        for way in (-1, 1)
    )
    return [float(theirs == 1), float(own > 0), float(theirs == 2), gaps / 2, float(not (theirs or own or gaps))]


def _from_corner(mine: int, square: int) -> float:
    """Return 1 where own discs reach from a square along its edge to a corner."""
    step, at = _along(square)
    if not step:
        return 0.0
    first = square - at * step
    run = [mine >> first + step * place & 1 for place in range(8)]
    return float(all(run[: at + 1]) or all(run[at:]))


def played_games(
    openings: Mapping[Position, Mapping[int, float]], position: Position, without: Move | None = None
) -> list[float]:
    """Return in how many games of the archive each legal move was played; moves alike by symmetry share theirs.

    Args:
        openings: the games by the position that stands for all symmetric ones, Black to move, and the square.
        position: the position.
        without: a move played in one of these games, which is left out.
    """
    moves: list[Move] = list(position.legal_moves)
    if position.empties < 60 - OPENING_PLIES:
        return [0.0] * len(moves)
    image = Image.canonical(Position.from_discs(position.player, position.opponent))
    found = openings.get(image.position, {})
    counts = [found.get(move.index, 0.0) for move in image.moves(moves)]
    if without is not None and (played := counts[moves.index(without)]):
        counts[moves.index(without)] = played - 1
    if any(counts):
        firsts = twins(position)
        alike: dict[Move, list[float]] = {}
        for move, count in zip(moves, counts, strict=True):
            alike.setdefault(firsts[move], []).append(count)
        counts = [sum(alike[firsts[move]]) / len(alike[firsts[move]]) for move in moves]
    return [count if count >= LEAST_PLAYED else 0.0 for count in counts]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the model says of a position, move by move.

    Attributes:
        moves: the legal moves.
        chances: the chance of each.
        values: what each is worth, in discs, by the deepest search of the model.
    """

    moves: tuple[Move, ...]
    chances: tuple[float, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """The fitted model.

    Attributes:
        weights: of each feature, one for each number of `basis_of`.
        openings: see `played_games`.
        habits: the weights of `habits_of`.
    """

    weights: Mapping[str, Sequence[float]]
    openings: Mapping[Position, Mapping[int, float]]
    habits: Sequence[int]

    def see(self, position: Position, rating: float) -> Seen:
        """Return the chances of the legal moves of a position in which the game is not over.

        Raises:
            InputError: the position is not one of the standard game.
        """
        return self.see_all(position, (rating,))[0]

    def see_all(self, position: Position, ratings: Sequence[float]) -> list[Seen]:
        """Return what `see` returns, for several ratings."""
        check_standard(position.rules)
        image = Image.canonical(position)  # mirror images have the same chances
        seen = image.position
        values = values_of(seen)
        best, games = max(each[-1] for each in values), played_games(self.openings, seen)
        rows = [[0.0] * len(FEATURES)]
        if len(values) > 1:
            rows = features_of(seen, values, games, habits_of(seen, self.habits))
        moves = image.moves_back(seen.legal_moves)
        order = sorted(range(len(moves)), key=moves.__getitem__)
        found = []
        for rating in ratings:
            basis = basis_of(seen.empties, rating, best, len(values))
            weights = [_product(basis, self.weights[name]) for name in FEATURES]
            scores = [_product(weights, row) for row in rows]
            most = max(scores)
            parts = [math.exp(score - most) for score in scores]
            whole = math.fsum(parts)
            found.append(
                Seen(
                    tuple(moves[at] for at in order),
                    tuple(parts[at] / whole for at in order),
                    tuple(values[at][-1] for at in order),
                )
            )
        return found

    def log_chances(self, position: Position, move: Move) -> list[float]:
        """Return the logarithm of the chance of a move at the ratings of `GRID`."""
        ends = self.see_all(position, RATINGS)
        played = ends[0].moves.index(move)
        logs = []
        for rating in GRID:
            # scores are linear in the rating, and logarithms of chances are scores less one number for all moves
            share = (rating - RATINGS[0]) / (RATINGS[1] - RATINGS[0])
            scores = [
                (1 - share) * math.log(one) + share * math.log(other)
                for one, other in zip(ends[0].chances, ends[1].chances, strict=True)
            ]
            most = max(scores)
            logs.append(scores[played] - most - math.log(math.fsum(math.exp(score - most) for score in scores)))
        return logs


def check_standard(rules: Rules) -> None:
    """Refuse other rules than those of the standard game.

    Raises:
        InputError: they are others.
    """
    if not rules.same_play(OTHELLO):
        raise InputError(f"the model of people's moves knows the standard game, not {rules}")


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


@functools.cache
def default_model() -> Model:
    """Return the model that comes with the package."""
    text = Path(__file__).with_name(FILE_NAME).read_text(encoding="ascii")
    data = json.loads(text)
    return Model(data["weights"], read_openings(data["openings"]), default_habits())


def format_model(model: Model) -> str:
    """Return the content of the model's file."""
    data = {"weights": model.weights, "openings": format_openings(model.openings)}
    return json.dumps(data, separators=(",", ":"), indent=None) + "\n"


def _next(position: Position, square: int) -> Position:
    after = position.play(SQUARES[square])
    return Position.from_discs(after.player, after.opponent).canonical()


def format_openings(openings: Mapping[Position, Mapping[int, float]]) -> str:
    """Write the games of openings: in brackets the moves of a position, each with its square, a logarithm of its
    games, and the position after it where that is known and not yet written.
    """
    written: set[Position] = set()

    def parts(position: Position) -> Iterator[str]:
        written.add(position)
        yield "("
        for square, games in sorted(openings[position].items()):
            yield _DIGITS[square] + _DIGITS[min(round(_PER_DOUBLING * math.log2(games)), 63)]
            after = _next(position, square)
            if after in openings and after not in written:
                yield from parts(after)
        yield ")"

    return "".join(parts(Position().canonical()))


def read_openings(text: str) -> dict[Position, dict[int, float]]:
    """Read what `format_openings` writes."""
    openings: dict[Position, dict[int, float]] = {}
    line: list[Position] = []
    after = Position().canonical()
    signs = iter(text)
    for sign in signs:
        if sign == "(":
            line.append(after)
            openings[after] = {}
        elif sign == ")":
            line.pop()
        else:
            square = _DIGITS.index(sign)
            openings[line[-1]][square] = 2 ** (_DIGITS.index(next(signs)) / _PER_DOUBLING)
            after = _next(line[-1], square)
    return openings
