"""The side of an analysis, as lines of cells: the turn, the graph, how both sides played, the mistakes."""

from __future__ import annotations

import textwrap

from reversi.analysis.analysis import Analysis, AnalyzedTurn, SideSummary
from reversi.color import Color
from reversi.game.game import Game
from reversi.score import Score, score_text
from reversi.session.review import loss_text
from reversi.session.sentences import NO_MISTAKES
from reversi.tui.board_drawing import Cell
from reversi.tui.graph import graph_lines, mark_line
from reversi.tui.themes import BoardTheme

__all__ = ["mistake_lines", "place_lines", "summary_lines", "turn_lines"]

Lines = list[list[Cell]]


def turn_lines(turn: AnalyzedTurn | None, theme: BoardTheme, width: int) -> Lines:
    """Return what was played in a turn, and what was best; nothing without an analyzed turn."""
    if turn is None:
        return []
    name = theme.name_of(turn.mover)
    sign = "" if turn.judgement is None else turn.judgement.sign
    texts = [f"{name} plays {turn.move}{sign}: {score_text(turn.score, name_of=theme.name_of)}"]
    if turn.forced:
        texts.append("The only legal move.")
    elif turn.is_best:
        texts.append("A best move.")
    else:
        best = " ".join(str(move) for move in turn.best)
        said = score_text(turn.best_score, name_of=theme.name_of)
        texts += [f"Loses {loss_text(turn)}. Best: {best}, {said}", " ".join(str(move) for move in turn.pv)]
    if turn.book:
        texts[1] += " In the opening book."
    return [[Cell(line, bold=not at)] for at, text in enumerate(texts) for line in textwrap.wrap(text, width)[:2]]


def place_lines(
    analysis: Analysis | None, game: Game, ply: int, theme: BoardTheme, width: int, height: int
) -> Lines:
    """Return the graph of a game with the value of the position after ``ply`` plies, and a mark below that ply."""
    values: list[Score | None] = [None] * len(game)
    at_start: Score | None = None
    for turn in analysis.turns if analysis is not None else ():
        values[turn.ply - 1] = turn.score.pov(Color.BLACK)
        if turn.ply == 1:
            at_start = turn.best_score.pov(Color.BLACK)
    here = (ply, values[ply - 1] if ply else at_start)
    return [*graph_lines(values, theme, width, height - 1, here), mark_line(len(values), ply, theme, width)]


def summary_lines(analysis: Analysis | None, theme: BoardTheme, width: int) -> Lines:
    """Return how both sides played, once the whole game is analyzed."""
    if analysis is None or not analysis.complete:
        return []
    sides = analysis.sides
    return [[Cell(_side_text(theme.name_of(color), sides[color])[:width])] for color in Color]


def _side_text(name: str, side: SideSummary) -> str:
    if not side.moves:
        return f"{name}: no turns with a choice"
    return f"{name}: mean loss {side.mean_loss:.1f}, {100 * side.best_share:.0f} % best moves"


def mistake_lines(analysis: Analysis | None, ply: int, theme: BoardTheme, width: int, height: int) -> Lines:
    """Return the mistakes, the one after ``ply`` plies marked, as many as fit around it."""
    mistakes = analysis.mistakes if analysis is not None else ()
    if not mistakes:
        return [[Cell(NO_MISTAKES)]] if analysis is not None and analysis.complete else []
    at = next((number for number, turn in enumerate(mistakes) if turn.ply > ply), len(mistakes) - 1)
    first = max(min(at - height // 2, len(mistakes) - height), 0)
    lines: Lines = []
    for turn in mistakes[first : first + height]:
        here = turn.ply == ply + 1
        pointer = theme.pointer if here else " "
        lines.append([Cell(f"{pointer} {_mistake_text(turn, theme)}"[:width], bold=here)])
    return lines


def _mistake_text(turn: AnalyzedTurn, theme: BoardTheme) -> str:
    """Return a mistake in few words: `33 Black b5?? -9, win lost; best b2`."""
    sign = "" if turn.judgement is None else turn.judgement.sign
    outcome = f", {turn.best_outcome} lost" if turn.outcome_changed else ""
    return f"{turn.ply:2} {theme.name_of(turn.mover)} {turn.move}{sign} -{turn.loss}{outcome}; best {turn.best[0]}"
