"""Thinking on the opponent's time: a search in the background whose results the next search finds in the table.

The search first sorts the opponent's moves by a short look at them, then searches the positions after them, the
likeliest one first, as the engine would search them itself. When the opponent has moved, `Pondering.stop` ends it;
the engine then chooses as always, only sooner or deeper.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

from reversi._core import PASS, Position
from reversi.engine.search import Searcher
from reversi.errors import ResourceError
from reversi.work.cancel import Cancel

_LOOK: Final = 8
"""How many placements deep the opponent's moves are compared."""
_NAME: Final = "reversi-pondering"


class Pondering:
    """A search on the opponent's time, which goes on until it has nothing left to search or is stopped.

    Args:
        searcher: whose table it fills; nobody else searches with it until `stop` returns.
        position: one with the opponent to move.
        search: searches a position as the engine would, until it is cancelled.
    """

    def __init__(
        self, searcher: Searcher, position: Position, search: Callable[[Position, Cancel], object]
    ) -> None:
        self.position: Final = position
        """The position with the opponent to move."""
        self.cancel: Final = Cancel()
        """Stops it, without waiting for its end."""
        # a daemon: a program that forgets to stop it ends all the same
        self._thread = threading.Thread(
            target=_ponder, args=(searcher, position, search, self.cancel), name=_NAME, daemon=True
        )
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it still searches."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop it; when this returns its thread has ended. This takes a few milliseconds."""
        self.cancel.cancel()
        self._thread.join()

    def wait(self) -> None:
        """Wait until it has nothing left to search."""
        self._thread.join()


def _ponder(
    searcher: Searcher, position: Position, search: Callable[[Position, Cancel], object], cancel: Cancel
) -> None:
    try:
        for after in _expected(searcher, position, cancel):
            if cancel.cancelled:
                return
            search(after, cancel)
    except ResourceError:  # a machine without threads or memory to spare does not ponder
        pass


def _expected(searcher: Searcher, position: Position, cancel: Cancel) -> Iterator[Position]:
    """Yield the positions that the engine may be asked next, the likeliest one first."""
    count = len(position.legal_moves)
    looked = searcher.search(position, count=count, depth=_LOOK, cancel=cancel)
    for scored in looked.moves:
        after = position.play(scored.move)
        while not after.is_over and not after.legal_moves.placements:
            after = after.play(PASS)
        if not after.is_over:
            yield after
