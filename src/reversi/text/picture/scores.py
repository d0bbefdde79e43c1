"""Scores of moves as texts and colors on squares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypedDict

from reversi._core import Move, Position, Square
from reversi.score import Kind, MoveValue, Score, score_text, short_score
from reversi.text.picture.board import svg


class ScoredMove(Protocol):
    """A move with its score: what `reversi.hint` and `reversi.solve` find."""

    @property
    def move(self) -> Move:
        """The move."""

    @property
    def score(self) -> MoveValue:
        """Its value for the player who makes it."""


class Answer(Protocol):
    """What `reversi.solve` says of a position."""

    @property
    def position(self) -> Position:
        """The position."""

    @property
    def score(self) -> Score:
        """What it is worth."""

    @property
    def best(self) -> Sequence[Move]:
        """Its best moves."""

    @property
    def moves(self) -> Sequence[ScoredMove]:
        """Its moves with their scores, if all were asked for."""


class ScoredSquares(TypedDict):
    """The options of a picture that show scores."""

    values: dict[Square, str]
    losses: dict[Square, float]


def solution_svg(solution: Answer) -> str:
    """Return a solution as SVG: each move with its score where all were asked for, else the best move with its
    score.

    The caption says what the position is worth.

    Args:
        solution: the answer to a question about a position.
    """
    position, score = solution.position, solution.score
    if solution.moves:
        marks: dict[str, Any] = {**scored_moves(solution.moves)}
    else:
        best = [move for move in solution.best if isinstance(move, Square)]
        marks = {"values": dict.fromkeys(best, short_score(score)), "highlights": best}
    return svg(position, caption=score_text(score), **marks)


def scored_moves(moves: Iterable[ScoredMove]) -> ScoredSquares:
    """Return the options that show the scores of moves on a board, and what each move loses against the best one.

        >>> from reversi import Position, hint
        >>> sorted(scored_moves(hint(Position(), 2, level=4)))
        ['losses', 'values']

    A bound or a won game is not a number of discs to compare, and scores of different kinds are not compared:
    ``losses`` is empty then. A pass has no square and is left out.

    Args:
        moves: moves of one position with their scores.
    """
    scored = [(it.move, it.score) for it in moves]
    values = {move: short_score(score) for move, score in scored if isinstance(move, Square)}
    kinds = {score.kind for _, score in scored}
    if len(kinds) != 1 or kinds & {Kind.LOWER, Kind.UPPER, Kind.WLD}:
        return {"values": values, "losses": {}}
    best = max(score.value for _, score in scored)
    losses: dict[Square, float] = {move: best - it.value for move, it in scored if isinstance(move, Square)}
    return {"values": values, "losses": losses}
