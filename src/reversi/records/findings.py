"""What can be wrong with a recorded game, as stable codes with a message and a place."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["Code", "Finding"]


class Code(enum.Enum):
    """The kinds of findings. The values are stable: programs may rely on them."""

    DUPLICATE_SQUARE = "duplicate-square"
    """A disc is placed on an occupied square, the start discs included."""
    ILLEGAL_MOVE = "illegal-move"
    """The square is empty, but the rules do not allow the move."""
    PASS_REQUIRED = "pass-required"
    """A disc is placed by a player who must pass."""
    PASS_FORBIDDEN = "pass-forbidden"
    """A pass where the rules allow none."""
    WRONG_FLIPS = "wrong-flips"
    """The discs that were flipped by hand are not those of the rules."""
    RESULT_MISMATCH = "result-mismatch"
    """The recorded result is not that of the board, or is given twice and differently."""
    TRUNCATED = "truncated"
    """The file ends inside a token, tag, comment or variation, or a game of this format has no result."""
    INVALID_MOVE = "invalid-move"
    """A word among the moves is no move at all."""
    BAD_TAG = "bad-tag"
    """The start position or the rules cannot be understood."""
    SYNTAX = "syntax"
    """Anything else that is not written as a record is."""

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a game.

    Attributes:
        code: what kind of thing.
        message: what exactly, in a line.
        ply: the turn it concerns, from 1, passes counted, or ``None`` when it concerns none.
        line: the line of the file, from 1, or ``None`` for a record that was not read from one.
        column: the column in that line, from 1, or ``None``.
    """

    code: Code
    message: str
    ply: int | None = None
    line: int | None = None
    column: int | None = None
