"""An analysis as text: a table of the turns, a graph, and how each side played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reversi._core import Move
from reversi.analysis.analysis import Analysis, AnalyzedTurn, SideSummary
from reversi.analysis.judgement import Judgement
from reversi.color import Color
from reversi.score import format_score, short_score

__all__ = ["graph_lines", "side_text", "table_lines"]

_HALF: Final = 4  # rows of the graph above the middle line, and below it
_RANGES: Final = (8, 16, 32, 64)
_UP: Final = " ▁▂▃▄▅▆▇█"
_LINE: Final = 6  # moves of a best line in the table
_HEAD: Final = " ply    move      value  loss  best       value  best line"
_BEST_END: Final = 39  # where columns of the table end
_VALUE_END: Final = 46
_NARROWEST: Final = 40


def graph_lines(analysis: Analysis, *, width: int = 80) -> Iterator[str]:
    """Yield the graph of a game: one column per ply, Black's lead upwards, White's downwards.

    Args:
        analysis: the game.
        width: columns to draw at most; a longer game is cut into several graphs.
    """
    values = analysis.values
    most = max((abs(value) for value in values if value is not None), default=0)
    reach = next((reach for reach in _RANGES if most <= reach), most)
    columns = max(width - 7, 10)
    for first in range(0, len(values), columns):
        yield from _graph(analysis, list(values[first : first + columns]), first, reach)


def _graph(analysis: Analysis, values: list[int | None], first: int, reach: int) -> Iterator[str]:
    for row in range(_HALF, 0, -1):
        label = f"{format_score(reach * row // _HALF):>5} " if row in (_HALF, _HALF // 2) else " " * 6
        yield (label + "".join(_cell(value, row, reach) for value in values)).rstrip()
    yield ("   +0 " + "".join("─" if value is not None else " " for value in values)).rstrip()
    for row in range(1, _HALF + 1):
        label = f"{format_score(-reach * row // _HALF):>5} " if row in (_HALF // 2, _HALF) else " " * 6
        yield (label + "".join(_cell_below(value, row, reach) for value in values)).rstrip()
    signs = [" "] * len(values)
    for turn in analysis.mistakes:
        if first <= turn.ply < first + len(values):
            signs[turn.ply - first] = {Judgement.INACCURACY: "·", Judgement.MISTAKE: "?"}.get(
                turn.judgement or Judgement.MISTAKE, "⁇"
            )
    if any(sign != " " for sign in signs):
        yield ("      " + "".join(signs)).rstrip()
    scale = "".join(f"{ply:<10d}" for ply in range(first, first + len(values), 10))
    yield ("      " + scale)[: 6 + len(values) + 2].rstrip()


def _cell(value: int | None, row: int, reach: int) -> str:
    """Return the part of a bar above the middle line in a row; rows count from the line."""
    if value is None or value <= 0:
        return " "
    eighths = round(8 * _HALF * value / reach) - 8 * (row - 1)
    if row == 1:
        eighths = max(eighths, 1)
    return _UP[max(0, min(8, eighths))]


def _cell_below(value: int | None, row: int, reach: int) -> str:
    """Return the part of a bar below the line: there are only whole and half blocks that hang."""
    if value is None or value >= 0:
        return " "
    halves = round(2 * _HALF * -value / reach) - 2 * (row - 1)
    if row == 1:
        halves = max(halves, 1)
    return " ▀█"[max(0, min(2, halves))]


def table_lines(analysis: Analysis, *, width: int = 120) -> Iterator[str]:
    """Yield the table of the turns: ply, side, move, sign, value, loss, the best moves and the best line.

    Args:
        analysis: the game.
        width: characters per line; a narrow table, of 40 at least, leaves out the ends of lines and whole columns.
    """
    width = max(width, _NARROWEST)
    yield _HEAD[: _BEST_END if width < _VALUE_END else None if width >= len(_HEAD) else _VALUE_END].rstrip()
    for turn in analysis.turns:
        yield _row(turn, width)


def _row(turn: AnalyzedTurn, width: int) -> str:
    sign = "" if turn.judgement is None else turn.judgement.sign
    value = short_score(turn.score)
    begin = f"{turn.ply:4d}  {turn.mover.symbol} {turn.move!s:2} {sign:2}  {value:>7}"
    if turn.forced:
        return f"{begin}     -  forced"
    begin += f" {turn.loss:5d}  " if turn.loss else " " * 8
    if turn.is_best and turn.loss == 0:
        others = [move for move in turn.best if move != turn.move]
        book = "book, also " if turn.book else "also "
        also = _moves(others, len(others), width - len(begin) - len(book))
        return f"{begin}{book}{also}" if also else f"{begin}{'book' if turn.book else ''}".rstrip()
    if width < _VALUE_END:
        return begin + _moves(turn.best, 3, width - len(begin))
    begin += f"{_moves(turn.best, 3, 11):9} {short_score(turn.best_score):>6}"
    end = f"  ({turn.best_outcome} → {turn.outcome})" if turn.outcome_changed else ""
    end += "  (book)" if turn.book else ""
    room = width - len(begin)
    if len(end) > room:
        end = ""
    line = _moves(turn.pv, _LINE, room - len(end) - 2)
    return f"{begin}{f'  {line}' if line else ''}{end}"


def _moves(moves: Sequence[Move], most: int, room: int) -> str:
    """Return the first moves, as many as the room has characters for, and ``…`` for more."""
    for count in range(min(most, len(moves)), 0, -1):
        text = " ".join(map(str, moves[:count])) + (" …" if count < len(moves) else "")
        if len(text) <= room:
            return text
    return ""


def side_text(analysis: Analysis, color: Color) -> str:
    """Return how one side played, on one line."""
    side: SideSummary = analysis.sides[color]
    name = analysis.tags.get(str(color), "")
    who = f"{color} ({name})" if name else str(color)
    if not side.moves:
        return f"{who}: no turns with a choice"
    parts = [
        f"mean loss {side.mean_loss:.2f} discs in {side.moves} turns",
        f"{100 * side.best_share:.0f} % best moves",
    ]
    if side.worst_ply is not None:
        worst = analysis.turn(side.worst_ply)
        parts.append(f"worst {worst.move} at ply {worst.ply} ({worst.loss} lost)")
    signs = [
        f"{side.signs[judgement]} {judgement.sign}"
        for judgement in (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)
        if side.signs.get(judgement)
    ]
    if signs:
        parts.append(", ".join(signs))
    return f"{who}: {'; '.join(parts)}"
