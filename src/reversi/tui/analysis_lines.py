"""The side of an analysis, as lines of cells: the turn, the graph, how both sides played, the mistakes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from reversi._core import Move, Position
from reversi.analysis.analysis import Analysis, AnalyzedTurn, SideSummary
from reversi.analysis.finding import people_sentence
from reversi.color import Color
from reversi.engine.explaining import rule_of_thumb
from reversi.game.game import Game
from reversi.score import Kind, Score, score_text
from reversi.session.review import turn_loss_text
from reversi.session.sentences import NO_MISTAKES, remark_lines
from reversi.solver.solution import MoveScore
from reversi.text.counting import counted
from reversi.text.widths import cut, width_of, wrapped
from reversi.tui.board_drawing import Cell, CellLines
from reversi.tui.graph import graph_lines, mark_line
from reversi.tui.themes import BoardTheme

_REASONS: Final = 3


def turn_lines(
    turn: AnalyzedTurn | None,
    following: AnalyzedTurn | None,
    theme: BoardTheme,
    width: int,
    *,
    turning_point: bool = False,
    rating: int | None = None,
    deeper: int | None = None,
) -> CellLines:
    """Return what was played in a turn, what was best, and why; nothing without an analyzed turn.

    Of a turning point it says the rule of thumb, too; with the rating of the player also whether people of this
    rating find a good move; of a turn with values of a ``deeper`` level than the others this level.
    """
    if turn is None:
        return []
    name = theme.name_of(turn.mover)
    sign = "" if turn.judgement is None else turn.judgement.sign
    level = f" at level {deeper}" if deeper and turn.best_score.kind is not Kind.EXACT else ""
    texts = [f"{name} plays {turn.move}{sign}: {score_text(turn.score, name_of=theme.name_of)}"]
    if turn.forced:
        texts.append("The only legal move.")
    elif turn.is_best:
        texts.append(f"A best move{level}.")
    else:
        best = " ".join(str(move) for move in turn.best)
        value = score_text(turn.best_score, name_of=theme.name_of)
        expected = " ".join(str(move) for move in turn.pv)  # the key b shows the rest of it
        texts += [
            f"Loses {turn_loss_text(turn)}{level}. Best: {best}, {value}",
            wrapped(expected, width, most=1)[0],
        ]
    if turn.flips is not None:
        texts.append("Flipped against the rules; the value is that of the flips of the rules.")
    if turn.book:
        texts[1] += " In the opening book."
    if said := people_sentence(turn, rating):
        texts.append(said)
    reasons: list[str] = []
    if not turn.forced:
        better = None if turn.is_best else turn.pv[0]
        line = () if following is None else following.pv
        remarks = remark_lines(
            turn.position, turn.move, _REASONS, better=better, line=line, better_line=turn.pv[1:]
        )
        reasons = [f"{turn.move} {text}" for text in remarks]
        if better is not None:
            remarks = remark_lines(turn.position, better, _REASONS - 1, line=turn.pv[1:])
            reasons += [f"{better} {text}" for text in remarks]
            if turning_point and (rule := rule_of_thumb(turn.position, turn.move, better, line, turn.pv[1:])):
                reasons.insert(1, f"Rule: {rule}")
    return _wrapped(texts, map(theme.worded, reasons), width)


def trial_lines(
    position: Position, move: Move, choices: Sequence[MoveScore] | None, theme: BoardTheme, width: int
) -> CellLines:
    """Return the value of a move that somebody tries, the best reply and the line, and reasons.

    Args:
        choices: the moves of the position with their values, best first; ``None`` while they are not known.
    """
    name = theme.name_of(position.to_move)
    known = next((choice for choice in choices or () if choice.move == move), None)
    if known is None or not choices:
        return [[Cell(f"{name} tries {move}{theme.ellipsis}"[:width], bold=True)]]
    texts = [f"{name} tries {move}: {score_text(known.score, depth=True, name_of=theme.name_of)}"]
    reply, best = known.pv[1:2], choices[0]
    if reply:
        texts.append(f"Best reply: {reply[0]}. {' '.join(str(each) for each in known.pv)}")
    loss = best.score.value - known.score.value
    texts.append(f"Loses {counted(loss, 'disc')}. Best: {best.move}" if loss else "A best move.")
    better = best.move if loss else None
    said = remark_lines(position, move, _REASONS, better=better, line=known.pv[1:], better_line=best.pv[1:])
    reasons = [f"{move} {text}" for text in said]
    return _wrapped(texts, map(theme.worded, reasons), width)


def whole(lines: CellLines, room: int) -> CellLines:
    """Return the first lines, without a reason that would lose its end."""
    while 0 < room < len(lines) and lines[room][0].text.startswith("  "):
        room -= 1
    return lines[:room]


def _wrapped(texts: Sequence[str], reasons: Iterable[str], width: int) -> CellLines:
    lines: CellLines = [
        [Cell(line, bold=not at)] for at, text in enumerate(texts) for line in wrapped(text, width, most=2)
    ]
    return [
        *lines,
        *([Cell(line)] for text in reasons for line in textwrap.wrap(text, width, subsequent_indent="  ")),
    ]


def place_lines(
    analysis: Analysis | None, game: Game, ply: int, theme: BoardTheme, width: int, height: int
) -> CellLines:
    """Return the graph of a game with the value of the position after ``ply`` plies, and a mark below that ply."""
    values: list[Score | None] = [None] * (len(game) + 1)
    for turn in analysis.turns if analysis is not None else ():
        values[turn.ply - 1] = turn.best_score.pov(Color.BLACK)  # of the board as it lies, after wrong flips too
        values[turn.ply] = turn.score.pov(Color.BLACK).for_position()
    lines = graph_lines(values[1:], theme, width, height - 1, (ply, values[ply]))
    return [*lines, mark_line(len(game), ply, theme, width)]


def summary_lines(analysis: Analysis | None, theme: BoardTheme, width: int) -> CellLines:
    """Return how both sides played, once the whole game is analyzed."""
    if analysis is None or not analysis.complete:
        return []
    sides = analysis.sides
    return [[Cell(_side_text(theme.name_of(color), sides[color])[:width])] for color in Color]


def _side_text(name: str, side: SideSummary) -> str:
    if not side.moves:
        return f"{name}: no turns with a choice"
    return f"{name}: mean loss {side.mean_loss:.1f}, {100 * side.best_share:.0f} % best moves"


def mistake_lines(
    points: Sequence[AnalyzedTurn],
    analysis: Analysis | None,
    ply: int,
    theme: BoardTheme,
    width: int,
    height: int,
    first: int,
    deeper: int | None = None,
) -> tuple[CellLines, list[int], int]:
    """Return the turning points, then the mistakes, those after ``ply`` plies marked.

    With them come the ply of each line of the whole list, 0 for none, and the number of the first that is shown.

    Args:
        points: the turning points.
        first: the first of the lines before; it stays where a marked line is seen so.
        deeper: the level of the turning points where it is deeper than that of the mistakes.
    """
    mistakes = analysis.mistakes if analysis is not None else ()
    if not mistakes:
        return ([[Cell(NO_MISTAKES)]] if analysis is not None and analysis.complete else []), [], 0
    of = ("", "") if analysis is None or deeper is None else (f", level {deeper}", f", level {analysis.level}")
    rows: list[AnalyzedTurn | str] = [f"Turning points (Tab){of[0]}:", *points] if points else []
    if {turn.ply for turn in points} != {turn.ply for turn in mistakes}:
        rows += [*([f"All mistakes{of[1]}:"] if points else []), *mistakes]
    here = [at for at, row in enumerate(rows) if not isinstance(row, str) and row.ply == ply + 1]
    if here and not any(first <= at < first + height for at in here):
        first = here[-1] - height // 2
    first = max(min(first, len(rows) - height), 0)
    lines: CellLines = []
    for at, row in enumerate(rows[first : first + height], first):
        text = (
            row
            if isinstance(row, str)
            else f"{theme.pointer if at in here else ' '} {_mistake_text(row, theme, width - 2)}"
        )
        lines.append([Cell(cut(text, width), bold=at in here or isinstance(row, str))])
    return lines, [0 if isinstance(row, str) else row.ply for row in rows], first


_SLOT = 7  # a move with its sign
_PAIR = 4 + 2 * _SLOT + 1


def played_lines(
    game: Game, analysis: Analysis | None, ply: int, theme: BoardTheme, width: int, height: int
) -> tuple[CellLines, int]:
    """Return the moves with the signs of mistakes, move ``ply`` marked, and the number of the first line."""
    first_slot = _first_slot(game)
    moves = [""] * first_slot + [_signed(analysis, number, str(each.move)) for number, each in enumerate(game, 1)]
    pairs = max(width // _PAIR, 1)
    rows = -(-len(moves) // (2 * pairs))
    here = (max(ply - 1, 0) + first_slot) // (2 * pairs)
    first = max(min(here - height // 2, rows - height), 0)
    lines: CellLines = []
    for row in range(first, min(first + height, rows)):
        cells = []
        for slot in range(2 * pairs * row, min(2 * pairs * (row + 1), len(moves))):
            if slot % 2 == 0:
                cells.append(Cell(f"{slot // 2 + 1:>2}. "))
            current = slot - first_slot == ply - 1
            text = moves[slot]
            cells.append(
                Cell(text, theme.accent if current else "", bold=current, reverse=current and theme.colorless)
            )
            cells.append(Cell(" " * (_SLOT - len(text) + slot % 2)))
        lines.append(cells)
    return lines, first


def _first_slot(game: Game) -> int:
    """Return 1 where White begins, else 0."""
    return 0 if game.start.to_move is Color.BLACK else 1


def _signed(analysis: Analysis | None, ply: int, move: str) -> str:
    try:
        judgement = None if analysis is None else analysis.turn(ply).judgement
    except KeyError:
        judgement = None
    return move if judgement is None else f"{move}{judgement.sign}"


def ply_at(x: int, row: int, game: Game, width: int) -> int | None:
    """Return the ply at a place of `played_lines`, of all of its lines; ``None`` beside the moves."""
    pairs = max(width // _PAIR, 1)
    pair, within = divmod(x, _PAIR)
    slot = 2 * (pairs * row + pair) + (within >= 4 + _SLOT)
    ply = slot - _first_slot(game) + 1
    return ply if pair < pairs and 1 <= ply <= len(game) else None


def _mistake_text(turn: AnalyzedTurn, theme: BoardTheme, width: int) -> str:
    """Return a mistake in as many words as fit: `33 Black b5?? -9, win lost; best b2`."""
    sign = "" if turn.judgement is None else turn.judgement.sign
    outcome = f", {turn.best_outcome} lost" if turn.outcome_changed else ""
    text = f"{turn.ply:2} {theme.name_of(turn.mover)} {turn.move}{sign} -{turn.loss}"
    best = f"; best {turn.best[0]}"
    return next((said for said in (text + outcome + best, text + best) if width_of(said) <= width), text)
