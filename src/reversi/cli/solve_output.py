"""The lines of ``reversi solve``: its results and its progress."""

from __future__ import annotations

from typing import Final

from reversi.score import format_score, score_text, short_score
from reversi.solver.run import SolveRun
from reversi.solver.solution import Solution

HEADER: Final = "   # empties  score                        nodes    time  best line"


def single_text(solution: Solution) -> str:
    """Return the answer to a question about one position alone."""
    position = solution.position
    return f"{score_text(solution.score)}, {position.empties} empty: {_line(solution)}".rstrip(" :")


def row_text(index: int, solution: Solution) -> str:
    score, position = solution.score, solution.position
    return (
        f"{index:4d} {position.empties:7d}  {score_text(score):22} {score.nodes:11,d} "
        f"{score.time_s:7.2f}  {_line(solution)}"
    ).rstrip()


def _line(solution: Solution) -> str:
    if solution.pv:
        return " ".join(map(str, solution.pv))
    return "" if solution.likely is None else f"likely {solution.likely}"


def moves_text(solution: Solution) -> str:
    return "     " + " ".join(f"{scored.move}:{short_score(scored.score)}" for scored in solution.moves)


def progress_text(run: SolveRun, seconds: float) -> str:
    """Return what the progress line says of a run after ``seconds``."""
    parts = []
    if run.batch.answered:
        rate = run.batch.answered / seconds
        of_all = f"/{run.total}" if run.total else ""
        parts.append(f"{run.batch.answered}{of_all} solved")
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
    parts.append(f"{run.batch.nodes / seconds / 1e6:.1f} M nodes/s")
    if run.batch.under_way:
        entry, now = run.batch.under_way[0]
        best = f" {now.best}" if now.best else ""
        bounds = f"{format_score(now.lower)}..{format_score(now.upper)}"
        parts.append(f"#{entry.index}: {bounds}{best}, {now.nodes / 1e6:.0f} M nodes, {now.time_s:.0f} s")
    return ", ".join(parts)
