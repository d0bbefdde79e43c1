"""How the weakest levels choose a move: like people who learn the game.

A beginner does not see every move. It judges the moves that it sees by what a beginner looks at: how many discs
they flip, corners, later edges, the squares beside corners, and a part of what one move of looking ahead shows; it
misjudges them, and plays the move that it likes best. A corner always counts for a move, never against it. The
weights are measured (`benchmarks/ladder.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reversi._core import Move, Position, Random
from reversi.engine.corners import corners_of, edge_of
from reversi.solver.solution import MoveScore

_ONE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Beginner:
    """What a beginner sees, and what it thinks that it is worth, in discs.

    Attributes:
        sees: the chance that it notices a disc which a placement flips, 0 to 1; one such disc shows the placement.
        discs: what a flipped disc is worth to it.
        corner: what a corner is worth.
        edge: what another square of an edge is worth.
        beside: what a square beside an empty corner is worth: all of it on the diagonal (X), half on the edge (C).
        ahead: how much of the evaluation after the move it understands, 0 to 1.
        noise: discs by which it misjudges moves, as a standard deviation.
    """

    sees: float
    discs: float
    corner: float
    edge: float
    beside: float
    ahead: float
    noise: float


BEGINNERS: Final = (
    Beginner(sees=0.05, discs=0.1, corner=1, edge=0, beside=0, ahead=0, noise=5),
    Beginner(sees=0.35, discs=0.5, corner=4.5, edge=0.5, beside=0, ahead=0, noise=3.8),
    Beginner(sees=0.5, discs=0.4, corner=8, edge=2, beside=-1.5, ahead=0.08, noise=4),
    Beginner(sees=0.57, discs=0.3, corner=9, edge=2.5, beside=-2.5, ahead=0.2, noise=4),
    Beginner(sees=0.6, discs=0.2, corner=10, edge=3, beside=-3, ahead=0.33, noise=4),
    Beginner(sees=0.65, discs=0.15, corner=9, edge=2.5, beside=-3, ahead=0.52, noise=4),
    Beginner(sees=0.72, discs=0.1, corner=8, edge=2, beside=-3, ahead=0.8, noise=4),
)
"""The beginners, the weakest first."""


def beginners_choice(
    beginner: Beginner, position: Position, moves: Sequence[MoveScore], random: Random
) -> MoveScore:
    """Return the move that a beginner plays.

    Args:
        beginner: what it sees.
        position: the position.
        moves: all legal moves with their values one placement ahead.
        random: decides what it sees and misjudges.
    """
    found = sorted((scored for scored in moves if not scored.move.is_pass), key=lambda scored: scored.move)
    if not found:  # nobody skips who can place a disc
        return moves[0]
    seen = [scored for scored in found if _notices(beginner, position, scored.move, random)]
    if not seen:  # it looks on until it finds any
        return found[random.below(len(found))]
    return max(seen, key=_judge(beginner, position, random))


def _notices(beginner: Beginner, position: Position, move: Move, random: Random) -> bool:
    flips = max(len(position.flips(move)), 1)  # other rules have placements that flip nothing
    return random.below(_ONE) >= _ONE * (1 - beginner.sees) ** flips


def _judge(beginner: Beginner, position: Position, random: Random) -> Callable[[MoveScore], float]:
    """Return what a move is worth to a beginner."""
    corners, edge = corners_of(position.rules.board), edge_of(position.rules.board)
    sign = -1 if position.rules.misere else 1

    def value(scored: MoveScore) -> float:
        bit = 1 << scored.move.index
        square = beginner.discs * len(position.flips(scored.move))
        if any(bit == area.corner for area in corners):
            square += beginner.corner
        else:
            on_edge = bool(bit & edge)
            square += beginner.edge * on_edge
            if any(bit & (area.x_square | area.c_squares) and position.empty & area.corner for area in corners):
                square += beginner.beside * (0.5 if on_edge else 1)
        return sign * square + beginner.ahead * scored.score.value + beginner.noise * normal(random)

    return value


def normal(random: Random) -> float:
    """Nearly a number from the standard normal distribution: the sum of twelve even ones (Irwin and Hall)."""
    return sum(random.below(_ONE) for _ in range(12)) / _ONE - 6
