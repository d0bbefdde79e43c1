"""Parts of a board that a game must have: a corner, an edge, a whole board with some squares left open."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import reversi._regex as re
from reversi._core import PASS, SQUARES, first_fit
from reversi.arguments import check_type, excerpt
from reversi.errors import InputError
from reversi.records.record import Record
from reversi.records.replay import legal_positions
from reversi.rules import Rules

_PASS: Final = bytes([PASS.index])
_CELLS: Final = str.maketrans("xX*bBoO0wW-.", "XXXXXOOOOO--")
_ROWS: Final = re.compile(r"(?:[XO?-]{1,8}/)*[XO?-]{1,8}")
_EXAMPLES: Final = (
    "write rows of one length, at most 8, of X, O, - (empty) and ? (any), with / between them, as in XX?/XO-"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Squares as a position must have them, in one of the symmetries of its board.

    >>> corner = Pattern("XX/XO")
    >>> corner, Pattern("xx\\n*w") == corner
    (Pattern(text='XX/XO'), True)

    Args:
        text: rows from the corner a1 on: ``X``, ``x``, ``*``, ``B`` or ``b`` is Black, ``O``, ``o``, ``W`` or
            ``w`` White, ``-`` or ``.`` an empty square, ``?`` any. Between rows is ``/`` or a line end; 64 cells
            need none of them, a shorter row is an edge.

    Attributes:
        text: the rows, as ``X``, ``O``, ``-`` and ``?``, with ``/`` between them.

    Raises:
        InputError: the text has none of these forms.
    """

    text: str

    def __post_init__(self) -> None:
        check_type("text", self.text, str)
        lines = self.text.translate(_CELLS).strip("/ \n").replace("\n", "/").split("/")
        rows = ["".join(line.split()) for line in lines]
        if len(rows) == 1 and len(rows[0]) == 64:
            rows = [rows[0][at : at + 8] for at in range(0, 64, 8)]
        text = "/".join(rows)
        if len(rows) > 8 or not _ROWS.fullmatch(text) or len(set(map(len, rows))) > 1:
            raise InputError(f"{excerpt(self.text)} is not a pattern: {_EXAMPLES}")
        object.__setattr__(self, "text", text)

    def is_in(self, record: Record) -> bool:
        """Return whether a game has a position that fits, before an illegal move."""
        images = _images(self, record.rules)
        if not record.line.lists_flips:
            return first_fit(record.start, record.line.numbers, images) >= 0
        return any(
            first_fit(position, b"", images) >= 0 for position in legal_positions(record.line.nodes, record.start)
        )


@lru_cache(maxsize=256)
def _images(pattern: Pattern, rules: Rules) -> bytes:
    """Return the images of a pattern on a board: of each the black, the white and the empty squares as words."""
    rows, board = pattern.text.split("/"), rules.board
    if len(rows) > board.rows or len(rows[0]) > board.columns:
        return b""
    cells = [(8 * row + column, cell) for row, line in enumerate(rows) for column, cell in enumerate(line)]
    images = set()
    for index in range(symmetries(rules)):
        words = dict.fromkeys("XO-?", 0)
        for square, cell in cells:
            words[cell] |= SQUARES[square].symmetry(index, rules).bit
        images.add(b"".join(words[cell].to_bytes(8, sys.byteorder) for cell in "XO-"))
    return b"".join(sorted(images))


def symmetries(rules: Rules) -> int:
    """Return how many symmetries a board has."""
    return 8 if rules.board.rows == rules.board.columns else 4


def contains_moves(record: Record, moves: bytes) -> bool:
    """Return whether a game has moves one after the other, as they are or in a symmetry of its board.

    Passes of the game count only if the moves have one.
    """
    played = record.line.numbers
    if _PASS not in moves:
        played = played.replace(_PASS, b"")
    return any(image in played for image in _turned(moves, record.rules))


@lru_cache(maxsize=256)
def _turned(moves: bytes, rules: Rules) -> frozenset[bytes]:
    """Return moves in the symmetries of a board; none where a square is not on it."""
    on_board = {8 * row + column for row in range(rules.board.rows) for column in range(rules.board.columns)}
    if not on_board.issuperset(moves.replace(_PASS, b"")):
        return frozenset()
    images = []
    for index in range(symmetries(rules)):
        to = {square: SQUARES[square].symmetry(index, rules).index for square in on_board}
        images.append(bytes(to.get(move, move) for move in moves))
    return frozenset(images)
