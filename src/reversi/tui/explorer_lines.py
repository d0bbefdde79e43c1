"""The table of the explorer as lines of cells: as many columns as fit, and the details of one move."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

from reversi.color import Color
from reversi.explorer.table import MARK, Column, ExplorerRow, ExplorerTable
from reversi.score import Kind, kind_text, score_text, short_score
from reversi.text.counting import counted
from reversi.tui.board_drawing import Cell, CellLines
from reversi.tui.themes import BoardTheme


class _Shown(NamedTuple):
    column: Column
    heading: str
    width: int


_OWN: Final = (
    _Shown(Column.MOVE, "  move", 6),
    _Shown(Column.VALUE, "value", 6),
    _Shown(Column.BOOK, "book", 6),
)
_PEOPLE: Final = _Shown(Column.PEOPLE, "people", 7)
_OF_GAMES: Final = (
    _Shown(Column.GAMES, "games", 7),
    _Shown(Column.POINTS, "points", 7),
    _Shown(Column.SCORE, "score", 6),
)
_YEARS: Final = _Shown(Column.YEARS, "years", 6)
_LONG_YEARS: Final = _Shown(Column.YEARS, "years", 11)


def _columns(width: int, *, games: bool, people: bool) -> tuple[_Shown, ...]:
    """Return the columns that fit, from the left; the years in full where there is room."""
    own = (*_OWN, _PEOPLE) if people else _OWN
    wanted = (*own, *_OF_GAMES, _LONG_YEARS) if games else own
    if games and sum(each.width for each in wanted) > width:
        wanted = (*own, *_OF_GAMES, _YEARS)
    shown, x = [], 0
    for each in wanted:
        x += each.width
        if x <= width:
            shown.append(each)
    return tuple(shown)


def column_at(x: int, width: int, *, games: bool, people: bool) -> Column | None:
    """Return the column at a place of the heading, ``None`` beside all."""
    end = 0
    for each in _columns(width, games=games, people=people):
        end += each.width
        if x < end:
            return each.column
    return None


def table_lines(
    table: ExplorerTable,
    rows: Sequence[ExplorerRow],
    at: int,
    column: Column,
    theme: BoardTheme,
    width: int,
    height: int,
) -> tuple[CellLines, int]:
    """Return the heading and the rows, and the number of the first row that is shown."""
    games = table.exploration is not None
    columns = _columns(width, games=games, people=any(row.people is not None for row in rows))
    heading = []
    for each in columns:
        sorted_by = each.column is column
        text = f"{each.heading:<{each.width}}" if each.column is Column.MOVE else f"{each.heading:>{each.width}}"
        heading.append(
            Cell(text, theme.accent if sorted_by else "", bold=True, reverse=sorted_by and theme.colorless)
        )
    first = max(min(at - (height - 1) // 2, len(rows) - (height - 1)), 0)
    lines: CellLines = [heading]
    for number, row in enumerate(rows[first : first + height - 1], first):
        pointer = theme.pointer if number == at else " "
        text = "".join(_cell(row, each, pointer) for each in columns)
        after = _after(row, width - len(text) - 2)
        lines.append([Cell(text, bold=number == at), Cell(f"  {after}" if after else "", dim=True)])
    return lines, first


def _cell(row: ExplorerRow, shown: _Shown, pointer: str) -> str:
    tally, width = row.tally, shown.width
    match shown.column:
        case Column.MOVE:
            marked = f"{row.move}{MARK}" if row.repertoire else str(row.move)
            return f"{pointer} {marked:<{width - 2}}"
        case Column.VALUE:
            text = "" if row.value is None else short_score(row.value.score)
        case Column.BOOK:
            text = "" if row.book is None else short_score(row.book.score)
        case Column.PEOPLE:
            text = "" if row.people is None else f"{100 * row.people:.0f} %"
        case Column.GAMES:
            text = str(row.games)
        case Column.POINTS:
            text = "" if row.points is None else f"{row.points:.0f} %"
        case Column.SCORE:
            text = "" if row.score is None else f"{row.score:+.1f}"
        case _:
            years = ("", "") if tally is None or tally.first is None else (f"{tally.first}", f"{tally.last}")
            if shown.width < _LONG_YEARS.width:
                years = (years[0][2:], years[1][2:])
            text = years[0] if years[0] == years[1] else "-".join(years)
    return f"{text:>{width}}"


def _after(row: ExplorerRow, room: int) -> str:
    """Return the name of the opening where it fits, else nothing."""
    text = "" if row.opening is None else str(row.opening)
    return text if len(text) <= room else ""


def state_text(table: ExplorerTable, theme: BoardTheme) -> str:
    """Return how far the engine is, and how many games there are: `depth 18 heuristic; 4 games`."""
    parts = []
    score = table.basis
    thinking = "" if table.last else theme.ellipsis
    if score is not None:
        depth = "" if score.kind is Kind.EXACT else f" depth {score.depth}"
        parts.append(f"Values {kind_text(score)}{depth}{thinking}")
    elif table.rows:
        parts.append(f"The engine begins{thinking}")
    if table.exploration is not None:
        parts.append(counted(table.exploration.games, "game"))
    return "; ".join(parts)


def detail_lines(row: ExplorerRow, theme: BoardTheme, width: int, height: int) -> CellLines:
    """Return what is known about one move, in at most ``height`` lines; the most important first."""
    texts = []
    if row.value is not None:
        texts.append(f"{row.move}: {score_text(row.value.score, depth=True, name_of=theme.name_of)}")
        texts.append(" ".join(str(move) for move in row.value.pv))
    tally = row.tally
    if tally is not None:
        texts.append(
            f"{theme.name_of(Color.BLACK)} won {tally.black}, {theme.name_of(Color.WHITE)} {tally.white},"
            f" drawn {tally.draws}"
        )
    if row.repertoire is not None:
        texts.append(f"{MARK} in the repertoire{': ' if row.repertoire.comment else ''}{row.repertoire.comment}")
    if row.opening is not None:
        texts.append(f"Opening: {row.opening}")
    if tally is not None and tally.also:
        same = [str(move) for move in (tally.move, *tally.also) if move != row.move]
        texts.append(f"The same by symmetry: {' '.join(same)}")
    lines = [line for text in texts for line in textwrap.wrap(text, max(width, 10))[:2]]
    return [[Cell(line, dim=bool(number))] for number, line in enumerate(lines[:height])]
