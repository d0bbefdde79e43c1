"""The board as colored characters: pure functions from a view of the game to lines of cells.

A square is ``width`` characters wide and ``height`` lines high, twice as wide as high, which looks square in a
terminal. Discs are made of block characters: eighths of a character where an edge is flat, quarters where it is
steep.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from reversi.color import Color
from reversi.rules import BoardSize
from reversi.text.bars import EIGHTHS
from reversi.tui.themes import BoardTheme, Drawing

SQUARE_SIZES: Final = tuple((2 * height, height) for height in range(16, 0, -1))
"""Widths and heights that a square may have, largest first."""
LEAST_SIZE: Final = (52, 14)
"""Columns and rows of a terminal below which nothing is shown but a message."""
LABEL_WIDTH: Final = 2
"""The width of the row numbers on either side."""
_LABEL_HEIGHT: Final = 1


class Cell(NamedTuple):
    """A run of characters in one style. Colors are ``#rrggbb``, or "" for the terminal's own."""

    text: str
    color: str = ""
    background: str = ""
    bold: bool = False
    reverse: bool = False
    dim: bool = False


CellLines = list[list[Cell]]
"""Lines to show, each of runs of characters."""


@dataclass(frozen=True, slots=True)
class View:
    """The content of the board.

    Attributes:
        black: Black's discs, as bits.
        white: White's discs, as bits.
        marks: the squares to mark as playable, as bits.
        last: the square of the latest placement, or -1.
        cursor: the square under the cursor, or -1.
        labels: short texts on squares, up to four characters: the scores of hints.
        outlined: the discs to outline, as bits: those that the latest move flipped, for instance.
    """

    black: int = 0
    white: int = 0
    marks: int = 0
    last: int = -1
    cursor: int = -1
    labels: Mapping[int, str] = field(default_factory=dict)
    outlined: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the squares are.

    Attributes:
        width: characters per square, the line to its left included where there are lines.
        height: lines per square, the line above it included where there are lines.
        lined: whether lines are drawn between the squares.
        turned: as in `BoardTheme`.
        mirrored: as in `BoardTheme`.
    """

    board: BoardSize
    width: int
    height: int
    lined: bool = False
    turned: bool = False
    mirrored: bool = False

    def seen_at(self, square: int) -> int:
        """Return the square that is seen in the usual place of ``square``; the two have changed places."""
        row, column = divmod(square, 8)
        if self.turned:
            row = self.board.rows - 1 - row
        if self.turned != self.mirrored:
            column = self.board.columns - 1 - column
        return 8 * row + column

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole drawing, coordinates included."""
        extra = int(self.lined)
        return (
            LABEL_WIDTH + self.board.columns * self.width + extra,
            _LABEL_HEIGHT + self.board.rows * self.height + extra,
        )

    def square_at(self, x: int, y: int) -> int | None:
        """Return the square at a place of the drawing, ``None`` for coordinates; lines belong to a neighbor."""
        column, row = (x - LABEL_WIDTH) // self.width, (y - _LABEL_HEIGHT) // self.height
        if x < LABEL_WIDTH or y < _LABEL_HEIGHT or row >= self.board.rows or column >= self.board.columns:
            return None
        return self.seen_at(8 * row + column)

    def center_of(self, square: int) -> tuple[int, int]:
        """Return a place of the drawing well inside a square."""
        row, column = divmod(self.seen_at(square), 8)
        return (
            LABEL_WIDTH + column * self.width + self.width // 2,
            _LABEL_HEIGHT + row * self.height + self.height // 2,
        )


def too_small(width: int, height: int) -> str:
    """Return why the board does not fit into a terminal of ``width`` by ``height`` characters, "" if it does."""
    if width >= LEAST_SIZE[0] and height >= LEAST_SIZE[1]:
        return ""
    return f"the terminal has {width}x{height}, the full screen needs {LEAST_SIZE[0]}x{LEAST_SIZE[1]}"


def best_layout(board: BoardSize, drawing: Drawing, width: int, height: int) -> Layout | None:
    """Return the largest layout that fits into ``width`` by ``height`` characters, ``None`` when none does."""
    for square_width, square_height in SQUARE_SIZES:
        lined = drawing is not Drawing.BLOCKS and square_height > 1
        layout = Layout(board, square_width, square_height, lined)
        if lined and square_height % 2:
            continue  # a letter has no middle line there
        if layout.size[0] <= width and layout.size[1] <= height:
            return layout
    return None


def draw(view: View, layout: Layout, theme: BoardTheme) -> list[list[Cell]]:
    """Return the lines of the board from top to bottom, each as wide as the layout says."""
    lines = [_letters(layout)]
    for row in range(layout.board.rows):
        if layout.lined:
            lines.append(_rule(layout, theme, row))
            lines += _lined_row(view, layout, theme, row)
        elif layout.height == 1:
            lines.append(_small_row(view, layout, theme, row))
        else:
            lines += _block_row(view, layout, theme, row)
    if layout.lined:
        lines.append(_rule(layout, theme, layout.board.rows))
    return lines


def _letters(layout: Layout) -> list[Cell]:
    inner = layout.width - layout.lined
    text = " " * LABEL_WIDTH
    for column in range(layout.board.columns):
        letter = "abcdefgh"[layout.seen_at(column) % 8]
        # in the middle, left of it where there are two
        text += " " * layout.lined + f"{' ' * ((inner - 1) // 2)}{letter}".ljust(inner)
    return [Cell(text.ljust(layout.size[0]), dim=True)]


def _number(layout: Layout, row: int, line: int) -> Cell:
    at = (layout.height - 1) // 2
    return Cell((str(layout.seen_at(8 * row) // 8 + 1) if line == at else "").ljust(LABEL_WIDTH), dim=True)


# --- discs of block characters

_QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by bits: upper left 1, upper right 2, lower left 4, lower right 8
_FULL: Final = "█"


class _Shape(NamedTuple):
    """One character of a disc: where ``inverse``, the character is the square around it."""

    character: str
    inverse: bool = False


@functools.cache
def _disc(width: int, height: int) -> tuple[tuple[_Shape, ...], ...]:
    """Return a round disc in a square of that size, with a little room around it."""
    radius = width / 2 - {4: 0.35, 6: 0.5}.get(width, 0.6)
    upper = [tuple(_arc(radius, x - width / 2, height - 2 * y) for x in range(width)) for y in range(height // 2)]
    lower = [tuple(_mirrored(shape) for shape in line) for line in reversed(upper)]
    middle = [tuple(_side(radius, x - width / 2) for x in range(width))] if height % 2 else []
    return (*upper, *middle, *lower)


def _edge(radius: float, x: float) -> float:
    """Return how high a disc reaches above its middle at ``x``."""
    return (radius**2 - x**2) ** 0.5 if abs(x) < radius else 0.0


def _arc(radius: float, x: float, top: float) -> _Shape:
    """Return the character from ``x`` on, two units high below ``top``, of the upper half of a disc."""
    left, right = (round(4 * (_edge(radius, x + half) - top + 2)) for half in (0.25, 0.75))
    left, right = (min(max(eighths, 0), 8) for eighths in (left, right))
    if abs(left - right) < 4 and min(left, right) > 1:
        return _Shape(EIGHTHS[(left + right) // 2])
    return _Shape(_QUADRANTS[(left > 6) + 2 * (right > 6) + 4 * (left > 2) + 8 * (right > 2)])


def _side(radius: float, x: float) -> _Shape:
    """Return the character from ``x`` on, two units high around the middle line of a disc."""
    left, right = (_edge(radius, x + half) > 0.5 for half in (0.25, 0.75))
    return _Shape(_QUADRANTS[5 * left + 10 * right])


def _mirrored(shape: _Shape) -> _Shape:
    at = EIGHTHS.find(shape.character)
    if 0 < at < 8:
        return _Shape(EIGHTHS[8 - at], inverse=True)
    bits = _QUADRANTS.index(shape.character)
    return _Shape(_QUADRANTS[bits >> 2 | (bits & 3) << 2])


def _block_row(view: View, layout: Layout, theme: BoardTheme, row: int) -> list[list[Cell]]:
    lines = [[_number(layout, row, line)] for line in range(layout.height)]
    for column in range(layout.board.columns):
        for line, cells in zip(lines, _block_square(view, layout, theme, row, column), strict=True):
            line.extend(cells)
    return lines


def _block_square(view: View, layout: Layout, theme: BoardTheme, row: int, column: int) -> list[list[Cell]]:
    square = layout.seen_at(8 * row + column)
    on_cursor = square == view.cursor
    ground = theme.cursor if on_cursor else theme.squares[(row + column) % 2]
    width, height = layout.width, layout.height
    disc = _disc_color(view, theme, square)
    label = view.labels.get(square, "")
    if not disc and label:
        lines = [[Cell(" " * width, background=ground)] for _ in range(height)]
        color = "#000000" if on_cursor else theme.discs[0]
        # a short one keeps away from the next square's
        text = _centered(label, width if width > 4 or len(label) > 3 else 3).ljust(width)
        lines[(height - 1) // 2] = [Cell(text, color, ground, bold=not label.startswith("~"))]
        return lines
    if disc:
        lines = [
            [Cell(text, ground, disc) if inverse else Cell(text, disc, ground) for text, inverse in line]
            for line in _disc(width, height)
        ]
    else:
        lines = [[Cell(" ", background=ground)] * width for _ in range(height)]
    if square == view.last:
        _mark(lines, theme.last, disc or ground)
    elif view.outlined >> square & 1:
        _outline(lines, next(color for color in theme.discs if color != disc), ground)
    elif view.marks >> square & 1 and not disc:
        _mark(lines, theme.mark, ground)
    return lines


def _mark(lines: list[list[Cell]], color: str, ground: str) -> None:
    """Put a small square into the middle of a square."""
    height, x = len(lines), len(lines[0]) // 2 - 1
    if height % 2:
        lines[height // 2][x : x + 2] = [Cell(_FULL, color, ground)] * 2
        return
    lines[height // 2 - 1][x : x + 2] = [Cell("▄", color, ground)] * 2
    lines[height // 2][x : x + 2] = [Cell("▀", color, ground)] * 2


def _outline(lines: list[list[Cell]], color: str, ground: str) -> None:
    """Put the corners of a frame around a disc, in the color that it had before."""
    for line, corners in ((lines[0], "▛▜"), (lines[-1], "▙▟")):
        for at, corner in zip((0, -1), corners, strict=True):
            blank = line[at].text == " "
            line[at] = Cell(corner, color, ground) if blank else line[at]._replace(background=color)


def _centered(text: str, width: int) -> str:
    """Return a label in the middle; a label that is too long loses its first character, the sign of its kind."""
    return text[-width:].center(width)


def _disc_color(view: View, theme: BoardTheme, square: int) -> str:
    if view.black >> square & 1:
        return theme.disc_of(Color.BLACK)
    return theme.disc_of(Color.WHITE) if view.white >> square & 1 else ""


# --- the smallest squares, of two characters


def _small_row(view: View, layout: Layout, theme: BoardTheme, row: int) -> list[Cell]:
    cells = [_number(layout, row, 0)]
    for column in range(layout.board.columns):
        square = layout.seen_at(8 * row + column)
        bit = 1 << square
        if theme.colorless:
            letter = "X" if view.black & bit else "O" if view.white & bit else "." if view.marks & bit else "-"
            if square == view.cursor:
                letter += "]"
            elif square == view.last:
                letter += "<"
            elif view.outlined & bit:
                letter += "'"
            cells.append(Cell(letter.ljust(2), reverse=square == view.cursor, bold=square == view.last))
            continue
        ground = theme.cursor if square == view.cursor else theme.squares[(row + column) % 2]
        disc = _disc_color(view, theme, square)
        if disc:
            sign = "◉" if square == view.last else "◎" if view.outlined & bit else "●"
            cells.append(Cell(f"{sign} ", disc, ground))
        else:
            cells.append(Cell("· " if view.marks & bit else "  ", theme.mark, ground))
    return cells


# --- letters between lines


def _rule(layout: Layout, theme: BoardTheme, row: int) -> list[Cell]:
    inner, columns = layout.width - 1, layout.board.columns
    if theme.drawing is Drawing.ASCII:
        text = "+" + "+".join(["-" * inner] * columns) + "+"
    else:
        left, cross, right = "┌┬┐" if row == 0 else "└┴┘" if row == layout.board.rows else "├┼┤"
        text = left + cross.join(["─" * inner] * columns) + right
    return [Cell(" " * LABEL_WIDTH), Cell(text, dim=True)]


def _lined_row(view: View, layout: Layout, theme: BoardTheme, row: int) -> list[list[Cell]]:
    bar = Cell("|" if theme.drawing is Drawing.ASCII else "│", dim=True)
    lines = [[_number(layout, row, line)] for line in range(layout.height - 1)]
    for column in range(layout.board.columns):
        square = layout.seen_at(8 * row + column)
        style = Cell("", reverse=square == view.cursor, bold=square == view.last)
        texts = _letter_square(view, square, layout)
        for line, text in zip(lines, texts, strict=True):
            # a label as wide as the square begins on the line to its left
            left = bar if len(text) < layout.width else Cell(text[0])
            line.extend((left, style._replace(text=text[-layout.width + 1 :])))
    for line in lines:
        line.append(bar)
    return lines


@functools.cache
def _figure(letter: str, height: int) -> tuple[str, ...]:
    """Return a disc of that many lines, an odd number, made of a letter: full for X, a ring for O."""
    middle, lines = height // 2, []
    for line in range(height):
        share = 1 - ((line - middle) / (middle + 0.5)) ** 2
        width = 2 * int((2 * height - 1) * share**0.5 / 2) + 1
        if letter == "X" or line in {0, height - 1}:
            lines.append(letter * width)
        else:
            wall = letter * (1 if height == 3 else height // 4 + 1)
            lines.append(f"{wall}{' ' * (width - 2 * len(wall))}{wall}")
    return tuple(lines)


def _letter_square(view: View, square: int, layout: Layout) -> list[str]:
    """Return the inside of a square: a letter, or on large squares a figure made of it."""
    bit = 1 << square
    letter = "X" if view.black & bit else "O" if view.white & bit else "." if view.marks & bit else ""
    width, height = layout.width - 1, layout.height - 1
    middle = height // 2
    if letter in {"X", "O"} and height > 1:
        texts = [*_figure(letter, height)]
    else:
        texts = [letter if line == middle else "" for line in range(height)]
    label = view.labels.get(square, "")
    if label and letter in {"", "."}:
        texts[middle] = label
    lines = [text if len(text) == layout.width else _centered(text, width) for text in texts]
    if square == view.cursor:
        lines[middle] = _framed(lines[middle], "[]")
    elif square == view.last:
        lines[middle] = _framed(lines[middle], "()")
    elif view.outlined & bit:
        lines[middle] = _framed(lines[middle], "<>")
    return lines


def _framed(text: str, marks: str) -> str:
    """Marks around a text, in place of its outer characters where those are blank."""
    if text[0] != " " or text[-1] != " ":
        return text
    return marks[0] + text[1:-1] + marks[1]
