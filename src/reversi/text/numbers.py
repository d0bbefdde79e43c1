"""Boards written with numbers: two bitboards in hexadecimal, or a digit for each cell.

Bitboards are the black and the white discs, in this order, either with ``0x`` or with all 16 digits. The lowest
bit is a1 and the next one b1, as everywhere in this package; a program that counts from h8 shows the same board
rotated by 180 degrees::

    0x0000000810000000 0x0000001008000000 X

Digits are ``0`` empty, ``1`` Black, ``2`` White, as in data sets; or, beside ``-`` or ``.`` for empty, ``0`` Black
and ``1`` White. Brackets, commas and blanks between digits do not matter. The side to move may be the digit of its
discs.
"""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi.errors import BoardError

_BITBOARDS = re.compile(
    r"(?:0x(?P<black>[0-9a-f]{1,16})[\s,/|]+0x(?P<white>[0-9a-f]{1,16})"
    r"|(?P<black16>[0-9a-f]{16})[\s,/|]+(?P<white16>[0-9a-f]{16}))(?P<rest>[\s,/|].*|)",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
_LEFT_OUT: Final = str.maketrans("[](){},|/", " " * 9)
_DIGITS: Final = frozenset("012")
_EMPTY: Final = frozenset("-.")
_CELLS: Final = _DIGITS | _EMPTY


def as_cells(text: str, rows: int, columns: int) -> str | None:
    """Return the same board with ``X``, ``O`` and ``-``, and what follows it; ``None`` if it has no numbers.

    Args:
        text: a board on one line.
        rows: the rows of the board.
        columns: its columns.

    Raises:
        BoardError: a square has two discs, a disc lies outside the board, or the digits can mean two boards.
    """
    match = _BITBOARDS.fullmatch(text.strip())
    if match is not None:
        black, white = (match[name] or match[f"{name}16"] for name in ("black", "white"))
        return _drawn(int(black, 16), int(white, 16), rows, columns) + match["rest"].translate(_LEFT_OUT)
    return _from_digits(text, rows * columns)


def _drawn(black: int, white: int, rows: int, columns: int) -> str:
    cells = []
    for row in range(rows):
        for square in range(8 * row, 8 * row + columns):
            bit = 1 << square
            if black & white & bit:
                raise BoardError(f"both bitboards have a disc on {'abcdefgh'[square & 7]}{row + 1}")
            cells.append("X" if black & bit else "O" if white & bit else "-")
            black, white = black & ~bit, white & ~bit
    if black | white:
        raise BoardError(f"a bitboard has a disc outside the {rows}x{columns} board; its lowest bit is a1")
    return "".join(cells)


def _from_digits(text: str, needed: int) -> str | None:
    words = text.translate(_LEFT_OUT).split()
    cells, taken = "", 0
    for word in words:
        if len(cells) >= needed or not _CELLS.issuperset(word):
            break
        cells += word
        taken += 1
    if len(cells) != needed or _DIGITS.isdisjoint(cells):
        return None
    if _EMPTY.isdisjoint(cells):
        if "2" not in cells and "1" in cells:
            raise BoardError(
                "the digits 0 and 1 alone have two meanings; write X for Black, O for White and - for empty"
            )
        digits = {"0": "-", "1": "X", "2": "O"}
    elif "2" in cells:
        raise BoardError("the board has the digit 2 beside - or .; write X for Black, O for White and - for empty")
    else:
        digits = {"0": "X", "1": "O"}
    sides = {digit: disc for digit, disc in digits.items() if disc != "-"}
    rest = words[taken:]
    if rest:
        rest[0] = sides.get(rest[0], rest[0])
    return " ".join(["".join(digits.get(cell, "-") for cell in cells), *rest])
