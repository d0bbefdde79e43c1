"""The text of XBoard's reversi dialect: moves, boards in FEN, results.

Black's discs are ``p`` and White's ``P``. The ranks of a board in FEN run from 8 down to 1. A rank has the number
of its row, so that a square has the same name everywhere.
"""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move, Position
from reversi.color import Color
from reversi.errors import BoardError, InvalidMoveError
from reversi.rules import Rules
from reversi.score import Result

_PASSES: Final = ("@@@@", "pass", "--")
_MOVE = re.compile(r"(?:p@)?([a-h][1-8])", re.IGNORECASE)
_SIDES: Final = {"b": Color.BLACK, "w": Color.WHITE}


def parse_xboard_move(text: str) -> Move | None:
    """Read ``P@f5``, ``f5`` or ``@@@@``; ``None`` for anything else."""
    if text.lower() in _PASSES:
        return PASS
    match = _MOVE.fullmatch(text)
    if match is None:
        return None
    try:
        return Move.parse(match[1].lower())
    except InvalidMoveError:
        return None


def format_xboard_move(move: Move) -> str:
    """Return a move as XBoard's dialect writes it: ``P@f5``, ``@@@@``."""
    return "@@@@" if move.is_pass else f"P@{move}"


def parse_fen(text: str, rules: Rules) -> Position:
    """Read a position in FEN.

    Raises:
        BoardError: it is not one on the board of these rules.
    """
    words = text.split()
    side = _SIDES.get(words[1]) if len(words) > 1 else None
    if side is None:
        raise BoardError("a position in FEN has a board and the side to move, b or w")
    ranks = words[0].split("/")
    size = rules.board
    if len(ranks) != size.rows:
        raise BoardError(f"a board in FEN has {size.rows} ranks, not {len(ranks)}")
    discs = {"p": 0, "P": 0}
    for row, rank in zip(range(size.rows - 1, -1, -1), ranks, strict=True):
        column = 0
        for character in rank:
            if character in discs and column < size.columns:
                discs[character] |= 1 << (8 * row + column)
                column += 1
            elif character in "12345678":
                column += int(character)
            else:
                raise BoardError(f"rank {row + 1} has {character!a} where p, P or a number can be")
        if column != size.columns:
            raise BoardError(f"rank {row + 1} has {column} squares, not {size.columns}")
    return Position.from_discs(discs["p"], discs["P"], side, rules)


def format_fen(position: Position) -> str:
    """Return a position in FEN."""
    size = position.rules.board
    ranks = []
    for row in range(size.rows - 1, -1, -1):
        cells = ""
        for column in range(size.columns):
            bit = 1 << (8 * row + column)
            cells += "p" if position.black & bit else "P" if position.white & bit else "1"
        ranks.append(re.sub("1+", lambda run: str(len(run[0])), cells))
    return f"{'/'.join(ranks)} {'b' if position.to_move is Color.BLACK else 'w'} - - 0 1"


def format_result(result: Result) -> str:
    """Return a result; 1-0 is a win of Black, who moves first."""
    if result.winner is None:
        return f"1/2-1/2 {{Draw {result.discs}}}"
    return f"{'1-0' if result.winner is Color.BLACK else '0-1'} {{{result.winner} wins {result.discs}}}"
