"""Boards on many lines, as people paste them: bare rows, or with coordinates, frames and the side to move.

A row may be numbered on either side (from 1 at the top), its cells apart or not, with ``|`` between them; text
after the closing row number is taken for the side to move if it says so, and is decoration otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from reversi._core import Move, Position
from reversi.errors import BoardError
from reversi.rules import Rules
from reversi.text.cells import CELL_CHARACTERS, Turn, is_cells, is_disc, read_turn, wrong_count
from reversi.text.decoding import excerpt

__all__ = ["Row", "diagram_cells", "format_diagram", "is_diagram_line", "read_row"]

_BARS: Final = str.maketrans("│┃║￨", "||||")
_FRAME = re.compile(r"[-+=|_ \t─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝┏┳┓┣╋┫┗┻┛]+")
_LETTERS = re.compile(r"[|\s]*a[|\s]*b[|\s]*c[|\s]*d(?:[|\s]*e[|\s]*f(?:[|\s]*g[|\s]*h)?)?[|\s]*", re.IGNORECASE)
_ROW = re.compile(r"(?:(?P<left>\d)[.):]?)?(?P<cells>[^\d]*)(?:(?P<right>\d)(?P<rest>\s.*)?)?")
_FEWEST_IN_A_ROW: Final = 4
_MOST_IN_A_ROW: Final = 9  # eight cells and a side to move


class Row(NamedTuple):
    """One line of a board on many lines: its cells, its number if it has one, and whose turn it states."""

    cells: str
    number: int | None
    turn: Turn | None


def read_row(line: str) -> Row | None:
    """The cells of a line that is a row of a board, or ``None`` for any other line."""
    match = _ROW.fullmatch(_plain(line))
    if match is None:
        return None
    cells = _cells_in(match["cells"])
    if not cells or (match["right"] and match["left"] and match["left"] != match["right"]):
        return None
    number = match["left"] or match["right"]
    return Row(cells, int(number) if number else None, read_turn(match["rest"]) if match["rest"] else None)


def _plain(line: str) -> str:
    return (line if line.isascii() else line.translate(_BARS)).strip()


def _cells_in(text: str) -> str:
    """The cells of ``text`` without what stands between them; empty when there is anything else."""
    parts = text.strip().split("|")
    if len(parts) > 4 and not parts[0].strip() and not parts[-1].strip():
        # framed cells: a blank one is empty
        framed = [part.strip() or "-" for part in parts[1:-1]]
        if all(len(cell) == 1 for cell in framed):
            text = "".join(framed)
    cells = "".join(text.replace("|", " ").split())
    return cells if is_cells(cells) else ""


def _is_frame(line: str) -> bool:
    """Whether a line is only frame: it has frame characters beyond the dashes that an empty row has."""
    text = _plain(line)
    if not _FRAME.fullmatch(text):
        return False
    return set(text) - set("-| \t") != set() or text.count("-") > _MOST_IN_A_ROW


def is_diagram_line(line: str) -> bool:
    """Whether a line can belong to a board on many lines: coordinates, a frame, a side to move, or a row."""
    if len(line) > 200:
        return False
    if _LETTERS.fullmatch(line) or _is_frame(line) or read_turn(line):
        return True
    row = read_row(line)
    return row is not None and _FEWEST_IN_A_ROW <= len(row.cells) <= _MOST_IN_A_ROW


def diagram_cells(lines: Sequence[str], rules: Rules) -> tuple[str, Turn | None]:
    """The cells, in row order, and the side to move, if stated, of a board on many lines without blank ones.

    Raises:
        BoardError: a line that does not belong to a board, rows out of order, or a wrong number of cells.
    """
    rows: list[str] = []
    turns: list[Turn] = []
    for line in lines:
        if _LETTERS.fullmatch(line) or _is_frame(line):
            continue
        if turn := read_turn(line):
            turns.append(turn)
            continue
        row = read_row(line)
        if row is None:
            raise BoardError(f"{excerpt(line)} is not a row of a board: {CELL_CHARACTERS}")
        if row.number is not None and row.number != len(rows) + 1:
            raise BoardError(f"row {row.number} where row {len(rows) + 1} should be: row 1 is the top one")
        if row.turn:
            turns.append(row.turn)
        rows.append(row.cells)
    board = rules.board
    if not turns and rows and len(rows[-1]) == board.columns + 1 and is_disc(rows[-1][-1]):
        turns.extend(filter(None, [read_turn(rows[-1][-1])]))  # the side to move on the last row
        rows[-1] = rows[-1][:-1]
    cells = "".join(rows)
    if len(cells) != board.cells:
        raise wrong_count(len(cells), rules, (len(rows), len(rows[0])) if len(set(map(len, rows))) == 1 else None)
    if len(rows) != 1 and any(len(row) != board.columns for row in rows):
        found = ", ".join(str(len(row)) for row in rows)
        raise BoardError(f"rows of {found} cells where the {board} board has {board.rows} of {board.columns}")
    if len(turns) > 1:
        raise BoardError("the side to move is stated more than once")
    return cells, turns[0] if turns else None


def format_diagram(position: Position, marks: Iterable[Move] = ()) -> str:
    """The board on many lines with coordinates: ``X`` Black, ``O`` White, ``-`` empty, ``.`` marked.

    Reading it back gives the same discs.

    Args:
        position: what to draw.
        marks: empty squares to mark, the legal moves for example; a pass is left out.
    """
    rows, columns = position.rules.board
    black, white = position.black, position.white
    marked = sum({1 << move.index for move in marks if not move.is_pass})
    lines = ["  " + " ".join("abcdefgh"[:columns])]
    for row in range(rows):
        cells = []
        for square in range(8 * row, 8 * row + columns):
            bit = 1 << square
            cells.append("X" if black & bit else "O" if white & bit else "." if marked & bit else "-")
        lines.append(f"{row + 1} " + " ".join(cells))
    return "\n".join(lines)
