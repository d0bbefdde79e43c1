"""The graph of an analyzed game: the value after each ply from Black's view, with the signs of mistakes."""

from __future__ import annotations

from typing import Any

from reversi.analysis.analysis import Analysis
from reversi.render.graphs import graph

__all__ = ["graph_svg"]


def graph_svg(analysis: Analysis, **options: Any) -> str:
    """Return the graph of an analyzed game as SVG.

    Args:
        analysis: the game.
        options: those of `reversi.render.graph`; ``marks`` and ``title`` have defaults.

    Raises:
        InputError: as for `reversi.render.graph`.
    """
    marks = {turn.ply: turn.judgement.sign for turn in analysis.mistakes if turn.judgement is not None}
    names = [analysis.tags.get(side, "") for side in ("Black", "White")]
    title = " – ".join(names) if all(names) else ""
    return graph(analysis.values, **{"marks": marks, "title": title, **options})
