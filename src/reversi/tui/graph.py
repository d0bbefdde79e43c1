"""The evaluation of a game as a graph: bars over its plies, up where Black is ahead, down for White."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reversi.color import Color
from reversi.score import Kind, Score, score_text
from reversi.text.bars import EIGHTHS, bar
from reversi.tui.board_drawing import Cell, CellLines
from reversi.tui.themes import BoardTheme


@dataclass(frozen=True, slots=True)
class Scale:
    """The columns of a graph that shows a whole game: several plies share a column of a narrow one."""

    plies: int
    width: int

    @property
    def each(self) -> int:
        """How many plies share a column."""
        return max(-(-self.plies // max(self.width, 1)), 1)

    def column_of(self, ply: int) -> int:
        """Return the column of a ply, from 0; the start of the game has the first one."""
        return max(ply - 1, 0) // self.each

    def ply_at(self, column: int) -> int:
        """Return the last ply of a column, whose value it shows; those of the game at most."""
        return min((max(column, 0) + 1) * self.each, self.plies)


def graph_lines(
    values: Sequence[Score | None],
    theme: BoardTheme,
    width: int,
    height: int,
    here: tuple[int, Score | None] | None = None,
) -> CellLines:
    """Return a heading with one value, and the bars.

    Args:
        values: the score after each ply from Black's view, ``None`` without one.
        width: characters per line; the whole game fits into them.
        here: the ply on the board, 0 for the start, and its score; by default the last ply with a score.
    """
    half = max((height - 1 - theme.colorless) // 2, 1)
    shown = _shared(values, Scale(len(values), width).each)
    most = max([8, *(abs(score.value) for score in values if score is not None)])
    if here is None:
        plies = [ply for ply, score in enumerate(values, start=1) if score is not None]
        here = (plies[-1], values[plies[-1] - 1]) if plies else (len(values), None)
    lines: CellLines = [[Cell(_heading(here, len(values), most, theme, width))]]
    for row in range(half):
        lines.append([_bar(score, theme, most, half, half - 1 - row, Color.BLACK) for score in shown])
    if theme.colorless:
        lines.append([Cell("-" * max(len(shown), 1))])
    for row in range(half):
        lines.append([_bar(score, theme, most, half, row, Color.WHITE) for score in shown])
    return lines


def _shared(values: Sequence[Score | None], each: int) -> list[Score | None]:
    """Return one score per column: the last known one of its plies."""
    columns = (values[at : at + each] for at in range(0, len(values), each))
    return [next((score for score in reversed(column) if score is not None), None) for column in columns]


def _heading(here: tuple[int, Score | None], plies: int, most: int, theme: BoardTheme, width: int) -> str:
    ply, score = here
    if score is None:
        text = "Evaluation: no values yet" if ply == plies else f"Evaluation after ply {ply}: no value yet"
        return text[:width]
    place = "" if ply == plies else f" after ply {ply}" if ply else " at the start"
    said = score_text(score, depth=True, name_of=theme.name_of)
    brief = score_text(score, name_of=theme.name_of)
    texts = [f"Evaluation{place}: {said}, scale {most}", f"Evaluation{place}: {said}", f"{said}{place}", brief]
    return next((text for text in texts if len(text) <= width), texts[-1][:width])


def mark_line(plies: int, ply: int, theme: BoardTheme, width: int) -> list[Cell]:
    """Return a line below the bars that marks the column of a ply; an empty one at the start of the game."""
    if not ply:
        return [Cell("")]
    return [Cell(" " * Scale(plies, width).column_of(ply)), Cell("^", theme.accent, bold=True)]


def _bar(score: Score | None, theme: BoardTheme, most: int, rows: int, row: int, side: Color) -> Cell:
    """Return one character of the bar of a ply, ``row`` rows from the middle on the side of ``side``."""
    value = 0 if score is None else score.value if side is Color.BLACK else -score.value
    eighths = bar(value, most, rows, row)
    if theme.colorless:
        full = "#" if score is not None and score.kind is Kind.EXACT else ":"
        return Cell(full if eighths >= 4 else " ")
    ground, color = theme.squares[0], theme.disc_of(side)
    if score is not None and not score.value and row == 0 and side is Color.BLACK:
        return Cell("▁", theme.mark, ground)
    if side is Color.BLACK:
        return Cell(EIGHTHS[eighths], color, ground)
    return Cell(EIGHTHS[8 - eighths], ground, color)
