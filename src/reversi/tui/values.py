"""The values of the positions of a game for the graph: noted in the game, or computed when there is time."""

from __future__ import annotations

from typing import Final

from reversi._core import Position
from reversi.color import Color
from reversi.game.game import Game
from reversi.game.ply import Ply
from reversi.score import Kind, Score

_MOST: Final = 2000


def _surer(score: Score, other: Score | None) -> Score:
    """Return the surer score: exact before selective, then the deeper one; ``score`` for equal ones."""
    return score if other is None or _rank(score) >= _rank(other) else other


def _rank(score: Score) -> tuple[bool, bool, int]:
    return score.kind is Kind.EXACT, score.kind is Kind.SELECTIVE, score.depth


class Values:
    """The known values of positions, from Black's view."""

    def __init__(self) -> None:
        self._known: dict[Position, Score] = {}

    def learn(self, position: Position, score: Score) -> None:
        """Keep the score of a position, from the view of the player to move, unless a surer one is known."""
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[position] = _surer(score.pov(Color.BLACK), self._known.get(position))

    def of(self, game: Game) -> list[Score | None]:
        """Return the value after every ply, ``None`` if unknown: the noted or the computed one."""
        return [self._after(ply) for ply in game]

    def _after(self, ply: Ply) -> Score | None:
        score = self._of(ply.after)
        if ply.evaluation is None:
            return score
        noted = ply.evaluation.pov(Color.BLACK).for_position()
        return noted if score is None else _surer(score, noted)

    def missing(self, game: Game) -> Position | None:
        """Return the latest position of a game without a value, or ``None``."""
        for ply in reversed(tuple(game)):
            if ply.evaluation is None and self._of(ply.after) is None:
                return ply.after
        return None

    def _of(self, position: Position) -> Score | None:
        result = position.result
        if result is not None:
            return Score.exact(result.score, Color.BLACK)
        return self._known.get(position)
