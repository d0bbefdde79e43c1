"""An analysis as text: the graph, the table, how each side played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from random_games import random_game
from reversi import Analysis, Color, Game, analyze
from reversi.analysis.analysis import graph_lines, side_text, table_lines


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return replace(
        analyze(random_game("othello", 9), level=4, exact_from=10), tags={"Black": "Ada", "White": "Bob"}
    )


def test_a_row_for_each_turn(analysis: Analysis) -> None:
    head, *rows = table_lines(analysis)
    assert head.split()[:3] == ["ply", "move", "value"]
    assert len(rows) == len(analysis.turns)
    for row, turn in zip(rows, analysis.turns, strict=True):
        words = row.split()
        assert words[:3] == [str(turn.ply), turn.mover.symbol, str(turn.move)]
        assert (turn.judgement is not None) == (words[3] in ("!", "!?", "?!", "?", "??"))
        assert ("forced" in words) == turn.forced
        assert ("→" in row) == turn.outcome_changed
        if turn.loss:
            assert f" {turn.loss}  " in row


@pytest.mark.parametrize("width", [40, 46, 50, 60, 70, 80])
def test_the_table_fits(analysis: Analysis, width: int) -> None:
    whole, cut = list(table_lines(analysis)), list(table_lines(analysis, width=width))
    assert max(map(len, whole)) > max(map(len, cut)) > width - 10
    assert max(map(len, cut)) <= width
    assert all(line == line.rstrip() for line in cut)
    for row, short, turn in zip(whole[1:], cut[1:], analysis.turns, strict=True):
        assert short[:28] == row[:28]  # ply, side, move, sign, value and loss stay
        if turn.loss:
            assert short[30:].startswith(str(turn.best[0]))
        assert not short.endswith(("also", ","))


@pytest.mark.parametrize("width", [40, 100])
def test_the_graph_has_a_column_for_each_ply(analysis: Analysis, width: int) -> None:
    lines = list(graph_lines(analysis, width=width))
    assert max(map(len, lines)) <= width
    assert sum(line.count("─") for line in lines) == len(analysis.values)
    marked = sum(line.count(sign) for line in lines[:-1] for sign in "·?⁇")
    assert marked == len(analysis.mistakes)
    for turn in analysis.mistakes:
        assert str(turn.judgement) in lines[-1]
    above = [value for value in analysis.values if value is not None and value > 0]
    assert sum(any(cell in line for cell in "▁▂▃▄▅▆▇█") for line in lines) >= bool(above)
    assert all(line == line.rstrip() for line in lines)


def test_how_each_side_played(analysis: Analysis) -> None:
    for color, name in ((Color.BLACK, "Ada"), (Color.WHITE, "Bob")):
        side, text = analysis.sides[color], side_text(analysis, color)
        assert text.startswith(f"{color} ({name}): mean loss {side.mean_loss:.2f} discs in {side.moves} turn")
        assert side.worst_ply is not None
        worst = analysis.turn(side.worst_ply)
        assert worst.mover is color
        assert f"worst {worst.move} at ply {worst.ply} ({worst.loss} lost)" in text
        assert worst.loss == max(turn.loss for turn in analysis.turns if turn.mover is color)


def test_a_side_without_a_choice() -> None:
    game = Game()
    game.play("f5")
    assert side_text(analyze(game, level=1), Color.WHITE) == "White: no turns with a choice"
