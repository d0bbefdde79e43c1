"""Positions that are the same by a symmetry of the board, and the moves that lead to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reversi._core import Move, Position, canonical_key


def twins(position: Position) -> dict[Move, Move]:
    """For each legal move, the first one that leads to the same position up to symmetry: it speaks for all."""
    first: dict[int, Move] = {}
    return {move: first.setdefault(canonical_key(position.play(move)), move) for move in position.legal_moves}


@dataclass(frozen=True, slots=True)
class Image:
    """A position as a symmetry of the board shows it.

    Attributes:
        position: the image.
        index: the symmetry that leads there, see `Position.symmetry`.
    """

    position: Position
    index: int

    @classmethod
    def canonical(cls, position: Position) -> Image:
        """Return the image that stands for a position and all that are symmetric to it."""
        return cls.like(position, position.canonical())

    @classmethod
    def like(cls, position: Position, image: Position) -> Image:
        """Return a position as the image given, one of its `Position.symmetries`."""
        return cls(image, position.symmetries().index(image))

    def moves(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Return moves of the position as moves of the image."""
        return _moved(moves, self.index, self.position)

    def moves_back(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Return moves of the image as moves of the position."""
        # back from mirrors and a transposition: the transposition, then the mirrors; or the other mirrors, then it
        index = self.index
        back = 4 | (index & 1) << 1 | (index & 2) >> 1 if index & 4 else index
        return _moved(moves, back, self.position)


def _moved(moves: Iterable[Move], index: int, position: Position) -> tuple[Move, ...]:
    rules = position.rules
    return tuple(move.symmetry(index, rules) for move in moves)
