"""Findings about recorded games: a stable code, a message and a place."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final


class Code(enum.Enum):
    """The kinds of findings. The values are stable: programs may rely on them."""

    DUPLICATE_SQUARE = "duplicate-square"
    """A disc is placed on an occupied square, the start discs included."""
    ILLEGAL_MOVE = "illegal-move"
    """The square is empty, but the rules do not allow the move."""
    PASS_REQUIRED = "pass-required"
    """A player who must pass places a disc."""
    PASS_FORBIDDEN = "pass-forbidden"
    """A pass where the rules forbid it."""
    WRONG_FLIPS = "wrong-flips"
    """The discs flipped by hand are not those of the rules."""
    RESULT_MISMATCH = "result-mismatch"
    """The recorded result differs from the board, or from itself where it is given twice."""
    TRUNCATED = "truncated"
    """The file ends inside a token, tag, comment or variation, or a game of this format has no result."""
    UNKNOWN_YEAR = "unknown-year"
    """The date has digits, but no number that can only be the year."""
    INVALID_MOVE = "invalid-move"
    """A word among the moves is not a move."""
    UNKNOWN_MEMBER = "unknown-member"
    """A member beside the moves or the start that may change what they mean."""
    LOST_CHARACTERS = "lost-characters"
    """A tag or comment has bytes that are no characters in the encoding of the file."""
    BAD_TAG = "bad-tag"
    """The start position or the rules are malformed."""
    SYNTAX = "syntax"
    """Anything else that breaks the format."""

    def __str__(self) -> str:
        return str(self.value)


UNDERSTOOD: Final = (Code.RESULT_MISMATCH, Code.UNKNOWN_YEAR, Code.WRONG_FLIPS, Code.LOST_CHARACTERS)
"""A game with only these findings is well-formed: its record says what the file says."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake in a game.

    Attributes:
        code: the kind of mistake.
        message: the mistake, in one line.
        ply: the turn it concerns, from 1, passes counted, or ``None`` for the game as a whole.
        line: the line of the file, from 1, or ``None`` for a record that was not read from one.
        column: the column in that line, from 1, or ``None``.
    """

    code: Code
    message: str
    ply: int | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = "" if self.ply is None else f"ply {self.ply}: "
        return f"{place}{self.message} [{self.code}]"


def game_finding_line(name: str, game: int, black: str, white: str, finding: Finding) -> str:
    """Return a finding as a line for people, as `reversi.records.entry.finding_line` gives it."""
    place = f"{name}:game {game} ({black}–{white})"
    if finding.ply is not None:
        place += f":ply {finding.ply}"
    elif finding.line is not None:
        place += f":line {finding.line}"
    return f"{place}: {finding.message} [{finding.code}]"
