"""Discs flipped by hand: any set of discs on the board, right or wrong.

`reversi.game.ply.Ply.hand_flips` keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Move, Position, Square
from reversi.color import Color
from reversi.errors import ArgumentError, IllegalMoveError


def play_with_flips(position: Position, move: Move, flips: Iterable[Square]) -> Position:
    """Return the position after a legal move that flips exactly the discs on ``flips``.

    Raises:
        IllegalMoveError: the move is not legal, the move is a pass, or a square of ``flips`` is empty.
    """
    after = position.play(move)
    discs, bits = position.black | position.white, 0
    for square in flips:
        if move.is_pass:
            raise _refusal(move, "a pass flips no discs")
        if not discs >> square.index & 1:
            raise _refusal(move, f"{square} has no disc to flip")
        bits |= square.bit
    placed = 0 if move.is_pass else 1 << move.index
    player = (position.player & ~bits) | (position.opponent & bits) | placed
    opponent = (position.opponent & ~bits) | (position.player & bits)
    if (player, opponent) == (after.opponent, after.player):
        return after
    black, white = (player, opponent) if position.to_move is Color.BLACK else (opponent, player)
    return Position.from_discs(black, white, position.to_move.opponent, position.rules)


def flip_squares(flips: Iterable[Square | str]) -> tuple[Square, ...]:
    """Return squares or their texts as squares, in order, each once."""
    if isinstance(flips, str):
        raise ArgumentError('flips must be several squares, not one text; put it into a list, ["f5"]')
    return tuple(sorted({each if isinstance(each, Square) else Square(each) for each in flips}))


def _refusal(move: Move, reason: str) -> IllegalMoveError:
    return IllegalMoveError(f"{move}: {reason}", str(move), reason)
