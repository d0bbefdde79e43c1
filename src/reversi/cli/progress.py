"""One line on standard error that says how far a long command is; nothing where that is not a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from reversi.cli.console import is_terminal_err, passing_lines
from reversi.text.terminal import safe

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_EVERY_S: Final = 0.2


class ProgressLine:
    """A line with a text, a bar and the remaining time, drawn by Rich; it begins when a command takes a while.

    Whatever a command writes through `reversi.cli.console` takes the line away; `show` draws it again.
    """

    def __init__(self) -> None:
        self._on = is_terminal_err()
        self._next = time.monotonic() + _EVERY_S
        self._drawn: tuple[Progress, TaskID] | None = None
        self._is_shown = False

    def show(self, text: Callable[[], str], share: float | None = None) -> None:
        """Draw the line, a few times a second at most.

        Args:
            text: what it says; called only when the line is drawn.
            share: how much is done, from 0 to 1; ``None`` while that is not known.
        """
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + _EVERY_S
        if self._drawn is None:
            self._drawn = _begun()
        progress, task = self._drawn
        progress.update(
            task, description=safe(text()), total=None if share is None else 1.0, completed=share or 0.0
        )
        if not self._is_shown:
            progress.start()
            self._is_shown = True
            passing_lines.append(self.clear)
        progress.refresh()

    def counting(self, what: str) -> Callable[[int, int], None]:
        """Return what draws how many of all are done, which ``what`` names."""
        return lambda done, all_: self.show(lambda: f"{done} of {all_} {what}", done / all_)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown and self._drawn is not None:
            self._drawn[0].stop()
            self._is_shown = False


def _begun() -> tuple[Progress, TaskID]:
    # not before there is something to show: Rich takes a while to load
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    progress = Progress(
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
        BarColumn(bar_width=16),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    return progress, progress.add_task("", total=None)
