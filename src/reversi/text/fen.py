"""Positions in FEN as Edax and XBoard write them: ``p`` is a disc of Black and ``P`` one of White.

The ranks of the board run from 8 down to 1. A rank has the number of its row, so that a square has the same name
everywhere.
"""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi._core import Position
from reversi.color import Color
from reversi.errors import BoardError
from reversi.rules import OTHELLO, Rules
from reversi.text.cells import discs_of

_SIDES: Final = {"b": Color.BLACK, "w": Color.WHITE}
_STRANGE: Final = re.compile("[^pP1-8]")
_CELLS: Final = str.maketrans({"p": "X", "P": "O", **{str(count): "-" * count for count in range(1, 9)}})


def parse_fen(text: str, rules: Rules = OTHELLO) -> Position:
    """Read a position in FEN.

    Raises:
        BoardError: it is not one on the board of these rules.
    """
    words, size = text.split(), rules.board
    if len(words) < 2 or words[1][0] not in _SIDES:
        raise BoardError("a position in FEN has a board and the side to move, b or w")
    ranks = words[0].split("/")
    if len(ranks) != size.rows:
        raise BoardError(f"a board in FEN has {size.rows} ranks, not {len(ranks)}")
    cells = ""
    for row, rank in enumerate(reversed(ranks), 1):
        if strange := _STRANGE.search(rank):
            raise BoardError(f"rank {row} has {strange[0]!a} where p, P or a number can be")
        row_cells = rank.translate(_CELLS)
        if len(row_cells) != size.columns:
            raise BoardError(f"rank {row} has {len(row_cells)} squares, not {size.columns}")
        cells += row_cells
    return Position.from_discs(*discs_of(cells, size.columns), _SIDES[words[1][0]], rules)
