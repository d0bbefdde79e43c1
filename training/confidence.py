"""The confidence of selective searches: how often each level is right.

About positions of real games that took no part in the training, searches to the end at each selective level are
asked for the value, and whether it is above numbers near the exact one; with an empty table every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reversi._core import Position, Table, Task, Weights
from reversi.color import Color
from reversi.rules import OTHELLO
from reversi.solver.solver import Solver
from training.check import held_out_games
from training.positions import balanced_openings, generate
from training.wthor import ARCHIVE, read_games

CONFIDENCE_NUMBERS = list(range(16, 25))  # below 15 the solver has no selective search
MIDDLE = 19  # where the curves are pinned
ALL = 64  # a depth that reaches the end of every game


@dataclass(frozen=True)
class Solved:
    """A position and its exact value for the mover, in discs."""

    position: Position
    value: int


@dataclass
class Tally:
    """The answers of one level about positions with one number of empty squares.

    Attributes:
        level: of the kernel, see MARGIN in upper.pxi; ``EXACT_LEVEL`` proves.
        empties: empty squares.
        positions: the number of positions.
        exact: the number whose exact value a search with an open window found.
        off: the sum of the errors, in discs.
        asked: for each distance of alpha from the value, the questions asked.
        right: for each distance, the questions answered rightly.
        nodes: positions reached by placements, in all searches.
    """

    level: int
    empties: int
    positions: int
    exact: int
    off: int
    asked: dict[int, int]
    right: dict[int, int]
    nodes: int


def wilson(right: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval; E. B. Wilson, 1927)."""
    if not count:
        return 0.0, 1.0
    z = 1.96
    share = right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return middle - half, middle + half


def solved_positions(
    data: Path, years: tuple[int, int], n: int, count: int, weights: Weights, seed: int
) -> list[Solved]:
    """Return up to `count` positions with `n` empty squares of real games of `years`, solved; the archive
    has solved those with 24 already. Without the files they come from self-play."""
    p, o, known = held_out_games(data, years, n, count, seed)
    if not len(p):
        none = read_games(data / "wthor", 0, 0)
        p, o, tail = generate(n, 4 * count + 20, seed, weights, none, balanced_openings(1000, seed, weights))
        p, o = p[tail == 0][:count], o[tail == 0][:count]
    solver = Solver(64, evaluation=weights)
    found = []
    for i, (mine, theirs) in enumerate(zip(p.tolist(), o.tolist(), strict=True)):
        position = Position.from_discs(mine, theirs, Color.BLACK, OTHELLO)
        if n == ARCHIVE and len(known):
            found.append(Solved(position, int(known[i])))
        else:
            solver.clear()
            found.append(Solved(position, solver.solve(position).score.value))
    return found


def judge(
    solved: Sequence[Solved], weights: Weights, levels: Sequence[int], distances: Sequence[int]
) -> Iterator[Tally]:
    """Question each level about positions with one number of empty squares.

    A distance of 0 asks whether the value is above itself less 1, and above itself; 2 whether it is above itself
    less 3, and above itself and 2; and so on. Questions beyond the range of scores are left out.
    """
    table = Table(64)
    empties = solved[0].position.empties if solved else 0
    for level in levels:
        task = Task(table, weights)

        def ask(position: Position, alpha: int, beta: int, task: Task = task, level: int = level) -> int:
            table.clear()
            value = task.value(position, alpha, beta, ALL, level)
            assert value is not None  # not cancelled
            return value

        none = dict.fromkeys(distances, 0)
        tally = Tally(level, empties, len(solved), 0, 0, none, dict(none), 0)
        for one in solved:
            value = ask(one.position, -65, 65)
            tally.exact += value == one.value
            tally.off += abs(value - one.value)
            for distance in distances:
                for alpha in (one.value - distance - 1, one.value + distance):
                    if -65 < alpha < 64:
                        above = ask(one.position, alpha, alpha + 1) > alpha
                        tally.asked[distance] += 1
                        tally.right[distance] += above == (one.value > alpha)
        tally.nodes = task.nodes
        yield tally


def summed(tallies: Sequence[Tally]) -> Tally:
    """Add up the tallies of one level for several numbers of empty squares."""
    total = replace(tallies[0], asked=dict(tallies[0].asked), right=dict(tallies[0].right))
    for one in tallies[1:]:
        total.positions += one.positions
        total.exact += one.exact
        total.off += one.off
        total.nodes += one.nodes
        for distance in total.asked:
            total.asked[distance] += one.asked[distance]
            total.right[distance] += one.right[distance]
    return total


def curve(tallies: Sequence[Tally]) -> tuple[float, float]:
    """One level's share of exact values by the number of empty squares, as a logistic curve.

    The logarithm of the odds at 19 empty squares, and its slope. Fitted by likelihood; every number of empty
    squares gets half a position more that was right, and half a one that was wrong.
    """
    level = slope = 0.0
    for _ in range(50):  # Newton's method: ten would do
        gradient = [0.0, 0.0]
        hessian = [1e-9, 0.0, 1e-9]
        for tally in tallies:
            x, count = tally.empties - MIDDLE, tally.positions + 1
            share = 1 / (1 + math.exp(-max(-30.0, min(30.0, level + slope * x))))
            off, weight = tally.exact + 0.5 - count * share, count * share * (1 - share)
            gradient = [gradient[0] + off, gradient[1] + off * x]
            hessian = [hessian[0] + weight, hessian[1] + weight * x, hessian[2] + weight * x * x]
        determinant = hessian[0] * hessian[2] - hessian[1] ** 2
        level += (gradient[0] * hessian[2] - gradient[1] * hessian[1]) / determinant
        slope += (gradient[1] * hessian[0] - gradient[0] * hessian[1]) / determinant
    return level, slope
