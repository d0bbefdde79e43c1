"""What ``reversi solve`` shows of its results and its progress."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Final

from reversi.cli.console import is_terminal_err
from reversi.score import format_score, score_text, short_score
from reversi.solver.batch import Batch
from reversi.solver.solution import Solution
from reversi.text.pasted import PositionEntry
from reversi.text.terminal import safe

HEADER: Final = "   # empties  score                        nodes    time  best line"


def single_text(solution: Solution) -> str:
    """Return the answer to a question about one position alone."""
    position = solution.position
    return f"{score_text(solution.score, position.to_move)}, {position.empties} empty: {_line(solution)}".rstrip(
        " :"
    )


def row_text(index: int, solution: Solution) -> str:
    """Return the answer as a row under `HEADER`."""
    score, position = solution.score, solution.position
    return (
        f"{index:4d} {position.empties:7d}  {score_text(score, position.to_move):22} {score.nodes:11,d} "
        f"{score.time_s:7.2f}  {_line(solution)}"
    ).rstrip()


def _line(solution: Solution) -> str:
    if solution.pv:
        return " ".join(map(str, solution.pv))
    return "" if solution.likely is None else f"likely {solution.likely}"


def moves_text(solution: Solution) -> str:
    """Return the scored moves, best first."""
    return "     " + " ".join(f"{scored.move}:{short_score(scored.score)}" for scored in solution.moves)


def duration(seconds: float) -> str:
    """A time to go, as people read it: ``0:07``, ``12:30``, ``3:05:00``."""
    whole = int(seconds + 0.5)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


class ProgressLine:
    """One line on standard error that says how far a run is; nothing when that is no terminal.

    Args:
        total: how many positions there are, ``None`` when not known; then ``last_line``, the number of the input's
            last line, tells how far the run is.
        last_line: see there.
    """

    def __init__(self, total: int | None, last_line: int) -> None:
        self._on = is_terminal_err()
        self._total = total
        self._last_line = max(1, last_line)
        self._began = time.monotonic()
        self._next = self._began
        self._line = 0
        self._width = 0

    def done(self, entry: PositionEntry) -> None:
        """Note that an entry is finished."""
        self._line = max(self._line, entry.line)

    def show(self, batch: Batch[PositionEntry]) -> None:
        """Write the line, if it is time to."""
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + 0.2
        text = self._text(batch, max(now - self._began, 1e-3))
        columns = shutil.get_terminal_size().columns - 1
        self.clear()
        text = safe(text)[:columns]
        self._width = len(text)
        sys.stderr.write(text)
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0

    def _text(self, batch: Batch[PositionEntry], seconds: float) -> str:
        parts = []
        share = batch.answered / self._total if self._total else self._line / self._last_line
        if batch.answered:
            rate = batch.answered / seconds
            parts.append(f"{batch.answered}{f'/{self._total}' if self._total else ''} solved")
            parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
        parts.append(f"{batch.nodes / seconds / 1e6:.1f} M nodes/s")
        if batch.answered and 0 < share < 1:
            parts.append(f"about {duration(seconds * (1 - share) / share)} left")
        if batch.under_way:
            entry, now = batch.under_way[0]
            best = f" {now.best}" if now.best else ""
            bounds = f"{format_score(now.lower)}..{format_score(now.upper)}"
            parts.append(f"#{entry.index}: {bounds}{best}, {now.nodes / 1e6:.0f} M nodes, {now.time_s:.0f} s")
        return ", ".join(parts)
