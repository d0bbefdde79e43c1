"""Boards on many lines, as people paste them: bare rows, or with coordinates, frames and the side to move.

A row may have its number on either side (1 is the top row), and blanks or ``|`` between its cells. Text after the
closing row number is the side to move, or decoration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import Move, Position, State, as_move
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.color import Color
from reversi.errors import BoardError
from reversi.rules import Rules
from reversi.text.cells import CELL_CHARACTERS, Turn, is_cells, is_disc, read_turn, wrong_count

_BARS: Final = str.maketrans("│┃║￨", "||||")
_FRAME = re.compile(r"[-+=|_ \t─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝┏┳┓┣╋┫┗┻┛]+")
_LETTERS = re.compile(r"[|\s]*a[|\s]*b[|\s]*c[|\s]*d(?:[|\s]*e[|\s]*f(?:[|\s]*g[|\s]*h)?)?[|\s]*", re.IGNORECASE)
_ROW = re.compile(r"(?:(?P<left>\d)[.):]?)?(?P<cells>[^\d]*)(?:(?P<right>\d)(?P<rest>\s.*)?)?")
_DISCS = re.compile(
    r"Discs:? (?:[0-9]{1,2}-[0-9]{1,2} \(Black-White\), |Black [0-9]+, White [0-9]+\. )(?=\w+ to move)"
)
_TASK = re.compile(r"((?:Black|White)(?: \([XO]\))? to move(?:, after a pass)?): .*")
_OVER = re.compile(r"Game over(?P<passes>, after two passes)?\b.*")
_CAPTION = re.compile(r"Discs [0-9]{1,2}-[0-9]{1,2} .*|Rules .*|Scores as given: .*")
RULES: Final = "Rules "
"""How the line under a board begins that names its rules."""
_FEWEST_IN_A_ROW: Final = 4
_MOST_IN_A_ROW: Final = 9  # eight cells and a side to move


class Row(NamedTuple):
    """A row of a board on many lines: its cells, its number if it has one, and the turn that it states."""

    cells: str
    number: int | None
    turn: Turn | None


def read_row(line: str) -> Row | None:
    """Read a line as a row of a board; return ``None`` for any other line."""
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
    """Return the cells of ``text`` without separators, or an empty text when it has other characters."""
    parts = text.strip().split("|")
    if len(parts) > 4 and not parts[0].strip() and not parts[-1].strip():
        # framed cells: a blank is an empty square
        framed = [part.strip() or "-" for part in parts[1:-1]]
        if all(len(cell) == 1 for cell in framed):
            text = "".join(framed)
    cells = "".join(text.replace("|", " ").split())
    return cells if is_cells(cells) else ""


def _is_frame(line: str) -> bool:
    """Return whether a line is a frame: it has frame characters beyond the dashes of an empty row."""
    text = _plain(line)
    if not _FRAME.fullmatch(text):
        return False
    return set(text) - set("-| \t") != set() or text.count("-") > _MOST_IN_A_ROW


def _is_beside(line: str) -> bool:
    """Return whether a line stands beside a board: letters, a frame, or what this program writes under it."""
    return bool(_LETTERS.fullmatch(line) or _is_frame(line) or _CAPTION.fullmatch(line.strip()))


def _turn(line: str) -> Turn | None:
    """Read the side to move of a line by itself; of a finished game, whose side does not matter, Black."""
    line = line.strip()
    if over := _OVER.fullmatch(line):
        return Turn(Color.BLACK, State.ENDED if over["passes"] else State.FRESH)
    line = _DISCS.sub("", line)
    task = _TASK.fullmatch(line)
    return read_turn(task[1] if task else line)


def is_diagram_line(line: str) -> bool:
    """Return whether a line can belong to a board on many lines: letters, a frame, a side to move, or a row."""
    if len(line) > 200:
        return False
    if _is_beside(line) or _turn(line):
        return True
    row = read_row(line)
    return row is not None and _FEWEST_IN_A_ROW <= len(row.cells) <= _MOST_IN_A_ROW


def diagram_cells(lines: Sequence[str], rules: Rules) -> tuple[str, Turn | None]:
    """Return the cells in row order, and the turn if stated, of a board on many lines (blank ones left out).

    Raises:
        BoardError: a line does not belong to a board, the rows are out of order, or the number of cells is wrong.
    """
    rows: list[str] = []
    turns: list[Turn] = []
    for line in lines:
        if turn := _turn(line):
            turns.append(turn)
            continue
        if _is_beside(line):
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
        lengths = ", ".join(str(len(row)) for row in rows)
        raise BoardError(f"rows of {lengths} cells where the {board} board has {board.rows} of {board.columns}")
    if len(turns) > 1:
        raise BoardError("the side to move is stated more than once")
    return cells, turns[0] if turns else None


def format_diagram(position: Position, marks: Iterable[Move | str] = ()) -> str:
    """Draw the board on many lines with coordinates: ``X`` Black, ``O`` White, ``-`` empty, ``.`` marked.

    `parse_board` reads the same discs.

    Args:
        position: the position to draw.
        marks: empty squares to mark, for example the legal moves; a pass has no mark.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    rows, columns = position.rules.board
    cells = list(position.cells)
    for move in map(as_move, marks):
        if not move.is_pass:
            row, column = divmod(move.index, 8)
            at = row * columns + column
            if row < rows and column < columns and cells[at] == "-":
                cells[at] = "."
    text, width = " ".join(cells), 2 * columns
    lines = [f"{row + 1} {text[row * width : (row + 1) * width - 1]}" for row in range(rows)]
    return "\n".join(["  " + " ".join("abcdefgh"[:columns]), *lines])
