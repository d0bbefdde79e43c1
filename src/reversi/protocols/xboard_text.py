"""The text of XBoard's reversi dialect: moves and results; `reversi.text.fen` reads its boards."""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move, Square
from reversi.color import Color
from reversi.score import Result

_PASSES: Final = ("@@@@", "pass", "--")
_MOVE = re.compile(r"(?:p@)?([a-h][1-8])", re.IGNORECASE)


def parse_xboard_move(text: str) -> Move | None:
    """Read ``P@f5``, ``f5`` or ``@@@@``; ``None`` for anything else."""
    if text.lower() in _PASSES:
        return PASS
    match = _MOVE.fullmatch(text)
    return Square(match[1].lower()) if match else None


def format_xboard_move(move: Move) -> str:
    """Return a move as XBoard's dialect writes it: ``P@f5``, ``@@@@``."""
    return "@@@@" if move.is_pass else f"P@{move}"


def format_result(result: Result) -> str:
    """Return a result; 1-0 is a win of Black, who moves first."""
    if result.winner is None:
        return f"1/2-1/2 {{Draw {result.discs}}}"
    return f"{'1-0' if result.winner is Color.BLACK else '0-1'} {{{result.winner} wins {result.discs}}}"
