"""Answers to questions about positions: scored moves, a solution, how far a search is."""

from __future__ import annotations

from dataclasses import dataclass

from reversi._core import Move, Position
from reversi.color import Color
from reversi.score import Kind, Score

__all__ = ["MoveScore", "Progress", "Solution"]


@dataclass(frozen=True, slots=True)
class MoveScore:
    """One legal move with its score and line, from the view of the player who makes it.

    Attributes:
        move: the move.
        score: its value; ``EXACT``, or a bound when the search was stopped.
        pv: the line that proves it, the move included; passes are in it.
    """

    move: Move
    score: Score
    pv: tuple[Move, ...]

    def __str__(self) -> str:
        return f"{self.move} {self.score}"


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to a question about a position.

    Attributes:
        position: the position asked about.
        score: its value from the mover's view, with its kind and bounds. A search that was stopped gives what was
            proved until then, or, when nothing was, the likely value that its selective searches found.
        best: one proven best move, or all equal ones in a1, b1, … order when every move was asked for; empty in a
            finished game, and while none is proved: after a time limit, and outside a window on its lower side.
        pv: the principal variation, passes included; as far as it was proved when the search was stopped.
        moves: every legal move's score, best first, when every move was asked for.
        likely: the move that looks best while none is proved; ``None`` where ``best`` has one, and when the
            game is over.
    """

    position: Position
    score: Score
    best: tuple[Move, ...]
    pv: tuple[Move, ...]
    moves: tuple[MoveScore, ...] = ()
    likely: Move | None = None

    def value_for(self, color: Color) -> int:
        """Return the value in discs from a side's view; of a bound, the bound."""
        return int(self.score.pov(color))

    @property
    def is_exact(self) -> bool:
        """Whether the value, and every asked move's value, is proved."""
        return self.score.kind is Kind.EXACT and all(move.score.kind is Kind.EXACT for move in self.moves)

    def __str__(self) -> str:
        best = " ".join(map(str, self.best))
        return f"{self.score}, best {best}" if best else str(self.score)

    def _repr_svg_(self) -> str:
        """Return the board with the scores as SVG, which notebooks show."""
        from reversi.render.scores import solution_svg

        return solution_svg(self)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search knows so far.

    Attributes:
        lower: proved lower bound of the value.
        upper: proved upper bound of the value.
        best: a move that reaches ``lower``.
        nodes: positions visited.
        time_s: wall-clock seconds.
    """

    lower: int
    upper: int
    best: Move | None
    nodes: int
    time_s: float
