"""Discs flipped by hand: any set of discs on the board, right or wrong.

What was flipped otherwise than the rules say is kept in :attr:`reversi.game.ply.Ply.turned`.
"""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Move, Position, Square
from reversi.color import Color
from reversi.errors import IllegalMoveError

__all__ = ["turned_by_hand"]


def turned_by_hand(position: Position, move: Move, turned: Iterable[Square]) -> Position:
    """The position after a legal turn in which exactly the discs on ``turned`` were turned.

    Raises:
        IllegalMoveError: the move is not allowed, or a disc is said to have turned where there is none.
    """
    after = position.play(move)
    discs, flips = position.black | position.white, 0
    for square in turned:
        if move.is_pass:
            raise _refusal(move, "a pass flips no discs")
        if not discs >> square.index & 1:
            raise _refusal(move, f"there is no disc on {square} to flip")
        flips |= square.bit
    placed = 0 if move.is_pass else 1 << move.index
    player = (position.player & ~flips) | (position.opponent & flips) | placed
    opponent = (position.opponent & ~flips) | (position.player & flips)
    if (player, opponent) == (after.opponent, after.player):
        return after
    black, white = (player, opponent) if position.to_move is Color.BLACK else (opponent, player)
    return Position.from_discs(black, white, position.to_move.opponent, position.rules)


def _refusal(move: Move, reason: str) -> IllegalMoveError:
    return IllegalMoveError(f"{move}: {reason}", str(move), reason)
